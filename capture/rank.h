// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace compass::capture {

/// What the launcher of a job of many processes has told one of them. -1: nothing.
struct Rank {
  std::int32_t rank = -1;
  std::int32_t ranks = -1;
};

/// As the environment has it, in the words of torchrun, Open MPI, MPICH and Slurm. Only numbers are
/// taken.
Rank rank_of_process();

}  // namespace compass::capture
