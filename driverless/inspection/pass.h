// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "driverless/inspection/rerun.h"

namespace compass::inspection {

/// One launch that is looked at in a pass, and the moment that matters in it.
struct LookRequest {
  enum class Until : std::uint8_t { kEnd, kFault, kDecision, kAccess };

  std::uint64_t ordinal = 0;
  Look look;
  Until until = Until::kEnd;
  std::uint64_t pc = 0;      ///< of the fault or decision; those of another place are passed over
  std::uint64_t access = 0;  ///< which access to the watched byte, from 1
  /// Called once, at that moment, with memory as it is then.
  std::function<void(const Look& look, const Memory& memory)> on_met = nullptr;

  // What was seen.
  bool is_met = false;
  std::uint64_t accesses = 0;  ///< to the watched byte
  std::optional<WatchedAccess> first_access, last_access;
};

/// Something to look up when a record is about to take effect.
struct RecordRequest {
  std::uint64_t record = 0;
  std::function<void(const Memory& memory)> on_met;
};

/// Plays a recording once, as far as it must, and looks at launches in it.
class Pass : public Rerun {
 public:
  using Rerun::Rerun;

  /// `request` must outlive this. False if another one wants the same launch: it is for the next
  /// pass then.
  bool add(LookRequest& request);
  void add(RecordRequest request);

  Result<void> run();

  void on_record(const Record& record) override;
  Look* look_at(std::uint64_t record) override;
  void on_fault(const Fault& fault) override;
  void on_tainted_decision(const TaintedDecision& decision) override;
  void on_watched_access(const WatchedAccess& access) override;

 private:
  void meet();

  std::map<std::uint64_t, LookRequest*> looks_;  // by ordinal
  std::multimap<std::uint64_t, RecordRequest> records_;
  std::uint64_t last_record_ = 0;
  LookRequest* current_ = nullptr;
};

/// Runs passes until each request has been in one.
Result<void> look_at_all(const Stage& stage, std::vector<LookRequest>& requests);

}  // namespace compass::inspection
