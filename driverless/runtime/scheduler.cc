// SPDX-License-Identifier: MIT
#include "driverless/runtime/scheduler.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

namespace compass {
namespace {

/// What the host's call takes, in modelled time.
constexpr std::uint64_t kCallNs = 1000;
/// How often a stream that waits for a value in memory is looked after.
constexpr std::chrono::milliseconds kValuePeriod{1};

/// The function to call, for operations that are the program's.
std::function<void()> function_of(const Operation& operation) {
  if (const auto* host = std::get_if<HostOperation>(&operation)) {
    return [call = *host] { call.function(call.user_data); };
  }
  if (const auto* callback = std::get_if<CallbackOperation>(&operation)) {
    return [call = *callback] { call.function(call.stream, hip::kSuccess, call.user_data); };
  }
  return nullptr;
}

bool is_host_function(const Operation& operation) {
  return std::holds_alternative<HostOperation>(operation) ||
         std::holds_alternative<CallbackOperation>(operation);
}

bool is_earlier(const std::shared_ptr<Task>& task, const std::shared_ptr<Task>& other) {
  return task->sequence < other->sequence;
}

}  // namespace

Scheduler::Scheduler(std::mutex& mutex, Executor& executor, Schedule schedule)
    : mutex_(mutex), executor_(executor), schedule_(schedule) {}

std::vector<Scheduler::TaskPointer> Scheduler::implicit_waits(const Queue& queue) const {
  std::vector<TaskPointer> waits;
  if (!queue.is_blocking()) return waits;
  for (const auto& other : busy_) {
    const bool ordered = other.get() != &queue && other->is_blocking() &&
                         other->device_ordinal == queue.device_ordinal &&
                         other->is_legacy != queue.is_legacy;
    if (ordered) waits.push_back(other->pending.back());
  }
  return waits;
}

/// What a host that waits for `queue` waits for.
std::vector<Scheduler::TaskPointer> Scheduler::tails(const Queue& queue) const {
  std::vector<TaskPointer> tails;
  if (queue.is_legacy) tails = implicit_waits(queue);
  if (!queue.pending.empty()) tails.push_back(queue.pending.back());
  return tails;
}

void Scheduler::enqueue(const std::shared_ptr<Queue>& queue, Operation operation, Tag tag) {
  host_ns_ += kCallNs;
  enqueue_more(queue, std::move(operation), tag);
}

void Scheduler::enqueue_more(const std::shared_ptr<Queue>& queue, Operation operation, Tag tag) {
  const bool may_wait =
      is_host_function(operation) || std::holds_alternative<WaitValueOperation>(operation);
  if (runs_at_once() && !may_wait) return run_now(*queue, operation, tag);
  push(queue, std::move(operation), tag);
  if (schedule_ == Schedule::kEarly) run_ready();
}

void Scheduler::run_now(Queue& queue, const Operation& operation, Tag tag) {
  const Executor::Outcome outcome = executor_.run(operation, tag);
  queue.end_ns = std::max(queue.end_ns, host_ns_) + outcome.duration_ns;
}

Scheduler::TaskPointer Scheduler::push(const std::shared_ptr<Queue>& queue, Operation operation,
                                       Tag tag) {
  auto task = std::make_shared<Task>();
  task->operation = std::move(operation);
  task->tag = tag;
  task->sequence = ++enqueued_;
  task->queue = queue;
  task->after = implicit_waits(*queue);
  task->enqueued_ns = host_ns_;
  if (busy_.empty() && watched_ != nullptr) watched_->arm();
  if (queue->pending.empty()) busy_.push_back(queue);
  queue->pending.push_back(task);
  return task;
}

Point Scheduler::mark(const std::shared_ptr<Queue>& queue) {
  host_ns_ += kCallNs;
  if (busy_.empty()) {
    queue->end_ns = std::max(queue->end_ns, host_ns_);
    return {.task = nullptr, .end_ns = queue->end_ns};
  }
  TaskPointer task = push(queue, MarkOperation{}, {});
  if (schedule_ == Schedule::kEarly) run_ready();
  return {.task = std::move(task)};
}

void Scheduler::wait_on_queue(const std::shared_ptr<Queue>& queue, const Point& point) {
  host_ns_ += kCallNs;
  if (point.is_done()) {
    queue->end_ns = std::max(queue->end_ns, point.time_ns());
    return;
  }
  const TaskPointer task = push(queue, MarkOperation{}, {});
  if (point.task->queue != queue) task->after.push_back(point.task);
}

bool Scheduler::is_ready(const Task& task) const {
  return task.state == Task::State::kWaiting && task.queue->pending.front().get() == &task &&
         std::all_of(task.after.begin(), task.after.end(),
                     [](const TaskPointer& other) { return other->state == Task::State::kDone; });
}

void Scheduler::run(const TaskPointer& task) {
  if (auto function = function_of(task->operation)) {
    task->state = Task::State::kRunning;
    host_functions_.call([this, task, call = std::move(function)] {
      call();
      const std::lock_guard lock(mutex_);
      finish(task, 0);
      if (schedule_ == Schedule::kEarly) run_ready();
      changed_.notify_all();
    });
    return;
  }
  const Executor::Outcome outcome = executor_.run(task->operation, task->tag);
  if (outcome.done) return finish(task, outcome.duration_ns);
  if (schedule_ == Schedule::kEarly) look_after_values();
}

/// The host may write the value that a stream waits for, and make no call after it.
void Scheduler::look_after_values() {
  if (std::exchange(looks_after_values_, true)) return;
  host_functions_.call([this] {
    std::this_thread::sleep_for(kValuePeriod);
    const std::lock_guard lock(mutex_);
    looks_after_values_ = false;
    run_ready();
    changed_.notify_all();
  });
}

void Scheduler::finish(const TaskPointer& task, std::uint64_t duration_ns) {
  Queue& queue = *task->queue;
  std::uint64_t start_ns = std::max(queue.end_ns, task->enqueued_ns);
  for (const TaskPointer& other : task->after) start_ns = std::max(start_ns, other->end_ns);
  task->state = Task::State::kDone;
  task->end_ns = queue.end_ns = start_ns + duration_ns;
  task->after.clear();
  task->operation = MarkOperation{};
  queue.pending.pop_front();
  if (queue.pending.empty()) std::erase(busy_, task->queue);
  if (busy_.empty() && watched_ != nullptr) watched_->disarm();
}

bool Scheduler::run_ready() {
  bool moved = false;
  for (bool moves = true; moves; moved |= moves) {
    std::vector<TaskPointer> ready;
    for (const auto& queue : busy_) {
      if (is_ready(*queue->pending.front())) ready.push_back(queue->pending.front());
    }
    std::sort(ready.begin(), ready.end(), is_earlier);
    // Of those that wait for a value in memory, none hinders the others.
    moves = std::any_of(ready.begin(), ready.end(), [this](const TaskPointer& task) {
      run(task);
      return task->state != Task::State::kWaiting;
    });
  }
  return moved;
}

/// Runs, of what `last` waits for and itself, all that can run. False if nothing could.
bool Scheduler::run_before(const TaskPointer& last) {
  std::vector<TaskPointer> needed{last};
  std::unordered_set<const Task*> known{last.get()};
  std::unordered_map<const Queue*, std::size_t> looked_at;  // of what is pending, from the front
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const TaskPointer task = needed[i];
    const auto add = [&](const TaskPointer& other) {
      if (other->state != Task::State::kDone && known.insert(other.get()).second) {
        needed.push_back(other);
      }
    };
    for (const TaskPointer& other : task->after) add(other);
    const std::deque<TaskPointer>& pending = task->queue->pending;
    std::size_t& next = looked_at[task->queue.get()];
    for (; next < pending.size() && pending[next]->sequence < task->sequence; ++next) {
      add(pending[next]);
    }
  }
  std::sort(needed.begin(), needed.end(), is_earlier);
  bool moved = false;
  for (const TaskPointer& task : needed) {
    if (!is_ready(*task)) continue;
    run(task);
    moved |= task->state == Task::State::kDone;
  }
  return moved;
}

