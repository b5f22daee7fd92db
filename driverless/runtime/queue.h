// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "driverless/runtime/operation.h"

namespace compass {

class StreamCapture;
struct Queue;

/// An operation that waits for its turn in a queue, and what is left of it afterwards.
struct Task {
  enum class State : std::uint8_t {
    kWaiting,
    kRunning,  ///< a host function that has not returned
    kDone,
  };

  Operation operation;
  Tag tag;
  std::uint64_t sequence = 0;  ///< of its enqueueing: what it waits for has a lower one
  std::shared_ptr<Queue> queue;
  std::vector<std::shared_ptr<Task>> after;  ///< of other queues
  State state = State::kWaiting;
  bool polled = false;  ///< the host has asked for it before
  std::uint64_t enqueued_ns = 0;
  std::uint64_t end_ns = 0;  ///< once done
};

/// What a stream is: operations that run in the order of their enqueueing.
struct Queue {
  int device_ordinal = 0;
  hip::Stream handle = nullptr;
  unsigned flags = 0;
  int priority = 0;
  bool is_legacy = false;  ///< the null stream, which waits for blocking streams and they for it
  std::deque<std::shared_ptr<Task>> pending;  ///< not done, in order
  std::uint64_t end_ns = 0;                   ///< of the last operation that ran
  std::shared_ptr<StreamCapture> capture;     ///< while the stream is captured

  bool is_blocking() const { return (flags & hip::kStreamNonBlocking) == 0; }
};

/// What a stream had been given when an event was recorded, or the host looked.
struct Point {
  std::shared_ptr<Task> task;  ///< null: everything had run
  std::uint64_t end_ns = 0;    ///< where `task` is null

  bool is_done() const { return task == nullptr || task->state == Task::State::kDone; }
  std::uint64_t time_ns() const { return task == nullptr ? end_ns : task->end_ns; }
};

}  // namespace compass
