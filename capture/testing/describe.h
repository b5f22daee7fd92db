// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/journal/entry.h"

namespace compass::capture {

/// Turns the entries of a journal into lines without addresses: memory and handles are called by
/// what they are and the order in which they appeared ("device1+4", "stream1"). For tests.
class Description {
 public:
  explicit Description(const std::vector<journal::Entry>& entries) {
    for (const journal::Entry& entry : entries) {
      std::visit([this](const auto& body) { lines.push_back(line(body)); }, entry.body);
    }
  }
  std::vector<std::string> lines;

 private:
  struct Block {
    std::string name;
    std::uint64_t size_bytes;
  };

  std::string memory(std::uint64_t address) const {
    auto block = blocks_.upper_bound(address);
    if (block == blocks_.begin()) return "host";
    --block;
    const std::uint64_t offset = address - block->first;
    if (offset >= block->second.size_bytes) return "host";
    return offset == 0 ? block->second.name : concat(block->second.name, "+", offset);
  }
  std::string handle(const char* kind, std::uint64_t value) {
    if (value == 0) return "null";
    return handles_.try_emplace(value, concat(kind, handles_.size() + 1)).first->second;
  }
  std::string order(bool in_stream_order, std::uint64_t stream) {
    return in_stream_order ? concat(" in order of ", handle("stream", stream)) : std::string();
  }
  static std::string rows(const RowCounts& counts, const Pitches& pitches) {
    if (counts == RowCounts{}) return {};
    return concat(" in ", counts.slices, "x", counts.rows, " rows by ", pitches.slice_bytes, "/",
                  pitches.row_bytes);
  }
  static std::string dimensions(const std::array<std::uint32_t, 3>& size) {
    return concat(size[0], "x", size[1], "x", size[2]);
  }
  static std::string bytes(ByteView view) {
    std::string out;
    for (const std::byte byte : view) out += hex(std::to_integer<unsigned>(byte), 2).substr(2);
    return out;
  }

