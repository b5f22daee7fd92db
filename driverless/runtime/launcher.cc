// SPDX-License-Identifier: MIT
#include "driverless/runtime/launcher.h"

#include <array>
#include <limits>
#include <vector>

#include "driverless/runtime/kernarg.h"
#include "driverless/runtime/launch_observer.h"
#include "driverless/runtime/notice.h"
#include "ir/code_object/fat_binary.h"

namespace compass {
namespace {

std::array<std::uint32_t, 3> sizes_of(hip::Dim3 size) { return {size.x, size.y, size.z}; }

/// The code object for `architecture` in the fat binary that starts at `start`. A view into that
/// or, where it is compressed, into `decompressed`.
Result<FatBinaryEntry> find_entry(const std::byte* start, std::string_view architecture,
                                  Bytes& decompressed) {
  ASSIGN_OR_RETURN(const std::uint64_t size_bytes, fat_binary_size(start));
  ASSIGN_OR_RETURN(const std::vector<FatBinaryEntry> entries,
                   read_fat_binary({start, size_bytes}, decompressed));
  return select_entry(entries, architecture);
}

hip::Error error_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
      return hip::kErrorNoBinaryForGpu;
    case ErrorCode::kUnsupported:
      return hip::kErrorNotSupported;
    case ErrorCode::kCorrupt:
      return hip::kErrorInvalidImage;
    case ErrorCode::kSystem:
      return hip::kErrorUnknown;
  }
  return hip::kErrorUnknown;
}

}  // namespace

hip::Error Launcher::load(FatBinary& fat_binary) {
  if (fat_binary.tried) return fat_binary.error;
  fat_binary.tried = true;
  Bytes decompressed;
  const auto entry =
      find_entry(fat_binary.start, agent_.architecture().gcn_arch_name, decompressed);
  if (!entry) {
    notice_once(entry.error().message);
    return fat_binary.error = error_of(entry.error().code);
  }
  const auto loaded = agent_.load(entry->elf);
  if (!loaded) {
    notice_once(concat("a code object cannot be loaded: ", loaded.error().message));
    return fat_binary.error = error_of(loaded.error().code);
  }
  fat_binary.code_object = *loaded;
  return hip::kSuccess;
}

hip::Error Launcher::find_kernel(RegisteredFunction& function) {
  if (function.loaded != nullptr) return hip::kSuccess;
  if (const hip::Error error = load(*function.fat_binary); error != hip::kSuccess) return error;
  function.loaded = Agent::find_kernel(*function.fat_binary->code_object, function.kernel);
  if (function.loaded != nullptr) return hip::kSuccess;
  notice_once(concat("the code object has no kernel ", function.kernel));
  return hip::kErrorInvalidDeviceFunction;
}

hip::Error Launcher::check(const Kernel& kernel, const LaunchConfiguration& configuration) const {
  const arch::Architecture& architecture = agent_.architecture();
  const auto grid = sizes_of(configuration.grid_workgroups);
  const auto workgroup = sizes_of(configuration.workgroup_workitems);
  std::uint64_t workitems = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t along = std::uint64_t{grid[i]} * workgroup[i];
    if (along == 0 || along > std::numeric_limits<std::uint32_t>::max() ||
        workgroup[i] > architecture.max_workgroup_workitems) {
      return hip::kErrorInvalidConfiguration;
    }
    workitems *= workgroup[i];
  }
  if (workitems > architecture.max_workgroup_workitems ||
      workitems > kernel.max_workgroup_workitems) {
    return hip::kErrorInvalidConfiguration;
  }
  if (kernel.lds_size_bytes > architecture.lds_bytes ||
      configuration.dynamic_lds_bytes > architecture.lds_bytes - kernel.lds_size_bytes) {
    return hip::kErrorInvalidConfiguration;
  }
  return hip::kSuccess;
}

hip::Error Launcher::launch(RegisteredFunction& function, const LaunchConfiguration& configuration,
                            void** arguments) {
  if (const hip::Error error = find_kernel(function); error != hip::kSuccess) return error;
  const Kernel& kernel = Agent::metadata(*function.loaded);
  if (const hip::Error error = check(kernel, configuration); error != hip::kSuccess) return error;
  const Result<Bytes> kernarg = pack_kernarg(kernel, arguments);
  if (!kernarg) {
    notice_once(kernarg.error().message);
    return kernarg.error().code == ErrorCode::kInvalid ? hip::kErrorInvalidValue
                                                       : hip::kErrorNotSupported;
  }
  return run({.kernel = function.loaded,
              .grid_workgroups = sizes_of(configuration.grid_workgroups),
              .workgroup_workitems = sizes_of(configuration.workgroup_workitems),
              .dynamic_lds_bytes = static_cast<std::uint32_t>(configuration.dynamic_lds_bytes),
              .explicit_kernarg = *kernarg,
              .record = launches_ + 1});
}

hip::Error Launcher::run(const Dispatch& dispatch) {
  ++launches_;
  LaunchObserver observer(Agent::metadata(*dispatch.kernel).name);
  const Result<bool> finished = agent_.dispatch(dispatch, observer);
  if (observer.faulty()) ++faulty_launches_;
  if (!finished) {
    notice_once(concat("a launch cannot start: ", finished.error().message));
    if (finished.error().code == ErrorCode::kInvalid) return hip::kErrorInvalidConfiguration;
  }
  if (!finished || !*finished) status_ = hip::kErrorLaunchFailure;
  return hip::kSuccess;
}

void Launcher::unload(const FatBinary& fat_binary) {
  if (fat_binary.code_object != nullptr) agent_.unload(fat_binary.code_object);
}

std::string Launcher::closing_line() const {
  if (faulty_launches_ == 0) return {};
  const bool one = faulty_launches_ == 1;
  return concat(faulty_launches_, one ? " launch" : " launches", " accessed memory that ",
                one ? "it" : "they", " must not; 'compass-capture check' shows where");
}

}  // namespace compass
