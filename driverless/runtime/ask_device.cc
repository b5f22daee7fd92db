// SPDX-License-Identifier: MIT
//
// compass-ask-device LIBRARY…: opens the first HIP runtime of these that can be opened, and asks it
// what its devices are in every way that HIP has, for `compass-capture doctor`. It may crash or
// hang in a driver. Each answer is a line: the device's ordinal or "-", the question, the call that
// answered, the answer, between tabs.
#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "driverless/runtime/device_properties.h"
#include "driverless/runtime/legacy_device_properties.h"
#include "ir/base/concat.h"
#include "ir/hip/abi.h"

namespace compass {
namespace {

/// A HIP runtime that has been opened.
class Runtime {
 public:
  explicit Runtime(void* library) : library_(library) {}

  /// Calls the function of this name; what went wrong, or an empty text.
  template <class... Arguments>
  std::string call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<hip::Error (*)(Arguments...)>(::dlsym(library_, name));
    if (function == nullptr) return "no such function";
    const hip::Error error = function(arguments...);
    return error == hip::kSuccess ? "" : concat("hipError ", static_cast<int>(error));
  }

  /// By the dynamic linker's word: a recorder answers for functions.
  std::string file() const {
    const link_map* map = nullptr;
    return ::dlinfo(library_, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
  }

 private:
  void* library_;
};

void print(const std::string& device, std::string_view question, std::string_view call,
           std::string_view answer) {
  std::string text = concat(device, "\t", question, "\t", call, "\t", answer);
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

std::string version_text(int version) {
  return concat(version / 10'000'000, ".", version / 100'000 % 100, ".", version % 100'000);
}

std::string address(int domain, int bus, int slot) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", static_cast<unsigned>(domain),
                static_cast<unsigned>(bus), static_cast<unsigned>(slot));
  return text.data();
}

template <std::size_t N>
std::string_view text_of(const char (&field)[N]) {
  const std::string_view all(field, N);
  return all.substr(0, all.find('\0'));
}

/// Asks one device.
class Questions {
 public:
  Questions(const Runtime& runtime, int ordinal)
      : runtime_(runtime), ordinal_(ordinal), device_(std::to_string(ordinal)) {}

  void ask_all() const {
    ask_properties<DeviceProperties>("hipGetDevicePropertiesR0600");
    ask_properties<LegacyDeviceProperties>("hipGetDeviceProperties");
    ask_attributes();
    ask_memory();
    ask_identity();
  }

 private:
  void tell(std::string_view question, std::string_view call, std::string_view answer) const {
    print(device_, question, call, answer);
  }
  void tell_failure(std::string_view question, std::string_view call,
                    const std::string& failure) const {
    tell(question, call, concat("failed: ", failure));
  }

  template <class Properties>
  void ask_properties(const char* call) const {
    static Properties properties;
    properties = {};
    const std::string failure = runtime_.call(call, &properties, ordinal_);
    if (!failure.empty()) return tell_failure("architecture", call, failure);
    const std::string_view target = text_of(properties.gcn_arch_name);
    tell("architecture", call, target.substr(0, target.find(':')));
    tell("target", call, target);
    tell("name", call, text_of(properties.name));
    tell("compute units", call, std::to_string(properties.compute_units));
    tell("wavefront size", call, std::to_string(properties.wavefront_size));
    tell("workgroup size", call, std::to_string(properties.max_workgroup_workitems));
    tell("LDS", call, concat(properties.lds_bytes_per_workgroup, " bytes"));
    tell("memory", call, concat(properties.total_global_memory_bytes, " bytes"));
    tell("clock", call, concat(properties.clock_khz, " kHz"));
    tell("capability", call, concat(properties.major, ".", properties.minor));
    tell("PCI address", call,
         address(properties.pci_domain, properties.pci_bus, properties.pci_device));
  }

  /// The attribute as a number; -1, and told, where there is none.
  int attribute(std::string_view question, int number) const {
    int value = -1;
    const std::string failure = runtime_.call("hipDeviceGetAttribute", &value, number, ordinal_);
    if (failure.empty()) return value;
    tell_failure(question, "hipDeviceGetAttribute", failure);
    return -1;
  }

