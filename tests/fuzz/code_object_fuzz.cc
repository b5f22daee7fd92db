// SPDX-License-Identifier: MIT
//
// Any bytes as a code object: its metadata, and its image for each architecture.
#include "driverless/code_object/loader.h"
#include "ir/base/check.h"
#include "ir/code_object/metadata.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace compass;
  const ByteView bytes = fuzz::view_of(data, size);
  static_cast<void>(read_metadata(bytes).has_value());
  for (const std::string_view name : arch::names()) {
    const auto loaded = load_image(bytes, {0x6000'0000'0000}, *arch::find(name));
    if (!loaded) continue;
    for (const LoadedImageRange& range : loaded->ranges) {
      CHECK(range.offset <= loaded->image.size() &&
            range.size_bytes <= loaded->image.size() - range.offset);
    }
    for (const LoadedImageKernel& kernel : loaded->kernels) {
      CHECK(kernel.entry_offset < loaded->image.size());
    }
  }
  return 0;
}
