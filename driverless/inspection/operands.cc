// SPDX-License-Identifier: MIT
#include "driverless/inspection/operands.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <variant>

#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::inspection {
namespace {

constexpr std::size_t kNeighbours = 3;
constexpr std::int64_t kSmall = 1 << 20;

std::string register_name(const TracedValue& value) {
  if (value.kind == TracedValue::Kind::kScc) return "scc";
  const bool is_scalar = value.kind == TracedValue::Kind::kSgpr;
  constexpr unsigned kVcc = 106, kM0 = 124, kExec = 126;
  if (is_scalar && value.index == kVcc) return "vcc";
  if (is_scalar && value.index == kM0) return "m0";
  if (is_scalar && value.index == kExec) return "exec";
  const char file = is_scalar ? 's' : 'v';
  if (value.registers == 1) return concat(std::string(1, file), value.index);
  return concat(std::string(1, file), "[", value.index, ":", value.index + value.registers - 1,
                "]");
}

std::string number_text(float number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(number));
  return text;
}

std::string describe(const TracedValue& value) {
  if (value.is_mask) return concat(value.words[0], " for this lane");
  if (value.number == TracedValue::Number::kF32) {
    float number;
    std::memcpy(&number, value.words.data(), sizeof number);
    return concat(hex(value.words[0]), " (", number_text(number), ")");
  }
  const unsigned words = std::min<unsigned>(value.registers, value.words.size());
  return describe_words({value.words.begin(), value.words.begin() + words});
}

constexpr std::uint64_t kNearBytes = std::uint64_t{1} << 20;

/// By the argument that points there, where no call allocated what it points to: the host's
/// addresses are others on every run.
std::string describe_unallocated(DeviceAddress address, const Recording& recording,
                                 const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    const MemoryRef& memory = argument.memory;
    if (!argument.is_pointer || memory.allocation || memory.is_null()) continue;
    const std::uint64_t offset = address.value - memory.offset_bytes;
    if (offset >= kNearBytes) continue;
    const Kernel& kernel = recording.kernel(launch.kernel);
    const std::string name = concat(argument_name(kernel, argument.offset_bytes));
    return concat(name, offset == 0 ? "" : concat(" + ", offset), ", in no allocation");
  }
  return {};
}

/// Empty where it points to nothing that the program allocated.
std::string describe_pointer(DeviceAddress address, const gate::Context& context,
                             const Memory& memory) {
  const Region* region = memory.find(address);
  if (region == nullptr) region = memory.freed(address);
  if (region == nullptr) region = memory.nearest(address);
  if (region == nullptr || !region->id) return {};
  const std::uint64_t offset = address.value - region->base.value;
  if (offset > region->size_bytes + kNearBytes) return {};
  const std::string label = context.names().label(region->id);
  if (offset == 0) return label;
  return concat(label, " + ", offset, offset < region->size_bytes ? "" : ", past its end");
}

}  // namespace

std::string describe_words(const std::vector<std::uint32_t>& words) {
  if (words.size() == 1) {
    const auto number = static_cast<std::int32_t>(words[0]);
    if (number < kSmall && number > -kSmall) return concat(number);
    return concat(hex(words[0]), " (", number, ")");
  }
  std::string text;
  for (std::size_t n = words.size(); n-- > 0;) {
    if (text.empty() && words[n] == 0 && n != 0) continue;
    text += hex(words[n], text.empty() ? 0 : 8).substr(text.empty() ? 0 : 2);
  }
  return text == "0x" ? "0" : text;
}

std::vector<gate::Operand> operands_of(const TraceStep& step, const gate::Context& context,
                                       const Memory& memory, std::uint64_t ordinal) {
  const auto& body = std::get<LaunchKernel>(context.body_of_launch(ordinal).body);
  const Launch launch = context.recording().launch_of(body);
  std::vector<gate::Operand> operands;
  for (unsigned n = 0; n < step.source_count; ++n) {
    const TracedValue& source = step.sources[n];
    const bool is_register =
        source.kind != TracedValue::Kind::kNone && source.kind != TracedValue::Kind::kConstant;
    if (!is_register) continue;
    std::string place;
    if (source.registers == 2 && !source.is_mask) {
      const DeviceAddress address{source.words[0] | std::uint64_t{source.words[1]} << 32};
      place = describe_pointer(address, context, memory);
      if (place.empty()) place = describe_unallocated(address, context.recording(), launch);
    }
    operands.push_back({register_name(source), place.empty() ? describe(source) : place});
  }
  return operands;
}

std::vector<gate::CodeNeighbour> neighbours_of(const Look& look, std::uint64_t pc) {
  std::vector<gate::CodeNeighbour> neighbours;
  const auto at = look.code.find(pc);
  if (at == look.code.end()) return neighbours;
  auto first = at, last = std::next(at);
  for (std::size_t n = 0; n < kNeighbours && first != look.code.begin(); ++n) --first;
  for (std::size_t n = 0; n < kNeighbours && last != look.code.end(); ++n) ++last;
  for (; first != last; ++first) {
    neighbours.push_back({first->first, first->second.text, first->first == pc});
  }
  return neighbours;
}

}  // namespace compass::inspection
