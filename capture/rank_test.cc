// SPDX-License-Identifier: MIT
#include "capture/rank.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>

namespace compass::capture {
namespace {

/// The rank where the environment has these variables and no others of a launcher.
std::string rank_with(std::initializer_list<std::pair<const char*, const char*>> variables) {
  for (const char* name : {"RANK", "WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                           "PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_NTASKS"}) {
    ::unsetenv(name);
  }
  for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  const Rank found = rank_of_process();
  return std::to_string(found.rank) + " of " + std::to_string(found.ranks);
}

TEST(Rank, IsWhatALauncherSays) {
  EXPECT_EQ(rank_with({}), "-1 of -1");
  EXPECT_EQ(rank_with({{"RANK", "3"}, {"WORLD_SIZE", "8"}}), "3 of 8");
  EXPECT_EQ(rank_with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}}), "0 of 2");
  EXPECT_EQ(rank_with({{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}}), "1 of 4");
  EXPECT_EQ(rank_with({{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "16"}}), "5 of 16");
}

TEST(Rank, OfTorchrunWinsOverThatOfWhatStartedIt) {
  EXPECT_EQ(rank_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}, {"RANK", "6"}}), "6 of -1");
}

TEST(Rank, IsANumberOrNothing) {
  for (const char* text : {"", " 1", "1 ", "-1", "0x1", "/home/someone", "99999999999"}) {
    EXPECT_EQ(rank_with({{"RANK", text}, {"WORLD_SIZE", "8"}}), "-1 of -1") << text;
  }
}

}  // namespace
}  // namespace compass::capture
