// SPDX-License-Identifier: MIT
#include "driverless/inspection/links.h"

#include <algorithm>
#include <variant>

#include "driverless/inspection/operands.h"
#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::inspection {

using analysis::ValueSource;
using gate::StoryLink;

/// The block that holds it, where there is one, is what the program knows it by.
std::string Links::label_of(const MemoryRef& place) const {
  MemoryRef named = place;
  for (const Allocation& each : context_.recording().allocations) {
    if (!each.parent) continue;
    const MemoryRef start = context_.recording().in_root({each.id, 0});
    const bool holds = start.allocation == place.allocation &&
                       place.offset_bytes - start.offset_bytes < each.size_bytes;
    if (holds) named = {each.id, place.offset_bytes - start.offset_bytes};
  }
  return concat(context_.names().label(named.allocation), " + ", named.offset_bytes);
}

namespace {

/// Whether two words that a load brought lead into memory that the program allocated.
bool is_pointer(const std::vector<std::uint32_t>& words, const Memory& memory) {
  for (std::size_t n = 0; n + 1 < words.size(); n += 2) {
    const Region* const region =
        memory.find(DeviceAddress{words[n] | std::uint64_t{words[n + 1]} << 32});
    if (region != nullptr && region->id) return true;
  }
  return false;
}

}  // namespace

StoryLink Links::of_place(const MemoryRef& place, const Memory& memory) const {
  StoryLink link;
  link.place = label_of(place);
  link.at = place;
  set_writer(link, memory);
  return link;
}

StoryLink Links::of_sources(const std::vector<ValueSource>& sources, std::uint64_t ordinal,
                            const Memory& memory) const {
  const auto is_load = [](const ValueSource& each) {
    return each.kind == ValueSource::Kind::kMemory && each.access.allocation;
  };
  // An index says more than the pointer from a table that it goes with.
  auto load = std::find_if(sources.begin(), sources.end(), [&](const ValueSource& each) {
    return is_load(each) && !is_pointer(each.words, memory);
  });
  if (load == sources.end()) load = std::find_if(sources.begin(), sources.end(), is_load);
  if (load == sources.end()) {
    const auto& body = std::get<LaunchKernel>(context_.body_of_launch(ordinal).body);
    return without_memory(sources, context_.recording().launch_of(body));
  }
  StoryLink link = of_place({load->access.allocation, load->access.offset_bytes}, memory);
  link.value = describe_words(load->words);
  link.read_pc = load->pc;
  return link;
}

std::string Links::describe_argument(const ValueSource& source, const Kernel& kernel) const {
  const auto offset = static_cast<std::uint32_t>(source.access.offset_bytes);
  const auto is_it = [&](const KernelArgument& each) {
    return each.kind != ArgumentKind::kHidden &&
           each.offset_bytes < offset + 4 * source.words.size() &&
           offset < each.offset_bytes + each.size_bytes;
  };
  std::string text;
  for (const KernelArgument& argument : kernel.arguments) {
    if (!is_it(argument)) continue;
    text += concat(text.empty() ? "" : ", ", argument_name(kernel, argument.offset_bytes));
    const std::uint32_t word = (argument.offset_bytes - offset) / 4;
    const bool is_small = argument.size_bytes <= 4 && argument.offset_bytes >= offset &&
                          argument.kind == ArgumentKind::kByValue && word < source.words.size();
    if (is_small) text += concat(" = ", describe_words({source.words[word]}));
  }
  return text;
}

