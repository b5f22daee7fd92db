// SPDX-License-Identifier: MIT
// A program that finds HIP in one of several ways, does the same through each, and prints what came
// of every call: `pointers WAY LIBRARY`.
//   linked      as the program is linked; LIBRARY is not used
//   looked-up   by dlsym in the LIBRARY that it opens
//   unseen      by dlvsym in it, which no recorder sees
//   deep        by a plugin's linked calls, where the plugin's own libraries come first: LIBRARY is
//   it
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>

// NOLINTBEGIN(readability-identifier-naming): the names are HIP's
extern "C" {
int hipInit(unsigned flags);
int hipGetDeviceCount(int* count);
int hipMalloc(void** address, std::size_t size_bytes);
int hipFree(void* address);
int hipMemset(void* address, int value, std::size_t size_bytes);
int hipMemcpy(void* to, const void* from, std::size_t size_bytes, int kind);
int hipStreamCreate(void** stream);
int hipStreamDestroy(void* stream);
int hipDeviceSynchronize();
int hipGetLastError();
const char* hipGetErrorName(int error);
int run_linked();
}
// NOLINTEND(readability-identifier-naming)

namespace {

struct Hip {
// clang-format off
#define CALLS                                                                             \
  CALL(hipInit) CALL(hipGetDeviceCount) CALL(hipMalloc) CALL(hipFree) CALL(hipMemset)     \
  CALL(hipMemcpy) CALL(hipStreamCreate) CALL(hipStreamDestroy) CALL(hipDeviceSynchronize) \
  CALL(hipGetLastError) CALL(hipGetErrorName)
// clang-format on
#define CALL(name) decltype(&::name) name;
  CALLS
#undef CALL
};

int call_everything(const Hip& hip) {
  constexpr int kHostToDevice = 1;
  constexpr int kDeviceToHost = 2;
  const auto say = [&](const char* call, int result) {
    std::printf("%s: %s, last %s\n", call, hip.hipGetErrorName(result),
                hip.hipGetErrorName(hip.hipGetLastError()));
  };
  int count = -1;
  void* device = nullptr;
  void* stream = nullptr;
  char host[64] = "content";
  say("hipInit", hip.hipInit(0));
  say("hipGetDeviceCount", hip.hipGetDeviceCount(&count));
  say("hipMalloc", hip.hipMalloc(&device, sizeof host));
  say("hipStreamCreate", hip.hipStreamCreate(&stream));
  say("hipMemcpy", hip.hipMemcpy(device, host, sizeof host, kHostToDevice));
  say("hipMemset", hip.hipMemset(device, 7, 16));
  say("hipMemcpy", hip.hipMemcpy(host, device, sizeof host, kDeviceToHost));
  say("hipMemset of nothing", hip.hipMemset(nullptr, 7, 16));
  say("hipDeviceSynchronize", hip.hipDeviceSynchronize());
  if (stream != nullptr) say("hipStreamDestroy", hip.hipStreamDestroy(stream));
  say("hipFree", hip.hipFree(device));
  std::printf("%d devices, %d at 15, %d at 16\n", count, host[15], host[16]);
  return 0;
}

int open_and_call(const char* library, bool is_seen) {
  void* const runtime = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (runtime == nullptr) return 1;
  const auto find = [&](const char* name) {
    return is_seen ? ::dlsym(runtime, name) : ::dlvsym(runtime, name, "hip_4.2");
  };
  Hip hip{};
#define CALL(name)                                              \
  hip.name = reinterpret_cast<decltype(hip.name)>(find(#name)); \
  if (hip.name == nullptr) return 2;
  CALLS
#undef CALL
  return call_everything(hip);
}

int run_plugin(const char* path) {
  void* const plugin = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (plugin == nullptr) return 1;
  const auto run = reinterpret_cast<int (*)()>(::dlsym(plugin, "run_linked"));
  return run == nullptr ? 2 : run();
}

}  // namespace

#ifdef POINTERS_LINKED
extern "C" [[gnu::visibility("default")]] int run_linked() {
#define CALL(name) &::name,
  return call_everything({CALLS});
#undef CALL
}
#endif

int main(int argc, char** argv) {
  const std::string_view way = argc > 1 ? argv[1] : "";
#ifdef POINTERS_LINKED
  if (way == "linked") return run_linked();
#endif
  if (argc != 3) return 64;
  if (way == "deep") return run_plugin(argv[2]);
  return open_and_call(argv[2], way == "looked-up");
}
