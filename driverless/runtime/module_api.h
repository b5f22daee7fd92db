// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "driverless/runtime/linkage.h"
#include "ir/hip/module_abi.h"

// Modules, functions and launches: included by api.h.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility push(default)
extern COMPASS_HIP_LINKAGE {

namespace compass::hip {

// module_api.cc
Error hipModuleLoad(Module* module, const char* path);
Error hipModuleLoadData(Module* module, const void* image);
Error hipModuleLoadDataEx(Module* module, const void* image, unsigned option_count, void* options,
                          void** option_values);
Error hipModuleLoadFatBinary(Module* module, const void* fat_binary);
Error hipModuleUnload(Module module);
Error hipModuleGetFunction(Function* function, Module module, const char* name);
Error hipModuleGetFunctionCount(unsigned* count, Module module);
Error hipModuleGetGlobal(void** pointer, std::size_t* size_bytes, Module module, const char* name);
Error hipLibraryLoadData(Library* library, const void* image, void** options, void** option_values,
                         unsigned option_count, void** library_options,
                         void** library_option_values, unsigned library_option_count);
Error hipLibraryLoadFromFile(Library* library, const char* path, void** options,
                             void** option_values, unsigned option_count, void** library_options,
                             void** library_option_values, unsigned library_option_count);
Error hipLibraryUnload(Library library);
Error hipLibraryGetKernel(Function* kernel, Library library, const char* name);
Error hipLibraryGetKernelCount(unsigned* count, Library library);

// function_api.cc
Error hipFuncGetAttributes(FunctionAttributes* attributes, const void* function);
Error hipFuncGetAttribute(int* value, FunctionAttribute attribute, Function function);
Error hipFuncSetAttribute(const void* function, int attribute, int value);
Error hipFuncSetCacheConfig(const void* function, int config);
Error hipFuncSetSharedMemConfig(const void* function, int config);
Error hipGetFuncBySymbol(Function* function, const void* symbol);
const char* hipKernelNameRef(Function function);
const char* hipKernelNameRefByPtr(const void* function, Stream stream);

// occupancy_api.cc
Error hipOccupancyMaxActiveBlocksPerMultiprocessor(int* workgroups, const void* function,
                                                   int workitems, std::size_t dynamic_lds_bytes);
Error hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* workgroups, const void* function,
                                                            int workitems,
                                                            std::size_t dynamic_lds_bytes,
                                                            unsigned flags);
Error hipOccupancyMaxPotentialBlockSize(int* grid_workgroups, int* workitems, const void* function,
                                        std::size_t dynamic_lds_bytes, int most_workitems);
Error hipOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic_lds_bytes, const void* function,
                                               int workgroups, int workitems);
Error hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* workgroups, Function function,
                                                         int workitems,
                                                         std::size_t dynamic_lds_bytes);
Error hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* workgroups,
                                                                  Function function, int workitems,
                                                                  std::size_t dynamic_lds_bytes,
                                                                  unsigned flags);
Error hipModuleOccupancyMaxPotentialBlockSize(int* grid_workgroups, int* workitems,
                                              Function function, std::size_t dynamic_lds_bytes,
                                              int most_workitems);
Error hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid_workgroups, int* workitems,
                                                       Function function,
                                                       std::size_t dynamic_lds_bytes,
                                                       int most_workitems, unsigned flags);

// launch_api.cc
Error hipLaunchKernel(const void* function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                      void** arguments, std::size_t dynamic_lds_bytes, Stream stream);
Error hipLaunchKernelExC(const LaunchConfig* config, const void* function, void** arguments);
Error hipExtLaunchKernel(const void* function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                         void** arguments, std::size_t dynamic_lds_bytes, Stream stream,
                         Event start, Event stop, int flags);
Error hipLaunchCooperativeKernel(const void* function, Dim3 grid_workgroups,
                                 Dim3 workgroup_workitems, void** arguments,
                                 unsigned dynamic_lds_bytes, Stream stream);
Error hipLaunchCooperativeKernelMultiDevice(LaunchParams* launches, int count, unsigned flags);
Error hipExtLaunchMultiKernelMultiDevice(LaunchParams* launches, int count, unsigned flags);

// module_launch_api.cc
Error hipModuleLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned workgroup_x, unsigned workgroup_y, unsigned workgroup_z,
                            unsigned dynamic_lds_bytes, Stream stream, void** arguments,
                            void** extra);
Error hipModuleLaunchCooperativeKernel(Function function, unsigned grid_x, unsigned grid_y,
                                       unsigned grid_z, unsigned workgroup_x, unsigned workgroup_y,
                                       unsigned workgroup_z, unsigned dynamic_lds_bytes,
                                       Stream stream, void** arguments);
Error hipModuleLaunchCooperativeKernelMultiDevice(FunctionLaunchParams* launches, unsigned count,
                                                  unsigned flags);
Error hipExtModuleLaunchKernel(Function function, std::uint32_t workitems_x,
                               std::uint32_t workitems_y, std::uint32_t workitems_z,
                               std::uint32_t workgroup_x, std::uint32_t workgroup_y,
                               std::uint32_t workgroup_z, std::size_t dynamic_lds_bytes,
                               Stream stream, void** arguments, void** extra, Event start,
                               Event stop, std::uint32_t flags);
Error hipHccModuleLaunchKernel(Function function, std::uint32_t workitems_x,
                               std::uint32_t workitems_y, std::uint32_t workitems_z,
                               std::uint32_t workgroup_x, std::uint32_t workgroup_y,
                               std::uint32_t workgroup_z, std::size_t dynamic_lds_bytes,
                               Stream stream, void** arguments, void** extra, Event start,
                               Event stop);
Error hipDrvLaunchKernelEx(const DriverLaunchConfig* config, Function function, void** arguments,
                           void** extra);

// call_api.cc
Error __hipPushCallConfiguration(Dim3 grid_workgroups, Dim3 workgroup_workitems,
                                 std::size_t dynamic_lds_bytes, Stream stream);
Error __hipPopCallConfiguration(Dim3* grid_workgroups, Dim3* workgroup_workitems,
                                std::size_t* dynamic_lds_bytes, Stream* stream);
Error hipConfigureCall(Dim3 grid_workgroups, Dim3 workgroup_workitems,
                       std::size_t dynamic_lds_bytes, Stream stream);
Error hipSetupArgument(const void* argument, std::size_t size_bytes, std::size_t offset_bytes);
Error hipLaunchByPtr(const void* function);

// symbol_api.cc
Error hipGetSymbolAddress(void** pointer, const void* symbol);
Error hipGetSymbolSize(std::size_t* size_bytes, const void* symbol);
Error hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t size_bytes,
                        std::size_t offset_bytes, MemcpyKind kind);
Error hipMemcpyToSymbol_spt(const void* symbol, const void* from, std::size_t size_bytes,
                            std::size_t offset_bytes, MemcpyKind kind);
Error hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size_bytes,
                             std::size_t offset_bytes, MemcpyKind kind, Stream stream);
Error hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t size_bytes,
                          std::size_t offset_bytes, MemcpyKind kind);
Error hipMemcpyFromSymbol_spt(void* to, const void* symbol, std::size_t size_bytes,
                              std::size_t offset_bytes, MemcpyKind kind);
Error hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size_bytes,
                               std::size_t offset_bytes, MemcpyKind kind, Stream stream);

}  // namespace compass::hip

}  // extern COMPASS_HIP_LINKAGE
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
