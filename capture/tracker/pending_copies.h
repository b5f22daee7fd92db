// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "capture/contents/digest.h"
#include "capture/contents/host_memory.h"
#include "ir/journal/evidence.h"

namespace compass::capture {

/// The copies between the host and a device that the host has not waited for yet, and for which of
/// them a wait waits: by the order of streams, events that are recorded and waited for, and the
/// legacy default stream, which is in order with every blocking stream.
///
/// Only copies are numbered. While none is pending there is nothing to know: all is forgotten, and
/// callers need not tell of work. Streams are named by a number each, the legacy stream by 0.
/// Threads: callers take a lock.
class PendingCopies {
 public:
  enum class HostSide : std::uint8_t { kSource, kDestination };
  struct Copy {
    journal::Doer doer;
    HostSide side = HostSide::kSource;
    HostRows host;
    std::optional<Digest> enqueued;  ///< what a source held then, if that was kept
    std::uint64_t call = 0;          ///< the call that asked for it
    std::uint64_t ran_in = 0;        ///< the call in which a runtime said that it ran; 0: none yet
    /// Something else that is pending writes there: what is found there is not this copy's.
    bool is_overwritten = false;
  };
  /// Of a pending copy; grows.
  using Id = std::uint64_t;

  bool is_empty() const { return copies_.empty(); }
  void clear();

  void add_stream(std::uint64_t stream, bool is_blocking);
  void forget_stream(std::uint64_t stream);
  void add_copy(std::uint64_t stream, const Copy& copy);
  /// The stream was given other work. Only to be told while copies are pending, as the next two.
  void add_work(std::uint64_t stream);
  void record_event(std::uint64_t stream, std::uint64_t event);
  void wait_event(std::uint64_t stream, std::uint64_t event);

  // What a wait of the host that begins now waits for.

  std::vector<Id> before_stream(std::uint64_t stream);
  std::vector<Id> before_event(std::uint64_t event) const;
  std::vector<Id> before_device() const;

  /// A runtime has carried out what the entry asked for, in that call.
  void note_ran(std::uint64_t entry, std::uint64_t call);
  /// What the entry asked for was refused.
  void forget_entry(std::uint64_t entry);
  /// The memory is about to be the program's no more.
  void forget_memory(std::uint64_t address, std::uint64_t size_bytes);
  /// Those that are still pending, which they are no longer.
  std::vector<Copy> take(std::span<const Id> ids);

  /// Of copies that nobody ever waits for, the oldest are forgotten.
  static constexpr std::size_t kMost = 1 << 14;

 private:
  /// By stream: up to which of its copies all are over.
  using Clock = std::vector<std::uint64_t>;
  struct Stream {
    std::size_t place = 0;  ///< in clocks
    Clock clock;
  };
  struct Pending {
    Id id = 0;
    std::size_t stream = 0;  ///< its place
    Copy copy;
  };

  Stream& stream_at(std::uint64_t stream);
  bool is_blocking(std::uint64_t stream) const { return !non_blocking_.contains(stream); }
  void order_by_legacy(std::uint64_t handle, Stream& stream);
  std::vector<Id> before(const Clock& clock) const;
  template <class Remove>
  void remove_if(Remove remove);

  std::vector<Pending> copies_;  ///< by id, and so by entry
  Id last_id_ = 0;
  std::size_t places_ = 0;
  std::unordered_map<std::uint64_t, Stream> streams_;
  std::unordered_map<std::uint64_t, Clock> events_;
  std::unordered_set<std::uint64_t> non_blocking_;
};

}  // namespace compass::capture
