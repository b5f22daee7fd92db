// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "ir/base/concat.h"
#include "ir/text/normal_form.h"
#include "ir/text/used.h"

namespace compass::text {
namespace {

constexpr std::size_t kMostNamed = 20;

/// Whether `text` is as `pattern` says, where "*" stands for any characters and "?" for one.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0, in_text = 0, star = pattern.npos, resume = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = in_text;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in_text])) {
      ++at, ++in_text;
    } else if (star != pattern.npos) {
      at = star + 1;
      in_text = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == pattern.npos;
}

template <class Names>
std::string some_of(const Names& names) {
  std::string text;
  std::size_t count = 0;
  for (const auto& name : names) {
    if (count++ == kMostNamed) return concat(text, " and ", names.size() - kMostNamed, " more");
    text += concat(count == 1 ? "" : ", ", name);
  }
  return text.empty() ? "none" : text;
}

Error not_there(std::string_view what, std::string_view wanted, const std::string& there) {
  return {ErrorCode::kNotFound, concat("has no ", what, ' ', wanted, ": it has ", there)};
}

/// "2 steps", or which where they do not begin with the first.
std::string steps_of(const Document& document) {
  const auto& steps = document.steps;
  if (steps.empty() || steps.back().step.id.value == steps.size()) {
    return concat(steps.size(), " steps");
  }
  std::vector<std::uint32_t> numbers;
  for (const StepSection& each : steps) numbers.push_back(each.step.id.value);
  return concat("steps ", some_of(numbers));
}

Result<void> keep_steps(const StepRange& wanted, Document& document) {
  for (const std::uint32_t end : {wanted.first, wanted.last}) {
    const bool is_there = std::any_of(document.steps.begin(), document.steps.end(),
                                      [&](const auto& each) { return each.step.id.value == end; });
    if (!is_there) return not_there("step", std::to_string(end), steps_of(document));
  }
  document.before.clear();
  std::erase_if(document.steps, [&](const auto& each) { return !wanted.has(each.step.id.value); });
  for (StepSection& each : document.steps) each.after.clear();
  return {};
}

Result<std::set<std::string>> kernels_like(const std::string& pattern, const Document& document) {
  std::set<std::string> names;
  std::vector<std::string> all;
  for (const KernelLine& kernel : document.kernels) {
    all.push_back(name_text(kernel.name));
    if (matches(pattern, kernel.name) || matches(pattern, kernel.canonical)) {
      names.insert(kernel.name);
    }
  }
  if (names.empty()) return not_there("kernel", pattern, some_of(all));
  return names;
}

/// Leaves the entries that `is_wanted`, and their phases.
template <class IsWanted>
void keep_entries(Document& document, IsWanted is_wanted) {
  const LineIndex first = document.add({PhaseLine{std::string(kFirstPhase)}, 0});
  document.for_each_section([&](Section& section) {
    Section kept;
    std::map<std::optional<std::uint32_t>, std::pair<LineIndex, LineIndex>> phases;
    for (const Entry& entry : section) {
      auto& [phase, kept_phase] = phases.try_emplace(entry.stream, first, first).first->second;
      if (std::holds_alternative<PhaseLine>(document.lines.value(entry.line).what)) {
        phase = entry.line;
      } else if (is_wanted(entry)) {
        if (phase != kept_phase) kept.push_back({entry.stream, phase, kUnknownAccesses});
        kept_phase = phase;
        kept.push_back(entry);
      }
    }
    section = std::move(kept);
  });
  std::erase_if(document.steps,
                [](const StepSection& each) { return each.body.empty() && each.after.empty(); });
}

Result<void> keep_stream(std::uint32_t wanted, Document& document) {
  std::set<std::uint32_t> streams;
  document.for_each_section([&](const Section& section) {
    for (const Entry& entry : section) {
      if (entry.stream) streams.insert(*entry.stream);
    }
  });
  if (!streams.contains(wanted)) {
    const char* const what = streams.size() == 1 ? "stream " : "streams ";
    return not_there("stream", std::to_string(wanted), what + some_of(streams));
  }
  keep_entries(document, [&](const Entry& entry) { return entry.stream == wanted; });
  return {};
}

}  // namespace

Result<void> apply(const Filter& filter, Document& document) {
  if (filter.steps) {
    if (auto done = keep_steps(*filter.steps, document); !done) return done;
    keep_used(document);
  }
  if (filter.stream) {
    if (auto done = keep_stream(*filter.stream, document); !done) return done;
    keep_used(document);
  }
  if (filter.kernel.empty()) return {};
  ASSIGN_OR_RETURN(const std::set<std::string> kernels, kernels_like(filter.kernel, document));
  keep_entries(document, [&](const Entry& entry) {
    const auto* launch = std::get_if<LaunchLine>(&document.lines.value(entry.line).what);
    return launch != nullptr && kernels.contains(launch->kernel);
  });
  keep_used(document);
  return {};
}

}  // namespace compass::text
