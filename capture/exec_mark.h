// SPDX-License-Identifier: MIT
#pragma once

#include <climits>

#include "capture/exec_target.h"

namespace compass::capture {

/// What such marks are called in the folder of the journals: each is a link that leads to
/// "OBSTACLE PROGRAM", with the obstacle's word.
inline constexpr const char* kExecMarkSuffix = ".unrecorded";

/// Tells whoever reads the journals that a program runs without the recorder. Made right before the
/// program is; a mark stays unless it is withdrawn, since nothing of the caller runs after an exec
/// that succeeds. The same program with the same obstacle leaves one mark however often it is run.
///
/// May be used between vfork and exec, as find_obstacle(). errno is as before.
class ExecMark {
 public:
  /// No mark is left where there is no obstacle.
  ExecMark(const char* program, Obstacle obstacle, const char* folder);
  ExecMark(const ExecMark&) = delete;
  ExecMark& operator=(const ExecMark&) = delete;

  /// The program could not be started.
  void withdraw();

 private:
  bool made_ = false;
  char path_[PATH_MAX];
};

}  // namespace compass::capture
