// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/environment.h"
#include "ir/base/result.h"

namespace compass::cli {

/// What an answer is worth in a comparison.
enum class AnswerKind : std::uint8_t {
  kValue,    ///< it must be what the others say
  kFailure,  ///< there should be one, and there is none: the text says why
  kNote,     ///< nothing that could disagree: a variable that is not set, where a program is
};

/// What one channel says to one question.
struct DeviceAnswer {
  int device;  ///< HIP's ordinal; kNoDevice where the question is about none
  std::string question;
  std::string channel;
  std::string text;
  AnswerKind kind = AnswerKind::kValue;
};

inline constexpr int kNoDevice = -1;

/// The lines that compass-ask-device prints.
std::vector<DeviceAnswer> answers_of_api(const std::string& output);

/// What it takes to ask.
struct Interview {
  std::string asker;  ///< the file of compass-ask-device
  int declared_devices;
  int limit_seconds;  ///< for each program
};

/// Asks every channel under the environment that a recorded program without a driver has.
std::vector<DeviceAnswer> ask_every_channel(const Environment& environment,
                                            const Interview& interview);

/// A question to which two channels say different things.
struct Disagreement {
  int device, last_device;  ///< of these devices the same is said
  std::string question;
  std::string channel, text;              ///< the first that answered
  std::string other_channel, other_text;  ///< one that says otherwise, or says nothing
  bool is_silence;                        ///< it says nothing; other_text tells why
};

/// Each answer that is not what the first to its question is, and each failure.
std::vector<Disagreement> find_disagreements(const std::vector<DeviceAnswer>& answers);

/// Whether two answers say the same, each as precisely as it does: "294912 MiB" and
/// "309237645312 bytes" do.
bool is_same_answer(const std::string& one, const std::string& other);

}  // namespace compass::cli
