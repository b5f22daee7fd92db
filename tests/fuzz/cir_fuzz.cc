// SPDX-License-Identifier: MIT
//
// Any text as a normal form: what is parsed prints as text that says the same, folded or not.
#include "ir/base/check.h"
#include "ir/text/normal_form.h"
#include "tests/fuzz/input.h"

namespace {

using namespace compass;

/// More would only take time: a few hundred bytes can unfold to a gigabyte.
constexpr std::size_t kMostEntries = 1 << 14;

std::size_t entries_of(std::vector<text::Document>& documents) {
  std::size_t entries = 0;
  for (text::Document& document : documents) {
    document.for_each_section([&](const text::Section& section) { entries += section.size(); });
  }
  return entries;
}

void check_same(std::vector<text::Document>& documents, text::Folding folding) {
  const std::string text = text::print(documents, folding);
  const auto again = text::parse(text);
  CHECK(again.has_value());
  CHECK(text::print(*again, folding) == text);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto documents = text::parse(as_text(fuzz::view_of(data, size)));
  if (!documents) {
    CHECK(!documents.error().message.empty());
    return 0;
  }
  if (entries_of(*documents) > kMostEntries) return 0;
  check_same(*documents, text::Folding::kFolded);
  check_same(*documents, text::Folding::kFull);
  for (text::Document& document : *documents) {
    if (text::apply({{}, "*g*", {}}, document)) continue;
  }
  check_same(*documents, text::Folding::kFolded);
  return 0;
}
