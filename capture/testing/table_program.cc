// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "capture/testing/tabled_hip.h"

/// Calls HIP through nothing but the runtime's dispatch table.
///   table_program LIBRARY FUNCTION_COUNT SIZE_BYTES [TABLES]

namespace {

void call_through(void** functions, std::size_t count) {
  const auto call = [&](std::size_t index) { return index < count ? functions[index] : nullptr; };
  void* const allocate = call(index_in_table("hipMalloc"));
  void* const fill = call(index_in_table("hipMemset"));
  if (allocate != nullptr && fill != nullptr) {
    void* device = nullptr;
    int status = reinterpret_cast<int (*)(void**, std::size_t)>(allocate)(&device, 64);
    std::printf("hipMalloc %d\n", status);
    status = reinterpret_cast<int (*)(void*, int, std::size_t)>(fill)(device, 7, 16);
    std::printf("hipMemset %d %d\n", status, static_cast<unsigned char*>(device)[15]);
  }
  for (const std::size_t index :
       {index_in_table("hipApiName"), index_in_table("hipMemcpyToArray"), count - 1}) {
    if (index >= count) continue;
    const auto mix = reinterpret_cast<MixArguments>(functions[index]);
    std::printf("%zu: %ld\n", index, mix(1, 2, 3, 4, 5, 6, 7.0, 8.0, 9));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 64;
  void* const library = ::dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 1;
  const auto offer = reinterpret_cast<OfferTable>(::dlsym(library, "offer_table"));
  if (offer == nullptr) return 1;
  const std::size_t count = std::strtoul(argv[2], nullptr, 10);
  for (int i = 0; i < (argc > 4 ? std::atoi(argv[4]) : 1); ++i) {
    call_through(offer(count, std::strtoul(argv[3], nullptr, 10)), count);
  }
  return 0;
}
