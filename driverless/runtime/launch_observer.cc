// SPDX-License-Identifier: MIT
#include "driverless/runtime/launch_observer.h"

#include "driverless/runtime/notice.h"
#include "ir/base/concat.h"

namespace compass {

void LaunchObserver::on_stopped(std::uint64_t, const std::string& cause) {
  notice_once(concat("a launch could not run to its end: ", cause));
}

void LaunchObserver::on_progress(std::uint64_t, std::uint64_t wave_instructions) {
  if (said_) return;
  const Clock::duration elapsed = Clock::now() - start_;
  if (elapsed < patience_) return;
  said_ = true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  notice(concat("kernel ", kernel_, " has run ", wave_instructions, " wavefront instructions in ",
                seconds, " s and goes on"));
}

}  // namespace compass
