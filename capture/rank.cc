// SPDX-License-Identifier: MIT
#include "capture/rank.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace compass::capture {
namespace {

std::int32_t number_in(const char* variable) {
  const char* const text = ::getenv(variable);
  if (text == nullptr) return -1;
  const char* const end = text + std::strlen(text);
  std::int32_t number = 0;
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end && number >= 0 ? number : -1;
}

}  // namespace

Rank rank_of_process() {
  // Where one launcher starts another, the first of these is the inner one.
  constexpr struct {
    const char* rank;
    const char* ranks;
  } kVariables[] = {{"RANK", "WORLD_SIZE"},
                    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                    {"PMI_RANK", "PMI_SIZE"},
                    {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& variables : kVariables) {
    const std::int32_t rank = number_in(variables.rank);
    if (rank >= 0) return {rank, number_in(variables.ranks)};
  }
  return {};
}

}  // namespace compass::capture
