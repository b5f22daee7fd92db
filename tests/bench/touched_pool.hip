// SPDX-License-Identifier: MIT
// touched_pool STRIDE_BYTES [past]: a pool of 250 GB that is set to zero, of which launches then
// read and write 1 MiB: 256 pages of 4 KiB, so far apart; with `past` one word behind its end too.
#include "measure.h"

namespace {

constexpr size_t kPoolBytes = 250'000'000'000;
constexpr unsigned kPages = 256;
constexpr unsigned kPageBytes = 4096;
constexpr int kSteps = 4;

}  // namespace

__global__ void add_one(unsigned* pool, size_t stride_words) {
  unsigned* const page = pool + blockIdx.x * stride_words;
  for (unsigned at = threadIdx.x; at < kPageBytes / sizeof(unsigned); at += blockDim.x) ++page[at];
}

int main(int argc, char** argv) {
  const size_t stride = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 0;
  if (stride < kPageBytes || stride * kPages > kPoolBytes) {
    std::fprintf(stderr, "usage: touched_pool STRIDE_BYTES [past]\n");
    return 1;
  }
  unsigned* pool = nullptr;
  bench::check(hipMalloc(reinterpret_cast<void**>(&pool), kPoolBytes), "hipMalloc");
  bench::check(hipMemset(pool, 0, kPoolBytes), "hipMemset");
  for (int step = 0; step < kSteps; ++step) {
    add_one<<<kPages, 64>>>(pool, stride / sizeof(unsigned));
  }
  if (argc > 2) add_one<<<1, 64>>>(pool + kPoolBytes / sizeof(unsigned) - 1, stride);
  unsigned word = 0;
  bench::check(hipMemcpy(&word, pool, sizeof word, hipMemcpyDeviceToHost), "hipMemcpy");
  bench::check(hipFree(pool), "hipFree");
  if (word != kSteps) bench::check(hipErrorUnknown, "the pool does not hold what was written");
  return 0;
}
