// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace compass::capture {

/// What keeps the dynamic linker from loading the recorder into a program.
enum class Obstacle : std::uint8_t {
  kNone,
  kStatic,        ///< the program has no dynamic linker
  kPrivileged,    ///< it runs with other rights than its caller: the linker loads nothing of ours
  kOtherMachine,  ///< it is for another machine or of another word size
  kEnvironment,   ///< it is started with an environment that does not name us
};

/// How a mark spells an obstacle, and what people are told.
struct ObstacleName {
  Obstacle obstacle;
  const char* word;
  const char* text;
};
inline constexpr std::array<ObstacleName, 4> kObstacleNames{{
    {Obstacle::kStatic, "static", "statically linked"},
    {Obstacle::kPrivileged, "privileged", "setuid, setgid or with file capabilities"},
    {Obstacle::kOtherMachine, "machine", "built for another machine"},
    {Obstacle::kEnvironment, "environment", "started without LD_PRELOAD or COMPASS_JOURNAL_DIR"},
}};

/// What a program's environment must hold to be recorded, as it stands in ours.
struct RecorderNames {
  const char* library;         ///< an entry of LD_PRELOAD
  const char* journal_folder;  ///< COMPASS_JOURNAL_DIR
};

/// What exec does with a file that is neither a program nor names an interpreter.
enum class PlainText : std::uint8_t { kFails, kIsShellScript };

// All below may run between vfork and exec: they take no memory and no lock, and use at most a few
// pages of the stack. They change errno.

/// What would keep the recorder out of `file`, if it were executed now. kNone also where the file
/// cannot be read or is no program: then exec will say so. Of a script, its interpreter counts.
Obstacle find_obstacle(const char* file, PlainText plain_text);

/// Whether the environment has the recorder loaded, and tells it where to write.
bool names_recorder(char* const* environment, const RecorderNames& names);

/// The file that execvp() would execute for `name`: the first that can be, in the folders of PATH.
/// Returns false where there is none that fits into `file`.
bool find_in_path(const char* name, char* file, std::size_t size_bytes);

}  // namespace compass::capture
