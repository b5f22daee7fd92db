// SPDX-License-Identifier: MIT
#include "driverless/inspection/origin.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "driverless/analysis/nonfinite.h"
#include "driverless/analysis/sources.h"
#include "driverless/inspection/links.h"
#include "driverless/inspection/operands.h"
#include "driverless/inspection/pass.h"

namespace compass::inspection {
namespace {

using analysis::Definitions;

/// Launches of which traces are made in one playback.
constexpr std::size_t kBatch = 32;
/// One NaN makes many: beyond so many launches the first has been found, or there is none.
constexpr std::size_t kMostLaunches = 256;

std::string name_of_number(double number) {
  return std::isnan(number) ? "NaN" : number > 0 ? "infinity" : "-infinity";
}

bool is_finite_half(std::uint32_t bits) { return (bits & 0x7C00) != 0x7C00; }

std::string name_of_half(std::uint32_t bits) {
  return (bits & 0x3FF) != 0 ? "NaN" : (bits & 0x8000) == 0 ? "infinity" : "-infinity";
}

/// Of the first number in the value that is none.
std::string name_of_value(const TracedValue& value) {
  using Number = TracedValue::Number;
  const auto as_float = [&](unsigned word) { return std::bit_cast<float>(value.words[word]); };
  switch (value.number) {
    case Number::kF32:
    case Number::kF32x2:
    case Number::kF32s:
      for (unsigned word = 0; word < value.words.size(); ++word) {
        if (!std::isfinite(as_float(word))) return name_of_number(as_float(word));
      }
      break;
    case Number::kF64:
      return name_of_number(
          std::bit_cast<double>(value.words[0] | std::uint64_t{value.words[1]} << 32));
    case Number::kF16:
    case Number::kF16x2:
      return name_of_half(value.words[0] >> (is_finite_half(value.words[0]) ? 16 : 0));
    case Number::kBits:
      break;
  }
  return "infinity or NaN";
}

std::string name_of_result(const TraceStep& step) {
  const auto result =
      std::find_if(step.results.begin(), step.results.end(), analysis::is_nonfinite);
  return result == step.results.end() ? "infinity or NaN" : name_of_value(*result);
}

class Origins {
 public:
  explicit Origins(const Stage& stage) : stage_(stage), links_(stage.context) {}

  /// Of the launches of one batch.
  Result<void> look(std::vector<std::pair<std::uint64_t, MemoryRef>> batch) {
    std::vector<LookRequest> watches;
    for (const auto& [ordinal, place] : batch) {
      LookRequest request{.ordinal = ordinal};
      request.look.watch =
          stage_.context.recording().allocation(place.allocation).address + place.offset_bytes;
      watches.push_back(std::move(request));
    }
    if (auto ok = look_at_all(stage_, watches); !ok) return ok;
    std::vector<LookRequest> traces;
    for (std::size_t n = 0; n < batch.size(); ++n) {
      if (watches[n].last_access) traces.push_back(trace_of(watches[n], batch[n].second));
    }
    return look_at_all(stage_, traces);
  }

  std::map<std::uint64_t, gate::NonfiniteOrigin> take() { return std::move(found_); }
  bool has_found() const { return !found_.empty(); }

 private:
  LookRequest trace_of(const LookRequest& watch, const MemoryRef& place) {
    const WatchedAccess& store = *watch.last_access;
    LookRequest request{.ordinal = watch.ordinal, .access = watch.accesses};
    request.until = LookRequest::Until::kAccess;
    request.look.watch = watch.look.watch;
    request.look.traces = true;
    request.look.workgroup = store.workgroup;
    request.look.wavefront = store.wavefront;
    request.look.lane = store.lane;
    request.on_met = [this, ordinal = watch.ordinal, place](const Look& look,
                                                            const Memory& memory) {
      const Definitions definitions(look);
      const std::size_t last = definitions.size() - 1;
      const auto origin = analysis::nonfinite_origin(definitions, last);
      if (!origin) return;
      gate::NonfiniteOrigin found = describe(look, definitions, *origin, place);
      found.operands = operands_of(definitions.step(*origin), stage_.context, memory, ordinal);
      found.size_bytes = definitions.step(last).access.size_bytes;
      const auto sources = analysis::sources_of_all(definitions, *origin);
      found.story.push_back(links_.of_sources(sources, ordinal, memory));
      found.story.back().what = "what it took";
      found_.emplace(ordinal, std::move(found));
    };
    return request;
  }

  gate::NonfiniteOrigin describe(const Look& look, const Definitions& definitions,
                                 std::size_t origin, const MemoryRef& place) const {
    const TraceStep& step = definitions.step(origin);
    gate::NonfiniteOrigin found;
    found.workgroup = look.workgroup;
    found.wavefront = look.wavefront;
    found.lane = look.lane;
    found.pc = step.pc;
    found.instruction = look.code.at(step.pc).text;
    found.allocation = place.allocation;
    found.offset_bytes = place.offset_bytes;
    found.value = name_of_result(step);
    found.code = neighbours_of(look, step.pc);
    return found;
  }

  const Stage& stage_;
  Links links_;
  std::map<std::uint64_t, gate::NonfiniteOrigin> found_;
};

}  // namespace

Result<std::map<std::uint64_t, gate::NonfiniteOrigin>> find_origins(
    const Stage& stage, const std::map<std::uint64_t, MemoryRef>& places) {
  Origins origins(stage);
  std::size_t looked_at = 0;
  for (auto next = places.begin(); next != places.end() && !origins.has_found();) {
    std::vector<std::pair<std::uint64_t, MemoryRef>> batch;
    for (; next != places.end() && batch.size() < kBatch; ++next) batch.emplace_back(*next);
    if (auto ok = origins.look(batch); !ok) return std::move(ok).error();
    looked_at += batch.size();
    if (looked_at >= kMostLaunches) break;
  }
  std::map<std::uint64_t, gate::NonfiniteOrigin> found = origins.take();
  if (!found.empty()) found.erase(std::next(found.begin()), found.end());
  return found;
}

}  // namespace compass::inspection
