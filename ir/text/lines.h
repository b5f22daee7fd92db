// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/names.h"
#include "ir/recording.h"
#include "ir/replays.h"
#include "ir/text/document.h"

namespace compass::text {

/// Whether the record's place is in its stream, not only in the host's order.
bool is_stream_work(const Record& record);

/// Turns records into lines, and what their launches accessed into text. Takes records in their
/// order: it knows what was freed by then, and what graphs do.
class LineMaker {
 public:
  LineMaker(const Recording& recording, const Names& names, Document& document);

  /// The record took effect: what no line is made of, before the next.
  void pass(const Record& record);
  /// Absent where the record has no line of its own. To be called before pass().
  std::optional<LineIndex> line(const Record& record);
  AccessIndex accesses(const Record& record);

 private:
  std::optional<Line> line_of(const Record& record) const;
  Place place(const MemoryRef& memory, Place::Kind nowhere) const;
  LaunchLine launch_line(const Launch& launch) const;
  Argument argument(const Launch& launch, const LaunchArgument& argument) const;
  CopyLine copy_line(const Copy& copy) const;
  FillLine fill_line(const Fill& fill) const;
  OtherLine other_line(const Record& record) const;
  Accesses accesses_of(AccessSummaryId id) const;
  AccessedBuffer accessed(AllocationId id, const AccessRuns& runs) const;
  AccessIndex accesses_of_graph(ExecutableId executable, std::span<const LaunchAccesses> of_launch);

  const Recording& recording_;
  const Names& names_;
  Document& document_;
  Replays replays_;
  std::vector<std::vector<std::string>> types_;  ///< by kernel: of its arguments, where known
  std::vector<bool> freed_;                      ///< by allocation
  std::unordered_map<std::uint32_t, LineIndex> line_of_launch_;      ///< by LaunchId, if none freed
  std::unordered_map<std::uint32_t, AccessIndex> index_of_summary_;  ///< of single launches
};

}  // namespace compass::text
