// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "driverless/arch/arch.h"
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

/// Who plays a recording once more and looks at it meanwhile.
class Rerun : public Observer, public PlayObserver {
 public:
  /// `stage` must outlive this.
  explicit Rerun(const Stage& stage) : stage_(stage), cursor_(stage.context) {}

  void on_node(const Record& record, const Record& node) override { cursor_.on_node(record, node); }

 protected:
  /// From the beginning to the record, with that too. What is undefined holds `poison`.
  Result<void> play_to(std::uint64_t last_record, std::byte poison = {});

  /// The playback is over; memory is still as it was left.
  virtual void on_played() {}

  const Stage& stage_;
  gate::LaunchCursor cursor_;
  const Memory* memory_ = nullptr;  ///< the recording's, while it is played
};

}  // namespace compass::inspection
