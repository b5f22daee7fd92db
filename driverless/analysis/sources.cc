// SPDX-License-Identifier: MIT
#include "driverless/analysis/sources.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace compass::analysis {
namespace {

using Kind = ValueSource::Kind;

/// Follows values backwards to where the launch took them in.
class Search {
 public:
  /// `masks`: whether what chose or carried counts too.
  enum class Masks : std::uint8_t { kLeaves, kFollows };
  Search(const Definitions& definitions, Masks masks) : definitions_(definitions), masks_(masks) {}

  void follow(std::size_t step, unsigned first, unsigned end) {
    const TraceStep& at = definitions_.step(step);
    for (unsigned n = first; n < end; ++n) follow_value(step, at.sources[n]);
    while (!work_.empty()) {
      const Definition next = work_.back();
      work_.pop_back();
      visit(next);
    }
  }

  std::vector<ValueSource> take() {
    std::sort(found_.begin(), found_.end(), [](const ValueSource& a, const ValueSource& b) {
      return std::tie(a.step, a.kind, a.access.offset_bytes) <
             std::tie(b.step, b.kind, b.access.offset_bytes);
    });
    return std::move(found_);
  }

 private:
  void follow_value(std::size_t step, const TracedValue& value) {
    const bool is_condition = value.is_mask || value.kind == TracedValue::Kind::kScc;
    if (is_condition && masks_ == Masks::kLeaves) return;
    for (unsigned word = 0; word < value.registers; ++word) {
      const auto from = definitions_.of(value, word, step);
      if (from) {
        if (seen_.emplace(from->step, from->result, from->word).second) work_.push_back(*from);
      } else if (value.kind == TracedValue::Kind::kVgpr || value.kind == TracedValue::Kind::kSgpr) {
        const bool whole = definitions_.size() < Look::kMostSteps;
        add(whole ? Kind::kStart : Kind::kTraceBegin, step);
      }
    }
  }

  void visit(const Definition& definition) {
    const TraceStep& step = definitions_.step(definition.step);
    switch (step.kind) {
      case TraceStep::Kind::kMemory:
        return load(definition);
      case TraceStep::Kind::kMatrix:  // the lane's own part of the matrices stands for all
        add(Kind::kMatrix, definition.step);
        break;
      default:
        break;
    }
    const std::string_view mnemonic = definitions_.mnemonic(definition.step);
    if (mnemonic.starts_with("v_cndmask") && masks_ == Masks::kLeaves) {
      return follow_value(definition.step, step.sources[step.sources[2].words[0] != 0 ? 1 : 0]);
    }
    for (unsigned n = 0; n < step.source_count; ++n) {
      const TracedValue& source = step.sources[n];
      // A lane that holds the same may stand for the one that was read.
      if (source.is_other_lane && source.words[0] != step.results[definition.result].words[0]) {
        add(Kind::kOtherLane, definition.step);
      } else {
        follow_value(definition.step, source);
      }
    }
  }

  void load(const Definition& definition) {
    const std::size_t at = definition.step;
    const TraceStep& step = definitions_.step(at);
    if (step.access.is_kernarg) return add_argument(definition);
    const auto store =
        step.access.space == AddressSpace::kGlobal ? std::nullopt : definitions_.store_before(at);
    if (!store) return add(Kind::kMemory, at);
    const TraceStep& from = definitions_.step(*store);
    for (unsigned n = from.address_sources; n < from.source_count; ++n) {
      follow_value(*store, from.sources[n]);
    }
  }

  /// Of a load of several arguments the word that counts.
  void add_argument(const Definition& definition) {
    const TraceStep& step = definitions_.step(definition.step);
    if (!arguments_.emplace(definition.step, definition.word).second) return;
    ValueSource source{.kind = Kind::kArgument,
                       .step = definition.step,
                       .pc = step.pc,
                       .access = step.access,
                       .words = {}};
    source.access.offset_bytes += 4 * std::uint64_t{definition.word};
    source.access.size_bytes = 4;
    const auto& words = step.results[0].words;
    if (definition.word < words.size()) source.words = {words[definition.word]};
    found_.push_back(std::move(source));
  }

  void add(Kind kind, std::size_t at) {
    if (!added_.emplace(at, kind).second) return;
    const TraceStep& step = definitions_.step(at);
    ValueSource source{.kind = kind, .step = at, .pc = step.pc, .access = step.access, .words = {}};
    if (kind == Kind::kMemory) {
      const TracedValue& result = step.results[0];
      const unsigned count = std::min<unsigned>(result.registers, result.words.size());
      source.words.assign(result.words.begin(), result.words.begin() + count);
    }
    found_.push_back(std::move(source));
  }

  const Definitions& definitions_;
  Masks masks_;
  std::vector<Definition> work_;
  std::set<std::tuple<std::size_t, unsigned, unsigned>> seen_;
  std::set<std::pair<std::size_t, Kind>> added_;
  std::set<std::pair<std::size_t, unsigned>> arguments_;  ///< steps that load them, and words
  std::vector<ValueSource> found_;
};

}  // namespace

std::vector<ValueSource> sources_of_address(const Definitions& definitions, std::size_t step) {
  Search search(definitions, Search::Masks::kLeaves);
  search.follow(step, 0, definitions.step(step).address_sources);
  return search.take();
}

std::vector<ValueSource> sources_of_data(const Definitions& definitions, std::size_t step) {
  Search search(definitions, Search::Masks::kLeaves);
  const TraceStep& at = definitions.step(step);
  search.follow(step, at.address_sources, at.source_count);
  return search.take();
}

std::vector<ValueSource> sources_of_all(const Definitions& definitions, std::size_t step) {
  Search search(definitions, Search::Masks::kFollows);
  search.follow(step, 0, definitions.step(step).source_count);
  return search.take();
}

}  // namespace compass::analysis