  void ask_attributes() const {
    struct Attribute {
      std::string_view question;
      int number;
      std::string_view unit;
    };
    constexpr Attribute kAttributes[] = {
        {"compute units", 63, ""}, {"wavefront size", 87, ""}, {"workgroup size", 56, ""},
        {"LDS", 74, " bytes"},     {"clock", 5, " kHz"},
    };
    constexpr std::string_view kCall = "hipDeviceGetAttribute";
    for (const Attribute& each : kAttributes) {
      const int value = attribute(each.question, each.number);
      if (value >= 0) tell(each.question, kCall, concat(value, each.unit));
    }
    const int major = attribute("capability", 23), minor = attribute("capability", 61);
    if (major >= 0 && minor >= 0) tell("capability", kCall, concat(major, ".", minor));
    const int domain = attribute("PCI address", 69), bus = attribute("PCI address", 67);
    const int slot = attribute("PCI address", 68);
    if (domain >= 0 && bus >= 0 && slot >= 0) {
      tell("PCI address", kCall, address(domain, bus, slot));
    }
    int chip = 0;  // newer than some runtimes
    if (runtime_.call("hipDeviceGetAttribute", &chip, 10020, ordinal_).empty()) {
      tell("PCI device", kCall, hex(static_cast<std::uint64_t>(chip), 4));
    }
  }

  void ask_memory() const {
    std::size_t total = 0, free = 0;
    std::string failure = runtime_.call("hipDeviceTotalMem", &total, ordinal_);
    tell("memory", "hipDeviceTotalMem",
         failure.empty() ? concat(total, " bytes") : concat("failed: ", failure));
    failure = runtime_.call("hipSetDevice", ordinal_);
    if (failure.empty()) failure = runtime_.call("hipMemGetInfo", &free, &total);
    tell("memory", "hipMemGetInfo",
         failure.empty() ? concat(total, " bytes") : concat("failed: ", failure));
  }

  void ask_identity() const {
    std::array<char, 256> name{};
    std::string failure =
        runtime_.call("hipDeviceGetName", name.data(), static_cast<int>(name.size()), ordinal_);
    tell("name", "hipDeviceGetName", failure.empty() ? name.data() : concat("failed: ", failure));
    name = {};
    failure =
        runtime_.call("hipDeviceGetPCIBusId", name.data(), static_cast<int>(name.size()), ordinal_);
    tell("PCI address", "hipDeviceGetPCIBusId",
         failure.empty() ? name.data() : concat("failed: ", failure));
    std::array<char, 17> uuid{};
    failure = runtime_.call("hipDeviceGetUuid", uuid.data(), ordinal_);
    tell("UUID", "hipDeviceGetUuid", failure.empty() ? uuid.data() : concat("failed: ", failure));
    int major = 0, minor = 0;
    failure = runtime_.call("hipDeviceComputeCapability", &major, &minor, ordinal_);
    tell("capability", "hipDeviceComputeCapability",
         failure.empty() ? concat(major, ".", minor) : concat("failed: ", failure));
  }

  const Runtime& runtime_;
  int ordinal_;
  std::string device_;
};

void ask_runtime(const Runtime& runtime) {
  for (const char* call : {"hipRuntimeGetVersion", "hipDriverGetVersion"}) {
    int version = 0;
    const std::string failure = runtime.call(call, &version);
    print("-", "HIP version", call,
          failure.empty() ? version_text(version) : concat("failed: ", failure));
  }
  int count = 0;
  const std::string failure = runtime.call("hipGetDeviceCount", &count);
  // hipErrorNoDevice and hipErrorInsufficientDriver: there is none.
  const bool has_none = failure == "hipError 100" || failure == "hipError 35";
  const bool is_known = failure.empty() || has_none;
  print("-", "devices", "hipGetDeviceCount",
        is_known ? std::to_string(count) : concat("failed: ", failure));
  for (int ordinal = 0; failure.empty() && ordinal < count; ++ordinal) {
    Questions(runtime, ordinal).ask_all();
  }
}

int run(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: compass-ask-device LIBRARY… (a helper of compass-capture)\n", stderr);
    return 2;
  }
  std::string failures;
  for (int i = 1; i < argc; ++i) {
    if (void* const library = ::dlopen(argv[i], RTLD_LAZY | RTLD_LOCAL)) {
      const Runtime runtime(library);
      print("-", "library", argv[i], runtime.file());
      ask_runtime(runtime);
      return 0;
    }
    const char* const failure = ::dlerror();
    failures = concat(failures, failures.empty() ? "" : "; ", failure);
  }
  print("-", "failure", "dlopen", failures);
  return 1;
}

}  // namespace
}  // namespace compass

int main(int argc, char** argv) {
  const int code = compass::run(argc, argv);
  std::fflush(stdout);
  std::_Exit(code);  // a driver may hang in its destructors
}
