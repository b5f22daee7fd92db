// SPDX-License-Identifier: MIT
#include "driverless/interp/index_notes.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "driverless/interp/memory_kind.h"
#include "driverless/interp/number_check.h"
#include "driverless/interp/row.h"
#include "driverless/isa/smem.h"

namespace compass::interp {
namespace {

using D = isa::C;

/// What this thread notes. A handler is given a wavefront and an op, and neither has room for it.
struct Current {
  const NotedAccess* accesses = nullptr;
  IndexNotes* notes = nullptr;
};
constinit thread_local Current current;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Where one instruction's lanes go.
class Noting {
 public:
  Noting(Wavefront& wave, const Op& op, const NotedAccess& access, IndexNotes& notes)
      : wave_(wave), op_(op), access_(access), notes_(notes) {}

  void run() {
    switch (op_.row->encoding) {
      case isa::Encoding::kSmem:
        return scalar();
      case isa::Encoding::kBuffer:
        return buffer();
      case isa::Encoding::kFlat: {
        LaneAddresses addresses;
        flat_addresses(wave_, op_, op_.sources[0], addresses);
        return lanes(wave_.exec(), addresses.lane, size_bytes());
      }
      default: {
        LaneAddresses addresses;
        global_addresses(wave_, op_, op_.sources[0], addresses);
        return lanes(wave_.exec(), addresses.lane, size_bytes());
      }
    }
  }

 private:
  std::uint32_t size_bytes() const { return std::max(access_.load_bytes, access_.store_bytes); }

  void scalar() {
    const unsigned base = op_.sources[0].index;
    const Source& soffset = op_.sources[1];
    const std::uint64_t scalar =
        soffset.kind == SourceKind::kSgprZext ? wave_.sgpr[soffset.index] : soffset.constant;
    const isa::U32<D> offset{static_cast<std::uint32_t>(op_.sources[2].constant)};
    if (!contains(op_.row->mnemonic, "buffer")) {
      return touch(isa::scalar_address<D>({wave_.sgpr64(base)}, {scalar}, offset).rep,
                   access_.load_bytes, access_.load_bytes);
    }
    isa::Words<D, 4> words;
    for (unsigned n = 0; n < 4; ++n) words.word[n] = {wave_.sgpr[base + n]};
    const isa::BufferDescriptor<D> descriptor = isa::buffer_descriptor(words);
    const std::uint64_t first = isa::scalar_address<D>({}, {scalar}, offset).rep;
    for (std::uint64_t at = first; at < first + access_.load_bytes; at += 4) {
      if (at < isa::scalar_buffer_bytes(descriptor).rep) touch(descriptor.base.rep + at, 4, 4);
    }
  }

  // Word by word: each may be beyond the end by itself.
  void buffer() {
    BufferAccess<D> memory(wave_, op_);
    if (memory.is_special()) return;
    LaneAddresses addresses;
    buffer_addresses(wave_, op_, op_.sources[0], addresses);
    const std::uint32_t word_bytes = std::min<std::uint32_t>(size_bytes(), 4);
    for (std::uint32_t at = 0; at < size_bytes(); at += word_bytes) {
      BufferLanes reached;
      if (memory.reach(active_lanes(wave_), addresses.lane, 1, reached)) {
        lanes(reached.mask, reached.address, word_bytes);
      }
      for (std::uint64_t& address : addresses.lane) address += word_bytes;
    }
  }

  void lanes(std::uint64_t mask, const std::uint64_t (&address)[kLanes], std::uint32_t bytes) {
    while (mask != 0) {
      const std::uint64_t begin = address[std::countr_zero(mask)];
      std::uint64_t end = begin + bytes;
      mask &= mask - 1;
      while (mask != 0 && address[std::countr_zero(mask)] == end) {
        end += bytes;
        mask &= mask - 1;
      }
      touch(begin, end - begin, bytes);
    }
  }

  // Lanes that follow each other may leave a region, and then go one by one.
  void touch(std::uint64_t address, std::uint64_t bytes, std::uint32_t lane_bytes) {
    const Region* region = wave_.workgroup->find_region({address}, bytes);
    if (region == nullptr) {
      for (std::uint64_t n = 0; n < bytes && bytes > lane_bytes; n += lane_bytes) {
        touch(address + n, lane_bytes, lane_bytes);
      }
      return;
    }
    if (region->shadow == nullptr) return;
    if (access_.load_bytes != 0) notes_.load(*region, address, bytes);
    if (access_.store_bytes != 0) notes_.store(address, bytes);
  }

