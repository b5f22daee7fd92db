// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ir/device_address.h"

namespace compass {

/// What is known of a byte's value.
enum class ByteState : std::uint8_t {
  kKnown,
  kUnknown,    ///< something wrote it, but its value was not recorded
  kUndefined,  ///< nothing wrote it in this generation
};

/// [begin, end) in bytes from the start of a region.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// What one launch read and wrote of one region, in order, without overlaps.
struct TouchedExtents {
  std::vector<Extent> reads, writes;
};

/// Beside the bytes of a region: for each, its state and who wrote it last, and what the launch
/// that runs has read and written.
///
/// All of it is kept by page, or by 4 MiB where a whole such chunk is alike, so that a region costs
/// memory only where it is touched piecemeal. Threads: one at a time.
class Shadow {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::uint64_t kChunkPages = 1024;

  Shadow(std::uint64_t size_bytes, ByteState state);

  /// The running launch reads [offset, offset + size), at most a page. True if every byte is known.
  bool read(std::uint64_t offset, std::uint32_t size) {
    Page& page = touch(offset);
    const std::uint32_t at = offset % kPageBytes;
    if (at + size > kPageBytes) [[unlikely]]
      return read_across(offset, size);
    set_bits(page.touched->read, at, size);
    if (page.mixed != nullptr) [[unlikely]]
      return is_known_in(*page.mixed, at, size);
    return page.state == ByteState::kKnown;
  }

  /// The running launch writes known bytes there.
  void write(std::uint64_t offset, std::uint32_t size) {
    Page& page = touch(offset);
    const std::uint32_t at = offset % kPageBytes;
    if (at + size > kPageBytes) [[unlikely]]
      return write_across(offset, size);
    set_bits(page.touched->written, at, size);
    if (page.mixed != nullptr || page.state != ByteState::kKnown) [[unlikely]] {
      set_in_page(page, at, size, ByteState::kKnown);
    }
  }

  /// Reads, or writes, of `size` bytes, at most 64, for each bit of `lanes` at `address` less
  /// `base`.
  bool read_each(std::uint64_t lanes, const std::uint64_t (&address)[64], std::uint64_t base,
                 std::uint32_t size);
  void write_each(std::uint64_t lanes, const std::uint64_t (&address)[64], std::uint64_t base,
                  std::uint32_t size);

  /// The states of [offset, offset + size) change; `writer` is whose doing it is.
  void set(std::uint64_t offset, std::uint64_t size, ByteState state, std::uint32_t writer);
  /// The states and writers of `size` bytes of `from` come along with a copy of its bytes by
  /// `writer`.
  void copy(std::uint64_t offset, const Shadow& from, std::uint64_t from_offset, std::uint64_t size,
            std::uint32_t writer);
  /// The state alone, of bytes that the running launch has written.
  void set_state(std::uint64_t offset, std::uint32_t size, ByteState state);

  ByteState state(std::uint64_t offset) const;
  /// Whether every byte of [offset, offset + size) is known.
  bool is_known(std::uint64_t offset, std::uint64_t size) const;
  /// The worst state among [offset, offset + size).
  ByteState worst(std::uint64_t offset, std::uint64_t size) const;
  /// The first byte of [offset, offset + size) in that state; its end if there is none.
  std::uint64_t find(std::uint64_t offset, std::uint64_t size, ByteState state) const;
  /// Who wrote the byte last; 0 if nobody did.
  std::uint32_t writer(std::uint64_t offset) const;

  bool is_touched() const { return !touched_pages_.empty(); }
  /// From now on the first access of each launch adds `name` to `log`, which must outlive this.
  void log_touches(std::vector<DeviceAddress>& log, DeviceAddress name) {
    log_ = &log;
    name_ = name;
  }
  /// Ends the running launch: what it wrote is `writer`'s from now on. Gives what it touched.
  TouchedExtents end_launch(std::uint32_t writer);

 private:
  using Bits = std::array<std::uint64_t, kPageBytes / 64>;
  struct Touched {
    Bits read{}, written{};
  };
  struct WriterExtent {
    std::uint16_t begin, end;
    std::uint32_t writer;
  };
  struct Mixed {
    std::array<ByteState, kPageBytes> state;
    std::uint32_t not_known = 0;
  };
  struct Page {
    ByteState state = ByteState::kKnown;  // of every byte, where `mixed` is null
    std::uint32_t writer = 0;             // of every byte, where `writers` is null
    std::unique_ptr<Mixed> mixed;
    std::unique_ptr<std::vector<WriterExtent>> writers;
    std::unique_ptr<Touched> touched;
  };
  struct Chunk {
    std::array<Page, kChunkPages> pages;
  };
  struct Slot {
    ByteState state;
    std::uint32_t writer = 0;
    std::unique_ptr<Chunk> chunk;  // null: all its bytes are alike
  };

  static void set_bits(Bits& bits, std::uint32_t at, std::uint32_t size) {
    while (size > 0) {
      const std::uint32_t shift = at % 64;
      const std::uint32_t count = size < 64 - shift ? size : 64 - shift;
      bits[at / 64] |= (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << shift;
      at += count;
      size -= count;
    }
  }

  Page& touch(std::uint64_t offset) {
    const std::uint64_t index = offset / kPageBytes;
    Chunk* chunk = slots_[index / kChunkPages].chunk.get();
    if (chunk == nullptr) [[unlikely]]
      chunk = &materialize(index / kChunkPages);
    Page& page = chunk->pages[index % kChunkPages];
    if (page.touched == nullptr) [[unlikely]]
      begin_touch(page, index);
    return page;
  }

  static bool is_known_in(const Mixed& mixed, std::uint32_t at, std::uint32_t size);
  Chunk& materialize(std::uint64_t slot);
  Page& page_at(std::uint64_t index);
  const Page* find_page(std::uint64_t index) const;
  void begin_touch(Page& page, std::uint64_t index);
  bool read_across(std::uint64_t offset, std::uint32_t size);
  void write_across(std::uint64_t offset, std::uint32_t size);
  static void set_in_page(Page& page, std::uint32_t at, std::uint32_t size, ByteState state);
  static void set_writer_in_page(Page& page, std::uint32_t at, std::uint32_t size,
                                 std::uint32_t writer);
  void set_chunk(std::uint64_t slot, ByteState state, std::uint32_t writer);

  std::uint64_t size_bytes_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> touched_pages_;  // in the order of their first touch
  std::vector<std::unique_ptr<Touched>> spare_;
  std::vector<DeviceAddress>* log_ = nullptr;
  DeviceAddress name_;
};

}  // namespace compass
