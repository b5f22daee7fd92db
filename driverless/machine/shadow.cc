// SPDX-License-Identifier: MIT
#include "driverless/machine/shadow.h"

#include <algorithm>
#include <bit>

namespace compass {
namespace {

constexpr std::uint64_t kChunkBytes = Shadow::kPageBytes * Shadow::kChunkPages;
/// Bits of touched pages that are kept for the next launch: 4 MiB.
constexpr std::size_t kMostSpare = 4096;

/// Calls `visit(offset, size)` for the lanes' places, joining those of lanes that follow each
/// other.
template <class Visit>
void for_each_place(std::uint64_t lanes, const std::uint64_t (&address)[64], std::uint64_t base,
                    std::uint32_t size, Visit visit) {
  while (lanes != 0) {
    const std::uint64_t begin = address[std::countr_zero(lanes)];
    std::uint64_t end = begin + size;
    lanes &= lanes - 1;
    while (lanes != 0 && address[std::countr_zero(lanes)] == end) {
      end += size;
      lanes &= lanes - 1;
    }
    visit(begin - base, static_cast<std::uint32_t>(end - begin));
  }
}

void append(std::vector<Extent>& extents, std::uint64_t begin, std::uint64_t end) {
  if (!extents.empty() && extents.back().end == begin) {
    extents.back().end = end;
  } else {
    extents.push_back({begin, end});
  }
}

// The runs of ones in a page's bits, as extents from `base`.
template <class Bits, class Visit>
void for_each_run(const Bits& bits, Visit visit) {
  for (std::uint32_t word = 0; word < bits.size(); ++word) {
    std::uint64_t rest = bits[word];
    if (rest == ~std::uint64_t{0}) {
      visit(word * 64, word * 64 + 64);
      continue;
    }
    while (rest != 0) {
      const auto begin = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto count = static_cast<std::uint32_t>(std::countr_one(rest >> begin));
      visit(word * 64 + begin, word * 64 + begin + count);
      rest &= ~(((std::uint64_t{1} << count) - 1) << begin);
    }
  }
}

}  // namespace

Shadow::Shadow(std::uint64_t size_bytes, ByteState state) : size_bytes_(size_bytes) {
  slots_.resize((size_bytes + kChunkBytes - 1) / kChunkBytes);
  for (Slot& slot : slots_) slot.state = state;
}

Shadow::Chunk& Shadow::materialize(std::uint64_t index) {
  Slot& slot = slots_[index];
  if (slot.chunk == nullptr) {
    slot.chunk = std::make_unique<Chunk>();
    for (Page& page : slot.chunk->pages) {
      page.state = slot.state;
      page.writer = slot.writer;
    }
  }
  return *slot.chunk;
}

Shadow::Page& Shadow::page_at(std::uint64_t index) {
  return materialize(index / kChunkPages).pages[index % kChunkPages];
}

const Shadow::Page* Shadow::find_page(std::uint64_t index) const {
  const Slot& slot = slots_[index / kChunkPages];
  return slot.chunk == nullptr ? nullptr : &slot.chunk->pages[index % kChunkPages];
}

void Shadow::begin_touch(Page& page, std::uint64_t index) {
  if (touched_pages_.empty() && log_ != nullptr) log_->push_back(name_);
  touched_pages_.push_back(index);
  if (spare_.empty()) {
    page.touched = std::make_unique<Touched>();
  } else {
    page.touched = std::move(spare_.back());
    spare_.pop_back();
    *page.touched = {};
  }
}

bool Shadow::is_known_in(const Mixed& mixed, std::uint32_t at, std::uint32_t size) {
  for (std::uint32_t n = at; n < at + size; ++n) {
    if (mixed.state[n] != ByteState::kKnown) return false;
  }
  return true;
}

bool Shadow::read_across(std::uint64_t offset, std::uint32_t size) {
  const auto first = static_cast<std::uint32_t>(kPageBytes - offset % kPageBytes);
  const bool head = read(offset, first);
  return read(offset + first, size - first) && head;
}

void Shadow::write_across(std::uint64_t offset, std::uint32_t size) {
  const auto first = static_cast<std::uint32_t>(kPageBytes - offset % kPageBytes);
  write(offset, first);
  write(offset + first, size - first);
}

bool Shadow::read_each(std::uint64_t lanes, const std::uint64_t (&address)[64], std::uint64_t base,
                       std::uint32_t size) {
  bool known = true;
  Page* page = nullptr;
  std::uint64_t page_index = 0;
  for_each_place(lanes, address, base, size, [&](std::uint64_t offset, std::uint32_t count) {
    const std::uint32_t at = offset % kPageBytes;
    if (at + count > kPageBytes) {
      known &= read_across(offset, count);
      return;
    }
    if (page == nullptr || page_index != offset / kPageBytes) {
      page = &touch(offset);
      page_index = offset / kPageBytes;
    }
    set_bits(page->touched->read, at, count);
    known &= page->mixed != nullptr ? is_known_in(*page->mixed, at, count)
                                    : page->state == ByteState::kKnown;
  });
  return known;
}

void Shadow::write_each(std::uint64_t lanes, const std::uint64_t (&address)[64], std::uint64_t base,
                        std::uint32_t size) {
  Page* page = nullptr;
  std::uint64_t page_index = 0;
  for_each_place(lanes, address, base, size, [&](std::uint64_t offset, std::uint32_t count) {
    const std::uint32_t at = offset % kPageBytes;
    if (at + count > kPageBytes) return write_across(offset, count);
    if (page == nullptr || page_index != offset / kPageBytes) {
      page = &touch(offset);
      page_index = offset / kPageBytes;
    }
    set_bits(page->touched->written, at, count);
    if (page->mixed != nullptr || page->state != ByteState::kKnown) {
      set_in_page(*page, at, count, ByteState::kKnown);
    }
  });
}

void Shadow::set_in_page(Page& page, std::uint32_t at, std::uint32_t size, ByteState state) {
  if (page.mixed == nullptr) {
    if (page.state == state) return;
    if (size == kPageBytes) {
      page.state = state;
      return;
    }
    page.mixed = std::make_unique<Mixed>();
    page.mixed->state.fill(page.state);
    page.mixed->not_known = page.state == ByteState::kKnown ? 0 : kPageBytes;
  }
  Mixed& mixed = *page.mixed;
  for (std::uint32_t n = at; n < at + size; ++n) {
    mixed.not_known -= mixed.state[n] == ByteState::kKnown ? 0 : 1;
    mixed.not_known += state == ByteState::kKnown ? 0 : 1;
    mixed.state[n] = state;
  }
  if (mixed.not_known == 0 || size == kPageBytes) {
    page.state = state;
    page.mixed.reset();
  }
}

void Shadow::set_writer_in_page(Page& page, std::uint32_t at, std::uint32_t size,
                                std::uint32_t writer) {
  if (size == kPageBytes) {
    page.writer = writer;
    page.writers.reset();
    return;
  }
  if (page.writers == nullptr) {
    if (page.writer == writer) return;
    page.writers = std::make_unique<std::vector<WriterExtent>>();
    page.writers->push_back({0, kPageBytes, page.writer});
  }
  const std::uint32_t end = at + size;
  std::vector<WriterExtent> changed;
  const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t who) {
    if (from >= to) return;
    if (!changed.empty() && changed.back().writer == who) {
      changed.back().end = static_cast<std::uint16_t>(to);
    } else {
      changed.push_back({static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to), who});
    }
  };
  bool added = false;
  for (const WriterExtent& extent : *page.writers) {
    add(extent.begin, std::min<std::uint32_t>(extent.end, at), extent.writer);
    if (!added && extent.end > at) {
      add(at, end, writer);
      added = true;
    }
    add(std::max<std::uint32_t>(extent.begin, end), extent.end, extent.writer);
  }
  *page.writers = std::move(changed);
  if (page.writers->size() == 1) {
    page.writer = page.writers->front().writer;
    page.writers.reset();
  }
}

