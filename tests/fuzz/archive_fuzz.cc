// SPDX-License-Identifier: MIT
//
// Any file as an archive: what it gives is valid, or it is an error.
#include "ir/archive/reader.h"
#include "ir/archive/validate.h"
#include "ir/base/check.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace compass;
  const fuzz::TemporaryFile file(fuzz::view_of(data, size));
  const auto archive = archive::Archive::open(file.path());
  if (!archive) return 0;
  const auto recording = archive->recording();
  if (!recording) return 0;
  CHECK(archive::validate(*recording).has_value());
  for (const CodeObject& each : recording->code_objects) {
    static_cast<void>(archive->content(each.sha256).has_value());
  }
  return 0;
}
