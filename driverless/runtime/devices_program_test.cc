// SPDX-License-Identifier: MIT

// A program that is linked against libamdhip64 and asks about three devices of 8 GiB each.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <thread>

#include "driverless/runtime/api.h"

namespace compass::hip {

extern "C" Error hipGLGetDevices();

namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30;

/// Each test ends as it began: on the first device, with nothing set.
struct Devices : testing::Test {
  ~Devices() override {
    for (const int ordinal : {2, 1, 0}) {
      EXPECT_EQ(hipSetDevice(ordinal), kSuccess);
      EXPECT_EQ(hipDeviceReset(), kSuccess);
    }
    static_cast<void>(hipGetLastError());
  }
};

int current() {
  int ordinal = -1;
  EXPECT_EQ(hipGetDevice(&ordinal), kSuccess);
  return ordinal;
}

TEST_F(Devices, AreAsManyAsDeclaredAndEachOfTheDeclaredSize) {
  int count = 0;
  ASSERT_EQ(hipGetDeviceCount(&count), kSuccess);
  EXPECT_EQ(count, 3);
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    std::size_t size_bytes = 0;
    EXPECT_EQ(hipDeviceTotalMem(&size_bytes, ordinal), kSuccess);
    EXPECT_EQ(size_bytes, 8 * kGiB);
    DeviceProperties properties;
    EXPECT_EQ(hipGetDevicePropertiesR0600(&properties, ordinal), kSuccess);
    EXPECT_EQ(properties.total_global_memory_bytes, 8 * kGiB);
    int device = -1;
    EXPECT_EQ(hipDeviceGet(&device, ordinal), kSuccess);
    EXPECT_EQ(device, ordinal);
  }
  EXPECT_EQ(hipDeviceGet(&count, 3), kErrorInvalidDevice);
  EXPECT_EQ(hipDeviceGet(nullptr, 0), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceTotalMem(nullptr, 0), kErrorInvalidValue);
}

TEST_F(Devices, AreChosenByEachThread) {
  EXPECT_EQ(hipSetDevice(2), kSuccess);
  int of_thread = -1;
  std::thread([&] {
    of_thread = current();
    EXPECT_EQ(hipSetDevice(1), kSuccess);
  }).join();
  EXPECT_EQ(of_thread, 0);
  EXPECT_EQ(current(), 2);
  EXPECT_EQ(hipSetDevice(3), kErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(-1), kErrorInvalidDevice);
  EXPECT_EQ(current(), 2) << "a failed choice changes nothing";
}

TEST_F(Devices, HaveTheirOwnMemoryInOneAddressSpace) {
  std::array<void*, 2> pointers{};
  for (const int ordinal : {0, 1}) {
    EXPECT_EQ(hipSetDevice(ordinal), kSuccess);
    EXPECT_EQ(hipMalloc(&pointers[static_cast<std::size_t>(ordinal)], 5 * kGiB), kSuccess);
  }
  EXPECT_NE(pointers[0], pointers[1]);
  void* more = nullptr;
  EXPECT_EQ(hipMalloc(&more, 5 * kGiB), kErrorOutOfMemory);
  std::size_t free_bytes = 0, total_bytes = 0;
  EXPECT_EQ(hipMemGetInfo(&free_bytes, &total_bytes), kSuccess);
  EXPECT_EQ(free_bytes, 3 * kGiB);
  EXPECT_EQ(total_bytes, 8 * kGiB);
  EXPECT_EQ(hipFree(pointers[0]), kSuccess) << "from the other device";
  EXPECT_EQ(hipMemGetInfo(&free_bytes, &total_bytes), kSuccess);
  EXPECT_EQ(free_bytes, 3 * kGiB);
  EXPECT_EQ(hipSetDevice(0), kSuccess);
  EXPECT_EQ(hipMemGetInfo(&free_bytes, &total_bytes), kSuccess);
  EXPECT_EQ(free_bytes, 8 * kGiB);
}

