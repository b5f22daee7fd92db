// SPDX-License-Identifier: MIT
#include "driverless/runtime/runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "driverless/runtime/notice.h"

namespace compass {
namespace {

constexpr std::uint64_t kStreamLegacy = 1;
constexpr std::uint64_t kStreamPerThread = 2;

/// COMPASS_COPIES: "early", which is the default, or "late".
Schedule chosen_schedule() {
  const char* const name = std::getenv("COMPASS_COPIES");
  if (name == nullptr || std::string_view(name) == "early") return Schedule::kEarly;
  if (std::string_view(name) == "late") return Schedule::kLate;
  notice_once(concat("COMPASS_COPIES is '", name, "': expected early or late; early is taken"));
  return Schedule::kEarly;
}

/// The decoder that COMPASS_DECODER names, or the one installed with this library.
std::string decoder_path() {
  if (const char* const path = std::getenv("COMPASS_DECODER")) return path;
  Dl_info info{};
  const bool found = ::dladdr(reinterpret_cast<const void*>(&decoder_path), &info) != 0;
  const std::string library = found && info.dli_fname != nullptr ? info.dli_fname : "";
  const std::size_t slash = library.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
  return folder + "/../decode/compass-decode";
}

/// The process that has the devices: a child that it forks must not speak for it.
pid_t owner = 0;

/// The process ends: work that nobody waited for runs, so that it is seen.
void end_process() {
  if (::getpid() != owner) return;
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  Platform& platform = *runtime.existing_platform();
  platform.scheduler.run_ready();
  const std::string line = platform.executor.closing_line();
  if (!line.empty()) notice(line);
}

std::shared_ptr<Queue> make_default_queue(int device_ordinal) {
  auto queue = std::make_shared<Queue>();
  queue->device_ordinal = device_ordinal;
  return queue;
}

/// The calling thread's own default stream on a device; it ends with the thread.
std::shared_ptr<Queue> per_thread_queue(const Device& device) {
  thread_local std::vector<std::shared_ptr<Queue>> queues;
  const auto index = static_cast<std::size_t>(device.ordinal);
  if (queues.size() <= index) queues.resize(index + 1);
  if (queues[index] == nullptr) queues[index] = make_default_queue(device.ordinal);
  return queues[index];
}

}  // namespace

Platform::Platform(std::mutex& mutex, const arch::DeclaredDevices& declared, std::string decoder,
                   Schedule schedule)
    : agent(declared.architecture, std::move(decoder)),
      memory(agent.memory()),
      executor(agent, memory),
      scheduler(mutex, executor, schedule) {
  if (schedule == Schedule::kLate) watch_pinned_memory(mutex);
  for (const int declared_ordinal : declared.visible) {
    const auto ordinal = static_cast<int>(devices.size());
    auto queue = make_default_queue(ordinal);
    queue->is_legacy = true;
    devices.push_back(std::make_unique<Device>(
        Device{.platform = *this,
               .ordinal = ordinal,
               .properties = properties_of(declared.architecture, declared_ordinal),
               .declared_bytes = declared.architecture.memory_bytes,
               .used_bytes = 0,
               .legacy_queue = std::move(queue)}));
  }
}

void Platform::watch_pinned_memory(std::mutex& mutex) {
  auto created = WatchedMemory::create([this, &mutex] {
    const std::lock_guard lock(mutex);
    scheduler.run_ready();
  });
  if (!created) {
    notice_once(concat(created.error().message,
                       ": a host that polls memory without a call gets no late work to run"));
    return;
  }
  watched = std::move(created).value();
  memory.watch(*watched);
  scheduler.watch(*watched);
}

std::shared_ptr<Queue> find_queue(Device& device, hip::Stream stream) {
  const auto number = reinterpret_cast<std::uint64_t>(stream);
  if (stream == nullptr || number == kStreamLegacy) return device.legacy_queue;
  if (number == kStreamPerThread) return per_thread_queue(device);
  const std::shared_ptr<Queue>* const queue = device.platform.streams.find(stream);
  return queue == nullptr ? nullptr : *queue;
}

Runtime& Runtime::get() {
  static auto* const runtime = [] {
    // Whatever another thread is at, a forked child finds the runtime whole and unlocked.
    ::pthread_atfork([] { Runtime::get().mutex().lock(); }, [] { Runtime::get().mutex().unlock(); },
                     [] { Runtime::get().begin_child(); });
    return new Runtime;
  }();
  return *runtime;
}

void Runtime::begin_child() {
  forked_ = platform_ != nullptr;
  mutex_.unlock();
}

Device* Runtime::device(hip::Error& error) {
  if (platform_ == nullptr) {
    const arch::DeclaredDevices* const declared = declared_devices(error);
    if (declared == nullptr) return nullptr;
    platform_ = std::make_unique<Platform>(mutex_, *declared, decoder_path(), chosen_schedule());
    owner = ::getpid();
    std::atexit(end_process);
  }
  if (forked_) {
    notice_once(
        "this process was forked from one that had used HIP; a device does not survive that: every "
        "call gets hipErrorNotInitialized");
    error = hip::kErrorNotInitialized;
    return nullptr;
  }
  return platform_->devices[static_cast<std::size_t>(current_device_ordinal())].get();
}

int& current_device_ordinal() {
  thread_local int ordinal = 0;
  return ordinal;
}

}  // namespace compass