void Shadow::set_chunk(std::uint64_t index, ByteState state, std::uint32_t writer) {
  Slot& slot = slots_[index];
  slot.state = state;
  slot.writer = writer;
  slot.chunk.reset();
}

void Shadow::set(std::uint64_t offset, std::uint64_t size, ByteState state, std::uint32_t writer) {
  const std::uint64_t end = offset + size;
  while (offset < end) {
    const std::uint64_t chunk_end = std::min((offset / kChunkBytes + 1) * kChunkBytes, size_bytes_);
    if (offset % kChunkBytes == 0 && end >= chunk_end) {
      set_chunk(offset / kChunkBytes, state, writer);
      offset = chunk_end;
      continue;
    }
    Page& page = page_at(offset / kPageBytes);
    const auto at = static_cast<std::uint32_t>(offset % kPageBytes);
    const auto count = static_cast<std::uint32_t>(std::min(kPageBytes - at, end - offset));
    set_in_page(page, at, count, state);
    set_writer_in_page(page, at, count, writer);
    offset += count;
  }
}

void Shadow::copy(std::uint64_t offset, const Shadow& from, std::uint64_t from_offset,
                  std::uint64_t size, std::uint32_t writer) {
  if (from.is_known(from_offset, size)) return set(offset, size, ByteState::kKnown, writer);
  // Read everything first: the ranges may overlap.
  struct Run {
    std::uint64_t end;
    ByteState state;
  };
  std::vector<Run> runs;
  for (std::uint64_t at = from_offset; at < from_offset + size;) {
    const Page* page = from.find_page(at / kPageBytes);
    const std::uint64_t unit = page == nullptr          ? kChunkBytes
                               : page->mixed == nullptr ? kPageBytes
                                                        : 1;
    const ByteState state = from.state(at);
    at = std::min((at / unit + 1) * unit, from_offset + size);
    if (!runs.empty() && runs.back().state == state) {
      runs.back().end = at - from_offset;
    } else {
      runs.push_back({at - from_offset, state});
    }
  }
  std::uint64_t begin = 0;
  for (const Run& run : runs) {
    set(offset + begin, run.end - begin, run.state, writer);
    begin = run.end;
  }
}