TEST_F(Devices, ResetEndsTheirMemoryAndStreamsAndNoOthers) {
  EXPECT_EQ(hipSetDevice(1), kSuccess);
  void *pointer = nullptr, *other = nullptr;
  Stream stream = nullptr, other_stream = nullptr;
  EXPECT_EQ(hipMalloc(&pointer, kGiB), kSuccess);
  EXPECT_EQ(hipStreamCreate(&stream), kSuccess);
  EXPECT_EQ(hipDeviceSetLimit(0, 4096), kSuccess);
  EXPECT_EQ(hipSetDevice(2), kSuccess);
  EXPECT_EQ(hipMalloc(&other, kGiB), kSuccess);
  EXPECT_EQ(hipStreamCreate(&other_stream), kSuccess);
  EXPECT_EQ(hipSetDevice(1), kSuccess);
  EXPECT_EQ(hipDeviceReset(), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), kErrorInvalidHandle);
  EXPECT_EQ(hipMemset(pointer, 0, 4), kErrorInvalidValue);
  std::size_t free_bytes = 0, total_bytes = 0, stack_bytes = 0;
  EXPECT_EQ(hipMemGetInfo(&free_bytes, &total_bytes), kSuccess);
  EXPECT_EQ(free_bytes, total_bytes);
  EXPECT_EQ(hipDeviceGetLimit(&stack_bytes, 0), kSuccess);
  EXPECT_EQ(stack_bytes, 1024u);
  EXPECT_EQ(hipMemset(other, 0, 4), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(other_stream), kSuccess);
  EXPECT_EQ(current(), 1);
}

TEST_F(Devices, AreToldApart) {
  std::array<Uuid, 2> uuids{};
  EXPECT_EQ(hipDeviceGetUuid(&uuids[0], 0), kSuccess);
  EXPECT_EQ(hipDeviceGetUuid(&uuids[1], 2), kSuccess);
  EXPECT_NE(std::memcmp(&uuids[0], &uuids[1], sizeof(Uuid)), 0);
  EXPECT_EQ(hipDeviceGetUuid(nullptr, 0), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetUuid(&uuids[0], 3), kErrorInvalidDevice);
  std::array<char, 13> name{};
  EXPECT_EQ(hipDeviceGetPCIBusId(name.data(), name.size(), 2), kSuccess);
  EXPECT_STREQ(name.data(), "0000:03:00.0");
  int ordinal = -1;
  EXPECT_EQ(hipDeviceGetByPCIBusId(&ordinal, name.data()), kSuccess);
  EXPECT_EQ(ordinal, 2);
  EXPECT_EQ(hipDeviceGetByPCIBusId(&ordinal, "0000:04:00.0"), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetByPCIBusId(&ordinal, "03:00"), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetByPCIBusId(nullptr, name.data()), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetPCIBusId(name.data(), 5, 0), kErrorInvalidValue);
  EXPECT_STREQ(name.data(), "0000");
  EXPECT_EQ(hipDeviceGetPCIBusId(name.data(), 13, -1), kErrorInvalidDevice);
}

TEST_F(Devices, HaveBothLayoutsOfProperties) {
  DeviceProperties properties;
  LegacyDeviceProperties legacy, same;
  EXPECT_EQ(hipGetDevicePropertiesR0600(&properties, 1), kSuccess);
  EXPECT_EQ(hipGetDevicePropertiesR0000(&legacy, 1), kSuccess);
  EXPECT_EQ(hipGetDeviceProperties(&same, 1), kSuccess) << "the old name has the old layout";
  EXPECT_EQ(std::memcmp(&legacy, &same, sizeof legacy), 0);
  EXPECT_STREQ(legacy.gcn_arch_name, properties.gcn_arch_name);
  EXPECT_EQ(legacy.pci_bus, properties.pci_bus);
  EXPECT_EQ(hipGetDeviceProperties(&legacy, 3), kErrorInvalidDevice);
  EXPECT_EQ(hipGetDeviceProperties(nullptr, 0), kErrorInvalidValue);
  int major = 0, minor = 0;
  EXPECT_EQ(hipDeviceComputeCapability(&major, &minor, 0), kSuccess);
  EXPECT_EQ(major, legacy.major);
  EXPECT_EQ(minor, legacy.minor);
}

