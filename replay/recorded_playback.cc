// SPDX-License-Identifier: MIT
#include "replay/recorded_playback.h"

#include "replay/player.h"

namespace compass::replay {

Result<void> RecordedPlayback::play(Backend& backend, PlayObserver& observer,
                                    std::uint64_t last_record) const {
  Player player(recording_, contents_, backend);
  for (const Record& record : recording_.records) {
    if (record.sequence > last_record) break;
    auto played = player.play(record, observer);
    if (played) continue;
    return std::move(played).error().with(
        concat("record ", record.sequence, " (", kind_of(record), ")"));
  }
  return {};
}

}  // namespace compass::replay
