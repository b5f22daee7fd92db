// SPDX-License-Identifier: MIT
#include "driverless/gate/explanation.h"

#include <algorithm>
#include <variant>

#include "driverless/gate/details.h"
#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::gate {
namespace {

std::string sizes(const std::array<std::uint32_t, 3>& size) {
  return concat(size[0], " x ", size[1], " x ", size[2]);
}

/// An argument passed by value: a number of up to eight bytes, else how long it is.
std::string describe_value(const Bytes& bytes) {
  constexpr std::size_t kMostBytes = 8;
  if (bytes.size() > kMostBytes || bytes.empty()) return concat(bytes.size(), " bytes");
  std::uint64_t number = 0;
  for (std::size_t n = bytes.size(); n-- > 0;) {
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[n]);
  }
  constexpr std::uint64_t kSmall = 1 << 20;
  return number < kSmall ? concat(number) : hex(number);
}

std::string launch_of(const Place& place, const Context& context) {
  const auto& body = std::get<LaunchKernel>(context.body_of_launch(place.launch).body);
  const Launch launch = context.recording().launch_of(body);
  const Kernel& kernel = context.recording().kernel(launch.kernel);
  std::string text = concat("  ", sizes(launch.grid_workgroups), " workgroups of ",
                            sizes(launch.workgroup_workitems), " work-items");
  if (launch.dynamic_lds_bytes != 0) {
    text += concat(", ", launch.dynamic_lds_bytes, " bytes of dynamic LDS");
  }
  text += "\n";
  for (const LaunchArgument& argument : launch.arguments) {
    const std::string value = argument.is_pointer
                                  ? argument.memory.allocation
                                        ? concat(context.names().label(argument.memory.allocation),
                                                 " + ", argument.memory.offset_bytes)
                                        : context.names().place(argument.memory, "no allocation")
                                  : describe_value(argument.bytes);
    text += printable(concat("    ", argument_name(kernel, argument.offset_bytes), " = ", value));
    text += "\n";
  }
  return text;
}

std::string code_of(const Finding& finding) {
  std::string text;
  for (const CodeNeighbour& each : finding.code) {
    text += concat(each.is_the_one ? "  > " : "    ", describe_pc(each.pc), ": ", each.text, "\n");
  }
  return text;
}

std::string operands_of(const Finding& finding) {
  std::string text;
  for (const Operand& operand : finding.operands) {
    text += printable(concat("    ", operand.name, " = ", operand.value)) + "\n";
  }
  return text;
}

std::string part(std::string_view title, const std::string& text) {
  return text.empty() ? text : concat("\n", title, "\n", text);
}

std::string place_of(const Finding& finding) {
  const Place& place = finding.places.front();
  if (place.launch == 0 || !place.has_lane) return {};
  return concat("in workgroup ", place.workgroup[0], ",", place.workgroup[1], ",",
                place.workgroup[2], ", wavefront ", place.wavefront, ", lane ", place.lane);
}

/// A copy's or fill's sizes and both its ends; of other calls nothing.
std::string sides_of(const Record& record, const Names& names) {
  constexpr std::string_view kHost = "host memory";
  if (const auto* copy = std::get_if<Copy>(&record.body)) {
    return concat("    ", name_of(copy->direction), ", ", plural(copy->size_bytes, "byte"),
                  "\n    from ", names.place(copy->source, kHost), "\n    to ",
                  names.place(copy->destination, kHost), "\n");
  }
  const auto* const fill = std::get_if<Fill>(&record.body);
  if (fill == nullptr) return {};
  return concat("    ", plural(fill->size_bytes, "byte"), " of ",
                names.place(fill->destination, kHost), "\n");
}

std::string call_of(const Finding& finding, const Context& context) {
  const Place& place = finding.places.front();
  const Record& record = context.record(place.node == 0 ? place.record : place.node);
  return concat("    ", where_of(finding), "\n", sides_of(record, context.names()));
}

}  // namespace

std::string explanation_of(const Finding& finding, const Context& context) {
  const Place& place = finding.places.front();
  std::string text = headline_of(finding) + "\n";
  if (place.launch != 0) {
    text += part(printable(concat("Launch ", where_of(finding), ": ", finding.kernel)),
                 launch_of(place, context));
  } else {
    text += part(concat("Call: ", finding.kernel), call_of(finding, context));
  }
  text += part(concat("Instruction, ", place_of(finding)), code_of(finding));
  text += part("Operands", operands_of(finding));
  if (has_address(place)) {
    text += part("Memory", (place.argument.empty() ? "" : detail_line("argument", place.argument)) +
                               detail_line(finding.memory_is, memory_of(place)));
  }
  text += part("How the value came about", story_lines(finding));
  std::string facets;
  for (const Facet& facet : finding.facets) {
    facets += printable(concat("    ", facet.name, ": ", facet.text)) + "\n";
  }
  text += part("Of the same cause", facets);
  text += part("How often, and where else", extent_of(finding));
  return text + part("Hint", printable(concat("    ", finding.hint)) + "\n");
}

}  // namespace compass::gate
