// SPDX-License-Identifier: MIT
#include "driverless/inspection/story.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "driverless/analysis/exact_address.h"
#include "driverless/analysis/sources.h"
#include "driverless/inspection/links.h"
#include "driverless/inspection/operands.h"
#include "driverless/inspection/pass.h"

namespace compass::inspection {
namespace {

using analysis::Definitions;
using analysis::ValueSource;
using gate::Finding;
using gate::StoryLink;

constexpr std::size_t kMostLinks = 8;

class Stories {
 public:
  explicit Stories(const Stage& stage) : stage_(stage), links_(stage.context) {}

  Result<void> tell(std::span<Finding> findings) {
    if (auto ok = find_lanes(findings); !ok) return ok;
    if (auto ok = look_at_findings(findings); !ok) return ok;
    for (Finding& finding : findings) ask_further(finding);
    while (!questions_.empty()) {
      const std::vector<Finding*> round = std::exchange(questions_, {});
      if (auto ok = answer(round); !ok) return ok;
      for (Finding* finding : round) ask_further(*finding);
    }
    return {};
  }

 private:
  /// Of what touches memory that nothing leads to: which lane did so first.
  Result<void> find_lanes(std::span<Finding> findings) {
    std::vector<LookRequest> requests;
    std::vector<Finding*> strays;
    for (Finding& finding : findings) {
      const gate::Place& place = finding.places.front();
      if (place.launch == 0 || place.has_lane || !place.allocation || place.status != 0) continue;
      LookRequest request{.ordinal = place.launch};
      watch(request.look, place);
      requests.push_back(std::move(request));
      strays.push_back(&finding);
    }
    if (auto ok = look_at_all(stage_, requests); !ok) return ok;
    for (std::size_t n = 0; n < strays.size(); ++n) {
      const std::optional<WatchedAccess>& first = requests[n].first_access;
      if (first) set_lane(strays[n]->places.front(), *first);
    }
    return {};
  }

  void watch(Look& look, const gate::Place& place) const {
    const auto offset = static_cast<std::uint64_t>(place.offset_bytes);
    look.watch = address_of({place.allocation, offset});
    look.watches_loads = place.access == AccessKind::kLoad;
  }

  void set_lane(gate::Place& place, const WatchedAccess& access) {
    place.has_lane = true;
    place.workgroup = access.workgroup;
    place.wavefront = access.wavefront;
    place.lane = access.lane;
    place.pc = access.pc;
    place.instruction = access.instruction;
    watched_.insert(&place);
  }

  Result<void> look_at_findings(std::span<Finding> findings) {
    std::vector<LookRequest> requests;
    for (Finding& finding : findings) {
      const gate::Place& place = finding.places.front();
      const bool is_told = !finding.story.empty() || !finding.operands.empty();
      if (place.launch == 0 || !place.has_lane || is_told) continue;
      LookRequest request{.ordinal = place.launch, .pc = place.pc};
      request.look.traces = true;
      request.look.workgroup = place.workgroup;
      request.look.wavefront = place.wavefront;
      request.look.lane = place.lane;
      request.until = place.decision ? LookRequest::Until::kDecision : LookRequest::Until::kFault;
      if (watched_.contains(&place)) {
        watch(request.look, place);
        request.until = LookRequest::Until::kAccess;
        request.access = 1;
      }
      request.on_met = [this, &finding](const Look& look, const Memory& memory) {
        begin(finding, look, memory);
      };
      requests.push_back(std::move(request));
    }
    return look_at_all(stage_, requests);
  }

  /// At the instruction that breaks the rule.
  void begin(Finding& finding, const Look& look, const Memory& memory) {
    const Definitions definitions(look);
    const std::size_t last = definitions.size() - 1;
    const gate::Place& place = finding.places.front();
    finding.operands = operands_of(definitions.step(last), stage_.context, memory, place.launch);
    finding.code = neighbours_of(look, place.pc);
    if (place.decision) {
      begin_decision(finding, definitions, memory);
      return;
    }
    if (const auto exact = analysis::exact_address(definitions, last)) {
      finding.facets.push_back({"index-width", links_.describe_exact(*exact, place)});
      finding.hint = "compute the index in 64 bits, before it is multiplied or added to";
    }
    add_first(finding, "the address", analysis::sources_of_address(definitions, last), memory);
  }

  void begin_decision(Finding& finding, const Definitions& definitions, const Memory& memory) {
    const gate::Place& place = finding.places.front();
    auto sources = analysis::sources_of_all(definitions, definitions.size() - 1);
    // Of all that went into it, what was undefined.
    const bool has_origin = std::any_of(
        sources.begin(), sources.end(),
        [&](const ValueSource& each) { return place.origin_pc && each.pc == *place.origin_pc; });
    if (has_origin) {
      std::erase_if(sources, [&](const ValueSource& each) { return each.pc != *place.origin_pc; });
    }
    add_first(finding, std::string(gate::noun_of(*place.decision)), sources, memory);
    // What stands there in this playback means nothing.
    if (!has_origin) return;
    StoryLink& link = finding.story.back();
    link.value = "undefined bytes";
    if (place.space != AddressSpace::kGlobal) link.written_by = "nobody in this launch";
  }

