// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "driverless/runtime/executor.h"
#include "driverless/runtime/host_functions.h"
#include "driverless/runtime/queue.h"
#include "driverless/runtime/watched_memory.h"

namespace compass {

/// When asynchronous work runs, of all times that happens-before allows.
enum class Schedule : std::uint8_t {
  kEarly,  ///< when it is enqueued
  kLate,   ///< when the host waits for it, asks for it the second time, or ends
};

/// Runs the operations of all queues in an order that happens-before allows: of those that may run,
/// the one enqueued first.
///
/// Operations run on the thread that enqueues or waits, save the program's host functions, which
/// have a thread of their own, as the program may hold locks that they take. Threads: whoever holds
/// `mutex`; only wait() gives it up, while it waits for a host function or another thread.
class Scheduler {
 public:
  /// `mutex` and `executor` must outlive this. It ends only while nobody holds `mutex`.
  Scheduler(std::mutex& mutex, Executor& executor, Schedule schedule);

  /// While operations wait, touches of this memory are heard: a host that polls it gets all that
  /// can run to run. `memory` must outlive this.
  void watch(WatchedMemory& memory) { watched_ = &memory; }

  /// Gives `queue` an operation, to run after what it has and, by the rules of the legacy stream,
  /// after what other queues have.
  void enqueue(const std::shared_ptr<Queue>& queue, Operation operation, Tag tag);
  /// The same for what the call gives besides, as the launch of a graph does: in modelled time it
  /// costs the host nothing.
  void enqueue_more(const std::shared_ptr<Queue>& queue, Operation operation, Tag tag);

  /// Where `queue` is: what an event recorded now waits for.
  Point mark(const std::shared_ptr<Queue>& queue);
  /// What `queue` is given from now on runs after `point`.
  void wait_on_queue(const std::shared_ptr<Queue>& queue, const Point& point);

  /// The host waits for everything up to `point`, for all that a queue has, or for all there is.
  void wait(const Point& point);
  void wait(const std::shared_ptr<Queue>& queue);
  void wait_for_all();
  /// Whether that is done, for a host that polls.
  bool poll(const Point& point);
  bool poll(const std::shared_ptr<Queue>& queue);

  /// Runs what can run without waiting for anything. False if nothing could.
  bool run_ready();

  /// Whether what is enqueued now on `queue` runs before enqueue() returns.
  bool runs_at_once() const { return schedule_ == Schedule::kEarly && busy_.empty(); }

 private:
  using TaskPointer = std::shared_ptr<Task>;

  std::vector<TaskPointer> implicit_waits(const Queue& queue) const;
  TaskPointer push(const std::shared_ptr<Queue>& queue, Operation operation, Tag tag);
  std::vector<TaskPointer> tails(const Queue& queue) const;
  bool is_ready(const Task& task) const;
  bool run_before(const TaskPointer& last);
  void run(const TaskPointer& task);
  void run_now(Queue& queue, const Operation& operation, Tag tag);
  void finish(const TaskPointer& task, std::uint64_t duration_ns);
  void pass_time(std::uint64_t time_ns);
  void look_after_values();

  std::mutex& mutex_;
  Executor& executor_;
  Schedule schedule_;
  WatchedMemory* watched_ = nullptr;
  bool looks_after_values_ = false;           // a function that does is called
  std::condition_variable changed_;           // a task that was running is done
  std::vector<std::shared_ptr<Queue>> busy_;  // with pending tasks
  std::uint64_t enqueued_ = 0;                // tasks
  std::uint64_t host_ns_ = 0;                 // the host's modelled clock
  HostFunctions host_functions_;              // last: its thread uses all of the above
};

}  // namespace compass
