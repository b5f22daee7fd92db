// SPDX-License-Identifier: MIT
#include <csetjmp>
#include <string>

#include "ir/kernel.h"

// What libstdc++ has below abi::__cxa_demangle: it hands over the text piece by piece, and so can
// be left before a small name has become a large text.
extern "C" int __gcclibcxx_demangle_callback(const char* mangled,
                                             void (*piece)(const char* text, std::size_t size,
                                                           void* context),
                                             void* context);

namespace compass {
namespace {

// Real names, also of the most generic templates, stay below these.
constexpr std::size_t kMostMangledBytes = 1 << 16;
constexpr std::size_t kMostBytes = 1 << 18;

struct Text {
  std::string& bytes;
  std::jmp_buf too_long{};
};

void append(const char* piece, std::size_t size, void* context) {
  auto& text = *static_cast<Text*>(context);
  // Between here and setjmp are only C functions, which hold nothing.
  if (size > kMostBytes - text.bytes.size()) std::longjmp(text.too_long, 1);
  text.bytes.append(piece, size);
}

/// False where `mangled` is not mangled or gets too long.
bool demangle_into(Text& text, const char* mangled) {
  if (setjmp(text.too_long) != 0) return false;
  return __gcclibcxx_demangle_callback(mangled, append, &text) == 0;
}

}  // namespace

std::string demangle(const std::string& name) {
  // Only "_Z" starts a mangled function: the demangler would also read "f" as the type float.
  if (!name.starts_with("_Z") || name.size() > kMostMangledBytes) return name;
  std::string demangled;
  Text text{demangled};
  return demangle_into(text, name.c_str()) ? demangled : name;
}

}  // namespace compass
