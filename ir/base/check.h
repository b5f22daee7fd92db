// SPDX-License-Identifier: MIT
#pragma once

namespace compass::internal {
/// Prints the broken invariant and its place, then aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace compass::internal

/// An invariant of ours: on in every build, aborts when broken. Never for what a file, a driver or
/// a guest program can cause, and never in capture/.
#define CHECK(condition) \
  ((condition) ? (void)0 : ::compass::internal::check_failed(#condition, __FILE__, __LINE__))

/// CHECK for measured hot loops: on in debug builds only.
#ifdef NDEBUG
#define DCHECK(condition) (void)sizeof(condition)
#else
#define DCHECK(condition) CHECK(condition)
#endif
