// SPDX-License-Identifier: MIT
#include "driverless/code_object/relocation.h"

#include <cstring>
#include <string>
#include <string_view>

namespace compass {
namespace {

enum RelocationType : std::uint32_t {
  kNone = 0,
  kAbs32Lo = 1,
  kAbs32Hi = 2,
  kAbs64 = 3,
  kRel32 = 4,
  kRel64 = 5,
  kAbs32 = 6,
  kRel32Lo = 10,
  kRel32Hi = 11,
  kRelative64 = 13,
};

std::string name_of_type(std::uint32_t type) {
  switch (type) {
    case 7:
      return "R_AMDGPU_GOTPCREL";
    case 8:
      return "R_AMDGPU_GOTPCREL32_LO";
    case 9:
      return "R_AMDGPU_GOTPCREL32_HI";
    case 14:
      return "R_AMDGPU_REL16";
    default:
      return concat("relocation type ", type);
  }
}

/// What a relocation stores.
struct Patch {
  std::uint64_t value = 0;
  std::uint64_t width_bytes = 0;
};

/// `symbol` is S + A, `place` is P and `relative` B + A in the words of the guide.
Result<Patch> patch_of(std::uint32_t type, std::uint64_t symbol, std::uint64_t place,
                       std::uint64_t relative) {
  const std::uint64_t difference = symbol - place;
  switch (type) {
    case kNone:
      return Patch{};
    case kAbs32Lo:
    case kAbs32:
      return Patch{symbol, 4};
    case kAbs32Hi:
      return Patch{symbol >> 32, 4};
    case kAbs64:
      return Patch{symbol, 8};
    case kRel32:
    case kRel32Lo:
      return Patch{difference, 4};
    case kRel32Hi:
      return Patch{difference >> 32, 4};
    case kRel64:
      return Patch{difference, 8};
    case kRelative64:
      return Patch{relative, 8};
    default:
      return Error{ErrorCode::kUnsupported, concat(name_of_type(type), " is not supported")};
  }
}

/// Types 4 and 6 have 32 bits and no counterpart that holds the rest.
bool overflows(std::uint32_t type, std::uint64_t value) {
  const auto as_signed = static_cast<std::int64_t>(value);
  if (type == kAbs32) return value > 0xFFFF'FFFFu;
  if (type == kRel32) return as_signed != static_cast<std::int32_t>(as_signed);
  return false;
}

}  // namespace

Result<void> relocate(const ElfRelocation& relocation, std::uint64_t lowest, DeviceAddress base,
                      std::span<std::byte> image) {
  const std::string where = concat("relocation at ", hex(relocation.address));
  if (relocation.undefined) {
    return Error{ErrorCode::kUnsupported,
                 concat(where, ": the symbol ", relocation.symbol_name, " is not defined")};
  }
  const std::uint64_t bias = base.value - lowest;
  const auto addend = static_cast<std::uint64_t>(relocation.addend);
  Result<Patch> patch = patch_of(relocation.type, relocation.symbol_address + bias + addend,
                                 relocation.address + bias, bias + addend);
  if (!patch) return std::move(patch).error().with(where);
  const std::uint64_t offset = relocation.address - lowest;
  if (offset > image.size() || patch->width_bytes > image.size() - offset) {
    return Error{ErrorCode::kCorrupt,
                 concat(where, ": outside the image of ", image.size(), " bytes")};
  }
  if (overflows(relocation.type, patch->value)) {
    return Error{ErrorCode::kUnsupported,
                 concat(where, ": ", hex(patch->value), " does not fit 32 bits")};
  }
  if (patch->width_bytes == 0) return {};  // of an image without bytes even the address is none
  std::memcpy(image.data() + offset, &patch->value, patch->width_bytes);
  return {};
}

}  // namespace compass