TEST_F(Devices, AreChosenByWhatTheyOffer) {
  DeviceProperties wanted{};
  int ordinal = -1;
  wanted.total_global_memory_bytes = kGiB;
  EXPECT_EQ(hipChooseDeviceR0600(&ordinal, &wanted), kSuccess);
  EXPECT_EQ(ordinal, 0);
  wanted.total_global_memory_bytes = 9 * kGiB;
  EXPECT_EQ(hipChooseDeviceR0600(&ordinal, &wanted), kSuccess);
  EXPECT_EQ(ordinal, 0) << "where none offers it";
  LegacyDeviceProperties legacy{};
  EXPECT_EQ(hipChooseDevice(&ordinal, &legacy), kSuccess);
  EXPECT_EQ(hipChooseDevice(nullptr, &legacy), kErrorInvalidValue);
  EXPECT_EQ(hipChooseDeviceR0000(&ordinal, nullptr), kErrorInvalidValue);
}

TEST_F(Devices, AreHintedAtThreadsThatHaveNotChosen) {
  std::array<int, 2> ordinals{2, 1};
  std::thread([&] {
    EXPECT_EQ(hipSetValidDevices(ordinals.data(), 2), kSuccess);
    EXPECT_EQ(current(), 2);
    EXPECT_EQ(hipSetDevice(0), kSuccess);
    EXPECT_EQ(hipSetValidDevices(ordinals.data(), 2), kSuccess);
    EXPECT_EQ(current(), 0);
  }).join();
  EXPECT_EQ(hipSetValidDevices(nullptr, 0), kSuccess);
  EXPECT_EQ(hipSetValidDevices(nullptr, 1), kErrorInvalidValue);
  EXPECT_EQ(hipSetValidDevices(ordinals.data(), 4), kErrorInvalidValue);
  ordinals[1] = 3;
  EXPECT_EQ(hipSetValidDevices(ordinals.data(), 2), kErrorInvalidDevice);
}

TEST_F(Devices, AreEachOthersPeers) {
  int can_access = -1;
  EXPECT_EQ(hipDeviceCanAccessPeer(&can_access, 0, 1), kSuccess);
  EXPECT_EQ(can_access, 1);
  EXPECT_EQ(hipDeviceCanAccessPeer(&can_access, 1, 1), kSuccess);
  EXPECT_EQ(can_access, 0);
  EXPECT_EQ(hipDeviceCanAccessPeer(&can_access, 0, 3), kErrorInvalidDevice);
  EXPECT_EQ(hipDeviceCanAccessPeer(nullptr, 0, 1), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), kErrorPeerAccessNotEnabled);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 1), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), kSuccess);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), kErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(hipDeviceEnablePeerAccess(2, 0), kSuccess);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), kSuccess);
  EXPECT_EQ(hipDeviceEnablePeerAccess(0, 0), kErrorInvalidDevice) << "itself";
  EXPECT_EQ(hipDeviceEnablePeerAccess(3, 0), kErrorInvalidDevice);
}

TEST_F(Devices, AreLinked) {
  int value = 0;
  EXPECT_EQ(hipDeviceGetP2PAttribute(&value, 1, 0, 1), kSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(hipDeviceGetP2PAttribute(&value, 4, 0, 1), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetP2PAttribute(&value, 1, 1, 1), kErrorInvalidDevice);
  EXPECT_EQ(hipDeviceGetP2PAttribute(nullptr, 1, 0, 1), kErrorInvalidValue);
  std::uint32_t link_type = 0, hops = 0;
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(2, 0, &link_type, &hops), kSuccess);
  EXPECT_EQ(link_type, 4u);
  EXPECT_EQ(hops, 1u);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(0, 0, &link_type, &hops), kErrorInvalidValue);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(0, 7, &link_type, &hops), kErrorInvalidDevice);
}