void Shadow::set_state(std::uint64_t offset, std::uint32_t size, ByteState state) {
  while (size > 0) {
    const auto at = static_cast<std::uint32_t>(offset % kPageBytes);
    const auto count = std::min(static_cast<std::uint32_t>(kPageBytes) - at, size);
    set_in_page(page_at(offset / kPageBytes), at, count, state);
    offset += count;
    size -= count;
  }
}

ByteState Shadow::state(std::uint64_t offset) const {
  const Page* page = find_page(offset / kPageBytes);
  if (page == nullptr) return slots_[offset / kChunkBytes].state;
  return page->mixed == nullptr ? page->state : page->mixed->state[offset % kPageBytes];
}

bool Shadow::is_known(std::uint64_t offset, std::uint64_t size) const {
  return worst(offset, size) == ByteState::kKnown;
}

ByteState Shadow::worst(std::uint64_t offset, std::uint64_t size) const {
  ByteState result = ByteState::kKnown;
  const std::uint64_t end = offset + size;
  while (offset < end && result != ByteState::kUndefined) {
    const Page* page = find_page(offset / kPageBytes);
    const std::uint64_t unit = page == nullptr ? kChunkBytes : kPageBytes;
    const std::uint64_t next = std::min((offset / unit + 1) * unit, end);
    if (page == nullptr || page->mixed == nullptr) {
      result = std::max(result, page == nullptr ? slots_[offset / kChunkBytes].state : page->state);
    } else {
      for (std::uint64_t n = offset; n < next; ++n) {
        result = std::max(result, page->mixed->state[n % kPageBytes]);
      }
    }
    offset = next;
  }
  return result;
}

std::uint64_t Shadow::find(std::uint64_t offset, std::uint64_t size, ByteState state) const {
  const std::uint64_t end = offset + size;
  while (offset < end) {
    const Page* page = find_page(offset / kPageBytes);
    const bool is_mixed = page != nullptr && page->mixed != nullptr;
    if (this->state(offset) == state) return offset;
    const std::uint64_t unit = page == nullptr ? kChunkBytes : is_mixed ? 1 : kPageBytes;
    offset = (offset / unit + 1) * unit;
  }
  return end;  // a page may end behind it
}

std::uint32_t Shadow::writer(std::uint64_t offset) const {
  const Page* page = find_page(offset / kPageBytes);
  if (page == nullptr) return slots_[offset / kChunkBytes].writer;
  if (page->writers == nullptr) return page->writer;
  const std::uint64_t at = offset % kPageBytes;
  for (const WriterExtent& extent : *page->writers) {
    if (at < extent.end) return extent.writer;
  }
  return page->writer;
}

TouchedExtents Shadow::end_launch(std::uint32_t writer) {
  TouchedExtents result;
  std::sort(touched_pages_.begin(), touched_pages_.end());
  for (const std::uint64_t index : touched_pages_) {
    Page& page = page_at(index);
    const std::uint64_t base = index * kPageBytes;
    for_each_run(page.touched->read, [&](std::uint32_t begin, std::uint32_t end) {
      append(result.reads, base + begin, base + end);
    });
    std::uint32_t run_begin = 0, run_end = 0;  // joins the runs of adjacent words
    const auto flush = [&] {
      if (run_begin < run_end) set_writer_in_page(page, run_begin, run_end - run_begin, writer);
    };
    for_each_run(page.touched->written, [&](std::uint32_t begin, std::uint32_t end) {
      append(result.writes, base + begin, base + end);
      if (begin != run_end) {
        flush();
        run_begin = begin;
      }
      run_end = end;
    });
    flush();
    if (spare_.size() < kMostSpare) spare_.push_back(std::move(page.touched));
    page.touched.reset();
  }
  touched_pages_.clear();
  return result;
}

}  // namespace compass
