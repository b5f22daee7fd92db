// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driverless/arch/arch.h"
#include "driverless/gate/evidence.h"
#include "driverless/gate/launch_cursor.h"
#include "driverless/machine/memory.h"
#include "driverless/machine/observer.h"
#include "ir/playback.h"

namespace compass::inspection {

/// What everything here needs to play a recording once more.
struct Stage {
  const gate::Context& context;
  const Playback& playback;
  const arch::Architecture& architecture;
  std::string decoder;  ///< the path of the helper program compass-decode
};

/// One launch that is looked at in a pass, and the moment that matters in it.
struct LookRequest {
  enum class Until : std::uint8_t { kEnd, kFault, kDecision, kStore };

  std::uint64_t ordinal = 0;
  Look look;
  Until until = Until::kEnd;
  std::uint64_t pc = 0;     ///< of the fault or decision; those of another place are passed over
  std::uint64_t store = 0;  ///< which store to the watched byte, from 1
  /// Called once, at that moment, with memory as it is then.
  std::function<void(const Look& look, const Memory& memory)> on_met = nullptr;

  // What was seen.
  bool is_met = false;
  std::uint64_t stores = 0;  ///< to the watched byte
  std::optional<WatchedStore> last_store;
};

/// Something to look up when a record is about to take effect.
struct RecordRequest {
  std::uint64_t record = 0;
  std::function<void(const Memory& memory)> on_met;
};

/// Plays a recording once, as far as it must, and looks at launches in it.
class Pass : public Observer, public PlayObserver {
 public:
  explicit Pass(const Stage& stage) : stage_(stage), cursor_(stage.context) {}

  /// `request` must outlive this. False if another one wants the same launch: it is for the next
  /// pass then.
  bool add(LookRequest& request);
  void add(RecordRequest request);

  Result<void> run();

  void on_record(const Record& record) override;
  void on_node(const Record& record, const Record& node) override { cursor_.on_node(record, node); }
  Look* look_at(std::uint64_t record) override;
  void on_fault(const Fault& fault) override;
  void on_tainted_decision(const TaintedDecision& decision) override;
  void on_watched_store(const WatchedStore& store) override;

 private:
  void meet();

  const Stage& stage_;
  gate::LaunchCursor cursor_;
  std::map<std::uint64_t, LookRequest*> looks_;  // by ordinal
  std::multimap<std::uint64_t, RecordRequest> records_;
  std::uint64_t last_record_ = 0;
  const Memory* memory_ = nullptr;
  LookRequest* current_ = nullptr;
};

/// Runs passes until each request has been in one.
Result<void> look_at_all(const Stage& stage, std::vector<LookRequest>& requests);

}  // namespace compass::inspection