  void add_first(Finding& finding, std::string what, const std::vector<ValueSource>& sources,
                 const Memory& memory) {
    finding.story.push_back(links_.of_sources(sources, finding.places.front().launch, memory));
    finding.story.back().what = std::move(what);
  }

  /// If the story ends with a writer of whom nobody has asked whence it had the value.
  void ask_further(Finding& finding) {
    const std::size_t links = finding.story.size();
    if (links == 0 || links >= kMostLinks || finding.story.back().writer == 0) return;
    if (std::exchange(asked_[&finding], links) != links) questions_.push_back(&finding);
  }

  Result<void> answer(const std::vector<Finding*>& round) {
    std::vector<Finding*> of_launches;
    Pass records(stage_);
    bool has_records = false;
    for (Finding* finding : round) {
      const StoryLink& link = finding->story.back();
      const Record& writer = stage_.context.record(link.writer);
      if (const auto* copy = std::get_if<Copy>(&writer.body)) {
        has_records |= ask_source(*finding, *copy, records);
      } else if (stage_.context.launch_ordinal(link.writer) != 0) {
        of_launches.push_back(finding);
      }
    }
    if (has_records) {
      if (auto ok = records.run(); !ok) return ok;
    }
    return follow_launches(of_launches);
  }

  /// Where a copy took it from memory that the recording knows: who had written it there.
  bool ask_source(Finding& finding, const Copy& copy, Pass& pass) {
    const Recording& recording = stage_.context.recording();
    const MemoryRef source = recording.in_root(copy.source);
    const MemoryRef destination = recording.in_root(copy.destination);
    const MemoryRef& at = finding.story.back().at;
    const bool is_plain = copy.counts.total() == 1 && source.allocation &&
                          destination.allocation == at.allocation &&
                          at.offset_bytes >= destination.offset_bytes;
    if (!is_plain) return false;
    const std::uint64_t into = at.offset_bytes - destination.offset_bytes;
    const MemoryRef place{source.allocation, source.offset_bytes + into};
    pass.add({finding.story.back().writer, [this, &finding, place](const Memory& memory) {
                finding.story.push_back(links_.of_place(place, memory));
              }});
    return true;
  }

  DeviceAddress address_of(const MemoryRef& place) const {
    return stage_.context.recording().allocation(place.allocation).address + place.offset_bytes;
  }

  /// Which lane stored it, and then whence it had it.
  Result<void> follow_launches(const std::vector<Finding*>& findings) {
    std::vector<LookRequest> watches;
    std::vector<std::size_t> ends;
    for (const Finding* finding : findings) {
      add_watches(finding->story.back(), watches);
      ends.push_back(watches.size());
    }
    if (auto ok = look_at_all(stage_, watches); !ok) return ok;
    std::vector<LookRequest> traces;
    for (std::size_t n = 0, first = 0; n < findings.size(); first = ends[n++]) {
      for (std::size_t at = ends[n]; at-- > first;) {
        if (!watches[at].last_access) continue;
        traces.push_back(trace_of(watches[at], *findings[n]));
        break;
      }
    }
    return look_at_all(stage_, traces);
  }

  /// Of a graph's launch any of its nodes may have stored it.
  void add_watches(const StoryLink& link, std::vector<LookRequest>& watches) const {
    const gate::Context& context = stage_.context;
    for (std::uint64_t ordinal = context.launch_ordinal(link.writer);
         ordinal <= context.launches() && context.record_of_launch(ordinal).sequence == link.writer;
         ++ordinal) {
      LookRequest request{.ordinal = ordinal};
      request.look.watch = address_of(link.at);
      watches.push_back(std::move(request));
    }
  }

  LookRequest trace_of(const LookRequest& watch, Finding& finding) {
    const WatchedAccess& store = *watch.last_access;
    LookRequest request{.ordinal = watch.ordinal, .access = watch.accesses};
    request.until = LookRequest::Until::kAccess;
    request.look.watch = watch.look.watch;
    request.look.traces = true;
    request.look.workgroup = store.workgroup;
    request.look.wavefront = store.wavefront;
    request.look.lane = store.lane;
    links_.set_store(finding.story.back(), watch.ordinal, store);
    request.on_met = [this, &finding, ordinal = watch.ordinal](const Look& look,
                                                               const Memory& memory) {
      const Definitions definitions(look);
      const auto sources = analysis::sources_of_data(definitions, definitions.size() - 1);
      finding.story.push_back(links_.of_sources(sources, ordinal, memory));
    };
    return request;
  }

  const Stage& stage_;
  Links links_;
  std::set<const gate::Place*> watched_;         // places of which an access was looked up
  std::map<const Finding*, std::size_t> asked_;  // with how many links
  std::vector<Finding*> questions_;              // whose stories may go on
};

}  // namespace

Result<void> tell_stories(const Stage& stage, std::span<gate::Finding> findings) {
  return Stories(stage).tell(findings);
}

}  // namespace compass::inspection
