// SPDX-License-Identifier: MIT
#include "driverless/gate/details.h"

#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::gate {
namespace {

constexpr std::uint64_t kNamedSiblings = 4;

std::string instruction_of(const Place& place) {
  return concat(describe_pc(place.pc), ": ", place.instruction);
}

std::string where(const Finding& finding, const Place& place) {
  std::string step = "outside steps";
  if (place.step) step = concat("step ", place.step.value, " (", finding.step_kind, ")");
  const std::string node = place.node == 0 ? "" : concat(" (node of record ", place.node, ")");
  const std::string record =
      concat("record ", place.record, node, ", ", step, ", phase ", finding.phase);
  return place.launch == 0 ? record : concat(place.launch, ", ", record);
}

std::string counts(const Finding& finding, bool is_launch) {
  if (!is_launch) return plural(finding.launches, "call");
  const std::string launches = plural(finding.launches, "launch");
  if (finding.unit == "launch") return launches;
  return concat(plural(finding.accesses, finding.unit), " in ", launches);
}

std::string also(const Place& place) {
  std::string text = place.instruction.empty() ? "" : concat(instruction_of(place), "; ");
  if (!place.argument.empty()) text += concat("argument ", place.argument, "; ");
  return text + describe_address(place);
}

std::string operands_of(const Finding& finding) {
  std::string text;
  for (const Operand& operand : finding.operands) {
    text += concat(text.empty() ? "" : ", ", operand.name, " = ", operand.value);
  }
  return text.empty() ? text : detail_line("operands", text);
}

/// What was no memory was not written: it comes with the launch.
std::string_view how_it_came(const StoryLink& link) {
  return link.at.allocation ? "written" : "given";
}

/// What was read, and in the next line who had written it.
std::string link_text(const StoryLink& link) {
  const std::string value = link.value.empty() ? "" : concat(link.value, ", ");
  const std::string read =
      link.read_pc ? concat(", loaded at ", describe_pc(*link.read_pc)) : std::string();
  const std::string what = link.what.empty() ? "" : concat(link.what, " comes from ");
  return concat(what, value, link.value.empty() ? "" : "in ", link.place, read);
}

std::string writer_text(const StoryLink& link) {
  std::string text = concat("by ", link.written_by);
  if (link.launch != 0) text += concat(", launch ", link.launch);
  if (link.writer != 0)
    text += concat(link.launch != 0 ? ", record " : ", in record ", link.writer);
  if (link.node != 0) text += concat(" (node of record ", link.node, ")");
  if (link.step) text += concat(", step ", link.step.value);
  if (link.write_pc) {
    text += concat(", at ", describe_pc(*link.write_pc), ": ", link.write_instruction);
  }
  return text;
}

std::string story_of(const Finding& finding) {
  std::string text;
  for (const StoryLink& link : finding.story) {
    text += detail_line(text.empty() ? "value" : "from", link_text(link));
    text += detail_line(how_it_came(link), writer_text(link));
  }
  return text;
}

/// The buffers with the same role, by what is known of them.
std::string siblings_of(const Finding& finding) {
  if (finding.siblings.size() < 2) return {};
  std::string text;
  for (const Sibling::State state :
       {Sibling::State::kBroken, Sibling::State::kChecked, Sibling::State::kNotAccessed}) {
    std::uint64_t count = 0;
    std::string names;
    for (const Sibling& sibling : finding.siblings) {
      if (sibling.state != state) continue;
      if (++count <= kNamedSiblings) names += concat(count == 1 ? "" : ", ", sibling.buffer);
    }
    if (count == 0) continue;
    if (count > kNamedSiblings) names += concat(" and ", count - kNamedSiblings, " more");
    text += concat(text.empty() ? "" : "; ", count, " ", name_of(state), ": ", names);
  }
  return detail_line("siblings", text);
}

}  // namespace

std::string headline_of(const Finding& finding) {
  return printable(concat(name_of(finding.level), ": ", finding.rule, ": ",
                          short_kernel_name(finding.kernel), " ", finding.statement, " [",
                          finding.id, "]"));
}

std::string memory_of(const Place& place) {
  std::string text = describe_address(place);
  if (place.origin_pc) text += concat(", loaded at ", describe_pc(*place.origin_pc));
  return text;
}

std::string extent_of(const Finding& finding) {
  std::string text = detail_line("count", counts(finding, finding.places.front().launch != 0));
  for (std::size_t i = 1; i < finding.places.size(); ++i) {
    text += detail_line("also", also(finding.places[i]));
  }
  return text + siblings_of(finding);
}

std::string details_of(const Finding& finding) {
  const Place& place = finding.places.front();
  const bool is_launch = place.launch != 0;
  std::string text;
  text += detail_line(is_launch ? "kernel" : "call", finding.kernel);
  if (!place.argument.empty()) text += detail_line("argument", place.argument);
  text += detail_line(is_launch ? "launch" : "where", where(finding, place));
  if (is_launch && place.has_lane) {
    text += detail_line(
        "lane", concat("workgroup ", place.workgroup[0], ",", place.workgroup[1], ",",
                       place.workgroup[2], ", wavefront ", place.wavefront, ", lane ", place.lane));
    text += detail_line("instruction", instruction_of(place));
  }
  text += operands_of(finding);
  if (has_address(place)) text += detail_line(finding.memory_is, memory_of(place));
  for (const Facet& facet : finding.facets) {
    text += detail_line("facet", concat(facet.name, ": ", facet.text));
  }
  text += story_of(finding);
  return text + extent_of(finding) + detail_line("hint", finding.hint);
}

std::string where_of(const Finding& finding) { return where(finding, finding.places.front()); }

std::string story_lines(const Finding& finding) {
  std::string text;
  std::uint64_t number = 0;
  for (const StoryLink& link : finding.story) {
    const std::string_view from = number == 0 ? "" : "from ";
    text += printable(concat("    ", ++number, ". ", from, link_text(link))) + "\n";
    text += printable(concat("       ", how_it_came(link), " ", writer_text(link))) + "\n";
  }
  return text;
}

std::string plural(std::uint64_t count, std::string_view word) {
  const bool hisses = word.ends_with('s') || word.ends_with("ch");
  return concat(count, " ", word, count == 1 ? "" : hisses ? "es" : "s");
}

std::string detail_line(std::string_view label, const std::string& value) {
  return concat("    ", label, std::string(13 - label.size(), ' '), printable(value), "\n");
}

}  // namespace compass::gate