void Scheduler::pass_time(std::uint64_t time_ns) { host_ns_ = std::max(host_ns_, time_ns); }

void Scheduler::wait(const Point& point) {
  while (!point.is_done()) {
    if (run_before(point.task) || point.is_done() || run_ready()) continue;
    // A host function runs, or a stream waits for a value that another thread writes.
    std::unique_lock lock(mutex_, std::adopt_lock);
    changed_.wait_for(lock, kValuePeriod);
    static_cast<void>(lock.release());
  }
  pass_time(point.time_ns());
}

void Scheduler::wait(const std::shared_ptr<Queue>& queue) {
  for (const TaskPointer& task : tails(*queue)) wait({.task = task});
  pass_time(queue->end_ns);
}

void Scheduler::wait_for_all() {
  const std::vector<std::shared_ptr<Queue>> queues = busy_;
  for (const auto& queue : queues) wait(queue);
}

bool Scheduler::poll(const Point& point) {
  if (!point.is_done() && std::exchange(point.task->polled, true)) {
    while (!point.is_done() && run_before(point.task)) {
    }
  }
  if (point.is_done()) pass_time(point.time_ns());
  return point.is_done();
}

bool Scheduler::poll(const std::shared_ptr<Queue>& queue) {
  bool done = true;
  for (const TaskPointer& task : tails(*queue)) done &= poll({.task = task});
  if (done) pass_time(queue->end_ns);
  return done;
}

}  // namespace compass
