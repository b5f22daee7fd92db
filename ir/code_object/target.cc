// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <string_view>

#include "ir/base/concat.h"
#include "ir/code_object/elf.h"

namespace compass {
namespace {

struct Processor {
  std::uint32_t machine;  // EF_AMDGPU_MACH
  std::string_view name;
};

constexpr Processor kProcessors[] = {
    {0x2c, "gfx900"},       {0x2f, "gfx906"},         {0x30, "gfx908"},  {0x3f, "gfx90a"},
    {0x40, "gfx940"},       {0x4b, "gfx941"},         {0x4c, "gfx942"},  {0x4f, "gfx950"},
    {0x33, "gfx1010"},      {0x36, "gfx1030"},        {0x41, "gfx1100"}, {0x46, "gfx1101"},
    {0x47, "gfx1102"},      {0x48, "gfx1200"},        {0x49, "gfx1250"}, {0x4e, "gfx1201"},
    {0x51, "gfx9-generic"}, {0x5f, "gfx9-4-generic"},
};

std::string_view sign_of(std::uint32_t feature) {
  // 0: the processor has no such feature, 1: any, 2: off, 3: on.
  return feature == 2 ? "-" : feature == 3 ? "+" : "";
}

}  // namespace

std::string target_of_machine_flags(std::uint32_t machine_flags) {
  const std::uint32_t machine = machine_flags & 0xff;
  std::string target = concat("machine ", hex(machine, 2));
  for (const Processor& processor : kProcessors) {
    if (processor.machine == machine) target = processor.name;
  }
  const std::string_view sramecc = sign_of(machine_flags >> 10 & 3);
  const std::string_view xnack = sign_of(machine_flags >> 8 & 3);
  if (!sramecc.empty()) target += concat(":sramecc", sramecc);
  if (!xnack.empty()) target += concat(":xnack", xnack);
  return target;
}

std::string_view processor_of_target_id(std::string_view target_id) {
  const std::size_t at = target_id.rfind("-gfx");
  return at == target_id.npos ? target_id : target_id.substr(at + 1);
}

bool is_generic_of(std::string_view generic, std::string_view processor) {
  return generic == "gfx9-4-generic" && (processor == "gfx940" || processor == "gfx941" ||
                                         processor == "gfx942" || processor == "gfx950");
}

}  // namespace compass
