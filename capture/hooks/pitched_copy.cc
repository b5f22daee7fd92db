// SPDX-License-Identifier: MIT
#include <optional>

#include "capture/hooks/pitched_copying.h"

/// Copies of rows, and of slices of rows. Arrays, which no address names, are not recorded.
namespace compass::capture {
namespace {

/// A side of such a copy.
struct Side {
  const void* start = nullptr;
  Pitches pitches;
};

Side side_of(const void* pointer, std::size_t pitch_bytes, std::size_t rows,
             const hip::Pos& place) {
  const Pitches pitches{pitch_bytes, pitch_bytes * rows};
  return {static_cast<const std::byte*>(pointer) + pitches.offset_of(place.z, place.y) + place.x,
          pitches};
}

Side side_of(const hip::PitchedPtr& pitched, const hip::Pos& place) {
  return side_of(pitched.pointer, pitched.pitch_bytes, pitched.rows, place);
}

/// Of a driver's structure: the pointer is the host's or the device's, whichever is there; of both,
/// the one that the kind of memory says. A pitch that is not given is that of rows side by side.
template <class Given>
Side side_of_driver(const Given& given, std::size_t width_bytes, std::size_t rows,
                    const hip::Pos& place) {
  constexpr int kHostMemory = 1;  // since HIP 6
  const bool is_host =
      given.device == nullptr || (given.host != nullptr && given.memory_type == kHostMemory);
  const std::size_t pitch_bytes =
      given.pitch_bytes == 0 ? place.x + width_bytes : given.pitch_bytes;
  return side_of(is_host ? given.host : given.device, pitch_bytes, rows, place);
}

CopyCall copy_of(const Side& to, const Side& from, const hip::Extent& extent, unsigned kind,
                 hip::Stream stream, HostWait wait) {
  CopyCall call;
  call.to = const_cast<void*>(to.start);
  call.from = from.start;
  call.size_bytes = extent.width * extent.height * extent.depth;
  call.kind = kind;
  call.stream = stream;
  call.wait = wait;
  call.counts = {extent.height, extent.depth};
  call.to_pitches = to.pitches;
  call.from_pitches = from.pitches;
  return call;
}

/// What a structure asks for; absent where there is none, or an array in it.
template <class Parameters>
std::optional<CopyCall> copy_of_boxes(const Parameters* given, unsigned kind, hip::Stream stream,
                                      HostWait wait) {
  if (given == nullptr || given->to_array != nullptr || given->from_array != nullptr) return {};
  return copy_of(side_of(given->to, given->to_position), side_of(given->from, given->from_position),
                 given->extent, kind, stream, wait);
}

std::optional<CopyCall> copy_of(const hip::Memcpy3DParms* given, hip::Stream stream,
                                HostWait wait) {
  return copy_of_boxes(given, given == nullptr ? 0u : unsigned{given->kind}, stream, wait);
}

std::optional<CopyCall> copy_of(const hip::Memcpy3DPeerParms* given, hip::Stream stream,
                                HostWait wait) {
  return copy_of_boxes(given, hip::kMemcpyDeviceToDevice, stream, wait);
}

std::optional<CopyCall> copy_of(const hip::Memcpy2D* given, hip::Stream stream, HostWait wait) {
  if (given == nullptr || given->to.array != nullptr || given->from.array != nullptr) return {};
  const auto side = [&](const hip::Memcpy2DSide& one) {
    return side_of_driver(one, given->width_bytes, given->height, {one.x_bytes, one.y, 0});
  };
  return copy_of(side(given->to), side(given->from), {given->width_bytes, given->height, 1},
                 hip::kMemcpyDefault, stream, wait);
}

std::optional<CopyCall> copy_of(const hip::DriverMemcpy3D* given, hip::Stream stream,
                                HostWait wait) {
  if (given == nullptr || given->to.array != nullptr || given->from.array != nullptr) return {};
  const auto side = [&](const hip::DriverMemcpy3DSide& one) {
    const std::size_t rows = one.height == 0 ? given->height : one.height;
    return side_of_driver(one, given->width_bytes, rows, {one.x_bytes, one.y, one.z});
  };
  return copy_of(side(given->to), side(given->from),
                 {given->width_bytes, given->height, given->depth}, hip::kMemcpyDefault, stream,
                 wait);
}

/// Records the copy that a structure of HIP's asks for.
template <auto Hook, class Parameters, class... More>
int observe_boxes(const Parameters* parameters, hip::Stream stream, HostWait wait, More... more) {
  const std::optional<CopyCall> call = copy_of(parameters, stream, wait);
  if (call) return observe_copy<Hook>(*call, const_cast<Parameters*>(parameters), more...);
  return observe<Hook>(
      [](Recorder& recorder) {
        recorder.lose(concat(kName<Hook>, " of an array is not recorded"));
      },
      const_cast<Parameters*>(parameters), more...);
}

CopyCall rows(void* to, std::size_t to_pitch_bytes, const void* from, std::size_t from_pitch_bytes,
              const hip::Extent& extent, unsigned kind, hip::Stream stream, HostWait wait) {
  return copy_of(side_of(to, to_pitch_bytes, extent.height, {}),
                 side_of(from, from_pitch_bytes, extent.height, {}), extent, kind, stream, wait);
}

}  // namespace

std::optional<CopyCall> copy_asked_for(const hip::Memcpy3DParms* given) {
  return copy_of(given, nullptr, HostWait::kAsync);
}

std::optional<CopyCall> copy_asked_for(const hip::DriverMemcpy3D* given) {
  return copy_of(given, nullptr, HostWait::kAsync);
}

}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::HostWait;
using compass::hip::DriverMemcpy3D;
using compass::hip::Memcpy2D;
using compass::hip::Memcpy3DParms;
using compass::hip::Memcpy3DPeerParms;
using compass::hip::per_thread;
using compass::hip::per_thread_stream;
using compass::hip::Stream;

