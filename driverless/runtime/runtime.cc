// SPDX-License-Identifier: MIT
#include "driverless/runtime/runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "driverless/runtime/notice.h"

namespace compass {
namespace {

constexpr std::uint64_t kStreamLegacy = 1;
constexpr std::uint64_t kStreamPerThread = 2;

const arch::Architecture* declared_architecture() {
  const char* const name = std::getenv("COMPASS_ARCH");
  const arch::Architecture* const architecture = name == nullptr ? nullptr : arch::find(name);
  if (architecture == nullptr) {
    const std::string what =
        name == nullptr ? "COMPASS_ARCH is not set" : concat("COMPASS_ARCH is '", name, "'");
    notice_once(concat(what, "; the driverless runtime has no device: expected ",
                       arch::list_of_names()));
  }
  return architecture;
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

/// The process that has the device: a child that it forks must not speak for it.
pid_t owner = 0;

void say_closing_line() {
  if (::getpid() != owner) return;
  const Device* const device = Runtime::get().existing_device();
  const std::string line = device == nullptr ? std::string() : device->launcher.closing_line();
  if (!line.empty()) notice(line);
}

}  // namespace

bool Device::has_stream(hip::Stream stream) {
  const auto number = reinterpret_cast<std::uint64_t>(stream);
  return stream == nullptr || number == kStreamLegacy || number == kStreamPerThread ||
         streams.find(stream) != nullptr;
}

Runtime& Runtime::get() {
  static auto* const runtime = [] {
    // Whatever another thread is at, a forked child finds the runtime whole and unlocked.
    ::pthread_atfork([] { Runtime::get().mutex().lock(); }, [] { Runtime::get().mutex().unlock(); },
                     [] { Runtime::get().mutex().unlock(); });
    return new Runtime;
  }();
  return *runtime;
}

Device* Runtime::device() {
  if (device_ == nullptr) {
    const arch::Architecture* const architecture = declared_architecture();
    if (architecture == nullptr) return nullptr;
    device_ = std::make_unique<Device>(*architecture, decoder_path());
    owner = ::getpid();
    std::atexit(say_closing_line);
  }
  return device_.get();
}

}  // namespace compass