/// Of a value that comes from no memory of the program's: from arguments, ids, other lanes.
StoryLink Links::without_memory(const std::vector<ValueSource>& sources,
                                const Launch& launch) const {
  const Kernel& kernel = context_.recording().kernel(launch.kernel);
  std::string arguments, others;
  const auto add = [](std::string& list, const std::string& what) {
    const bool is_known = what.empty() || list.find(what) != std::string::npos;
    if (!is_known) list += concat(list.empty() ? "" : ", ", what);
  };
  for (const ValueSource& source : sources) {
    switch (source.kind) {
      case ValueSource::Kind::kArgument:
        add(arguments, describe_argument(source, kernel));
        break;
      case ValueSource::Kind::kStart:
        add(others, "the ids of workgroup and work-item");
        break;
      case ValueSource::Kind::kOtherLane:
        add(others, "other lanes");
        break;
      case ValueSource::Kind::kMatrix:
        add(others, "a matrix instruction");
        break;
      case ValueSource::Kind::kTraceBegin:
        add(others, "what the wavefront computed long before");
        break;
      case ValueSource::Kind::kMemory:
        add(others,
            source.access.space == AddressSpace::kLds ? "LDS" : "memory of the kernel's own");
        break;
    }
  }
  StoryLink link;
  if (!arguments.empty()) {
    const bool is_one = arguments.find(", ") == std::string::npos;
    arguments = concat(is_one ? "argument " : "arguments ", arguments);
  }
  link.place = concat(arguments, arguments.empty() || others.empty() ? "" : " and ", others);
  if (link.place.empty()) link.place = "constants";
  const auto& size = launch.grid_workgroups;
  link.written_by =
      concat("the launch itself, of ", size[0], " x ", size[1], " x ", size[2], " workgroups");
  return link;
}

std::string Links::describe_writer(const Record& record) const {
  if (const auto* copy = std::get_if<Copy>(&record.body)) {
    const bool from_host = !copy->source.allocation;
    return concat("copy ", name_of(copy->direction), from_host ? " from the host's memory" : "");
  }
  if (const auto* fill = std::get_if<Fill>(&record.body))
    return concat("fill with ", hex(fill->value));
  if (const auto* launch = std::get_if<LaunchKernel>(&record.body)) {
    const Recording& recording = context_.recording();
    return context_.names().kernel(recording.launch(launch->launch).kernel);
  }
  if (std::holds_alternative<HostWrite>(record.body)) return "the host, without a call";
  return std::string(kind_of(record));
}

/// Whether the copy takes it from there: then the host had written it, and nobody saw that.
bool Links::is_read_only(const Record& record, const MemoryRef& place) const {
  const auto* const copy = std::get_if<Copy>(&record.body);
  if (copy == nullptr) return false;
  const Recording& recording = context_.recording();
  return recording.in_root(copy->source).allocation == place.allocation &&
         recording.in_root(copy->destination).allocation != place.allocation;
}

/// Who wrote the link's place last.
void Links::set_writer(StoryLink& link, const Memory& memory) const {
  const MemoryRef& place = link.at;
  const Allocation& allocation = context_.recording().allocation(place.allocation);
  const Region* const region = memory.find(allocation.address + place.offset_bytes);
  const bool is_it = region != nullptr && region->id == place.allocation;
  link.writer = is_it ? region->shadow->writer(place.offset_bytes) : 0;
  if (link.writer != 0 && is_read_only(context_.record(link.writer), place)) link.writer = 0;
  if (link.writer == 0) {
    link.written_by = is_device_memory(allocation.kind) ? "nobody since it was allocated"
                                                        : "the host, without a call";
    return;
  }
  const Record& record = context_.record(link.writer);
  link.step = record.step;
  link.written_by = describe_writer(record);
  if (std::holds_alternative<LaunchKernel>(record.body)) {
    link.launch = context_.launch_ordinal(link.writer);
  }
}

void Links::set_store(StoryLink& link, std::uint64_t ordinal, const WatchedAccess& store) const {
  const Record& what = context_.body_of_launch(ordinal);
  link.launch = ordinal;
  if (what.sequence != link.writer) link.node = what.sequence;
  link.written_by = describe_writer(what);
  link.write_pc = store.pc;
  link.write_instruction = store.instruction;
}

std::string Links::describe_exact(std::uint64_t exact, const gate::Place& place) const {
  std::string where = concat(hex(exact), ", in no allocation");
  for (const Allocation& each : context_.recording().allocations) {
    const std::uint64_t offset = exact - each.address.value;
    if (each.parent || offset >= each.size_bytes) continue;
    where = concat(context_.names().label(each.id), " + ", offset);
    if (each.id == place.allocation) break;
  }
  return concat("32 bits are too few for the index: with exact integers the address would be ",
                where);
}

}  // namespace compass::inspection
