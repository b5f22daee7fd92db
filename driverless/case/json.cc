// SPDX-License-Identifier: MIT
#include <cmath>
#include <nlohmann/json.hpp>

#include "driverless/case/names.h"
#include "driverless/case/print.h"

namespace compass::kernel_case {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJsonVersion = 1;

std::string hex_bits(const Dtype& dtype, std::uint64_t bits) {
  return hex(bits, dtype.size_bytes * 2);
}

Json to_json(const Mismatch& mismatch) {
  const Dtype& dtype = *mismatch.dtype;
  return {{"buffer", mismatch.buffer},
          {"dtype", dtype.name},
          {"had_to_keep", mismatch.had_to_keep},
          {"element", mismatch.element},
          {"index", mismatch.index},
          {"expected_bits", hex_bits(dtype, mismatch.want_bits)},
          {"found_bits", hex_bits(dtype, mismatch.got_bits)},
          {"expected", to_text(dtype, mismatch.want_bits)},
          {"found", to_text(dtype, mismatch.got_bits)},
          {"allowed", std::isfinite(mismatch.allowed) ? Json(mismatch.allowed) : Json()},
          {"differing", mismatch.differing},
          {"elements", mismatch.elements},
          {"last_writer", mismatch.last_writer.empty() ? Json() : Json(mismatch.last_writer)}};
}

Json to_json(const Finding& finding) {
  const Fault& fault = finding.first;
  return {{"rule", name_of(fault.kind)},
          {"access", name_of(fault.access)},
          {"space", name_of(fault.space)},
          {"size_bytes", fault.size_bytes},
          {"buffer", finding.buffer.empty() ? Json() : Json(finding.buffer)},
          {"offset_bytes", fault.offset_bytes},
          {"buffer_bytes", fault.allocation_bytes},
          {"workgroup", fault.workgroup},
          {"wavefront", fault.wavefront},
          {"lane", fault.lane},
          {"pc", fault.pc},
          {"instruction", fault.instruction},
          {"accesses", finding.accesses}};
}

Json to_json(const UndefinedUse& use) {
  const TaintedDecision& first = use.first;
  return {{"rule", "uninit-read"},
          {"buffer", use.buffer.empty() ? Json() : Json(use.buffer)},
          {"offset_bytes", first.origin_offset_bytes},
          {"load_pc", first.has_origin ? Json(first.origin_pc) : Json()},
          {"workgroup", first.workgroup},
          {"wavefront", first.wavefront},
          {"lane", first.lane},
          {"pc", first.pc},
          {"instruction", first.instruction},
          {"accesses", use.uses}};
}

/// Members that say nothing of a run are null, never missing.
Json to_json(const RunResult& result) {
  Json findings = Json::array(), mismatches = Json::array();
  for (const Finding& finding : result.findings) findings.push_back(to_json(finding));
  for (const UndefinedUse& use : result.undefined_uses) findings.push_back(to_json(use));
  for (const Mismatch& mismatch : result.mismatches) mismatches.push_back(to_json(mismatch));
  return {{"case", result.case_name},
          {"arch", result.architecture},
          {"result", name_of(result.verdict)},
          {"cause", result.cause.empty() ? Json() : Json(result.cause)},
          {"findings", std::move(findings)},
          {"mismatches", std::move(mismatches)},
          {"wave_instructions", result.wave_instructions},
          {"elapsed_ns", result.elapsed_ns}};
}

}  // namespace

std::string to_json(std::span<const RunResult> results) {
  Json runs = Json::array();
  for (const RunResult& result : results) runs.push_back(to_json(result));
  const Counts counts = count(results);
  const Json json = {
      {"format", "compass-capture case"},
      {"version", kJsonVersion},
      {"runs", std::move(runs)},
      {"counts",
       {{"passed", counts.passed}, {"failed", counts.failed}, {"skipped", counts.skipped}}}};
  // Names come from files: what is no UTF-8 in them must not throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace compass::kernel_case
