// SPDX-License-Identifier: MIT
#include "driverless/inspection/story.h"

#include <algorithm>
#include <deque>
#include <list>
#include <utility>
#include <variant>

#include "driverless/analysis/exact_address.h"
#include "driverless/analysis/sources.h"
#include "driverless/inspection/links.h"
#include "driverless/inspection/operands.h"

namespace compass::inspection {
namespace {

using analysis::Definitions;
using analysis::ValueSource;
using gate::Finding;
using gate::StoryLink;

constexpr std::size_t kMostLinks = 8;

/// What must be found out to make a story longer.
struct Question {
  Finding* finding = nullptr;
  MemoryRef place;  ///< whose writer was found, in memory that the runtime made
};

class Stories {
 public:
  explicit Stories(const Stage& stage) : stage_(stage), links_(stage.context) {}

  Result<void> tell(std::span<Finding> findings) {
    if (auto ok = look_at_findings(findings); !ok) return ok;
    while (!questions_.empty()) {
      const std::vector<Question> round = std::exchange(questions_, {});
      if (auto ok = answer(round); !ok) return ok;
    }
    return {};
  }

 private:
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
      request.until =
          place.decision ? LookRequest::Until::kDecision : LookRequest::Until::kFault;
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
    finding.operands = operands_of(definitions.step(last), stage_.context, memory);
    finding.code = neighbours_of(look, place.pc);
    if (place.decision) {
      begin_decision(finding, definitions, memory);
      return;
    }
    if (const auto exact = analysis::exact_address(definitions, last)) {
      finding.facets.push_back({"index-width", links_.describe_exact(*exact, place)});
    }
    const auto sources = analysis::sources_of_address(definitions, last);
    add_first(finding, "the address", sources, memory);
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
  }

  void add_first(Finding& finding, std::string what, const std::vector<ValueSource>& sources,
                 const Memory& memory) {
    const Launch launch = launch_of(finding.places.front().launch);
    StoryLink link = add_link(finding, sources, launch, memory);
    link.what = std::move(what);
    finding.story.push_back(std::move(link));
  }

  Launch launch_of(std::uint64_t ordinal) const {
    const auto& body = std::get<LaunchKernel>(stage_.context.body_of_launch(ordinal).body);
    return stage_.context.recording().launch_of(body);
  }

  /// Of the first load among the sources: what it read, and who had written it. What else there is
  /// to say goes into the same link.
  StoryLink add_link(Finding& finding, const std::vector<ValueSource>& sources,
                     const Launch& launch, const Memory& memory) {
    const auto load = std::find_if(sources.begin(), sources.end(), [](const ValueSource& each) {
      return each.kind == ValueSource::Kind::kMemory && each.access.allocation;
    });
    if (load == sources.end()) return links_.without_memory(sources, launch);
    StoryLink link = links_.of_load(*load);
    const MemoryRef place{load->access.allocation, load->access.offset_bytes};
    set_writer(finding, link, place, memory);
    return link;
  }

  void set_writer(Finding& finding, StoryLink& link, const MemoryRef& place,
                  const Memory& memory) {
    links_.set_writer(link, place, memory);
    if (link.writer != 0 && finding.story.size() + 1 < kMostLinks) {
      questions_.push_back({&finding, place});
    }
  }

  Result<void> answer(const std::vector<Question>& round) {
    std::vector<LookRequest> requests;
    std::vector<const Question*> of_launches;
    Pass records(stage_);
    bool has_records = false;
    for (const Question& question : round) {
      const StoryLink& link = question.finding->story.back();
      const Record& writer = stage_.context.record(link.writer);
      if (const auto* copy = std::get_if<Copy>(&writer.body)) {
        has_records |= ask_source(question, *copy, records);
      } else if (stage_.context.launch_ordinal(link.writer) != 0) {
        of_launches.push_back(&question);
      }
    }
    if (has_records) {
      if (auto ok = records.run(); !ok) return ok;
    }
    return follow_launches(of_launches);
  }

  /// Where a copy took it from memory that the recording knows: who had written it there.
  bool ask_source(const Question& question, const Copy& copy, Pass& pass) {
    const Recording& recording = stage_.context.recording();
    const MemoryRef source = recording.in_root(copy.source);
    const MemoryRef destination = recording.in_root(copy.destination);
    const bool is_plain = copy.counts.total() == 1 && source.allocation &&
                          destination.allocation == question.place.allocation &&
                          question.place.offset_bytes >= destination.offset_bytes;
    if (!is_plain) return false;
    const std::uint64_t into = question.place.offset_bytes - destination.offset_bytes;
    const MemoryRef place{source.allocation, source.offset_bytes + into};
    Finding* const finding = question.finding;
    pass.add({finding->story.back().writer, [this, finding, place](const Memory& memory) {
                StoryLink link = links_.of_place(place);
                set_writer(*finding, link, place, memory);
                finding->story.push_back(std::move(link));
              }});
    return true;
  }

  DeviceAddress address_of(const MemoryRef& place) const {
    return stage_.context.recording().allocation(place.allocation).address + place.offset_bytes;
  }

  /// Which lane stored it, and then whence it had it.
  Result<void> follow_launches(const std::vector<const Question*>& questions) {
    if (questions.empty()) return {};
    std::vector<LookRequest> watches;
    std::vector<std::size_t> ends;
    for (const Question* question : questions) {
      add_watches(*question, watches);
      ends.push_back(watches.size());
    }
    if (auto ok = look_at_all(stage_, watches); !ok) return ok;
    std::vector<LookRequest> traces;
    for (std::size_t n = 0, first = 0; n < questions.size(); first = ends[n++]) {
      for (std::size_t at = ends[n]; at-- > first;) {
        if (!watches[at].last_store) continue;
        traces.push_back(trace_of(watches[at], *questions[n]));
        break;
      }
    }
    return look_at_all(stage_, traces);
  }

  /// Of a graph's launch any of its nodes may have stored it.
  void add_watches(const Question& question, std::vector<LookRequest>& watches) const {
    const std::uint64_t record = question.finding->story.back().writer;
    const gate::Context& context = stage_.context;
    for (std::uint64_t ordinal = context.launch_ordinal(record);
         ordinal <= context.launches() && context.record_of_launch(ordinal).sequence == record;
         ++ordinal) {
      LookRequest request{.ordinal = ordinal};
      request.look.watch = address_of(question.place);
      watches.push_back(std::move(request));
    }
  }

  LookRequest trace_of(const LookRequest& watch, const Question& question) {
    const WatchedStore& store = *watch.last_store;
    LookRequest request{.ordinal = watch.ordinal, .store = watch.stores};
    request.until = LookRequest::Until::kStore;
    request.look.watch = watch.look.watch;
    request.look.traces = true;
    request.look.workgroup = store.workgroup;
    request.look.wavefront = store.wavefront;
    request.look.lane = store.lane;
    Finding* const finding = question.finding;
    links_.set_store(finding->story.back(), watch.ordinal, store);
    request.on_met = [this, finding, ordinal = watch.ordinal](const Look& look,
                                                              const Memory& memory) {
      const Definitions definitions(look);
      const auto sources = analysis::sources_of_data(definitions, definitions.size() - 1);
      finding->story.push_back(add_link(*finding, sources, launch_of(ordinal), memory));
    };
    return request;
  }

  const Stage& stage_;
  Links links_;
  std::vector<Question> questions_;
};

}  // namespace

Result<void> tell_stories(const Stage& stage, std::span<gate::Finding> findings) {
  return Stories(stage).tell(findings);
}

}  // namespace compass::inspection
