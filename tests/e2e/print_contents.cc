// SPDX-License-Identifier: MIT
// print_contents ARCHIVE [SHA256]: for each copy a line with its direction and the contents that it
// has at enqueue, at completion, and as a result; or one content's bytes. "-": it has none.
#include <cstdio>
#include <variant>

#include "ir/archive/reader.h"

namespace {

using namespace compass;

const char* or_none(const std::string& content) { return content.empty() ? "-" : content.c_str(); }

void print(const Copy& copy, const std::string& content, const CompletedCopy& completed) {
  std::printf("%s %s %s %s\n", std::string(name_of(copy.direction)).c_str(), or_none(content),
              or_none(completed.source), or_none(completed.result));
}

void print(const Recording& recording) {
  for (const Record& record : recording.records) {
    if (record.captured) continue;
    if (const auto* copy = std::get_if<Copy>(&record.body)) {
      print(*copy, copy->content, copy->completed);
    } else if (const auto* launch = std::get_if<LaunchGraph>(&record.body)) {
      for (const NodeCopy& node : launch->copies) {
        const Record& what = recording.records[node.record - 1];
        print(std::get<Copy>(what.body), node.content, node.completed);
      }
    } else if (const auto* write = std::get_if<HostWrite>(&record.body)) {
      std::printf("write %s %u -\n", or_none(write->content),
                  static_cast<unsigned>(write->size_bytes));
    }
  }
}

Result<void> run(const char* path, const char* sha256) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(path));
  ASSIGN_OR_RETURN(const Recording recording, archive.recording());
  if (sha256 == nullptr) return print(recording), Result<void>();
  ASSIGN_OR_RETURN(const Bytes content, archive.content(sha256));
  if (std::fwrite(content.data(), 1, content.size(), stdout) == content.size()) return {};
  return Error{ErrorCode::kSystem, "cannot write to standard output"};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) return 2;
  const auto done = run(argv[1], argc == 3 ? argv[2] : nullptr);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
