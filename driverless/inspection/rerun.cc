// SPDX-License-Identifier: MIT
#include "driverless/inspection/rerun.h"

#include "driverless/backend.h"

namespace compass::inspection {

Result<void> Rerun::play_to(std::uint64_t last_record, std::byte poison) {
  DriverlessBackend backend(stage_.architecture, stage_.decoder, *this);
  backend.set_poison(poison);
  memory_ = &backend.memory();
  auto played = stage_.playback.play(backend, *this, last_record);
  on_played();
  memory_ = nullptr;
  return played;
}

}  // namespace compass::inspection
