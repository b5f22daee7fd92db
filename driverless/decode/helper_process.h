// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "ir/base/result.h"

namespace compass::decode {

/// A child program that is talked to over a socket on its standard input and output.
///
/// The surrounding program does not notice it: no wait of its finds the child, no signal tells of
/// its end, none of its files stays open there, and a descriptor that it has closed or made
/// something else is neither used nor closed. After a fork the child of the program starts a helper
/// of its own.
class HelperProcess {
 public:
  HelperProcess() = default;
  ~HelperProcess() { stop(); }
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  Result<void> start(const std::string& path, const std::string& argument);
  /// Whether it can be talked to; what the program has taken from it is given up.
  bool running();
  void stop();

  /// False once the helper is gone.
  bool send(const void* data, std::size_t size);
  bool receive(void* data, std::size_t size);

 private:
  bool is_ours() const;

  int socket_ = -1;
  ino_t socket_inode_ = 0;
  pid_t owner_ = 0;  // the process that started it
};

}  // namespace compass::decode
