// SPDX-License-Identifier: MIT
#include "ir/names.h"

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "ir/base/concat.h"

namespace compass {
namespace {

/// Gives names out, each once.
class UniqueNames {
 public:
  std::string take(const std::string& name) {
    std::string unique = name;
    while (!taken_.insert(unique).second) unique = concat(name, '#', ++repeats_[name] + 1);
    return unique;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::uint32_t> repeats_;
};

bool opens(char c) { return c == '(' || c == '<' || c == '{' || c == '['; }
bool closes(char c) { return c == ')' || c == '>' || c == '}' || c == ']'; }

/// Where the bracket that the text ends with was opened; npos: it was not.
std::size_t opening_of_last(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i]) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Where the last word outside brackets starts.
std::size_t start_of_last_word(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i])) --depth;
    if (text[i] == ' ' && depth == 0) return i + 1;
  }
  return 0;
}

/// Of the allocations that any launch used, also where the recording does not say so itself.
std::unordered_map<AllocationId, FirstUse> first_uses(const Recording& recording) {
  std::unordered_map<AllocationId, FirstUse> uses;
  for (std::size_t i = 0; i < recording.first_uses.size(); ++i) {
    const FirstUse& use = recording.first_uses[i];
    if (use.kernel) uses.emplace(AllocationId{static_cast<std::uint32_t>(i + 1)}, use);
  }
  std::vector<bool> seen(recording.launches.size());
  for (const Record& record : recording.records) {
    const auto* body = std::get_if<LaunchKernel>(&record.body);
    if (body == nullptr || seen.at(body->launch.value - 1)) continue;
    seen[body->launch.value - 1] = true;
    const Launch& launch = recording.launch(body->launch);
    for (const LaunchArgument& argument : launch.arguments) {
      if (!argument.is_pointer || !argument.memory.allocation) continue;
      uses.try_emplace(argument.memory.allocation, FirstUse{launch.kernel, argument.offset_bytes});
    }
  }
  return uses;
}

}  // namespace

Names::Names(const Recording& recording) {
  name_kernels(recording);
  name_buffers(recording);
}

void Names::name_kernels(const Recording& recording) {
  std::map<std::string, std::string> canonical_of_short;
  std::map<std::string, bool> overloaded;
  for (const Kernel& kernel : recording.kernels) {
    const std::string name = short_kernel_name(kernel.canonical);
    const auto [known, is_new] = canonical_of_short.emplace(name, kernel.canonical);
    if (!is_new && known->second != kernel.canonical) overloaded[name] = true;
  }
  UniqueNames unique;
  for (const Kernel& kernel : recording.kernels) {
    const std::string name = short_kernel_name(kernel.canonical);
    kernels_.push_back(unique.take(printable(overloaded.contains(name) ? kernel.canonical : name)));
  }
}

void Names::name_buffers(const Recording& recording) {
  const std::unordered_map<AllocationId, FirstUse> uses = first_uses(recording);
  std::map<AllocationKind, std::uint32_t> ordinals;
  std::uint32_t blocks = 0;
  UniqueNames unique;
  for (const Allocation& allocation : recording.allocations) {
    std::string name = printable(allocation.info.name);
    const auto use = uses.find(allocation.id);
    if (name.empty() && use != uses.end()) {
      const auto& [by, offset_bytes] = use->second;
      name = concat(kernel(by), '.', argument_name(recording.kernel(by), offset_bytes));
    }
    if (name.empty() && allocation.parent) name = concat("block.", blocks++);
    if (name.empty()) name = concat(name_of(allocation.kind), '.', ordinals[allocation.kind]++);
    buffers_.push_back(unique.take(name));
  }
}

std::string Names::label(AllocationId id) const {
  return concat(buffer(id), " (allocation ", id.value, ')');
}

std::string Names::place(const MemoryRef& memory, std::string_view nowhere) const {
  if (memory.is_null()) return "null";
  if (!memory.allocation) return std::string(nowhere);
  const std::string& name = buffer(memory.allocation);
  return memory.offset_bytes == 0 ? name : concat(name, "[+", memory.offset_bytes, ']');
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    out += code < 0x20 || code == 0x7f ? '?' : c;
  }
  return out;
}

std::string short_kernel_name(const std::string& canonical) {
  if (!canonical.ends_with(')')) return canonical;
  const std::size_t parameters = opening_of_last(canonical);
  if (parameters == std::string::npos || parameters == 0) return canonical;
  const std::string name = canonical.substr(0, parameters);
  return name.substr(start_of_last_word(name));
}

std::string argument_name(const Kernel& kernel, std::uint32_t offset_bytes) {
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const KernelArgument& argument = kernel.arguments[i];
    if (offset_bytes < argument.offset_bytes ||
        offset_bytes - argument.offset_bytes >= argument.size_bytes) {
      continue;
    }
    const std::string name = argument.name.empty() ? concat("arg", i) : printable(argument.name);
    const std::uint32_t inside = offset_bytes - argument.offset_bytes;
    return inside == 0 ? name : concat(name, "[+", inside, ']');
  }
  return concat("kernarg[+", offset_bytes, ']');
}

std::string scalar_text(ByteView bytes) {
  constexpr std::int64_t kFirstInHex = 1 << 24;
  const auto number = [](std::int64_t value, std::uint64_t bits, int digits) {
    if (value > -kFirstInHex && value < kFirstInHex) return std::to_string(value);
    return hex(bits, digits);
  };
  switch (bytes.size()) {
    case 1:
      return std::to_string(load<std::uint8_t>(bytes));
    case 2:
      return hex(load<std::uint16_t>(bytes), 4);
    case 4:
      return number(load<std::int32_t>(bytes), load<std::uint32_t>(bytes), 8);
    case 8:
      return number(load<std::int64_t>(bytes), load<std::uint64_t>(bytes), 16);
    default:
      return concat("opaque ", bytes.size(), " bytes");
  }
}

}  // namespace compass
