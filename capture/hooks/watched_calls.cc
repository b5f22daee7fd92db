// SPDX-License-Identifier: MIT
#include "capture/hooks/watched_calls.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

#include "capture/hooks/observe.h"

/// Functions that stand in for others without knowing their parameters: a row of entries, each of
/// which pushes its number and leaves registers and stack to the function as it found them.

#ifndef __x86_64__
#error "the entries are written for x86-64"
#endif

extern "C" {
/// The first of the entries, and how far they are apart.
[[gnu::visibility("hidden")]] extern const char compass_watching_entries[];
constexpr std::size_t kEntryBytes = 16;
#define COMPASS_WATCHING_ENTRIES 256

/// The function that this entry stands for.
[[gnu::visibility("hidden"), gnu::used]] void* compass_watched_call(std::uint64_t entry) noexcept;
}

#define COMPASS_TEXT_OF(macro) #macro
#define COMPASS_TEXT(macro) COMPASS_TEXT_OF(macro)

// An entry is entered 8 bytes off an aligned stack, which its number makes good.
asm(R"(
    .text
    .balign 16
    .globl compass_watching_entries
    .hidden compass_watching_entries
compass_watching_entries:
    .set number, 0
    .rept )" COMPASS_TEXT(COMPASS_WATCHING_ENTRIES) R"(
    .balign 16
    endbr64
    pushq $number
    jmp compass_watching
    .set number, number + 1
    .endr

    .type compass_watching, @function
compass_watching:
    .cfi_startproc
    .cfi_adjust_cfa_offset 8
    subq $192, %rsp
    .cfi_adjust_cfa_offset 192
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movq %rax, 48(%rsp)
    movups %xmm0, 64(%rsp)
    movups %xmm1, 80(%rsp)
    movups %xmm2, 96(%rsp)
    movups %xmm3, 112(%rsp)
    movups %xmm4, 128(%rsp)
    movups %xmm5, 144(%rsp)
    movups %xmm6, 160(%rsp)
    movups %xmm7, 176(%rsp)
    movq 192(%rsp), %rdi
    call compass_watched_call
    movq %rax, %r11
    movq (%rsp), %rdi
    movq 8(%rsp), %rsi
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rcx
    movq 32(%rsp), %r8
    movq 40(%rsp), %r9
    movq 48(%rsp), %rax
    movups 64(%rsp), %xmm0
    movups 80(%rsp), %xmm1
    movups 96(%rsp), %xmm2
    movups 112(%rsp), %xmm3
    movups 128(%rsp), %xmm4
    movups 144(%rsp), %xmm5
    movups 160(%rsp), %xmm6
    movups 176(%rsp), %xmm7
    addq $200, %rsp
    .cfi_adjust_cfa_offset -200
    jmp *%r11
    .cfi_endproc
    .size compass_watching, .-compass_watching
)");

namespace compass::capture {
namespace {

struct WatchedCall {
  void* function = nullptr;
  std::string name;
  std::atomic<bool> was_called = false;
};

/// Never destroyed: calls may come until the very end.
std::array<WatchedCall, COMPASS_WATCHING_ENTRIES>& watched_calls() {
  static auto* const calls = new std::array<WatchedCall, COMPASS_WATCHING_ENTRIES>;
  return *calls;
}

constexpr std::string_view kUnrecorded[] = {
#define UNRECORDED(name) #name,
#include "capture/hooks/unrecorded_calls.def"
#undef UNRECORDED
};

std::atomic<std::size_t> used_entries{0};

}  // namespace

bool may_do_work(std::string_view call) {
  return std::find(std::begin(kUnrecorded), std::end(kUnrecorded), call) != std::end(kUnrecorded);
}

void watch_call(void*& function, std::string name) {
  const std::size_t entry = used_entries.fetch_add(1);
  if (entry >= watched_calls().size()) {
    return Recorder::of_process().lose(
        "HIP's dispatch table has more functions that are not known than can be watched");
  }
  watched_calls()[entry].function = function;
  watched_calls()[entry].name = std::move(name);
  auto* const stand_in = const_cast<char*>(compass_watching_entries) + entry * kEntryBytes;
  std::atomic_ref<void*>(function).store(stand_in, std::memory_order_release);
}

}  // namespace compass::capture

void* compass_watched_call(std::uint64_t entry) noexcept {
  using namespace compass::capture;
  WatchedCall& call = watched_calls()[entry];
  if (call_depth == 0 && !call.was_called.exchange(true)) {
    Recorder::of_process().guarded([&](Recorder& recorder) {
      recorder.saw_call();
      recorder.lose(compass::concat(call.name, " is not recorded"));
    });
  }
  return call.function;
}
