// SPDX-License-Identifier: MIT
#pragma once

/// How HIP's names are linked: "C", for those who call them. Where they are implemented for the
/// libraries it is "C++", and the exported names are another thing: dispatch.h.
#ifndef COMPASS_HIP_LINKAGE
#define COMPASS_HIP_LINKAGE "C"
#endif
