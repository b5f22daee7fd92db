// SPDX-License-Identifier: MIT
// What a resolver makes of what the program says of its memory: names, pools, output, blocks.
#include <utility>

#include "ir/archive/resolver.h"

namespace compass::archive {

void Resolver::on(const journal::NameBuffer& name) {
  const MemoryRef place = memory_.find_live({name.address});
  if (!place.allocation) return;
  Allocation& allocation = recording_.allocations[place.allocation.value - 1];
  if (place.offset_bytes == 0) {
    allocation.info = {name.name, name.role, name.dtype, name.shape, name.strides};
  } else if (place.offset_bytes < allocation.size_bytes && allocation.info.name.empty()) {
    allocation.info.name = name.name;
  }
}

void Resolver::on(const journal::DeclarePool& pool) {
  std::vector<RowRange> reserved;
  for (std::size_t i = 0; i + 1 < pool.reserved.size(); i += 2) {
    reserved.push_back({pool.reserved[i], pool.reserved[i + 1]});
  }
  push({}, DeclarePool{memory_.find_live({pool.address}), pool.name, pool.unit, pool.said_by,
                       pool.rows, pool.row_bytes, std::move(reserved)});
}

void Resolver::on(const journal::DeclareSentinel& sentinel) {
  push({}, DeclareSentinel{memory_.find_live({sentinel.address}), sentinel.role, sentinel.pool,
                           sentinel.unit, sentinel.values});
}

void Resolver::on(const journal::ReportOutput& report) {
  push({}, ReportOutput{memory_.find_live({report.address}), report.size_bytes, report.request_ids,
                        report.ids});
}

void Resolver::on(const journal::AllocateBlock& allocate) {
  const DeviceAddress address{allocate.address};
  if (!address || allocate.size_bytes == 0) return;
  const MemoryRef place = recording_.in_root(memory_.find_live(address));
  const MemoryRef segment = recording_.in_root(memory_.find_live({allocate.segment}));
  const bool is_apart = allocate.segment != 0 && segment.allocation != place.allocation;
  if (!place.allocation || is_apart ||
      allocate.size_bytes >
          recording_.allocation(place.allocation).size_bytes - place.offset_bytes) {
    return causes_.add("a block was marked outside of the memory that it is a part of");
  }
  ++version_;
  while (const AllocationId other = memory_.blocks().in_the_way_of(address, allocate.size_bytes)) {
    causes_.add("a block was marked over another whose free was not marked");
    end_blocks(other);
  }
  const AllocationId made =
      memory_.blocks().allocate(place.allocation, address, allocate.size_bytes);
  recording_.allocations[made.value - 1].info.name = allocate.name;
  push({}, AllocateBlock{made});
}

/// What is not known to be a block may have been one before the program marked any.
void Resolver::on(const journal::FreeBlock& free) {
  const AllocationId block = memory_.blocks().starting_at({free.address});
  if (!block) return;
  ++version_;
  end_blocks(block);
}

void Resolver::end_blocks(AllocationId memory) {
  for (const AllocationId block : memory_.blocks().within(recording_.allocation(memory))) {
    memory_.blocks().free(block);
    push({}, FreeBlock{block});
  }
}

void Resolver::end_memory(AllocationId allocation) {
  end_blocks(allocation);
  memory_.free(allocation);
}

/// What the program itself says goes before what a launcher said.
void Resolver::on(const journal::Rank& rank) {
  recording_.process.rank = rank.rank;
  if (rank.ranks != 0) recording_.process.ranks = rank.ranks;
}

}  // namespace compass::archive
