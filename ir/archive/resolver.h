// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/archive/access_table.h"
#include "ir/archive/causes.h"
#include "ir/archive/code_table.h"
#include "ir/archive/evidence_table.h"
#include "ir/archive/memory_table.h"
#include "ir/archive/resolve.h"

namespace compass::archive {

/// Makes records of entries, one after the other.
class Resolver {
 public:
  /// Fills `out`, which must outlive this.
  Resolver(const journal::DeviceSeen& device, Resolved& out);

  /// `status`: what came of the entry.
  void take(const journal::Entry& entry, std::int32_t status);
  void finish(const journal::Contents& journal);

 private:
  /// What a host thread has on its own.
  struct Thread {
    ThreadId id;  ///< 0 until its first record
    StepId step;
    std::string phase = "eager";
    std::uint32_t call_site = 0;  ///< of its next entry
  };
  /// What a launch was resolved to, as long as memory and code are what they were.
  struct KnownLaunch {
    const journal::Launch* entry = nullptr;
    std::uint64_t record = 0;  ///< that asks for it
    std::uint64_t version = 0;
  };

  struct Executable {
    ExecutableId id;
    std::vector<std::uint64_t> handles;  ///< of its nodes, by place
  };

  void on(const journal::Start& start) {
    recording_.program = start.program;
    recording_.contents = start.contents;
  }
  void on(const journal::DeviceSeen&) {}
  void on(const journal::FatBinary& fat_binary);
  void on(const journal::UnloadFatBinary& fat_binary);
  void on(const journal::Function& function);
  void on(const journal::Allocate& allocate);
  void on(const journal::Free& free);
  void on(const journal::CreateStream& create);
  void on(const journal::DestroyStream& destroy);
  void on(const journal::CreateEvent& create);
  void on(const journal::DestroyEvent& destroy);
  void on(const journal::RecordEvent& record);
  void on(const journal::WaitEvent& wait);
  void on(const journal::Synchronize& synchronize);
  void on(const journal::Copy& copy);
  void on(const journal::Fill& fill);
  void on(const journal::Launch& launch);
  void on(const journal::SameLaunch& same);
  void on(const journal::NameBuffer& name);
  void on(const journal::BeginStep& begin);
  void on(const journal::EndStep&);
  void on(const journal::Phase& phase) { threads_[thread_].phase = phase.phase; }
  void on(const journal::Incomplete& incomplete) { causes_.add(incomplete.cause); }
  void on(const journal::End&) { ended_ = true; }
  void on(const journal::Failed&) {}
  void on(const journal::Stopped& stopped) { evidence_.add(stopped); }
  void on(const journal::Faults& faults) { evidence_.add(faults); }
  void on(const journal::Decisions& decisions) { evidence_.add(decisions); }
  void on(const journal::Nonfinite& nonfinite) { evidence_.add(nonfinite); }
  void on(const journal::FirstRun& first) { evidence_.add(first); }
  void on(const journal::FaultyTransfer& transfer);
  void on(const journal::Accesses& accesses) { accesses_.add(accesses, entry_); }
  void on(const journal::SameAccesses& same) { accesses_.add(same); }
  void on(const journal::Index& index) {
    accesses_.add(index, [this](ByteView content) { return keep(content); });
  }
  void on(const journal::Global& global);
  void on(const journal::WaitValue& wait);
  void on(const journal::BeginCapture& begin);
  void on(const journal::EndCapture& end);
  void on(const journal::DestroyGraph& destroy);
  void on(const journal::InstantiateGraph& instantiate);
  void on(const journal::UpdateExecutable& update);
  void on(const journal::SetNode& set);
  void on(const journal::EnableNode& enable);
  void on(const journal::LaunchGraph& launch);
  void on(const journal::DestroyExecutable& destroy);
  void on(const journal::ChildGraph& child);
  void on(const journal::EmptyNode&);
  void on(const journal::HostFunction& function);
  void on(const journal::DeclarePool& pool);
  void on(const journal::DeclareSentinel& sentinel);
  void on(const journal::Sleep& sleep) { push({}, Sleep{sleep.level, sleep.tag}); }
  void on(const journal::Wake& wake) { push({}, Wake{wake.tag}); }
  void on(const journal::ReportOutput& report);
  void on(const journal::AllocateBlock& allocate);
  void on(const journal::FreeBlock& free);
  void on(const journal::Rank& rank);
  void on(const journal::CalledHip&) {}
  void on(const journal::Completed& completed);
  void on(const journal::NodeSource& source);
  void on(const journal::HostWrite& write);
  void on(const journal::ContentGivenUp& content);
  void on(const journal::CallSite& site);
  void on(const journal::CalledFrom& called);

