// SPDX-License-Identifier: MIT
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

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace

void** __hipRegisterFatBinary(const void* wrapper) {
  const auto real = real_call<&::__hipRegisterFatBinary>();
  if (real == nullptr) {
    without_runtime("__hipRegisterFatBinary");
    return nullptr;
  }
  void** handle = real(wrapper);
  if (handle != nullptr) {
    Recorder::of_process().guarded(
        [&](Recorder& recorder) { remember_fat_binary(recorder, handle, wrapper); });
  }
  return handle;
}

int __hipRegisterFunction(void** fat_binary, const void* host_function, char* device_function,
                          const char* device_name, unsigned workitem_limit, void* workitem_id,
                          void* workgroup_id, void* workgroup_workitems, void* grid_workgroups,
                          int* wavefront_size) {
  const auto real = real_call<&::__hipRegisterFunction>();
  if (real == nullptr) return without_runtime("__hipRegisterFunction");
  const int result =
      real(fat_binary, host_function, device_function, device_name, workitem_limit, workitem_id,
           workgroup_id, workgroup_workitems, grid_workgroups, wavefront_size);
  if (device_name != nullptr) {
    Recorder::of_process().guarded([&](Recorder& recorder) {
      recorder.add_function({number_of(fat_binary), number_of(host_function), device_name});
    });
  }
  return result;
}

void __hipUnregisterFatBinary(void** fat_binary) {
  const auto real = real_call<&::__hipUnregisterFatBinary>();
  if (real == nullptr) return;
  Recorder::of_process().guarded(
      [&](Recorder& recorder) { recorder.remove_fat_binary(number_of(fat_binary)); });
  real(fat_binary);
}
