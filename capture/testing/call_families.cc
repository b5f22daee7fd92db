// SPDX-License-Identifier: MIT
#include "capture/testing/call_families.h"

#include <cstdint>
#include <cstdlib>

#include "capture/testing/code_file.h"

namespace {

using compass::hip::Stream;

const char symbol_variable = 0;
const char linked_function = 0;

struct PackedArguments {
  void* out;
  std::uint8_t shift;
  char padding[3];
  std::uint32_t count;
};

}  // namespace

int launch_modules(const Hip& hip) {
  compass::hip::Module module = nullptr;
  compass::hip::Module in_memory = nullptr;
  compass::hip::Function function = nullptr;
  void* device = nullptr;
  hip.hipMalloc(&device, 64);
  hip.hipModuleLoad(&module, std::getenv("COMPASS_TEST_CODE_OBJECT"));
  hip.hipModuleLoadData(&in_memory, map_code());
  hip.hipModuleGetFunction(&function, module, "scale");
  hip.hipModuleGetFunction(&function, module, "scale");
  PackedArguments packed = {device, 3, {1, 2, 3}, 100};
  std::size_t packed_bytes = sizeof packed;
  void* extra[] = {reinterpret_cast<void*>(1), &packed, reinterpret_cast<void*>(2), &packed_bytes,
                   reinterpret_cast<void*>(3)};
  hip.hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra);
  void* arguments[] = {&packed.out, &packed.shift, &packed.count};
  hip.hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  hip.hipExtModuleLaunchKernel(function, 128, 1, 1, 64, 4, 1, 16, nullptr, arguments, nullptr,
                               nullptr, nullptr, 0);
  hip.hipExtModuleLaunchKernel(function, 128, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr,
                               reinterpret_cast<compass::hip::Event>(&packed), nullptr, 0);
  packed_bytes = 4;
  hip.hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra);
  hip.hipModuleUnload(module);  // refused
  void* variable = nullptr;
  std::size_t size_bytes = 0;
  hip.hipModuleGetGlobal(&variable, &size_bytes, module, "table");
  hip.hipModuleGetGlobal(&variable, nullptr, module, "table");
  hip.hipMemsetD32Async(variable, 1, size_bytes / 4, nullptr);
  hip.hipModuleUnload(module);
  hip.hipModuleUnload(in_memory);
  return 0;
}

int launch_in_every_way(const Hip& hip) {
  register_code(hip, &linked_function);
  void* device = nullptr;
  hip.hipMalloc(&device, 64);
  std::uint8_t shift = 3;
  std::uint32_t count = 100;
  void* arguments[] = {&device, &shift, &count};
  hip.hipLaunchKernel_spt(&linked_function, {1, 1, 1}, {64, 1, 1}, arguments, 0, nullptr);
  hip.hipLaunchCooperativeKernel(&linked_function, {1, 1, 1}, {64, 1, 1}, arguments, 0, nullptr);
  hip.hipConfigureCall({3, 1, 1}, {64, 1, 1}, 8, nullptr);
  hip.hipSetupArgument(&device, sizeof device, 0);
  hip.hipSetupArgument(&shift, sizeof shift, 8);
  hip.hipSetupArgument(&count, sizeof count, 12);
  hip.hipLaunchByPtr(&linked_function);
  compass::hip::Function function = nullptr;
  hip.hipGetFuncBySymbol(&function, &linked_function);
  hip.hipModuleLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  return 0;
}

int allocate_in_every_way(const Hip& hip) {
  const auto stream = reinterpret_cast<Stream>(0x7000);
  static char own[128];
  void* pooled = nullptr;
  void* managed = nullptr;
  void* pitched = nullptr;
  std::size_t pitch_bytes = 0;
  hip.hipMallocAsync(&pooled, 100, stream);
  hip.hipMallocManaged(&managed, 64, 1);
  hip.hipMallocPitch(&pitched, &pitch_bytes, 100, 3);
  hip.hipHostRegister(own, sizeof own, 0);
  hip.hipHostUnregister(own);
  hip.hipFreeAsync(pooled, stream);
  hip.hipFree(managed);
  hip.hipFree(pitched);
  return 0;
}

int copy_rows(const Hip& hip) {
  void* device = nullptr;
  hip.hipMalloc(&device, 4096);
  const char host[] = "abcdefghijkl";
  hip.hipMemcpy2D(device, 16, host, 4, 2, 3, compass::hip::kMemcpyHostToDevice);
  compass::hip::Memcpy3DParms boxes{};
  boxes.from = {device, 32, 32, 4};
  boxes.from_position = {1, 2, 1};
  boxes.to = {device, 64, 64, 8};
  boxes.extent = {16, 2, 3};
  boxes.kind = compass::hip::kMemcpyDeviceToDevice;
  hip.hipMemcpy3DAsync(&boxes, nullptr);
  hip.hipMemcpy3DAsync(nullptr, nullptr);
  compass::hip::Memcpy2D sides{};
  sides.from = {.x_bytes = 1,
                .y = 1,
                .memory_type = 1,
                .host = const_cast<char*>(host),
                .device = nullptr,
                .array = nullptr,
                .pitch_bytes = 4};
  sides.to = {.memory_type = 2, .device = device};
  sides.width_bytes = 3;
  sides.height = 2;
  hip.hipMemcpyParam2D(&sides);
  hip.hipMemset2DAsync(device, 64, 0x1FF, 10, 5, nullptr);
  hip.hipMemset3D({device, 64, 64, 8}, 1, {4, 2, 2});
  hip.hipMemset2DAsync(device, 64, 1, 10, 0, nullptr);
  boxes.to_array = reinterpret_cast<compass::hip::Array>(1);
  hip.hipMemcpy3DAsync(&boxes, nullptr);
  return 0;
}

int use_symbols_and_values(const Hip& hip) {
  void** const code = register_code(hip, &linked_function);
  char name[] = "table";
  hip.__hipRegisterVar(code, const_cast<char*>(&symbol_variable), name, name, 0, 32, 0, 0);
  const char host[] = "abc";
  void* address = nullptr;
  hip.hipMemcpyToSymbol(&symbol_variable, host, 3, 8, compass::hip::kMemcpyHostToDevice);
  hip.hipMemcpyToSymbol(nullptr, host, 3, 8, compass::hip::kMemcpyHostToDevice);
  hip.hipGetSymbolAddress(&address, &symbol_variable);
  hip.hipMemcpyFromSymbolAsync(address, &symbol_variable, 4, 16,
                               compass::hip::kMemcpyDeviceToDevice, nullptr);
  hip.hipMemcpyAsync_spt(address, host, 2, compass::hip::kMemcpyHostToDevice, nullptr);
  hip.hipStreamWriteValue64(nullptr, address, 0x1'0000'0000, 0);
  hip.hipStreamWaitValue32(nullptr, address, 5, 2, 0xF);
  hip.__hipUnregisterFatBinary(code);
  return 0;
}