  Wavefront& wave_;
  const Op& op_;
  const NotedAccess& access_;
  IndexNotes& notes_;
};

}  // namespace

std::uint8_t access_bytes(std::string_view mnemonic) {
  if (contains(mnemonic, "byte") || mnemonic.ends_with("_b8")) return 1;
  if (contains(mnemonic, "short") || contains(mnemonic, "_b16")) return 2;
  if (contains(mnemonic, "dwordx16")) return 64;
  if (contains(mnemonic, "dwordx8")) return 32;
  if (contains(mnemonic, "dwordx4") || contains(mnemonic, "_b128")) return 16;
  if (contains(mnemonic, "dwordx3") || contains(mnemonic, "_b96")) return 12;
  if (contains(mnemonic, "dwordx2") || contains(mnemonic, "_b64")) return 8;
  const bool is_wide = contains(mnemonic, "_x2") || contains(mnemonic, "_f64");
  return is_wide ? 8 : 4;
}

NotedAccess noted_access(const Op& op, bool keeps) {
  if (op.row == nullptr) return {};
  const isa::Encoding encoding = op.row->encoding;
  const bool is_memory = encoding == isa::Encoding::kSmem || encoding == isa::Encoding::kGlobal ||
                         encoding == isa::Encoding::kFlat || encoding == isa::Encoding::kBuffer;
  if (!is_memory) return {};
  const std::string_view mnemonic = op.row->mnemonic;
  const bool is_store = contains(mnemonic, "_store_"), is_atomic = contains(mnemonic, "_atomic_");
  const std::uint8_t size = access_bytes(mnemonic);
  NotedAccess access;
  if (is_store || is_atomic) access.store_bytes = size;
  if (keeps && (is_atomic || contains(mnemonic, "_load_"))) access.load_bytes = size;
  return access;
}

NotingScope::NotingScope(const NotedAccess* accesses, IndexNotes* notes) {
  current = {accesses, notes};
}

NotingScope::~NotingScope() { current = {}; }

void note_and_run(Wavefront& wave, const Op& op) {
  const NotedAccess& access = current.accesses[wave.pc - 1];  // it has advanced already
  Noting(wave, op, access, *current.notes).run();
  check_and_run(wave, op);
}

void IndexNotes::load(const Region& region, std::uint64_t address, std::uint64_t size_bytes) {
  const std::byte* from = region.host + (address - region.base.value);
  while (complete_ && size_bytes != 0) {
    const std::uint64_t count = std::min(size_bytes, kPageBytes - address % kPageBytes);
    keep(from, address, count);
    from += count;
    address += count;
    size_bytes -= count;
  }
}

/// Of one page.
void IndexNotes::keep(const std::byte* from, std::uint64_t address, std::uint64_t size_bytes) {
  const auto stored = stored_.find(address / kPageBytes);
  Page& page = pages_[address / kPageBytes];
  for (std::uint64_t n = 0; n < size_bytes; ++n) {
    const std::uint64_t at = address % kPageBytes + n;
    if (has(page.kept, at) || (stored != stored_.end() && has(stored->second, at))) continue;
    if (kept_bytes_ == most_bytes_) {
      complete_ = false;
      return;
    }
    page.kept[at / 64] |= std::uint64_t{1} << at % 64;
    page.bytes[at] = from[n];
    ++kept_bytes_;
  }
}

void IndexNotes::store(std::uint64_t address, std::uint64_t size_bytes) {
  while (complete_ && size_bytes != 0) {
    Bits& bits = stored_[address / kPageBytes];
    const std::uint64_t at = address % kPageBytes;
    const std::uint64_t count = std::min({size_bytes, kPageBytes - at, 64 - at % 64});
    const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    bits[at / 64] |= ones << at % 64;
    address += count;
    size_bytes -= count;
  }
}

LoadedIndex IndexNotes::take(const Memory& memory) {
  LoadedIndex index;
  index.complete = complete_;
  std::vector<LoadedBytes>& all = index.allocations;
  AccessRunBuilder builder;
  const Region* region = nullptr;
  const auto close = [&] {
    if (region != nullptr) all.back().runs = builder.finish();
  };
  for (const auto& [index, page] : pages_) {
    for (std::uint64_t at = 0; at < kPageBytes; ++at) {
      if (!has(page.kept, at)) continue;
      const DeviceAddress address{index * kPageBytes + at};
      if (region == nullptr || !region->contains(address, 1)) {
        close();
        region = memory.find(address);
        all.push_back({region->id, {}, {}});
      }
      const std::uint64_t offset = address.value - region->base.value;
      builder.add(offset, offset + 1);
      all.back().bytes.push_back(page.bytes[at]);
    }
  }
  close();
  std::sort(all.begin(), all.end(),
            [](const LoadedBytes& a, const LoadedBytes& b) { return a.allocation < b.allocation; });
  return index;
}

}  // namespace compass::interp
