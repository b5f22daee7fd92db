// SPDX-License-Identifier: MIT
#include "driverless/inspection/origin.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "driverless/analysis/nonfinite.h"
#include "driverless/inspection/operands.h"

namespace compass::inspection {
namespace {

using analysis::Definitions;

/// Launches of which traces are made in one playback.
constexpr std::size_t kBatch = 32;
/// One NaN makes many: beyond so many launches the first has been found, or there is none.
constexpr std::size_t kMostLaunches = 256;

std::string name_of_value(const TraceStep& step) {
  for (const TracedValue& result : step.results) {
    if (!analysis::is_nonfinite(result)) continue;
    if (result.number != TracedValue::Number::kF32) break;
    float number;
    std::memcpy(&number, result.words.data(), sizeof number);
    return std::isnan(number) ? "NaN" : number > 0 ? "inf" : "-inf";
  }
  return "infinity or NaN";
}

class Origins {
 public:
  explicit Origins(const Stage& stage) : stage_(stage) {}

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
      if (watches[n].last_store) traces.push_back(trace_of(watches[n], batch[n].second));
    }
    return look_at_all(stage_, traces);
  }

  std::map<std::uint64_t, gate::NonfiniteOrigin> take() { return std::move(found_); }
  bool has_found() const { return !found_.empty(); }

 private:
  LookRequest trace_of(const LookRequest& watch, const MemoryRef& place) {
    const WatchedStore& store = *watch.last_store;
    LookRequest request{.ordinal = watch.ordinal, .store = watch.stores};
    request.until = LookRequest::Until::kStore;
    request.look.watch = watch.look.watch;
    request.look.traces = true;
    request.look.workgroup = store.workgroup;
    request.look.wavefront = store.wavefront;
    request.look.lane = store.lane;
    request.on_met = [this, ordinal = watch.ordinal, place](const Look& look, const Memory& memory) {
      const Definitions definitions(look);
      const std::size_t last = definitions.size() - 1;
      const auto origin = analysis::nonfinite_origin(definitions, last);
      if (origin) found_.emplace(ordinal, describe(look, definitions, *origin, last, place, memory));
    };
    return request;
  }

  gate::NonfiniteOrigin describe(const Look& look, const Definitions& definitions,
                                 std::size_t origin, std::size_t store, const MemoryRef& place,
                                 const Memory& memory) const {
    const TraceStep& step = definitions.step(origin);
    gate::NonfiniteOrigin found;
    found.workgroup = look.workgroup;
    found.wavefront = look.wavefront;
    found.lane = look.lane;
    found.pc = step.pc;
    found.instruction = look.code.at(step.pc).text;
    found.allocation = place.allocation;
    found.offset_bytes = place.offset_bytes;
    found.size_bytes = definitions.step(store).access.size_bytes;
    found.value = name_of_value(step);
    found.operands = operands_of(step, stage_.context, memory);
    found.code = neighbours_of(look, step.pc);
    return found;
  }

  const Stage& stage_;
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
