// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Calls that programs begin with. They ask for nothing that a recording holds, and show that HIP
/// is used.
using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace

namespace {

void record_nothing(Recorder&) {}

}  // namespace

int hipInit(unsigned flags) { return observe<&::hipInit>(&record_nothing, flags); }

int hipGetDeviceCount(int* count) { return observe<&::hipGetDeviceCount>(&record_nothing, count); }

int hipSetDevice(int ordinal) { return observe<&::hipSetDevice>(&record_nothing, ordinal); }
