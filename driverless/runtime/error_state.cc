// SPDX-License-Identifier: MIT
#include "driverless/runtime/error_state.h"

#include <utility>

#include "driverless/runtime/abi_major.h"

namespace compass {
namespace {

constexpr int kFirstMajorThatKeepsErrors = 7;

struct ThreadErrors {
  hip::Error last_error = hip::kSuccess;
  hip::Error last_result = hip::kSuccess;
};
thread_local ThreadErrors errors;

bool is_failure(hip::Error error) { return error != hip::kSuccess && error != hip::kErrorNotReady; }

}  // namespace

hip::Error note_error(hip::Error error) {
  errors.last_result = error;
  if (is_failure(error) || abi_major() < kFirstMajorThatKeepsErrors) errors.last_error = error;
  return error;
}

hip::Error last_error() { return errors.last_error; }

hip::Error take_last_error() { return std::exchange(errors.last_error, hip::kSuccess); }

hip::Error take_last_result() { return std::exchange(errors.last_result, hip::kSuccess); }

}  // namespace compass
