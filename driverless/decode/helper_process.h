// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "ir/base/result.h"

namespace compass::decode {

/// A child program that is talked to over a socket on its standard input and output.
///
/// It never becomes a child that the surrounding program could wait for, dies when the socket closes,
/// and does not inherit preloaded or audit libraries.
class HelperProcess {
 public:
  HelperProcess() = default;
  ~HelperProcess() { stop(); }
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  Result<void> start(const std::string& path, const std::string& argument);
  bool running() const { return socket_ >= 0; }
  void stop();

  /// False once the helper is gone.
  bool send(const void* data, std::size_t size);
  bool receive(void* data, std::size_t size);

 private:
  int socket_ = -1;
};

}  // namespace compass::decode
