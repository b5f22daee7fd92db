// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace compass::cli {

/// A program that ran without the recorder: nothing is known of what it asked a device for.
struct Unrecorded {
  std::string program;
  std::string cause;
};

/// "a (statically linked), b (…)".
std::string names_of(const std::vector<Unrecorded>& programs);

/// The end of a report for people; empty where there are none.
std::string text_of(const std::vector<Unrecorded>& programs);

/// A JSON array of objects.
std::string json_of(const std::vector<Unrecorded>& programs);

/// What there is to say where no process left a journal with calls, and nothing else is known.
std::string no_hip_call(const std::string& program, const std::vector<Unrecorded>& unrecorded);
/// What to say where HIP was called, and asked for nothing that a recording holds.
std::string no_work(const std::string& program);

}  // namespace compass::cli
