// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdint>

#include "capture/hooks/runtime.h"
#include "capture/recorder.h"

/// The wrapped dlsym: what sees programs that open the runtime themselves (Python, Triton).
///
/// A lookup that is not for a hooked call must reach the C library's dlsym as a jump, with the
/// caller's return address in its place: dlsym finds out from it who asks, and RTLD_NEXT means
/// "after that library". Hence a few instructions of assembly instead of a tail call that only some
/// builds make.

#ifndef __x86_64__
#error "the wrapped dlsym is written for x86-64"
#endif

extern "C" {

/// In registers rax and rdx: what to return, and whether to return it (else the real dlsym is
/// asked).
struct CompassDlsymDecision {
  void* address;
  std::uint64_t decided;
};
[[gnu::visibility("hidden"), gnu::used]] CompassDlsymDecision compass_decide_dlsym(
    void* handle, const char* name) noexcept;

using CompassDlsym = void* (*)(void*, const char*);
[[gnu::visibility("hidden")]] CompassDlsym compass_real_dlsym = nullptr;
}

asm(R"(
    .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    endbr64
    subq $24, %rsp
    .cfi_adjust_cfa_offset 24
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    call compass_decide_dlsym
    movq (%rsp), %rdi
    movq 8(%rsp), %rsi
    addq $24, %rsp
    .cfi_adjust_cfa_offset -24
    testq %rdx, %rdx
    jne 1f
    jmp *compass_real_dlsym(%rip)
1:  ret
    .cfi_endproc
    .size dlsym, .-dlsym
)");

namespace compass::capture {
namespace {

constexpr CompassDlsymDecision kAskTheRealOne{nullptr, 0};

CompassDlsymDecision answer(void* address) { return {address, 1}; }

/// dlsym belongs to libc since glibc 2.34; before, and for old programs, it has the older version.
CompassDlsym c_library_dlsym() {
  CompassDlsym real = __atomic_load_n(&compass_real_dlsym, __ATOMIC_ACQUIRE);
  if (real != nullptr) return real;
  void* found = ::dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (found == nullptr) found = ::dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  real = reinterpret_cast<CompassDlsym>(found);
  __atomic_store_n(&compass_real_dlsym, real, __ATOMIC_RELEASE);
  return real;
}

bool still_loaded(void* function, std::string_view name) {
  Dl_info symbol{};
  return ::dladdr(function, &symbol) != 0 && symbol.dli_saddr == function &&
         symbol.dli_sname != nullptr && name == symbol.dli_sname;
}

bool is_of_library_of(void* function, void* place) {
  Dl_info one{};
  Dl_info other{};
  return ::dladdr(function, &one) != 0 && ::dladdr(place, &other) != 0 &&
         one.dli_fbase == other.dli_fbase;
}

/// Hands out the hook for `call`, whose function in the caller's library is `address`; or `address`
/// itself where another runtime's calls already go through the hook.
void* hook_for(const HookedCall& call, void* address) {
  if (void* runtime = dispatching_runtime()) {
    if (is_of_library_of(address, runtime)) return call.hook;
    Recorder::of_process().lose(kTwoRuntimes);
    return address;
  }
  void* known = call.real->load(std::memory_order_acquire);
  if (known != nullptr && known != address && still_loaded(known, call.name)) {
    Recorder::of_process().lose(kTwoRuntimes);
    return address;
  }
  call.real->store(address, std::memory_order_release);
  return call.hook;
}

}  // namespace

void* hook_of(void* function) {
  Dl_info symbol{};
  const bool has_name = ::dladdr(function, &symbol) != 0 && symbol.dli_saddr == function &&
                        symbol.dli_sname != nullptr;
  const HookedCall* const call = has_name ? find_hooked_call(symbol.dli_sname) : nullptr;
  return call == nullptr || function == call->hook ? function : hook_for(*call, function);
}

void* real_dlsym(void* handle, const char* name) {
  const CompassDlsym real = c_library_dlsym();
  // Kept in a variable, so that this is no tail call: it is this library that asks.
  void* volatile address = real == nullptr ? nullptr : real(handle, name);
  return address;
}

}  // namespace compass::capture

CompassDlsymDecision compass_decide_dlsym(void* handle, const char* name) noexcept {
  using namespace compass::capture;
  if (c_library_dlsym() == nullptr) return answer(nullptr);
  if (name == nullptr || handle == RTLD_NEXT) return kAskTheRealOne;
  const HookedCall* call = find_hooked_call(name);
  if (call == nullptr) return kAskTheRealOne;
  void* address = real_dlsym(handle, name);
  if (address == call->hook && find_in_runtime(name) == nullptr) {
    // Only we define it: without us the lookup would have failed. This sets dlerror() likewise.
    return answer(real_dlsym(RTLD_NEXT, name));
  }
  if (address == nullptr || address == call->hook || handle == RTLD_DEFAULT) return kAskTheRealOne;
  return answer(hook_for(*call, address));
}
