// SPDX-License-Identifier: MIT
#include "driverless/runtime/host_functions.h"

#include <thread>
#include <utility>

namespace compass {
namespace {

thread_local bool is_host_function_thread = false;

}  // namespace

void HostFunctions::call(std::function<void()> function) {
  if (state_ == nullptr) {
    state_ = new State;
    std::thread([state = state_] {
      is_host_function_thread = true;
      for (;;) {
        std::unique_lock lock(state->mutex);
        state->added.wait(lock, [state] { return !state->functions.empty(); });
        const std::function<void()> next = std::move(state->functions.front());
        state->functions.pop_front();
        lock.unlock();
        next();
      }
    }).detach();
  }
  const std::lock_guard lock(state_->mutex);
  state_->functions.push_back(std::move(function));
  state_->added.notify_one();
}

bool HostFunctions::is_this_thread() { return is_host_function_thread; }

}  // namespace compass
