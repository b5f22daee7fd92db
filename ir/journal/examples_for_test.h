// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "ir/journal/entry.h"

namespace compass::journal {

/// An entry of each kind, in Body's order, with no field at its default where it has another value.
inline std::vector<Entry> one_of_each_kind() {
  const auto bytes = [](std::string_view text) {
    const ByteView view = as_byte_view(text);
    return Bytes(view.begin(), view.end());
  };
  const std::vector<Body> bodies = {
      Start{4711, "serve"},
      DeviceSeen{3, "gfx950:sramecc+:xnack-", "AMD Instinct MI355X", true},
      FatBinary{0x1000, bytes("__CLANG_OFFLOAD_BUNDLE__")},
      UnloadFatBinary{0x1000},
      Function{0x1000, 0x401230, "_Z4axpyPf"},
      Allocate{MemoryKind::kPinnedHost, 0x7f00'0000'0000, 1 << 20},
      Free{0x7f00'0000'0000},
      CreateStream{0x2000, 1},
      DestroyStream{0x2000},
      CreateEvent{0x3000, 2},
      DestroyEvent{0x3000},
      RecordEvent{0x3000, 0x2000},
      WaitEvent{0x2000, 0x3000},
      Synchronize{SyncScope::kEvent, 0x3000},
      Copy{0x7f00'0000'0000, 0x5555'0000, 7, 1, 0x2000, true, true, bytes("content")},
      Fill{0x7f00'0000'0000, 0xAB, 4, 4096, 0x2000, true},
      Launch{0x401230, 0x2000, {64, 2, 1}, {256, 1, 1}, 4096, bytes("kernarg")},
      NameBuffer{0x7f00'0000'0000, "layers.0.wqkv", "weight", "bf16", {4096, 128}, {128, -1}},
      BeginStep{"decode", true, true, 3, 8, {1, 2, 3}, {10, -1, 30}, {1, 0, 1}},
      EndStep{},
      Phase{"warmup"},
      Incomplete{"a cause"},
      End{},
      Failed{719},
  };
  std::vector<Entry> entries;
  entries.reserve(bodies.size());
  for (const Body& body : bodies) {
    entries.push_back({.thread = static_cast<std::uint32_t>(entries.size() + 1), .body = body});
  }
  return entries;
}

}  // namespace compass::journal
