// SPDX-License-Identifier: MIT
#include <utility>

#include "capture/hooks/observe.h"

/// Registration of code that is linked into the program: runs in constructors, before main() and
/// before a HIP call may have been made, and makes no journal.
namespace compass::capture {
namespace {

void remember_fat_binary(Recorder& recorder, void** handle, const void* wrapper) {
  const auto* description = static_cast<const hip::FatBinaryWrapper*>(wrapper);
  if (description == nullptr || description->magic != hip::kFatBinaryMagic) {
    return recorder.lose("a fat binary was registered whose wrapper is not HIP's");
  }
  recorder.add_fat_binary(number_of(handle), static_cast<const std::byte*>(description->binary));
}

/// Whether this thread is in such a call. Its hook may be called again in it, through the runtime's
/// dispatch table. Not call_depth: what libraries register that a HIP call loads counts.
constinit thread_local bool is_registering [[gnu::tls_model("initial-exec")]] = false;

/// Calls the runtime, and remembers what came of it, once.
template <class Call, class Remember>
auto register_through(Call call, Remember remember) {
  const bool is_outermost = !std::exchange(is_registering, true);
  const auto result = call();
  if (!is_outermost) return result;
  is_registering = false;
  Recorder::of_process().guarded([&](Recorder& recorder) { remember(recorder, result); });
  return result;
}

/// The same for functions that return nothing.
template <class Call>
auto without_result(Call call) {
  return [=] {
    call();
    return 0;
  };
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace

void** __hipRegisterFatBinary(const void* wrapper) {
  const auto real = real_call<&::__hipRegisterFatBinary>();
  if (real == nullptr) {
    without_runtime("__hipRegisterFatBinary");
    return nullptr;
  }
  return register_through([=] { return real(wrapper); },
                          [=](Recorder& recorder, void** handle) {
                            if (handle != nullptr) remember_fat_binary(recorder, handle, wrapper);
                          });
}

int __hipRegisterFunction(void** fat_binary, const void* host_function, char* device_function,
                          const char* device_name, unsigned workitem_limit, void* workitem_id,
                          void* workgroup_id, void* workgroup_workitems, void* grid_workgroups,
                          int* wavefront_size) {
  const auto real = real_call<&::__hipRegisterFunction>();
  if (real == nullptr) return without_runtime("__hipRegisterFunction");
  return register_through(
      [=] {
        return real(fat_binary, host_function, device_function, device_name, workitem_limit,
                    workitem_id, workgroup_id, workgroup_workitems, grid_workgroups,
                    wavefront_size);
      },
      [=](Recorder& recorder, int) {
        if (device_name == nullptr) return;
        recorder.add_function({number_of(fat_binary), number_of(host_function), device_name});
      });
}

void __hipRegisterVar(void** fat_binary, void* host_variable, char* host_name, char* device_name,
                      int is_extern, std::size_t size_bytes, int is_constant, int is_global) {
  const auto real = real_call<&::__hipRegisterVar>();
  if (real == nullptr) return static_cast<void>(without_runtime("__hipRegisterVar"));
  const auto call = without_result([=] {
    real(fat_binary, host_variable, host_name, device_name, is_extern, size_bytes, is_constant,
         is_global);
  });
  register_through(call, [=](Recorder& recorder, int) {
    if (device_name == nullptr) return;
    recorder.add_variable({number_of(fat_binary), number_of(host_variable), device_name});
  });
}

void __hipRegisterManagedVar(void** fat_binary, void** pointer, void* initial_value,
                             const char* name, std::size_t size_bytes, unsigned alignment) {
  const auto real = real_call<&::__hipRegisterManagedVar>();
  if (real == nullptr) return static_cast<void>(without_runtime("__hipRegisterManagedVar"));
  const auto call = without_result(
      [=] { real(fat_binary, pointer, initial_value, name, size_bytes, alignment); });
  register_through(call, [=](Recorder& recorder, int) {
    recorder.lose(compass::concat("__managed__ variables are not recorded, as ",
                                  name == nullptr ? "one without a name" : name));
  });
}

void __hipUnregisterFatBinary(void** fat_binary) {
  const auto real = real_call<&::__hipUnregisterFatBinary>();
  if (real == nullptr) return;
  // Only the first of two calls finds it.
  Recorder::of_process().guarded(
      [&](Recorder& recorder) { recorder.remove_fat_binary(number_of(fat_binary)); });
  real(fat_binary);
}
