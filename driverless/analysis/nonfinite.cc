// SPDX-License-Identifier: MIT
#include "driverless/analysis/nonfinite.h"

#include <algorithm>
#include <map>

namespace compass::analysis {
namespace {

using Number = TracedValue::Number;

bool is_nonfinite_f32(std::uint32_t bits) { return (bits & 0x7F80'0000) == 0x7F80'0000; }
bool is_nonfinite_f16(std::uint32_t bits) { return (bits & 0x7C00) == 0x7C00; }

bool is_nan_f32(std::uint32_t bits) { return is_nonfinite_f32(bits) && (bits & 0x7F'FFFF) != 0; }

bool takes_numbers(const TraceStep& step) {
  return std::any_of(step.sources.begin(), step.sources.begin() + step.source_count,
                     [](const TracedValue& each) { return each.number != Number::kBits; });
}

/// Of a number of 32 bits; of others it is not known here.
bool is_nan(const TracedValue& value) {
  return value.number == Number::kF32 && is_nan_f32(value.words[0]);
}

/// Where an infinity or NaN comes from.
struct Answer {
  enum class Kind : std::uint8_t { kMade, kTaken, kConstant };
  Kind kind = Kind::kConstant;
  std::size_t step = 0;  ///< kMade
};

/// Backwards from the data of a store, through numbers and through what moves and rounds their
/// bits, to an instruction that makes one.
class Search {
 public:
  explicit Search(const Definitions& definitions) : definitions_(definitions) {}

  /// Of all that `values` of a step were computed from: what was made there counts first, then what
  /// was taken from elsewhere.
  Answer of_sources(std::size_t at, unsigned depth) {
    const TraceStep& step = definitions_.step(at);
    Answer best;
    for (unsigned n = step.address_sources; n < step.source_count; ++n) {
      const TracedValue& source = step.sources[n];
      // Of numbers only those are to blame that are no numbers any more.
      const bool is_innocent = source.number != Number::kBits && !is_nonfinite(source);
      if (source.is_mask || is_innocent) continue;
      for (unsigned word = 0; word < source.registers; ++word) {
        const auto from = definitions_.of(source, word, at);
        if (!from) continue;
        const Answer answer = of_definition(from->step, depth + 1);
        if (answer.kind == Answer::Kind::kMade) return answer;
        if (answer.kind == Answer::Kind::kTaken) best = answer;
      }
    }
    return best;
  }

 private:
  Answer of_definition(std::size_t at, unsigned depth) {
    constexpr unsigned kMostDepth = 20'000;
    if (depth == kMostDepth) return {Answer::Kind::kTaken, at};
    const auto [known, is_new] = answers_.try_emplace(at);
    if (is_new) known->second = find(at, depth);
    return known->second;
  }

  Answer find(std::size_t at, unsigned depth) {
    const TraceStep& step = definitions_.step(at);
    if (step.kind == TraceStep::Kind::kMemory) return of_load(at, depth);
    if (step.kind == TraceStep::Kind::kMatrix) {
      return {step.takes_finite ? Answer::Kind::kMade : Answer::Kind::kTaken, at};
    }
    const auto begin = step.sources.begin(), end = begin + step.source_count;
    const bool makes_number =
        takes_numbers(step) && std::any_of(step.results.begin(), step.results.end(), is_nonfinite);
    if (makes_number && std::none_of(begin, end, is_nonfinite)) return {Answer::Kind::kMade, at};
    const Answer answer = of_sources(at, depth);
    // Infinities that the kernel itself has brought, as the largest of no scores is one.
    const bool makes_nan =
        makes_number && is_nan(step.results[0]) && std::none_of(begin, end, is_nan);
    if (answer.kind == Answer::Kind::kConstant && makes_nan) return {Answer::Kind::kMade, at};
    return answer;
  }

  Answer of_load(std::size_t load, unsigned depth) {
    const bool is_global = definitions_.step(load).access.space == AddressSpace::kGlobal;
    const auto store = is_global ? std::nullopt : definitions_.store_before(load);
    return store ? of_sources(*store, depth) : Answer{Answer::Kind::kTaken, load};
  }

  const Definitions& definitions_;
  std::map<std::size_t, Answer> answers_;
};

}  // namespace

bool is_nonfinite(const TracedValue& value) {
  switch (value.number) {
    case Number::kBits:
      return false;
    case Number::kF32:
      return is_nonfinite_f32(value.words[0]);
    case Number::kF32x2:
      return is_nonfinite_f32(value.words[0]) || is_nonfinite_f32(value.words[1]);
    case Number::kF32s:
      return std::any_of(value.words.begin(), value.words.end(), is_nonfinite_f32);
    case Number::kF64:
      return (value.words[1] & 0x7FF0'0000) == 0x7FF0'0000;
    case Number::kF16:
      return is_nonfinite_f16(value.words[0]);
    case Number::kF16x2:
      break;
  }
  return is_nonfinite_f16(value.words[0]) || is_nonfinite_f16(value.words[0] >> 16);
}

std::optional<std::size_t> nonfinite_origin(const Definitions& definitions, std::size_t step) {
  const Answer answer = Search(definitions).of_sources(step, 0);
  if (answer.kind != Answer::Kind::kMade) return std::nullopt;
  return answer.step;
}

}  // namespace compass::analysis
