// SPDX-License-Identifier: MIT
#include "driverless/gate/request_faults.h"

#include <utility>
#include <variant>

namespace compass::gate {
namespace {

/// What is wrong with the memory of one request.
class Judge {
 public:
  Judge(const Context& context, const Record& record) : context_(context), record_(record) {}

  void judge(const Copy& copy) {
    const bool from_device = copy.direction == CopyDirection::kDeviceToHost ||
                             copy.direction == CopyDirection::kDeviceToDevice;
    const bool to_device = copy.direction == CopyDirection::kHostToDevice ||
                           copy.direction == CopyDirection::kDeviceToDevice;
    if (copy.source.allocation || from_device) {
      judge_rows(AccessKind::kLoad, copy.source, copy.source_pitches, copy);
    }
    if (copy.destination.allocation || to_device) {
      judge_rows(AccessKind::kStore, copy.destination, copy.destination_pitches, copy);
    }
  }

  void judge(const Fill& fill) {
    judge_rows(AccessKind::kStore, fill.destination, fill.pitches, fill);
  }

  void judge(const Free& free) { judge(AccessKind::kStore, {free.allocation, 0}, 0); }

  std::vector<TransferFault> faults() && { return std::move(faults_); }

 private:
  /// The first row that is wrong stands for all.
  template <class Transfer>
  void judge_rows(AccessKind access, const MemoryRef& named, const Pitches& pitches,
                  const Transfer& transfer) {
    const MemoryRef start = context_.recording().in_root(named);
    bool is_told = false;
    for_each_row(transfer.counts, [&](std::uint64_t slice, std::uint64_t row) {
      const std::uint64_t offset = start.offset_bytes + pitches.offset_of(slice, row);
      is_told = is_told || judge(access, {start.allocation, offset}, transfer.row_bytes());
    });
  }

  /// False where the bytes are all right.
  bool judge(AccessKind access, const MemoryRef& place, std::uint64_t size_bytes) {
    TransferFault fault{FaultKind::kOutOfBounds, access, record_.sequence, place, size_bytes, 0};
    if (place.allocation) {
      fault.allocation_bytes = context_.recording().allocation(place.allocation).size_bytes;
      if (context_.freed_by(place.allocation, record_.sequence) != 0) {
        fault.kind = FaultKind::kUseAfterFree;
      } else if (place.offset_bytes <= fault.allocation_bytes &&
                 size_bytes <= fault.allocation_bytes - place.offset_bytes) {
        return false;
      }
    }
    faults_.push_back(fault);
    return true;
  }

  const Context& context_;
  const Record& record_;
  std::vector<TransferFault> faults_;
};

}  // namespace

std::vector<TransferFault> faults_of_request(const Context& context, const Record& record) {
  Judge judge(context, record);
  if (const auto* copy = std::get_if<Copy>(&record.body)) judge.judge(*copy);
  if (const auto* fill = std::get_if<Fill>(&record.body)) judge.judge(*fill);
  if (const auto* free = std::get_if<Free>(&record.body)) judge.judge(*free);
  return std::move(judge).faults();
}

}  // namespace compass::gate
