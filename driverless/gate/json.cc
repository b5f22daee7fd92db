// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "driverless/gate/print.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJsonVersion = 2;

std::string_view name_of(AccessKind access) {
  switch (access) {
    case AccessKind::kLoad:
      return "load";
    case AccessKind::kStore:
      return "store";
    case AccessKind::kAtomic:
      break;
  }
  return "atomic";
}

std::string_view name_of(AddressSpace space) {
  switch (space) {
    case AddressSpace::kGlobal:
      return "global";
    case AddressSpace::kLds:
      return "lds";
    case AddressSpace::kScratch:
      break;
  }
  return "scratch";
}

std::string_view name_of(Decision decision) {
  switch (decision) {
    case Decision::kAddress:
      return "address";
    case Decision::kExec:
      return "exec";
    case Decision::kBranch:
      break;
  }
  return "branch";
}

/// Members that say nothing of a place are null, never missing.
Json to_json(const Place& place) {
  Json json;
  json["record"] = place.record;
  if (place.node != 0) json["node"] = place.node;
  json["launch"] = place.launch != 0 ? Json(place.launch) : Json();
  json["step"] = place.step ? Json(place.step.value) : Json();
  json["access"] = name_of(place.access);
  json["size_bytes"] = place.size_bytes;
  json["argument"] = place.argument;
  json["status"] = place.status != 0 ? Json(place.status) : Json();
  json["decision"] = Json();
  if (place.decision) {
    json["decision"] = {
        {"decides", name_of(*place.decision)},
        {"loaded_at_pc", place.origin_pc ? Json(*place.origin_pc) : Json()},
        {"written_by_record", place.written_by != 0 ? Json(place.written_by) : Json()}};
  }
  json["lane"] = Json();
  if (place.launch != 0 && place.has_lane) {
    json["lane"] = {{"workgroup", place.workgroup},
                    {"wavefront", place.wavefront},
                    {"lane", place.lane},
                    {"pc", place.pc},
                    {"instruction", place.instruction}};
  }
  json["address"] = {{"space", name_of(place.space)},
                     {"allocation", place.allocation ? Json(place.allocation.value) : Json()},
                     {"buffer", place.buffer},
                     {"offset_bytes", place.offset_bytes},
                     {"buffer_bytes", place.buffer_bytes},
                     {"freed_by_record", place.freed_by != 0 ? Json(place.freed_by) : Json()},
                     {"text", describe_address(place)}};
  json["address"]["segment"] = Json();
  if (place.segment) {
    json["address"]["segment"] = {
        {"allocation", place.segment.value},
        {"buffer", place.segment_label},
        {"offset_bytes", place.offset_bytes + static_cast<std::int64_t>(place.block_offset_bytes)},
        {"buffer_bytes", place.segment_bytes}};
  }
  return json;
}

Json to_json(const StoryLink& link) {
  const auto known = [](std::uint64_t number) { return number != 0 ? Json(number) : Json(); };
  return {{"what", link.what},
          {"value", link.value},
          {"place", link.place},
          {"loaded_at_pc", link.read_pc ? Json(*link.read_pc) : Json()},
          {"written_by",
           {{"text", link.written_by},
            {"record", known(link.writer)},
            {"node", known(link.node)},
            {"launch", known(link.launch)},
            {"step", known(link.step.value)},
            {"pc", link.write_pc ? Json(*link.write_pc) : Json()},
            {"instruction", link.write_instruction}}}};
}

/// What was found out by looking a second time; empty lists where nobody did.
void add_inspection(Json& json, const Finding& finding) {
  json["operands"] = Json::array();
  for (const Operand& operand : finding.operands) {
    json["operands"].push_back({{"name", operand.name}, {"value", operand.value}});
  }
  json["code"] = Json::array();
  for (const CodeNeighbour& each : finding.code) {
    json["code"].push_back({{"pc", each.pc}, {"text", each.text}, {"is_the_one", each.is_the_one}});
  }
  json["story"] = Json::array();
  for (const StoryLink& link : finding.story) json["story"].push_back(to_json(link));
  json["facets"] = Json::array();
  for (const Facet& facet : finding.facets) {
    json["facets"].push_back({{"name", facet.name}, {"text", facet.text}});
  }
  json["siblings"] = Json::array();
  for (const Sibling& sibling : finding.siblings) {
    json["siblings"].push_back({{"buffer", sibling.buffer}, {"state", name_of(sibling.state)}});
  }
}

