// SPDX-License-Identifier: MIT
#include "driverless/runtime/scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "driverless/arch/arch.h"

namespace compass {
namespace {

/// Four streams on a device without kernels, and words that operations write.
class SchedulerTest : public testing::Test {
 protected:
  SchedulerTest() {
    queues_[0]->is_legacy = true;
    void* pointer = nullptr;
    EXPECT_EQ(memory_.allocate(RegionKind::kDevice, 4096, &pointer), hip::kSuccess);
    words_ = static_cast<std::uint32_t*>(pointer);
  }

  Scheduler& make(Schedule schedule) { return scheduler_.emplace(mutex_, executor_, schedule); }

  /// Word `to` becomes `value`.
  Operation set(std::size_t to, std::uint32_t value) {
    return FillOperation{
        .to = {.pointer = words_ + to}, .pattern = {value, 4}, .box = {.width_bytes = 4}};
  }
  /// Word `to` becomes what word `from` is when the copy runs.
  Operation copy(std::size_t to, std::size_t from) {
    return CopyOperation{.to = {.pointer = words_ + to},
                         .from = {.pointer = words_ + from},
                         .box = {.width_bytes = 4},
                         .kind = hip::kMemcpyDeviceToDevice};
  }
  static std::shared_ptr<Queue> make_queue(unsigned flags) {
    auto queue = std::make_shared<Queue>();
    queue->flags = flags;
    return queue;
  }

