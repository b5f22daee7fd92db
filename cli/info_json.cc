// SPDX-License-Identifier: MIT
#include "cli/info_json.h"

#include <map>
#include <nlohmann/json.hpp>

#include "ir/names.h"

namespace compass::cli {
namespace {

using Json = nlohmann::ordered_json;

Json stored(const archive::StoredBytes& bytes) {
  return {{"count", bytes.count},
          {"size_bytes", bytes.size_bytes},
          {"stored_bytes", bytes.stored_bytes}};
}

template <class Number>
Json number_or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json memory(AllocationKind kind, const archive::Outline& process, const Names& names) {
  const Recording& recording = process.recording;
  const MemoryPeak peak = peak_of(kind, recording, process.tally);
  Json largest = Json::array();
  constexpr std::size_t kMost = 20;
  for (const AllocationId id : peak.allocations) {
    if (largest.size() == kMost) break;
    largest.push_back({{"allocation", id.value},
                       {"name", names.buffer(id)},
                       {"size_bytes", recording.allocation(id).size_bytes}});
  }
  return {{"kind", name_of(kind)},
          {"peak_bytes", peak.size_bytes},
          {"peak_record", peak.record == 0 ? Json(nullptr) : Json(peak.record)},
          {"peak_step", peak.step ? Json(peak.step->value) : Json(nullptr)},
          {"allocations_at_peak", peak.allocations.size()},
          {"largest_at_peak", largest}};
}

Json device(const Device& device) {
  return {{"architecture", device.architecture},
          {"name", device.name},
          {"declared", device.declared},
          {"runtime_version",
           device.runtime_version == 0 ? Json(nullptr) : Json(device.runtime_version)}};
}

Json steps(const archive::Outline& process) {
  Json steps = Json::array();
  for (const Step& step : process.recording.steps) {
    const StepTally& tally = process.tally.steps.at(step.id.value - 1);
    steps.push_back({{"step", step.id.value},
                     {"kind", step.kind},
                     {"launches", tally.launches},
                     {"first_record", tally.first_record},
                     {"last_record", tally.last_record}});
  }
  return steps;
}

Json code_objects(const Recording& recording) {
  Json all = Json::array();
  for (const CodeObject& code_object : recording.code_objects) {
    all.push_back({{"target", code_object.target},
                   {"size_bytes", code_object.size_bytes},
                   {"sha256", code_object.sha256}});
  }
  return all;
}

Json records(const Tally& tally) {
  Json kinds = Json::object();
  std::uint64_t records = 0;
  std::uint64_t failed = 0;
  for (std::size_t kind = 0; kind < tally.kinds.size(); ++kind) {
    records += tally.kinds[kind].records;
    failed += tally.kinds[kind].failed;
    if (tally.kinds[kind].records != 0) {
      kinds[std::string(record_kinds()[kind])] = tally.kinds[kind].records;
    }
  }
  return {{"count", records}, {"failed", failed}, {"by_kind", kinds}};
}

Json launches(const archive::Outline& process, const Names& names) {
  std::map<std::string, std::uint64_t> by_kernel;
  std::uint64_t count = 0;
  for (const Launch& launch : process.recording.launches) {
    const std::uint64_t launches = process.tally.launches.at(launch.id.value - 1);
    count += launches;
    if (launches != 0) by_kernel[names.kernel(launch.kernel)] += launches;
  }
  return {
      {"count", count}, {"distinct", process.recording.launches.size()}, {"by_kernel", by_kernel}};
}

Json coverage(const Coverage& coverage) {
  return {{"architecture", coverage.architecture},
          {"interpreter", coverage.interpreter},
          {"launches", coverage.launches},
          {"interpreted", coverage.interpreted()},
          {"fidelity", mnemonics_by_basis(coverage.instructions)}};
}

Json process(const archive::Outline& outline) {
  const Recording& recording = outline.recording;
  const Names names(recording);
  Json kinds = Json::array();
  for (const AllocationKind kind : {AllocationKind::kDevice, AllocationKind::kPinnedHost,
                                    AllocationKind::kManaged, AllocationKind::kGlobal}) {
    kinds.push_back(memory(kind, outline, names));
  }
  const ProcessInfo& info = recording.process;
  return {{"process", info.id.value},
          {"parent", info.parent ? Json(info.parent.value) : Json(nullptr)},
          {"rank", number_or_null(info.rank)},
          {"ranks", number_or_null(info.ranks)},
          {"program", recording.program},
          {"device", device(recording.device)},
          {"complete", recording.complete},
          {"incomplete_cause", recording.incomplete_cause},
          {"contents", name_of(recording.contents)},
          {"contents_given_up",
           {{"count", recording.given_up.count}, {"size_bytes", recording.given_up.size_bytes}}},
          {"interpretation", recording.coverage ? coverage(*recording.coverage) : Json(nullptr)},
          {"records", records(outline.tally)},
          {"launches", launches(outline, names)},
          {"memory", kinds},
          {"code_objects", code_objects(recording)},
          {"steps", steps(outline)}};
}

}  // namespace

std::string to_json(const ArchiveInfo& info) {
  Json processes = Json::array();
  for (const archive::Outline& outline : info.processes) processes.push_back(process(outline));
  const Json json = {{"format", "compass-capture info"},
                     {"version", 1},
                     {"file", info.file},
                     {"archive_format", info.version},
                     {"recorder", info.recorder.empty() ? Json(nullptr) : Json(info.recorder)},
                     {"sizes",
                      {{"file_bytes", info.sizes.file_bytes},
                       {"code", stored(info.sizes.code)},
                       {"contents", stored(info.sizes.contents)}}},
                     {"processes", processes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace compass::cli