  void push(StreamId stream, RecordBody body, std::int32_t status = 0);
  StreamId add_stream(std::uint64_t handle, std::uint32_t flags);
  EventId add_event(std::uint64_t handle, std::uint32_t flags);
  /// What the handle names; where its creation was not seen, it is created now.
  StreamId stream(std::uint64_t handle);
  EventId event(std::uint64_t handle);
  std::pair<std::uint64_t, std::uint32_t> stream_key(std::uint64_t handle) const;
  bool on_device(const MemoryRef& memory) const;
  void free_overlapping(DeviceAddress address, std::uint64_t size_bytes);
  /// Ends the allocation, after its blocks.
  void end_memory(AllocationId allocation);
  /// Ends all blocks in the allocation or block, and a block itself.
  void end_blocks(AllocationId memory);
  /// Whether a transfer has such rows; if not, it is left out.
  bool takes(const RowCounts& counts, std::uint64_t size_bytes);
  StreamId order_of(bool in_stream_order, std::uint64_t stream);
  CopyDirection direction_of(std::uint32_t kind, const Copy& copy) const;
  std::string keep(ByteView content);
  /// A copy that was carried out: the record, or, in a launch of a graph, the node.
  struct DoneCopy {
    const Copy* copy = nullptr;  ///< null: there is none
    std::string* content = nullptr;
    CompletedCopy* completed = nullptr;
  };
  DoneCopy done_copy(const journal::Doer& doer);
  Result<LaunchKernel> launch(const journal::Launch& launch);
  void push_launch(std::uint64_t entry, const journal::Launch& launch);
  LaunchKernel distinct(Launch launch);
  void note_first_uses(const Launch& launch);
  /// What a node of that entry does; where that is not known, an empty node's new record.
  std::uint64_t node_record(std::uint64_t entry);
  /// In order; `handles`, if not null, gets theirs.
  std::vector<GraphNode> nodes_of(const std::vector<journal::GraphNode>& nodes,
                                  std::vector<std::uint64_t>* handles);
  GraphId graph(std::uint64_t handle);
  Executable* executable(std::uint64_t handle);

  Recording& recording_;
  Contents& contents_;
  Resolved& out_;
  MemoryTable memory_;
  CodeTable code_;
  EvidenceTable evidence_;
  AccessTable accesses_{recording_, evidence_};
  Causes causes_;
  bool ended_ = false;
  std::uint64_t entry_ = 0;    ///< the number of the one at hand
  std::uint32_t thread_ = 0;   ///< of the entry at hand
  std::int32_t status_ = 0;    ///< of the entry at hand
  bool captured_ = false;      ///< the entry at hand says what a node does
  std::uint64_t version_ = 1;  ///< of memory and code
  std::unordered_map<std::uint32_t, Thread> threads_;
  std::unordered_map<std::uint32_t, std::uint32_t> call_sites_;  ///< ours by the journal's
  std::uint32_t thread_count_ = 0;
  std::vector<AllocationId> globals_;  ///< variables of code that is loaded
  std::map<std::pair<std::uint64_t, std::uint32_t>, StreamId> streams_;
  std::uint32_t stream_count_ = 0;
  std::unordered_map<std::uint64_t, EventId> events_;
  std::uint32_t event_count_ = 0;
  std::unordered_map<std::uint64_t, GraphId> graphs_;  ///< by handle, as the next
  std::uint32_t graph_count_ = 0;
  std::unordered_map<std::uint64_t, Executable> executables_;
  std::unordered_map<std::uint64_t, ExecutableId> destroyed_;  ///< the last of each handle
  std::uint32_t executable_count_ = 0;
  std::uint64_t run_by_nodes_ = 0;  ///< how many the nodes resolved last run, with their children's
  std::unordered_map<std::uint64_t, std::uint64_t> run_by_child_;  ///< the same, by record
  std::unordered_map<std::string, LaunchId> launches_;             ///< by what they have in common
  std::vector<KnownLaunch> known_launches_;                        ///< by entry, less 1
};

}  // namespace compass::archive