int hipMemcpy2D(void* to, std::size_t to_pitch_bytes, const void* from,
                std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                unsigned kind) {
  const CopyCall call = rows(to, to_pitch_bytes, from, from_pitch_bytes, {width_bytes, height, 1},
                             kind, nullptr, HostWait::kBlocking);
  return observe_copy<&::hipMemcpy2D>(call, to, to_pitch_bytes, from, from_pitch_bytes, width_bytes,
                                      height, kind);
}

int hipMemcpy2D_spt(void* to, std::size_t to_pitch_bytes, const void* from,
                    std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                    unsigned kind) {
  const CopyCall call = rows(to, to_pitch_bytes, from, from_pitch_bytes, {width_bytes, height, 1},
                             kind, per_thread_stream(), HostWait::kBlocking);
  return observe_copy<&::hipMemcpy2D_spt>(call, to, to_pitch_bytes, from, from_pitch_bytes,
                                          width_bytes, height, kind);
}

int hipMemcpy2DAsync(void* to, std::size_t to_pitch_bytes, const void* from,
                     std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                     unsigned kind, Stream stream) {
  const CopyCall call = rows(to, to_pitch_bytes, from, from_pitch_bytes, {width_bytes, height, 1},
                             kind, stream, HostWait::kAsync);
  return observe_copy<&::hipMemcpy2DAsync>(call, to, to_pitch_bytes, from, from_pitch_bytes,
                                           width_bytes, height, kind, stream);
}

int hipMemcpy2DAsync_spt(void* to, std::size_t to_pitch_bytes, const void* from,
                         std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                         unsigned kind, Stream stream) {
  const CopyCall call = rows(to, to_pitch_bytes, from, from_pitch_bytes, {width_bytes, height, 1},
                             kind, per_thread(stream), HostWait::kAsync);
  return observe_copy<&::hipMemcpy2DAsync_spt>(call, to, to_pitch_bytes, from, from_pitch_bytes,
                                               width_bytes, height, kind, stream);
}

int hipMemcpyParam2D(const Memcpy2D* parameters) {
  return observe_boxes<&::hipMemcpyParam2D>(parameters, nullptr, HostWait::kBlocking);
}

int hipMemcpyParam2DAsync(const Memcpy2D* parameters, Stream stream) {
  return observe_boxes<&::hipMemcpyParam2DAsync>(parameters, stream, HostWait::kAsync, stream);
}

int hipDrvMemcpy2DUnaligned(const Memcpy2D* parameters) {
  return observe_boxes<&::hipDrvMemcpy2DUnaligned>(parameters, nullptr, HostWait::kBlocking);
}

int hipMemcpy3D(const Memcpy3DParms* parameters) {
  return observe_boxes<&::hipMemcpy3D>(parameters, nullptr, HostWait::kBlocking);
}

int hipMemcpy3D_spt(const Memcpy3DParms* parameters) {
  return observe_boxes<&::hipMemcpy3D_spt>(parameters, per_thread_stream(), HostWait::kBlocking);
}

int hipMemcpy3DAsync(const Memcpy3DParms* parameters, Stream stream) {
  return observe_boxes<&::hipMemcpy3DAsync>(parameters, stream, HostWait::kAsync, stream);
}

int hipMemcpy3DAsync_spt(const Memcpy3DParms* parameters, Stream stream) {
  return observe_boxes<&::hipMemcpy3DAsync_spt>(parameters, per_thread(stream), HostWait::kAsync,
                                                stream);
}

int hipDrvMemcpy3D(const DriverMemcpy3D* parameters) {
  return observe_boxes<&::hipDrvMemcpy3D>(parameters, nullptr, HostWait::kBlocking);
}

int hipDrvMemcpy3DAsync(const DriverMemcpy3D* parameters, Stream stream) {
  return observe_boxes<&::hipDrvMemcpy3DAsync>(parameters, stream, HostWait::kAsync, stream);
}

int hipMemcpy3DPeer(Memcpy3DPeerParms* parameters) {
  return observe_boxes<&::hipMemcpy3DPeer>(parameters, nullptr, HostWait::kBlocking);
}

int hipMemcpy3DPeerAsync(Memcpy3DPeerParms* parameters, Stream stream) {
  return observe_boxes<&::hipMemcpy3DPeerAsync>(parameters, stream, HostWait::kAsync, stream);
}
