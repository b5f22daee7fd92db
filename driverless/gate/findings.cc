// SPDX-License-Identifier: MIT
#include "driverless/gate/findings.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace compass::gate {
namespace {

constexpr std::size_t kPlaces = 4;

bool shows_something_new(const std::vector<Place>& known, const Place& place) {
  if (known.size() == kPlaces) return false;
  return std::none_of(known.begin(), known.end(), [&](const Place& other) {
    return other.pc == place.pc && other.argument == place.argument && other.access == place.access;
  });
}

/// Of each kind one.
void add_facet(std::vector<Facet>& facets, Facet facet) {
  const bool is_known = std::any_of(facets.begin(), facets.end(), [&](const Facet& each) {
    return each.name == facet.name;
  });
  if (!is_known) facets.push_back(std::move(facet));
}

bool is_before(const Place& a, const Place& b) {
  return std::tie(a.record, a.launch) < std::tie(b.record, b.launch);
}

}  // namespace

void Findings::add(Finding finding) {
  const Place& first = finding.places.front();
  const DeedKey deed{first.record, first.launch, first.node};
  if (first.allocation) finding.broken.insert(first.allocation);
  const auto [found, is_new] = by_id_.try_emplace(finding.id);
  Joined& joined = found->second;
  if (is_new) {
    joined = {std::move(finding), deed};
    return;
  }
  if (deed != joined.last) joined.finding.launches += finding.launches;
  joined.last = deed;
  joined.finding.accesses += finding.accesses;
  joined.finding.broken.insert(finding.broken.begin(), finding.broken.end());
  for (Facet& facet : finding.facets) add_facet(joined.finding.facets, std::move(facet));
  joined.finding.level = std::max(joined.finding.level, finding.level);
  // What was in doubt comes late.
  if (is_before(first, joined.finding.places.front())) {
    joined.finding.statement.swap(finding.statement);
    joined.finding.hint.swap(finding.hint);
    std::swap(joined.finding.places.front(), finding.places.front());
  }
  Place& place = finding.places.front();
  if (shows_something_new(joined.finding.places, place)) {
    joined.finding.places.push_back(std::move(place));
  }
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> all;
  for (const auto& [id, joined] : by_id_) all.push_back(joined.finding);
  const auto key = [](const Finding& finding) {
    const bool after_errors = finding.level != Level::kError;
    return std::tuple(after_errors, finding.places.front().record, std::string_view(finding.rule),
                      std::string_view(finding.id));
  };
  std::sort(all.begin(), all.end(),
            [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  return all;
}

}  // namespace compass::gate
