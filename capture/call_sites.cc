// SPDX-License-Identifier: MIT
#include "capture/call_sites.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string_view>

#include "ir/hip/runtime_name.h"

namespace compass::capture {
namespace {

constexpr std::size_t kMostSites = std::size_t{1} << 16;
/// Frames of the program that are kept: enough to tell who asked.
constexpr std::size_t kKeptFrames = 8;

std::optional<CallSites::Modules> wanted_modules() {
  const char* const text = std::getenv("COMPASS_CALLSITES");
  const std::string_view wanted = text == nullptr ? "" : text;
  if (wanted == "names") return CallSites::Modules::kNames;
  if (wanted == "paths") return CallSites::Modules::kPaths;
  return std::nullopt;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// The program's own file goes by the name that it was called by, which may be no path.
std::string path_of(const Dl_info& module) {
  char path[PATH_MAX];
  const std::string_view name = module.dli_fname == nullptr ? "" : module.dli_fname;
  if (name.starts_with('/')) return std::string(name);
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string(name);
}

const void* own_module() {
  static const void* const base = [] {
    Dl_info self{};
    return ::dladdr(reinterpret_cast<const void*>(&own_module), &self) == 0 ? nullptr
                                                                            : self.dli_fbase;
  }();
  return base;
}

bool is_between(const Dl_info& module) {
  return module.dli_fbase == own_module() ||
         (module.dli_fname != nullptr && hip::is_runtime_file(module.dli_fname));
}

/// Whether this thread is in current(): a signal handler must not wait for its lock.
constinit thread_local bool is_finding [[gnu::tls_model("initial-exec")]] = false;

class Finding {
 public:
  Finding() { is_finding = true; }
  Finding(const Finding&) = delete;
  Finding& operator=(const Finding&) = delete;
  ~Finding() { is_finding = false; }
};

}  // namespace

CallSites::CallSites() : modules_(wanted_modules()) {}

bool CallSites::prepare() {
  void* frame = nullptr;
  return !are_wanted() || ::backtrace(&frame, 1) == 1;
}

std::uint32_t CallSites::current() {
  if (!are_wanted() || is_finding) return 0;
  const Finding finding;
  std::array<void*, kMostFrames> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  Addresses addresses{};
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    addresses[place] = reinterpret_cast<std::uintptr_t>(frames[place]);
  }
  {
    const std::lock_guard lock(mutex_);
    const auto known = numbers_.find(addresses);
    if (known != numbers_.end()) return known->second;
    if (sites_.size() == kMostSites) return 0;
  }
  CallSite site = describe(addresses);
  const std::lock_guard lock(mutex_);
  const auto number = static_cast<std::uint32_t>(sites_.size() + 1);
  const auto [place, is_new] = numbers_.try_emplace(addresses, number);
  if (is_new) sites_.push_back(std::move(site));
  return place->second;
}

const CallSite& CallSites::at(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  return sites_[number - 1];
}

void CallSites::before_fork() {
  if (!is_finding) mutex_.lock();
}

void CallSites::after_fork() {
  if (!is_finding) mutex_.unlock();
}

CallSite CallSites::describe(const Addresses& addresses) const {
  CallSite site;
  bool is_program = false;
  for (const std::uintptr_t after_call : addresses) {
    if (after_call == 0) break;
    const std::uintptr_t address = after_call - 1;  // in the call, not behind it
    Dl_info module{};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code
    const bool is_known = ::dladdr(reinterpret_cast<const void*>(address), &module) != 0;
    is_program = is_program || !is_known || !is_between(module);
    if (!is_program) continue;
    CallSite::Frame frame;
    if (is_known) {
      const std::string path = path_of(module);
      frame.module = modules_ == Modules::kPaths ? path : std::string(file_name(path));
      frame.offset_bytes = address - reinterpret_cast<std::uintptr_t>(module.dli_fbase);
      if (module.dli_sname != nullptr) frame.symbol = module.dli_sname;
    }
    site.frames.push_back(std::move(frame));
    if (site.frames.size() == kKeptFrames) break;
  }
  return site;
}

}  // namespace compass::capture
