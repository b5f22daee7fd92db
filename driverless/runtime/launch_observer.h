// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "driverless/machine/observer.h"

namespace compass {

/// Follows one launch for the user: remembers whether it made an access that it must not make, and
/// says on standard error why it stopped, and once that it takes long.
class LaunchObserver : public Observer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit LaunchObserver(std::string kernel, Clock::duration patience = std::chrono::seconds(10))
      : kernel_(std::move(kernel)), patience_(patience) {}

  void on_fault(const Fault&) override { faulty_ = true; }
  void on_stopped(std::uint64_t record, const std::string& cause) override;
  void on_progress(std::uint64_t record, std::uint64_t wave_instructions) override;

  bool faulty() const { return faulty_; }

 private:
  std::string kernel_;
  Clock::duration patience_;
  Clock::time_point start_ = Clock::now();
  bool said_ = false;
  bool faulty_ = false;
};

}  // namespace compass
