// SPDX-License-Identifier: MIT
#include "capture/contents/host_memory.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace compass::capture {
namespace {

/// Sandboxes may forbid process_vm_readv; write(2) also reports an address that cannot be read.
bool read_through_file(const void* address, std::uint64_t size_bytes, Bytes& out) {
  const int file = ::memfd_create("compass-capture", MFD_CLOEXEC);
  if (file < 0) return false;
  const auto size = static_cast<ssize_t>(size_bytes);
  const bool read = ::write(file, address, size_bytes) == size &&
                    ::pread(file, out.data(), size_bytes, 0) == size;
  ::close(file);
  return read;
}

}  // namespace

bool read_host_memory(const void* address, std::uint64_t size_bytes, Bytes& out) {
  out.resize(size_bytes);
  const iovec to{out.data(), out.size()};
  const iovec from{const_cast<void*>(address), out.size()};
  const ssize_t copied = ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0);
  if (copied >= 0 && static_cast<std::uint64_t>(copied) == size_bytes) return true;
  const bool forbidden = copied < 0 && (errno == EPERM || errno == ENOSYS);
  if (forbidden && read_through_file(address, size_bytes, out)) return true;
  out.clear();
  return false;
}

bool read_host_rows(const HostRows& rows, Bytes& out) {
  const auto pointer = [&](std::uint64_t offset_bytes) {
    return reinterpret_cast<const void*>(rows.address + offset_bytes);  // NOLINT: a guest's address
  };
  if (rows.counts == RowCounts{}) return read_host_memory(pointer(0), rows.size_bytes, out);
  out.clear();
  bool is_read = true;
  Bytes part;
  for_each_row(rows.counts, [&](std::uint64_t slice, std::uint64_t row) {
    is_read = is_read &&
              read_host_memory(pointer(rows.pitches.offset_of(slice, row)), rows.row_bytes(), part);
    if (is_read) out.insert(out.end(), part.begin(), part.end());
  });
  if (!is_read) out.clear();
  return is_read;
}

}  // namespace compass::capture
