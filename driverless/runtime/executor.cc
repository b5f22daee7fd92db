// SPDX-License-Identifier: MIT
#include "driverless/runtime/executor.h"

#include <utility>

#include "driverless/runtime/duration.h"
#include "driverless/runtime/launch_observer.h"
#include "driverless/runtime/live_recorder.h"
#include "driverless/runtime/notice.h"
#include "ir/base/concat.h"

namespace compass {
namespace {

/// The value of `size_bytes` at `pointer`, which another thread may be writing.
std::uint64_t load_value(const void* pointer, std::uint32_t size_bytes) {
  return size_bytes == 8
             ? __atomic_load_n(static_cast<const std::uint64_t*>(pointer), __ATOMIC_ACQUIRE)
             : __atomic_load_n(static_cast<const std::uint32_t*>(pointer), __ATOMIC_ACQUIRE);
}

std::uint64_t all_ones(std::uint32_t size_bytes) {
  return size_bytes == 8 ? ~std::uint64_t{0} : ~std::uint32_t{0};
}

/// `value`: where it is stored.
bool is_satisfied(const WaitValueOperation& wait, const void* value) {
  const std::uint64_t found = load_value(value, wait.size_bytes) & wait.mask;
  switch (wait.condition) {
    case WaitValueOperation::Condition::kGreaterOrEqual:
      return found >= wait.value;
    case WaitValueOperation::Condition::kEqual:
      return found == wait.value;
    case WaitValueOperation::Condition::kAnd:
      return (found & wait.value) != 0;
    case WaitValueOperation::Condition::kNor:
      // The mask is applied to both; of four bytes, the upper half of the number is none of them.
      return (~(found | (wait.value & wait.mask)) & all_ones(wait.size_bytes)) != 0;
  }
  return true;
}

/// The tag as the shadow keeps it for each byte.
std::uint32_t writer_of(Tag tag) { return static_cast<std::uint32_t>(tag.entry); }

void tell(const std::optional<FaultyTransfer>& transfer, Tag tag) {
  if (transfer) LiveRecorder::get().faulty_transfer(tag, *transfer);
}

std::uint64_t bytes_of(const Box& box) { return box.width_bytes * box.height * box.depth; }

}  // namespace

Executor::Outcome Executor::run(const Operation& operation, Tag tag) {
  const Outcome outcome = carry_out(operation, tag);
  if (outcome.done) LiveRecorder::get().ran(tag);
  return outcome;
}

Executor::Outcome Executor::carry_out(const Operation& operation, Tag tag) {
  if (const auto* kernel = std::get_if<KernelOperation>(&operation)) {
    return {.duration_ns = launch(*kernel, tag)};
  }
  if (const auto* copy = std::get_if<CopyOperation>(&operation)) {
    tell(memory_.run(*copy, writer_of(tag)), tag);
    return {.duration_ns = copy_ns(bytes_of(copy->box), copy->kind)};
  }
  if (const auto* fill = std::get_if<FillOperation>(&operation)) {
    tell(memory_.run(*fill, writer_of(tag)), tag);
    return {.duration_ns = fill_ns(bytes_of(fill->box))};
  }
  if (const auto* begin = std::get_if<AllocateOperation>(&operation)) {
    begin->allocate();
    return {};
  }
  if (const auto* end = std::get_if<FreeOperation>(&operation)) {
    end->free();
    return {};
  }
  if (const auto* write = std::get_if<WriteValueOperation>(&operation)) {
    write_value(*write, tag);
    return {};
  }
  if (const auto* wait = std::get_if<WaitValueOperation>(&operation)) {
    const void* const value = memory_.storage(wait->pointer, wait->size_bytes);
    if (value == nullptr) {
      tell(memory_.fault_of(AccessKind::kLoad, wait->pointer, wait->size_bytes), tag);
    }
    return {.done = value == nullptr || is_satisfied(*wait, value)};
  }
  return {};
}

void Executor::write_value(const WriteValueOperation& write, Tag tag) {
  void* const value = memory_.storage(write.pointer, write.size_bytes);
  if (value == nullptr)
    return tell(memory_.fault_of(AccessKind::kStore, write.pointer, write.size_bytes), tag);
  if (write.size_bytes == 8) {
    __atomic_store_n(static_cast<std::uint64_t*>(value), write.value, __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(static_cast<std::uint32_t*>(value), static_cast<std::uint32_t>(write.value),
                     __ATOMIC_RELEASE);
  }
  agent_.memory().note_write({reinterpret_cast<std::uint64_t>(write.pointer)}, write.size_bytes,
                             ByteState::kKnown, writer_of(tag));
}

std::uint64_t Executor::launch(const KernelOperation& operation, Tag tag) {
  LaunchObserver observer(Agent::metadata(*operation.kernel).name, tag, memory_);
  const std::uint64_t before = agent_.wave_instructions();
  LoadedIndex index;
  const Result<bool> finished =
      agent_.dispatch({.kernel = operation.kernel.get(),
                       .grid_workgroups = operation.grid_workgroups,
                       .workgroup_workitems = operation.workgroup_workitems,
                       .dynamic_lds_bytes = operation.dynamic_lds_bytes,
                       .explicit_kernarg = operation.explicit_kernarg,
                       .is_cooperative = operation.is_cooperative,
                       .record = tag.entry,
                       .checks_numbers = LiveRecorder::get().is_reported(),
                       .index = LiveRecorder::get().keeps_index() ? &index : nullptr},
                      observer);
  LiveRecorder::get().index(tag, std::move(index), memory_);
  observer.end(finished && *finished ? LaunchObserver::End::kRan : LaunchObserver::End::kStopped);
  if (observer.faulty()) ++faulty_launches_;
  if (!finished) {
    LiveRecorder::get().stopped(tag, finished.error().message);
    notice_once(concat("a launch cannot start: ", finished.error().message));
  }
  if (!finished || !*finished) status_ = hip::kErrorLaunchFailure;
  return launch_ns(agent_.wave_instructions() - before);
}

std::string Executor::closing_line() const {
  if (faulty_launches_ == 0 || LiveRecorder::get().is_reported()) return {};
  const bool one = faulty_launches_ == 1;
  return concat(faulty_launches_, one ? " launch" : " launches", " accessed memory that ",
                one ? "it" : "they", " must not; 'compass-capture check' shows where");
}

}  // namespace compass