TEST_F(Devices, RememberWhatIsSet) {
  unsigned flags = 0;
  EXPECT_EQ(hipSetDeviceFlags(0x2 | 0x8), kSuccess);
  EXPECT_EQ(hipGetDeviceFlags(&flags), kSuccess);
  EXPECT_EQ(flags, 0x2u) << "how waits are scheduled";
  EXPECT_EQ(hipSetDeviceFlags(0x1 | 0x2), kErrorInvalidValue);
  EXPECT_EQ(hipSetDeviceFlags(0x40), kErrorInvalidValue);
  EXPECT_EQ(hipSetDevice(1), kSuccess);
  EXPECT_EQ(hipGetDeviceFlags(&flags), kSuccess);
  EXPECT_EQ(flags, 0x1u) << "of the other device";
  int value = -1;
  EXPECT_EQ(hipDeviceGetCacheConfig(&value), kSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(hipDeviceSetCacheConfig(3), kSuccess);
  EXPECT_EQ(hipDeviceSetCacheConfig(4), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetSharedMemConfig(&value), kSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(hipDeviceSetSharedMemConfig(3), kErrorInvalidValue);
}

TEST_F(Devices, HaveLimits) {
  std::size_t value = 0;
  EXPECT_EQ(hipDeviceSetLimit(0, 65536), kSuccess);
  EXPECT_EQ(hipDeviceGetLimit(&value, 0), kSuccess);
  EXPECT_EQ(value, 65536u);
  EXPECT_EQ(hipDeviceSetLimit(0, 131072), kErrorInvalidValue) << "a lane has no more scratch";
  EXPECT_EQ(hipDeviceSetLimit(2, 9 * kGiB), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetLimit(&value, 2), kSuccess);
  EXPECT_EQ(value, std::size_t{8} << 20);
  EXPECT_EQ(hipDeviceGetLimit(&value, 1), kErrorUnsupportedLimit);
  EXPECT_EQ(hipDeviceSetLimit(0x1000, 1), kErrorUnsupportedLimit);
  EXPECT_EQ(hipDeviceGetLimit(&value, 0x1003), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetLimit(nullptr, 0), kErrorInvalidValue);
}

TEST_F(Devices, HaveOneContextEach) {
  Context first = nullptr, second = nullptr, popped = nullptr;
  EXPECT_EQ(hipCtxCreate(&first, 0, 1), kSuccess);
  EXPECT_EQ(current(), 1);
  EXPECT_EQ(hipDevicePrimaryCtxRetain(&second, 2), kSuccess);
  EXPECT_NE(first, second);
  EXPECT_EQ(hipCtxPushCurrent(second), kSuccess);
  EXPECT_EQ(current(), 2);
  EXPECT_EQ(hipCtxPopCurrent(&popped), kSuccess);
  EXPECT_EQ(popped, second);
  EXPECT_EQ(current(), 1) << "what is below is current again";
  EXPECT_EQ(hipCtxSetCurrent(second), kSuccess);
  EXPECT_EQ(hipCtxGetCurrent(&popped), kSuccess);
  EXPECT_EQ(popped, second);
  EXPECT_EQ(hipCtxDestroy(second), kSuccess);
  EXPECT_EQ(hipCtxPopCurrent(&popped), kErrorInvalidContext) << "the stack is empty";
  EXPECT_EQ(hipCtxPushCurrent(nullptr), kErrorInvalidContext);
  EXPECT_EQ(hipCtxPushCurrent(reinterpret_cast<Context>(&popped)), kErrorInvalidContext);
  EXPECT_EQ(hipCtxDestroy(nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipCtxCreate(&first, 0, 3), kErrorInvalidValue);
  EXPECT_EQ(hipCtxCreate(nullptr, 0, 0), kErrorInvalidValue);
}

TEST_F(Devices, SayWhetherTheirPrimaryContextIsInUse) {
  unsigned flags = 7;
  int active = -1;
  EXPECT_EQ(hipSetDevice(2), kSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxGetState(2, &flags, &active), kSuccess);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(hipDevicePrimaryCtxReset(2), kSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxGetState(2, nullptr, &active), kSuccess);
  EXPECT_EQ(active, 0);
  EXPECT_EQ(hipDevicePrimaryCtxSetFlags(2, 0), kErrorContextAlreadyInUse);
  EXPECT_EQ(hipDevicePrimaryCtxRelease(2), kSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxRelease(3), kErrorInvalidDevice);
  EXPECT_EQ(hipDevicePrimaryCtxRetain(nullptr, 0), kErrorInvalidValue);
}

TEST(ProcAddress, IsThatOfTheFunctionOfThatName) {
  void* function = nullptr;
  int result = -1;
  EXPECT_EQ(hipGetProcAddress("hipMalloc", &function, 700, 0, &result), kSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&hipMalloc));
  EXPECT_EQ(result, 0);
  EXPECT_EQ(hipGetProcAddress("hipGLGetDevices", &function, 700, 1, nullptr), kSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&hipGLGetDevices));
  EXPECT_EQ(hipGetDriverEntryPoint("hipFree", &function, 0, &result), kSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&hipFree));
}

