// SPDX-License-Identifier: MIT
#include "ir/archive/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "ir/base/check.h"

namespace compass::archive {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string sha256(ByteView bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of(kDigits) == std::string_view::npos;
}

}  // namespace compass::archive
