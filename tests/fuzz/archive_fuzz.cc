// SPDX-License-Identifier: MIT
//
// Any file as an archive: what it gives is valid, or it is an error.
#include "ir/archive/query.h"
#include "ir/archive/reader.h"
#include "ir/archive/validate.h"
#include "ir/base/check.h"
#include "tests/fuzz/input.h"

namespace {

using namespace compass;

void read_process(const archive::Archive& archive, ProcessId process) {
  const auto outline = archive.outline(process);
  if (outline) peak_of(AllocationKind::kDevice, outline->recording, outline->tally);
  const auto steps = archive.steps(process, {{1}, {3}});
  if (steps) CHECK(archive::validate(*steps, archive::Extent::kSteps).has_value());
  const auto recording = archive.recording(process);
  if (!recording) return;
  CHECK(archive::validate(*recording).has_value());
  for (const CodeObject& each : recording->code_objects) {
    static_cast<void>(archive.content(each.sha256).has_value());
  }
}

void ask(const std::filesystem::path& path, const char* sql) {
  auto query = archive::Query::open(path, sql);
  constexpr int kMostRows = 1000;
  for (int row = 0; query && row < kMostRows; ++row) {
    const auto more = query->step();
    if (!more || !*more) return;
    for (std::size_t i = 0; i < query->columns().size(); ++i) query->value(i);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TemporaryFile file(fuzz::view_of(data, size));
  const auto archive = archive::Archive::open(file.path());
  if (!archive) return 0;
  static_cast<void>(archive->sizes().has_value());
  static_cast<void>(archive->recorder().has_value());
  const auto processes = archive->processes();
  if (!processes) return 0;
  CHECK(!processes->empty());
  for (const Recording& process : *processes) read_process(*archive, process.process.id);
  for (const char* sql : {"SELECT * FROM launches", "SELECT * FROM arguments",
                          "SELECT * FROM launch_arguments", "SELECT * FROM copies"}) {
    ask(file.path(), sql);
  }
  return 0;
}