Json to_json(const Finding& finding) {
  Json places = Json::array();
  for (const Place& place : finding.places) places.push_back(to_json(place));
  Json json = {{"rule", finding.rule},
               {"level", name_of(finding.level)},
               {"id", finding.id},
               {"kernel", finding.kernel},
               {"role", finding.role},
               {"step_kind", finding.step_kind},
               {"phase", finding.phase},
               {"statement", finding.statement},
               {"accesses", finding.accesses},
               {"unit", finding.unit},
               {"launches", finding.launches},
               {"places", std::move(places)},
               {"hint", finding.hint}};
  add_inspection(json, finding);
  return json;
}

Json to_json(const Unchecked& unchecked) {
  return {{"launches", unchecked.launches},
          {"first_launch", unchecked.first_launch},
          {"first_record", unchecked.first_record},
          {"reason", unchecked.reason}};
}

Json to_json(const std::vector<Unchecked>& reasons) {
  Json json = Json::array();
  for (const Unchecked& reason : reasons) json.push_back(to_json(reason));
  return json;
}

Json to_json(const AllowEntry& entry) {
  return {{"id", entry.id},
          {"reason", entry.reason},
          {"owner", entry.owner},
          {"expires", to_string(entry.expires)},
          {"most", entry.most ? Json(*entry.most) : Json()},
          {"line", entry.line}};
}

Json to_json(const JudgedFinding& judged, const std::vector<ProcessReport>& processes) {
  Json json = {{"process", processes[judged.process].number},
               {"state", name_of(judged.state)},
               {"fails", judged.fails},
               {"allow", judged.allow != nullptr ? to_json(*judged.allow) : Json()}};
  json.update(to_json(*judged.finding));
  return json;
}

Json rules_of(const Report& report) {
  Json json = Json::object();
  for (const auto& [rule, tally] : report.rules) {
    json[rule] = {{"verdict", name_of(verdict_of(report, rule))},
                  {"checked", tally.checked},
                  {"unchecked", tally.unchecked},
                  {"reasons", to_json(tally.reasons)}};
  }
  return json;
}

Json to_json(const Environment& environment) {
  return {{"compass_capture", environment.version},
          {"architecture", environment.architecture},
          {"program", environment.program},
          {"recorded_architecture", environment.recorded_architecture},
          {"incomplete_cause", environment.incomplete_cause},
          {"fidelity", mnemonics_by_basis(environment.instructions)}};
}

Json to_json(const ProcessReport& process) {
  const Report& report = process.report;
  return {{"process", process.number},
          {"heading", process.heading},
          {"is_whole", process.is_whole},
          {"launches",
           {{"checked", report.checked},
            {"unchecked", report.unchecked},
            {"reasons", to_json(report.reasons)}}},
          {"rules", rules_of(report)},
          {"environment", to_json(process.environment)}};
}

/// Of all processes.
Json launches_of(const std::vector<ProcessReport>& processes) {
  std::uint64_t checked = 0, unchecked = 0;
  for (const ProcessReport& process : processes) {
    checked += process.report.checked;
    unchecked += process.report.unchecked;
  }
  return {{"checked", checked}, {"unchecked", unchecked}};
}

Json to_json(const Policy& policy) {
  const auto file = [](const auto& named) { return named ? Json(named->file) : Json(); };
  Json json = {{"fail_on", name_of(policy.fail_on)},
               {"require", policy.require},
               {"allow", file(policy.allow)},
               {"baseline", file(policy.baseline)},
               {"missing_baseline", Json()}};
  if (!policy.missing_baseline.empty()) json["missing_baseline"] = policy.missing_baseline;
  return json;
}

Json to_json(const KnownFinding& known) {
  return {{"id", known.id}, {"rule", known.rule}, {"kernel", known.kernel}};
}

Json to_json(const Unrecorded& unrecorded) {
  return {{"program", unrecorded.program}, {"cause", unrecorded.cause}};
}

template <class Items, class Make>
Json array_of(const Items& items, Make make) {
  Json json = Json::array();
  for (const auto& item : items) json.push_back(make(item));
  return json;
}

}  // namespace

std::string to_json(const FullReport& report) {
  const Ruling& ruling = report.ruling;
  const auto finding = [&](const JudgedFinding& judged) {
    return to_json(judged, report.processes);
  };
  const auto pointed = [](const auto* item) { return to_json(*item); };
  const auto plain = [](const auto& item) { return to_json(item); };
  const Json json = {{"format", concat("compass-capture ", report.command)},
                     {"version", kJsonVersion},
                     {"exit_code", static_cast<int>(ruling.outcome)},
                     {"policy", to_json(report.policy)},
                     {"findings", array_of(ruling.findings, finding)},
                     {"gone", array_of(ruling.gone, pointed)},
                     {"unused", array_of(ruling.unused, pointed)},
                     {"launches", launches_of(report.processes)},
                     {"processes", array_of(report.processes, plain)},
                     {"unrecorded", array_of(report.unrecorded, plain)}};
  // Names come from files: what is no UTF-8 in them must not throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace compass::gate
