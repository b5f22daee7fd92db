// SPDX-License-Identifier: MIT
#include "cli/device_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "ir/names.h"

namespace compass::cli {
namespace {

/// What is said to one question of one device, or of devices of which the same is said.
struct Block {
  std::string question;
  int first_device, last_device;
  std::vector<const DeviceAnswer*> answers;
};

bool says_the_same(const Block& one, const Block& other) {
  return one.question == other.question && one.last_device + 1 == other.first_device &&
         one.answers.size() == other.answers.size() &&
         std::equal(one.answers.begin(), one.answers.end(), other.answers.begin(),
                    [](const DeviceAnswer* a, const DeviceAnswer* b) {
                      return a->channel == b->channel && a->text == b->text && a->kind == b->kind;
                    });
}

/// Questions in the order in which they were first asked, each by device.
std::vector<Block> blocks_of(const std::vector<DeviceAnswer>& answers) {
  std::vector<std::string> questions;
  for (const DeviceAnswer& answer : answers) {
    if (std::find(questions.begin(), questions.end(), answer.question) == questions.end()) {
      questions.push_back(answer.question);
    }
  }
  std::vector<Block> blocks;
  for (const DeviceAnswer& answer : answers) {
    const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const Block& each) {
      return each.question == answer.question && each.first_device == answer.device;
    });
    if (block != blocks.end()) {
      block->answers.push_back(&answer);
    } else {
      blocks.push_back({answer.question, answer.device, answer.device, {&answer}});
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(), [&](const Block& a, const Block& b) {
    const auto rank = [&](const Block& block) {
      return std::find(questions.begin(), questions.end(), block.question) - questions.begin();
    };
    return std::pair(rank(a), a.first_device) < std::pair(rank(b), b.first_device);
  });
  return blocks;
}

std::vector<Block> folded(std::vector<Block> blocks) {
  std::vector<Block> result;
  for (Block& block : blocks) {
    const bool is_device = block.first_device != kNoDevice;
    if (is_device && !result.empty() && says_the_same(result.back(), block)) {
      result.back().last_device = block.last_device;
    } else {
      result.push_back(std::move(block));
    }
  }
  return result;
}

/// "memory of devices 0 to 3".
std::string subject_of(const std::string& question, int device, int last_device) {
  if (device == kNoDevice) return question;
  if (device == last_device) return concat(question, " of device ", device);
  return concat(question, " of devices ", device, " to ", last_device);
}

/// What stands behind an answer: nothing where it is what the first says.
std::string_view mark_of(const DeviceAnswer& answer, const DeviceAnswer* first) {
  if (answer.kind == AnswerKind::kNote) return "";
  if (answer.kind == AnswerKind::kFailure) return "   <- no answer";
  return is_same_answer(first->text, answer.text) ? "" : "   <- differs";
}

std::string lines_of(const Block& block) {
  const auto first =
      std::find_if(block.answers.begin(), block.answers.end(),
                   [](const DeviceAnswer* each) { return each->kind == AnswerKind::kValue; });
  const DeviceAnswer* const reference = first == block.answers.end() ? nullptr : *first;
  std::string text;
  for (const DeviceAnswer* answer : block.answers) {
    constexpr std::size_t kColumn = 30;
    std::string line = concat("  ", answer->channel);
    line.append(line.size() < kColumn ? kColumn - line.size() : 1, ' ');
    text += concat(line, printable(answer->text), mark_of(*answer, reference), "\n");
  }
  return text;
}

using Json = nlohmann::ordered_json;

Json device_json(int device) { return device == kNoDevice ? Json(nullptr) : Json(device); }

std::string_view name_of(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::kValue:
      return "value";
    case AnswerKind::kFailure:
      return "failure";
    case AnswerKind::kNote:
      return "note";
  }
  return "";
}

}  // namespace

std::string table_of(const std::vector<DeviceAnswer>& answers) {
  std::string text;
  for (const Block& block : folded(blocks_of(answers))) {
    text += concat(subject_of(block.question, block.first_device, block.last_device), "\n",
                   lines_of(block));
  }
  return text;
}

std::string answers_json(const std::string& architecture, const std::vector<DeviceAnswer>& answers,
                         const std::vector<Disagreement>& disagreements) {
  Json list = Json::array();
  for (const DeviceAnswer& answer : answers) {
    list.push_back({{"question", answer.question},
                    {"device", device_json(answer.device)},
                    {"channel", answer.channel},
                    {"kind", name_of(answer.kind)},
                    {"answer", answer.text}});
  }
  Json wrong = Json::array();
  for (const Disagreement& each : disagreements) {
    wrong.push_back({{"question", each.question},
                     {"device", device_json(each.device)},
                     {"last_device", device_json(each.last_device)},
                     {"channel", each.channel},
                     {"answer", each.text},
                     {"other_channel", each.other_channel},
                     {"other_answer", each.is_silence ? Json(nullptr) : Json(each.other_text)},
                     {"message", sentence_of(each)}});
  }
  const Json json = {{"format", "compass-capture doctor"},
                     {"version", 1},
                     {"about", "declared device"},
                     {"architecture", architecture},
                     {"agree", disagreements.empty()},
                     {"answers", list},
                     {"disagreements", wrong}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string sentence_of(const Disagreement& disagreement) {
  const std::string subject =
      subject_of(disagreement.question, disagreement.device, disagreement.last_device);
  const std::string other =
      disagreement.is_silence
          ? concat(disagreement.other_channel, " gives no answer: ", disagreement.other_text)
          : concat(disagreement.other_channel, " says '", disagreement.other_text, "'");
  if (disagreement.channel.empty()) return concat(subject, ": ", other);
  return concat(subject, ": ", disagreement.channel, " says '", disagreement.text, "', ", other);
}

}  // namespace compass::cli