  std::string line(const journal::Start& e) { return concat("start ", e.program); }
  std::string line(const journal::DeviceSeen& e) {
    return concat("device ", e.ordinal, " ", e.architecture, " ", e.name,
                  e.declared ? " declared" : "");
  }
  std::string line(const journal::FatBinary& e) {
    return concat("fat-binary ", handle("code", e.handle), " ", as_text(slice(e.bytes, 1, 3)));
  }
  std::string line(const journal::UnloadFatBinary& e) {
    return concat("unload ", handle("code", e.handle));
  }
  std::string line(const journal::Function& e) {
    return concat("function ", handle("code", e.fat_binary), " ",
                  handle("function", e.host_function), " ", e.kernel);
  }
  std::string line(const journal::Allocate& e) {
    static constexpr const char* kKinds[] = {"device", "pinned", "managed"};
    const std::string name = concat(kKinds[static_cast<int>(e.kind)], ++allocations_);
    blocks_[e.address] = {name, e.size_bytes};
    return concat("allocate ", name, " ", e.size_bytes, order(e.in_stream_order, e.stream));
  }
  std::string line(const journal::Free& e) {
    return concat("free ", memory(e.address), order(e.in_stream_order, e.stream));
  }
  std::string line(const journal::CreateStream& e) {
    return concat("create ", handle("stream", e.stream), " flags ", e.flags);
  }
  std::string line(const journal::DestroyStream& e) {
    return concat("destroy ", handle("stream", e.stream));
  }
  std::string line(const journal::CreateEvent& e) {
    return concat("create ", handle("event", e.event), " flags ", e.flags);
  }
  std::string line(const journal::DestroyEvent& e) {
    return concat("destroy ", handle("event", e.event));
  }
  std::string line(const journal::RecordEvent& e) {
    return concat("record ", handle("event", e.event), " on ", handle("stream", e.stream));
  }
  std::string line(const journal::WaitEvent& e) {
    return concat("wait for ", handle("event", e.event), " on ", handle("stream", e.stream));
  }
  std::string line(const journal::Synchronize& e) {
    static constexpr const char* kScopes[] = {"device", "stream", "event"};
    return concat("synchronize ", kScopes[static_cast<int>(e.scope)], " ", handle("?", e.handle));
  }
  std::string line(const journal::Copy& e) {
    return concat("copy ", e.size_bytes, " to ", memory(e.destination), " from ", memory(e.source),
                  rows(e.counts, e.destination_pitches),
                  e.counts == RowCounts{} ? "" : concat("/", e.source_pitches.row_bytes), " kind ",
                  e.direction, " on ", handle("stream", e.stream), e.blocking ? " blocking" : "",
                  e.has_content ? concat(" ", bytes(e.content)) : "");
  }
  std::string line(const journal::Fill& e) {
    return concat("fill ", e.size_bytes, " of ", memory(e.destination), " with ",
                  hex(e.value, static_cast<int>(2 * e.value_bytes)), rows(e.counts, e.pitches),
                  " on ", handle("stream", e.stream), e.blocking ? " blocking" : "");
  }
  std::string line(const journal::Launch& e) {
    const auto first = slice(e.kernarg, 0, 8);
    return concat(
        "launch ", handle("function", e.host_function), " on ", handle("stream", e.stream), " ",
        dimensions(e.grid_workgroups), " of ", dimensions(e.workgroup_workitems), " lds ",
        e.dynamic_lds_bytes, " ", first.empty() ? "" : memory(load<std::uint64_t>(first)), " ",
        bytes(ByteView(e.kernarg).subspan(first.size())), e.is_cooperative ? " cooperative" : "");
  }
  std::string line(const journal::NameBuffer& e) {
    return concat("name ", memory(e.address), " ", e.name, " ", e.role, " ", e.dtype, " rank ",
                  e.shape.size(), " strides ", e.strides.size());
  }
  std::string line(const journal::BeginStep& e) {
    return concat("step ", e.kind, " rows ", e.real_rows, "/", e.padded_rows, " requests ",
                  e.request_ids.size(), " positions ", e.positions.size());
  }
  std::string line(const journal::EndStep&) { return "end step"; }
  std::string line(const journal::Phase& e) { return concat("phase ", e.phase); }
  std::string line(const journal::Incomplete& e) { return concat("incomplete: ", e.cause); }
  std::string line(const journal::End&) { return "end"; }
  std::string line(const journal::Failed& e) {
    return concat("failed ", e.status, ": ", lines.at(e.entry - 1));
  }
  std::string line(const journal::SameLaunch& e) {
    return concat("again: ", lines.at(e.entry - 1));
  }
  std::string line(const journal::Stopped& e) { return concat("stopped: ", e.cause); }
  std::string line(const journal::Faults& e) { return concat("faults: ", e.accesses); }
  std::string line(const journal::Decisions& e) { return concat("decisions: ", e.lanes); }
  std::string line(const journal::FaultyTransfer& e) {
    return concat("faulty transfer of ", e.fault.size_bytes);
  }
  std::string line(const journal::Accesses& e) {
    return concat("accesses of ", e.allocations.size(), " allocations");
  }
  std::string line(const journal::Nonfinite& e) {
    return concat("an infinity or NaN at offset ", e.offset_bytes);
  }
  std::string line(const journal::FirstRun& e) { return concat("ran ", e.mnemonic, " first"); }
  std::string line(const journal::SameAccesses& e) {
    return concat("again: ", lines.at(e.entry - 1));
  }
  std::string line(const journal::Index& e) {
    return concat("index in ", e.allocations.size(), " allocations");
  }
  std::string line(const journal::Global& e) {
    blocks_[e.address] = {e.name, e.size_bytes};
    return concat("global ", e.name, " ", e.size_bytes, " of ", handle("code", e.fat_binary));
  }
  std::string line(const journal::WaitValue& e) {
    return concat("wait until ", e.value_bytes, " bytes at ", memory(e.address), " & ", e.mask,
                  " are ", e.value, " by ", static_cast<int>(e.condition), " on ",
                  handle("stream", e.stream));
  }
  std::string line(const journal::CalledHip&) { return "called HIP"; }
  std::string line(const journal::DeclarePool& e) {
    return concat("pool ", e.name, " at ", memory(e.address), " of ", e.rows, " ", e.unit, "s of ",
                  e.row_bytes, ", ", e.reserved.size(), " ends of reserved ranges, says ",
                  e.said_by);
  }
  std::string line(const journal::DeclareSentinel& e) {
    return concat("sentinel of ", memory(e.address), " ", e.role, " ", e.pool, " ", e.unit, " ",
                  e.values.size(), " values");
  }
  std::string line(const journal::Sleep& e) { return concat("sleep ", e.level, " ", e.tag); }
  std::string line(const journal::Wake& e) { return concat("wake ", e.tag); }
  std::string line(const journal::ReportOutput& e) {
    return concat("report ", e.size_bytes, " at ", memory(e.address), " requests ",
                  e.request_ids.size(), " ids ", e.ids.size());
  }
  std::string line(const journal::AllocateBlock& e) {
    return concat("block ", e.name, " ", e.size_bytes, " at ", memory(e.address), " in ",
                  memory(e.segment));
  }
  std::string line(const journal::FreeBlock& e) { return concat("end block ", memory(e.address)); }
  std::string line(const journal::Rank& e) { return concat("rank ", e.rank, " of ", e.ranks); }
  std::string line(const journal::HostFunction& e) {
    return concat("host function on ", handle("stream", e.stream));
  }
  std::string line(const journal::Completed& e) {
    const std::string what = lines.at(e.doer.entry - 1);
    const std::string content = e.has_content ? bytes(e.content) : "what it was";
    return concat("completed: ", what.substr(0, what.find(" on ")), ": ", content);
  }
  std::string line(const journal::CallSite& e) {
    std::string text = concat("call site ", e.number, ":");
    for (const auto& frame : e.frames) text += concat(" ", frame.module, "/", frame.symbol);
    return text;
  }
  std::string line(const journal::CalledFrom& e) { return concat("from ", e.call_site); }
  /// The test programs use no graphs: the runtime for tests has none.
  template <class Other>
  std::string line(const Other&) {
    return "of a graph";
  }

  std::map<std::uint64_t, Block> blocks_;
  std::map<std::uint64_t, std::string> handles_;
  int allocations_ = 0;
};

}  // namespace compass::capture
