// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "driverless/runtime/access_log.h"
#include "driverless/runtime/device_memory.h"
#include "driverless/runtime/operation.h"
#include "ir/evidence.h"
#include "ir/hip/graph_abi.h"
#include "ir/index_bytes.h"
#include "ir/journal/entry.h"
#include "ir/live/live.h"

namespace compass {

/// What a journal calls the allocation.
journal::AllocationKey key_of(const DeviceMemory& memory, AllocationId id);

/// The recorder of this process, if there is one: told of what is carried out, and of what goes
/// wrong in it. Threads: any.
class LiveRecorder {
 public:
  /// What the process has. Looked for once.
  static LiveRecorder& get();

  bool is_there() const { return table_ != nullptr; }

  /// The tag of the call that this thread is in.
  Tag current_tag() const { return {table_ == nullptr ? 0 : table_->current_entry(), 0}; }

  /// The entry that says what a node of a graph does; 0: none does.
  std::uint64_t node_entry(hip::GraphNode node) const {
    return table_ == nullptr ? 0 : table_->node_entry(node);
  }

  /// Whether somebody reads what the recorder is told, and reports it when the process has ended.
  bool is_reported() const { return is_reported_; }

  /// The operation was carried out, to its end. Of a graph, only its end counts.
  void ran(Tag tag) const {
    if (table_ != nullptr && tag.entry != 0 && tag.node == 0) table_->ran(tag.entry);
  }

  /// The call that this thread is in asks for work. Of a call that the recorder does not see, it is
  /// told the name.
  void note_unseen_call() const;

  // What was seen of an operation. `memory` is where its addresses are from.

  void stopped(Tag tag, const std::string& cause) const;
  void faults(Tag tag, const FaultGroup& group, const DeviceMemory& memory) const;
  /// Fills in who wrote the value, which the agent does not know.
  void decisions(Tag tag, DecisionGroup group, const DeviceMemory& memory) const;
  void first_run(std::span<const RanInstruction> instructions) const;
  void nonfinite(Tag tag, AllocationId allocation, std::uint64_t offset_bytes,
                 const DeviceMemory& memory) const;
  void faulty_transfer(Tag tag, const FaultyTransfer& transfer) const;
  /// Whether index() is to be told.
  bool keeps_index() const { return table_ != nullptr && table_->keeps_index() != 0; }
  /// What a launch loaded to form addresses, predicates and branches.
  void index(Tag tag, LoadedIndex index, const DeviceMemory& memory) const;
  /// Of a launch that has run to its end.
  void accesses(Tag tag, std::vector<journal::AllocationAccesses> allocations);

 private:
  LiveRecorder();
  void append(journal::Body body) const;

  const CompassLiveRecorder* table_ = nullptr;
  bool is_reported_ = false;
  std::mutex access_mutex_;
  AccessLog access_log_;
};

}  // namespace compass
