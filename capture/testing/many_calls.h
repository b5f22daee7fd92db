// SPDX-License-Identifier: MIT
#pragma once

#include "capture/testing/scenario.h"

/// Scenarios of so many calls that the recorder has a thread of its own.
int many_calls_and_a_signal(const Hip& hip);
int many_calls_and_the_main_thread_ends(const Hip& hip);
int many_calls_without_room_for_a_thread(const Hip& hip);
int many_calls_on_both_sides_of_a_fork(const Hip& hip);
