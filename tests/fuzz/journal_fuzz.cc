// SPDX-License-Identifier: MIT
//
// Any entries make a valid recording. The input is a row of entries, each behind 16 bits of size:
// they go into a journal with sound checksums, which only random bytes would never have.
#include <xxhash.h>

#include "ir/archive/resolve.h"
#include "ir/archive/validate.h"
#include "ir/base/check.h"
#include "ir/journal/file.h"
#include "tests/fuzz/input.h"

namespace compass {
namespace {

template <class T>
void put(Bytes& out, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

Bytes journal_of(ByteView input) {
  Bytes file;
  const ByteView magic = as_byte_view(journal::kMagic);
  file.insert(file.end(), magic.begin(), magic.end());
  put(file, journal::kVersion);
  put(file, std::uint32_t{0});
  ByteReader reader(input);
  while (reader.remaining() >= 2) {
    const auto size = reader.read<std::uint16_t>();
    const ByteView entry = reader.take(std::min<std::uint64_t>(size, reader.remaining()));
    put(file, static_cast<std::uint32_t>(entry.size()));
    put(file, static_cast<std::uint64_t>(XXH3_64bits(entry.data(), entry.size())));
    file.insert(file.end(), entry.begin(), entry.end());
  }
  return file;
}

void take(ByteView file) {
  const fuzz::TemporaryFile journal(file);
  const auto contents = journal::read(journal.path());
  if (!contents) return;
  const archive::Resolved resolved = archive::resolve(*contents);
  const auto valid = archive::validate(resolved.recording);
  CHECK(valid.has_value());
}

}  // namespace
}  // namespace compass

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const compass::ByteView input = compass::fuzz::view_of(data, size);
  compass::take(input);
  compass::take(compass::journal_of(input));
  return 0;
}
