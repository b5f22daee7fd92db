// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "ir/journal/append_file.h"

namespace compass::capture {

/// Starts a thread that serves the file: makes room in it ahead of the program's threads, and gives
/// back what is behind them. Where the system makes no thread, they go on doing that themselves.
///
/// The thread takes no signal and no memory, holds nothing that a fork needs, and ends with the
/// file, or once it is the last one of the process, which it must not keep from ending.
void serve_by_thread(const std::shared_ptr<journal::AppendFile>& file);

}  // namespace compass::capture