TEST(ProcAddress, FollowsTheVersionWhereStructuresChanged) {
  void* function = nullptr;
  EXPECT_EQ(hipGetProcAddress("hipGetDeviceProperties", &function, 502, 0, nullptr), kSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&hipGetDeviceProperties));
  EXPECT_EQ(hipGetProcAddress("hipGetDeviceProperties", &function, 600, 0, nullptr), kSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&hipGetDevicePropertiesR0600));
  EXPECT_EQ(hipGetProcAddress("hipChooseDevice", &function, 700, 2, nullptr), kSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&hipChooseDeviceR0600));
}

TEST(ProcAddress, IsTheThreadsOwnWhereThatIsWanted) {
  void *legacy = nullptr, *own = nullptr, *default_of_spt = nullptr;
  EXPECT_EQ(hipGetProcAddress("hipMemcpy", &legacy, 700, 1, nullptr), kSuccess);
  EXPECT_EQ(hipGetProcAddress("hipMemcpy", &own, 700, 2, nullptr), kSuccess);
  EXPECT_NE(own, legacy);
  EXPECT_EQ(hipGetDriverEntryPoint_spt("hipMemcpy", &default_of_spt, 0, nullptr), kSuccess);
  EXPECT_EQ(default_of_spt, own);
  EXPECT_EQ(hipGetProcAddress("hipMalloc", &own, 700, 2, nullptr), kSuccess)
      << "that has no such form";
}

TEST(ProcAddress, IsNullForOtherNames) {
  for (const char* name : {"hipNoSuchCall", "malloc", "compass_abi"}) {
    void* function = &function;
    int result = -1;
    EXPECT_EQ(hipGetProcAddress(name, &function, 700, 0, &result), kErrorInvalidValue) << name;
    EXPECT_EQ(function, nullptr);
    EXPECT_EQ(result, 1);
  }
  void* function = nullptr;
  EXPECT_EQ(hipGetProcAddress(nullptr, &function, 700, 0, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGetProcAddress("", &function, 700, 0, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGetProcAddress("hipMalloc", nullptr, 700, 0, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGetProcAddress("hipMalloc", &function, 700, 3, nullptr), kErrorInvalidValue);
}

TEST(Errors, OfTheDriverInterfaceAreNamedIfTheyAreHips) {
  const char* text = nullptr;
  EXPECT_EQ(hipDrvGetErrorName(kErrorNotFound, &text), kSuccess);
  EXPECT_STREQ(text, "hipErrorNotFound");
  EXPECT_EQ(hipDrvGetErrorString(kErrorNotFound, &text), kSuccess);
  EXPECT_STREQ(text, "named symbol not found");
  EXPECT_EQ(hipDrvGetErrorName(static_cast<Error>(10), &text), kErrorInvalidValue);
  EXPECT_EQ(hipDrvGetErrorName(kErrorUnknown, &text), kSuccess);
  EXPECT_EQ(hipDrvGetErrorName(kErrorNotFound, nullptr), kErrorInvalidValue);
}

TEST(Errors, LastUntilTheyAreAskedFor) {
  static_cast<void>(hipGetLastError());
  EXPECT_EQ(hipSetDevice(77), kErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(0), kSuccess);
  EXPECT_EQ(hipExtGetLastError(), kSuccess) << "of the last call";
  EXPECT_EQ(hipPeekAtLastError(), kErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), kErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), kSuccess);
}

}  // namespace
}  // namespace compass::hip
