// SPDX-License-Identifier: MIT
#include "capture/hooks/copying.h"
#include "capture/hooks/symbols.h"

/// Variables of the device's code, which programs name by a variable of the host's: a symbol.
namespace compass::capture {
namespace {

using GetAddress = decltype(&::hipGetSymbolAddress);
using GetSize = int (*)(std::size_t* size_bytes, const void* symbol);

}  // namespace

void* place_of_symbol(Recorder& recorder, void* real, const void* symbol) {
  const auto get_address = reinterpret_cast<GetAddress>(find_beside(real, "hipGetSymbolAddress"));
  const auto get_size = reinterpret_cast<GetSize>(find_beside(real, "hipGetSymbolSize"));
  const auto variable = recorder.find_variable(number_of(symbol));
  if (get_address == nullptr || get_size == nullptr || !variable) return nullptr;
  void* pointer = nullptr;
  std::size_t size_bytes = 0;
  if (get_address(&pointer, symbol) != hip::kSuccess) return nullptr;
  if (get_size(&size_bytes, symbol) != hip::kSuccess) return nullptr;
  recorder.note_global({variable->fat_binary, variable->name, number_of(pointer), size_bytes});
  return pointer;
}

namespace {

/// A copy to or from a symbol; `place` is that side of `call`.
template <auto Hook, class Pointer, class... Arguments>
int observe_symbol_copy(CopyCall call, Pointer CopyCall::*place, const void* symbol,
                        std::size_t offset_bytes, Arguments... arguments) {
  return observe_transfer<Hook>(
      [&](Recorder& recorder) -> std::uint64_t {
        auto* const real = reinterpret_cast<void*>(real_call<Hook>());
        auto* const start = static_cast<std::byte*>(place_of_symbol(recorder, real, symbol));
        if (start == nullptr) return 0;
        call.*place = start + offset_bytes;
        return record_copy(recorder, call);
      },
      call.wait, call.stream, arguments...);
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::HostWait;
using compass::hip::per_thread;
using compass::hip::per_thread_stream;
using compass::hip::Stream;

int hipGetSymbolAddress(void** pointer, const void* symbol) {
  return observe<&::hipGetSymbolAddress>(
      [=](Recorder& recorder) {
        auto* const real = reinterpret_cast<void*>(real_call<&::hipGetSymbolAddress>());
        place_of_symbol(recorder, real, symbol);
      },
      pointer, symbol);
}

int hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t size_bytes,
                      std::size_t offset_bytes, unsigned kind) {
  return observe_symbol_copy<&::hipMemcpyToSymbol>({nullptr, from, size_bytes, kind}, &CopyCall::to,
                                                   symbol, offset_bytes, symbol, from, size_bytes,
                                                   offset_bytes, kind);
}

int hipMemcpyToSymbol_spt(const void* symbol, const void* from, std::size_t size_bytes,
                          std::size_t offset_bytes, unsigned kind) {
  return observe_symbol_copy<&::hipMemcpyToSymbol_spt>(
      {nullptr, from, size_bytes, kind, per_thread_stream()}, &CopyCall::to, symbol, offset_bytes,
      symbol, from, size_bytes, offset_bytes, kind);
}

int hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size_bytes,
                           std::size_t offset_bytes, unsigned kind, Stream stream) {
  return observe_symbol_copy<&::hipMemcpyToSymbolAsync>(
      {nullptr, from, size_bytes, kind, stream, HostWait::kAsync}, &CopyCall::to, symbol,
      offset_bytes, symbol, from, size_bytes, offset_bytes, kind, stream);
}

int hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, std::size_t size_bytes,
                               std::size_t offset_bytes, unsigned kind, Stream stream) {
  return observe_symbol_copy<&::hipMemcpyToSymbolAsync_spt>(
      {nullptr, from, size_bytes, kind, per_thread(stream), HostWait::kAsync}, &CopyCall::to,
      symbol, offset_bytes, symbol, from, size_bytes, offset_bytes, kind, stream);
}

int hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t size_bytes,
                        std::size_t offset_bytes, unsigned kind) {
  return observe_symbol_copy<&::hipMemcpyFromSymbol>({to, nullptr, size_bytes, kind},
                                                     &CopyCall::from, symbol, offset_bytes, to,
                                                     symbol, size_bytes, offset_bytes, kind);
}

int hipMemcpyFromSymbol_spt(void* to, const void* symbol, std::size_t size_bytes,
                            std::size_t offset_bytes, unsigned kind) {
  return observe_symbol_copy<&::hipMemcpyFromSymbol_spt>(
      {to, nullptr, size_bytes, kind, per_thread_stream()}, &CopyCall::from, symbol, offset_bytes,
      to, symbol, size_bytes, offset_bytes, kind);
}

int hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size_bytes,
                             std::size_t offset_bytes, unsigned kind, Stream stream) {
  return observe_symbol_copy<&::hipMemcpyFromSymbolAsync>(
      {to, nullptr, size_bytes, kind, stream, HostWait::kAsync}, &CopyCall::from, symbol,
      offset_bytes, to, symbol, size_bytes, offset_bytes, kind, stream);
}

int hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, std::size_t size_bytes,
                                 std::size_t offset_bytes, unsigned kind, Stream stream) {
  return observe_symbol_copy<&::hipMemcpyFromSymbolAsync_spt>(
      {to, nullptr, size_bytes, kind, per_thread(stream), HostWait::kAsync}, &CopyCall::from,
      symbol, offset_bytes, to, symbol, size_bytes, offset_bytes, kind, stream);
}
