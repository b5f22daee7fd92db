// SPDX-License-Identifier: MIT
#pragma once

#include "capture/recorder.h"

namespace compass::capture {

/// Whether this thread holds the recorder's mutex: a signal handler that interrupts it there must
/// not wait for it.
inline constinit thread_local bool holds_lock [[gnu::tls_model("initial-exec")]] = false;

/// Holds the mutex; false where the recorder must not be used at all. For the recorder's own files.
class Recorder::Lock {
 public:
  explicit Lock(Recorder& recorder) : recorder_(recorder) {
    if (!recorder.usable_ || holds_lock) return;
    recorder.mutex_.lock();
    holds_lock = true;
    held_ = true;
    // A child made by clone(2) ran no fork handler.
    if (recorder.fork_mark_.is_copy()) recorder.start_anew();
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (!held_) return;
    holds_lock = false;
    recorder_.mutex_.unlock();
  }
  explicit operator bool() const { return held_; }

 private:
  Recorder& recorder_;
  bool held_ = false;
};

}  // namespace compass::capture
