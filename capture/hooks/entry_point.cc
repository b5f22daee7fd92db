// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Calls by which programs ask the runtime for its functions: they get the hooks.
namespace compass::capture {
namespace {

auto handed_out(void** function) {
  return [=](Recorder&) { *function = hook_of(*function); };
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace

int hipGetProcAddress(const char* symbol, void** function, int version, std::uint64_t flags,
                      int* result) {
  return observe<&::hipGetProcAddress>(handed_out(function), symbol, function, version, flags,
                                       result);
}

int hipGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                           int* result) {
  return observe<&::hipGetDriverEntryPoint>(handed_out(function), symbol, function, flags, result);
}

int hipGetDriverEntryPoint_spt(const char* symbol, void** function, unsigned long long flags,
                               int* result) {
  return observe<&::hipGetDriverEntryPoint_spt>(handed_out(function), symbol, function, flags,
                                                result);
}
