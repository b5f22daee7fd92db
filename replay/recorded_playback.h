// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "ir/playback.h"
#include "ir/recording.h"

namespace compass::replay {

/// Plays a recording with a Player of its own each time.
class RecordedPlayback : public Playback {
 public:
  /// `recording` must outlive this.
  RecordedPlayback(const Recording& recording, ContentSource contents)
      : recording_(recording), contents_(std::move(contents)) {}

  Result<void> play(Backend& backend, PlayObserver& observer,
                    std::uint64_t last_record) const override;

 private:
  const Recording& recording_;
  ContentSource contents_;
};

}  // namespace compass::replay