  std::mutex mutex_;
  Agent agent_{*arch::find("gfx950"), "no decoder is needed"};
  DeviceMemory memory_{agent_.memory()};
  Executor executor_{agent_, memory_};
  std::optional<Scheduler> scheduler_;
  std::uint32_t* words_ = nullptr;
  std::shared_ptr<Queue> queues_[4] = {make_queue(0), make_queue(0), make_queue(0),
                                       make_queue(hip::kStreamNonBlocking)};
};

TEST_F(SchedulerTest, RunsEarlyAtOnce) {
  Scheduler& scheduler = make(Schedule::kEarly);
  const std::lock_guard lock(mutex_);
  scheduler.enqueue(queues_[1], set(0, 7), {});
  EXPECT_EQ(words_[0], 7u);
  EXPECT_TRUE(scheduler.poll(queues_[1]));
}

TEST_F(SchedulerTest, RunsLateOnlyWhatTheHostWaitsFor) {
  Scheduler& scheduler = make(Schedule::kLate);
  const std::lock_guard lock(mutex_);
  scheduler.enqueue(queues_[1], set(0, 7), {});
  scheduler.enqueue(queues_[2], set(1, 8), {});
  const Point point = scheduler.mark(queues_[1]);
  scheduler.enqueue(queues_[1], set(2, 9), {});
  EXPECT_EQ(words_[0], 0u);
  scheduler.wait(point);
  EXPECT_EQ(words_[0], 7u);
  EXPECT_EQ(words_[1], 0u) << "another stream";
  EXPECT_EQ(words_[2], 0u) << "enqueued after the event";
  scheduler.wait_for_all();
  EXPECT_EQ(words_[1], 8u);
  EXPECT_EQ(words_[2], 9u);
}

TEST_F(SchedulerTest, AnswersAPollLateOnlyTheSecondTime) {
  Scheduler& scheduler = make(Schedule::kLate);
  const std::lock_guard lock(mutex_);
  scheduler.enqueue(queues_[1], set(0, 7), {});
  const Point point = scheduler.mark(queues_[1]);
  EXPECT_FALSE(scheduler.poll(point));
  EXPECT_EQ(words_[0], 0u);
  EXPECT_TRUE(scheduler.poll(point));
  EXPECT_EQ(words_[0], 7u);
}

TEST_F(SchedulerTest, OrdersStreamsByEvents) {
  Scheduler& scheduler = make(Schedule::kLate);
  const std::lock_guard lock(mutex_);
  scheduler.enqueue(queues_[1], set(0, 7), {});
  scheduler.wait_on_queue(queues_[2], scheduler.mark(queues_[1]));
  scheduler.enqueue(queues_[2], copy(1, 0), {});
  scheduler.enqueue(queues_[1], set(0, 8), {});
  scheduler.wait(queues_[2]);
  EXPECT_EQ(words_[1], 7u);
  EXPECT_EQ(words_[0], 7u) << "what nobody waited for has not run";
}

TEST_F(SchedulerTest, OrdersTheLegacyStreamWithBlockingStreamsOnly) {
  Scheduler& scheduler = make(Schedule::kLate);
  const std::lock_guard lock(mutex_);
  scheduler.enqueue(queues_[1], set(0, 7), {});
  scheduler.enqueue(queues_[3], set(1, 8), {});
  scheduler.enqueue(queues_[0], copy(2, 0), {});
  scheduler.enqueue(queues_[2], copy(3, 2), {});
  scheduler.wait(queues_[2]);
  EXPECT_EQ(words_[3], 7u) << "through the legacy stream";
  EXPECT_EQ(words_[1], 0u) << "a stream that does not block";
}

TEST_F(SchedulerTest, CallsHostFunctionsInOrderWithoutTheCallersLocks) {
  Scheduler& scheduler = make(Schedule::kEarly);
  struct Seen {
    std::mutex mutex;
    std::uint32_t* words;
    std::uint32_t value = 0;
  } seen{.mutex = {}, .words = words_, .value = 0};
  const auto look = [](void* data) {
    auto* const it = static_cast<Seen*>(data);
    const std::lock_guard lock(it->mutex);
    it->value = it->words[0];
  };
  std::unique_lock program(seen.mutex);
  {
    const std::lock_guard lock(mutex_);
    scheduler.enqueue(queues_[1], set(0, 7), {});
    scheduler.enqueue(queues_[1], HostOperation{look, &seen}, {});
    scheduler.enqueue(queues_[1], set(0, 8), {});
    EXPECT_EQ(words_[0], 7u) << "the function has not returned";
    EXPECT_FALSE(scheduler.poll(queues_[1]));
  }
  program.unlock();
  const std::lock_guard lock(mutex_);
  scheduler.wait(queues_[1]);
  EXPECT_EQ(seen.value, 7u);
  EXPECT_EQ(words_[0], 8u);
}

TEST_F(SchedulerTest, StandsUntilAnotherThreadOrStreamWritesTheValue) {
  for (const Schedule schedule : {Schedule::kEarly, Schedule::kLate}) {
    Scheduler& scheduler = make(schedule);
    const std::lock_guard lock(mutex_);
    words_[0] = words_[1] = words_[2] = words_[3] = 0;
    scheduler.enqueue(queues_[3],
                      WaitValueOperation{.pointer = words_, .value = 5, .mask = 0xFFFF'FFFF}, {});
    scheduler.enqueue(queues_[3], set(1, 7), {});
    EXPECT_EQ(words_[1], 0u);
    scheduler.enqueue(queues_[1], WriteValueOperation{.pointer = words_, .value = 5}, {});
    scheduler.wait(queues_[3]);
    EXPECT_EQ(words_[1], 7u);
    scheduler.enqueue(
        queues_[3], WaitValueOperation{.pointer = words_ + 2, .value = 1, .mask = 0xFFFF'FFFF}, {});
    std::thread other([this] { __atomic_store_n(words_ + 2, 1u, __ATOMIC_RELEASE); });
    scheduler.wait(queues_[3]);
    other.join();
  }
}

TEST_F(SchedulerTest, GoesOnWhenTheHostWritesTheValueAndMakesNoCall) {
  Scheduler& scheduler = make(Schedule::kEarly);
  {
    const std::lock_guard lock(mutex_);
    scheduler.enqueue(queues_[3],
                      WaitValueOperation{.pointer = words_, .value = 5, .mask = 0xFFFF'FFFF}, {});
    scheduler.enqueue(queues_[3], WriteValueOperation{.pointer = words_ + 1, .value = 7}, {});
  }
  __atomic_store_n(words_, 5u, __ATOMIC_RELEASE);
  while (__atomic_load_n(words_ + 1, __ATOMIC_ACQUIRE) != 7) std::this_thread::yield();
}

TEST_F(SchedulerTest, ModelsTimeTheSameEarlyAndLate) {
  std::uint64_t elapsed_ns[2] = {};
  for (const Schedule schedule : {Schedule::kEarly, Schedule::kLate}) {
    Scheduler& scheduler = make(schedule);
    const std::lock_guard lock(mutex_);
    const Point start = scheduler.mark(queues_[1]);
    scheduler.enqueue(queues_[1], set(0, 7), {});
    const Point stop = scheduler.mark(queues_[1]);
    scheduler.wait(stop);
    ASSERT_TRUE(start.is_done());
    elapsed_ns[static_cast<int>(schedule)] = stop.time_ns() - start.time_ns();
    queues_[1]->end_ns = 0;
  }
  EXPECT_EQ(elapsed_ns[0], elapsed_ns[1]);
  EXPECT_GT(elapsed_ns[0], 0u);
}

}  // namespace
}  // namespace compass
