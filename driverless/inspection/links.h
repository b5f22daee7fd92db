// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driverless/analysis/sources.h"
#include "driverless/gate/evidence.h"
#include "driverless/machine/memory.h"

namespace compass::inspection {

/// Puts the links of stories into words.
class Links {
 public:
  explicit Links(const gate::Context& context) : context_(context) {}

  /// Of a value that launch `ordinal` computed: what was read, and who had written it, as memory
  /// stands. Of several places that were read, the first.
  gate::StoryLink of_sources(const std::vector<analysis::ValueSource>& sources,
                             std::uint64_t ordinal, const Memory& memory) const;
  /// Of a place that a copy read, in memory that the runtime made.
  gate::StoryLink of_place(const MemoryRef& place, const Memory& memory) const;
  /// Which lane's store it was.
  void set_store(gate::StoryLink& link, std::uint64_t ordinal, const WatchedAccess& store) const;

  /// The facet index-width of an access that should have gone to `exact`.
  std::string describe_exact(std::uint64_t exact, const gate::Place& place) const;

 private:
  gate::StoryLink without_memory(const std::vector<analysis::ValueSource>& sources,
                                 const Launch& launch) const;
  void set_writer(gate::StoryLink& link, const Memory& memory) const;
  std::string label_of(const MemoryRef& place) const;
  bool is_read_only(const Record& record, const MemoryRef& place) const;
  std::string describe_writer(const Record& record) const;
  std::string describe_argument(const analysis::ValueSource& source, const Kernel& kernel) const;

  const gate::Context& context_;
};

}  // namespace compass::inspection
