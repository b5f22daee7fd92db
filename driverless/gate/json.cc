// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "driverless/gate/print.h"

namespace compass::gate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJsonVersion = 1;

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
  if (place.launch != 0) {
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

Json to_json(const Finding& finding) {
  Json places = Json::array();
  for (const Place& place : finding.places) places.push_back(to_json(place));
  return {{"rule", finding.rule},
          {"level", name_of(finding.level)},
          {"id", finding.id},
          {"kernel", finding.kernel},
          {"role", finding.role},
          {"step_kind", finding.step_kind},
          {"phase", finding.phase},
          {"accesses", finding.accesses},
          {"launches", finding.launches},
          {"places", std::move(places)},
          {"hint", finding.hint}};
}

Json to_json(const Unchecked& unchecked) {
  return {{"launches", unchecked.launches},
          {"first_launch", unchecked.first_launch},
          {"first_record", unchecked.first_record},
          {"reason", unchecked.reason}};
}

}  // namespace

std::string to_json(const Report& report, const Environment& environment) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(to_json(finding));
  Json reasons = Json::array();
  for (const Unchecked& unchecked : report.reasons) reasons.push_back(to_json(unchecked));
  const Json json = {{"format", "compass-capture check"},
                     {"version", kJsonVersion},
                     {"findings", std::move(findings)},
                     {"launches",
                      {{"checked", report.checked},
                       {"unchecked", report.unchecked},
                       {"reasons", std::move(reasons)}}},
                     {"environment",
                      {{"compass_capture", environment.version},
                       {"architecture", environment.architecture},
                       {"program", environment.program},
                       {"recorded_architecture", environment.recorded_architecture},
                       {"incomplete_cause", environment.incomplete_cause}}}};
  // Names come from files: what is no UTF-8 in them must not throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace compass::gate
