// SPDX-License-Identifier: MIT
// edit_archive EDIT ARCHIVE OUTPUT: writes the archive once more, with less or with something
// wrong.
//   weights   without what the host copied to the device in pieces of 100,000 bytes and more
//   accesses  without what launches accessed, and coverage
//   access    the first launch that writes a byte writes one more
//   output    two results of one size are exchanged
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <variant>

#include "ir/archive/reader.h"
#include "ir/archive/rewrite.h"

namespace {

using namespace compass;

constexpr std::uint64_t kWeightBytes = 100'000;

void drop_weights(Recording& recording) {
  for (Record& record : recording.records) {
    auto* const copy = std::get_if<Copy>(&record.body);
    if (copy == nullptr || copy->size_bytes < kWeightBytes) continue;
    copy->content.clear();
    copy->completed.source.clear();
  }
  std::erase_if(recording.launch_indices,
                [](const LaunchIndex& index) { return index.contents.empty(); });
}

void drop_accesses(Recording& recording) {
  recording.access_summaries.clear();
  recording.launch_accesses.clear();
  recording.coverage.reset();
}

/// The run behind which there is room for one byte more.
void change_access(Recording& recording) {
  for (AccessSummary& summary : recording.access_summaries) {
    for (AllocationAccess& access : summary.allocations) {
      const std::uint64_t size = recording.allocation(access.allocation).size_bytes;
      const bool has_room =
          access.writes.size() == 1 && access.writes[0].count == 1 && access.writes[0].end() < size;
      if (!has_room) continue;
      ++access.writes[0].size_bytes;
      return;
    }
  }
}

void exchange_outputs(Recording& recording) {
  std::map<std::uint64_t, Copy*> by_size;
  for (Record& record : recording.records) {
    auto* const copy = std::get_if<Copy>(&record.body);
    if (copy == nullptr || copy->completed.result.empty()) continue;
    const auto [other, is_new] = by_size.try_emplace(copy->size_bytes, copy);
    if (is_new || other->second->completed.result == copy->completed.result) continue;
    std::swap(other->second->completed.result, copy->completed.result);
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(Recording&)> edits{{"weights", drop_weights},
                                                          {"accesses", drop_accesses},
                                                          {"access", change_access},
                                                          {"output", exchange_outputs}};
  const auto edit = argc == 4 ? edits.find(argv[1]) : edits.end();
  if (edit == edits.end()) return 2;
  const auto archive = archive::Archive::open(argv[2]);
  if (!archive) return 1;
  const auto written = archive::rewrite(*archive, argv[3], [&](Recording& recording) {
    edit->second(recording);
    return Result<void>();
  });
  if (!written) std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return written ? 0 : 1;
}
