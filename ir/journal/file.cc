// SPDX-License-Identifier: MIT
#include "ir/journal/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <variant>

namespace compass::journal {
namespace {

constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kFramePrefixBytes = 12;

std::array<std::byte, kHeaderBytes> file_header() {
  std::array<std::byte, kHeaderBytes> header{};
  std::memcpy(header.data(), kMagic.data(), kMagic.size());
  std::memcpy(header.data() + kMagic.size(), &kVersion, sizeof kVersion);
  return header;
}

std::uint64_t checksum(ByteView payload) { return XXH3_64bits(payload.data(), payload.size()); }

bool write_all(int descriptor, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// The same open file under a number that programs which close "all" their files rarely reach.
int out_of_the_way(int descriptor) {
  constexpr int kLowest = 700;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kLowest);
  if (moved < 0) return descriptor;
  ::close(descriptor);
  return moved;
}

std::uint64_t file_size_limit() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return limit.rlim_cur;
}

Error system_error(std::string_view what, std::string_view path) {
  const int cause = errno;
  return {ErrorCode::kSystem, concat(what, " ", path, ": ", std::strerror(cause))};
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// The next `size` bytes, or fewer at the end of the file. A size that a frame merely claims is
/// never allocated before the bytes are known to be there.
Bytes read_up_to(std::FILE* file, std::uint64_t size, std::uint64_t remaining) {
  Bytes bytes(static_cast<std::size_t>(std::min(size, remaining)));
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  return bytes;
}

/// What kept a frame from being read.
struct Tear {
  std::string cause;
};
using Frame = std::variant<Entry, Tear>;

Frame read_frame(std::FILE* file, std::uint64_t remaining) {
  const Bytes prefix = read_up_to(file, kFramePrefixBytes, remaining);
  if (prefix.size() < kFramePrefixBytes) return Tear{"the file ends inside a frame's prefix"};
  const auto size = load<std::uint32_t>(prefix);
  const Bytes payload = read_up_to(file, size, remaining - kFramePrefixBytes);
  if (payload.size() < size) {
    return Tear{concat("the file ends inside a frame: ", payload.size(), " of ", size, " bytes")};
  }
  if (checksum(payload) != load<std::uint64_t>(prefix, 4)) {
    return Tear{"a frame's checksum does not fit its bytes"};
  }
  Result<Entry> entry = decode(payload);
  if (!entry) return Tear{std::move(entry.error().message)};
  return std::move(entry).value();
}

/// Checks the header; says whether all of it is there. A file that was cut inside its header, or
/// right after it was made, is torn but a journal.
Result<bool> check_header(ByteView header) {
  if (!kMagic.starts_with(as_text(header).substr(0, kMagic.size()))) {
    return Error{ErrorCode::kCorrupt,
                 concat("not a journal: expected \"", kMagic, "\" at its start")};
  }
  if (header.size() < kHeaderBytes) return false;
  const auto version = load<std::uint32_t>(header, 8);
  if (version > kVersion) {
    return Error{ErrorCode::kUnsupported,
                 concat("journal version ", version, " is newer than ", kVersion)};
  }
  if (version == 0 || load<std::uint32_t>(header, 12) != 0) {
    return Error{ErrorCode::kCorrupt, "the journal's header is damaged"};
  }
  return true;
}

Result<Contents> read_contents(std::FILE* file, std::uint64_t file_bytes) {
  const Bytes header = read_up_to(file, kHeaderBytes, file_bytes);
  ASSIGN_OR_RETURN(const bool whole, check_header(header));
  Contents contents;
  if (!whole) {
    contents.torn = true;
    contents.tear = concat("byte ", header.size(), ": the file ends inside its header");
    return contents;
  }
  std::uint64_t offset = kHeaderBytes;
  while (offset < file_bytes) {
    Frame frame = read_frame(file, file_bytes - offset);
    if (const Tear* tear = std::get_if<Tear>(&frame)) {
      contents.torn = true;
      contents.tear = concat("byte ", offset, ": ", tear->cause);
      return contents;
    }
    contents.entries.push_back(std::move(*std::get_if<Entry>(&frame)));
    offset = static_cast<std::uint64_t>(::ftello(file));
  }
  return contents;
}

}  // namespace

Result<Writer> Writer::create(const char* path) {
  const int descriptor = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0) return system_error("cannot create", path);
  Writer writer(out_of_the_way(descriptor));
  struct stat status {};
  if (::fstat(writer.descriptor_, &status) != 0) return system_error("cannot create", path);
  writer.device_ = status.st_dev;
  writer.inode_ = status.st_ino;
  writer.limit_bytes_ = file_size_limit();
  if (!writer.write(file_header())) {
    Error error = system_error("cannot write to", path);
    ::unlink(path);  // nobody learns anything of it
    return error;
  }
  return writer;
}

Writer::Writer(Writer&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      failure_(other.failure_),
      device_(other.device_),
      inode_(other.inode_),
      size_bytes_(other.size_bytes_),
      limit_bytes_(other.limit_bytes_),
      frame_(std::move(other.frame_)) {}

Writer::~Writer() {
  if (descriptor_ >= 0 && still_ours()) ::close(descriptor_);
}

bool Writer::append(const Entry& entry) {
  if (failure_ != 0) return false;
  frame_.assign(kFramePrefixBytes, std::byte{0});
  encode(entry, frame_);
  const ByteView payload = ByteView(frame_).subspan(kFramePrefixBytes);
  if (payload.size() > std::numeric_limits<std::uint32_t>::max()) {
    failure_ = EFBIG;
    return false;
  }
  const auto size = static_cast<std::uint32_t>(payload.size());
  const std::uint64_t sum = checksum(payload);
  std::memcpy(frame_.data(), &size, sizeof size);
  std::memcpy(frame_.data() + sizeof size, &sum, sizeof sum);
  if (!write(frame_)) failure_ = errno;
  constexpr std::size_t kKeptBytes = 1 << 20;
  if (frame_.capacity() > kKeptBytes) Bytes().swap(frame_);
  return failure_ == 0;
}

bool Writer::still_ours() const {
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

bool Writer::write(ByteView bytes) {
  // Beyond the limit the system would kill the process (SIGXFSZ).
  if (bytes.size() > limit_bytes_ - size_bytes_) return errno = EFBIG, false;
  if (!still_ours()) return errno = EBADF, false;
  if (!write_all(descriptor_, bytes)) return false;
  size_bytes_ += bytes.size();
  return true;
}

Result<Contents> read(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return system_error("cannot open", path.native());
  if (!S_ISREG(status.st_mode)) {  // opening a FIFO would wait for its writer
    return Error{ErrorCode::kInvalid, concat(path.native(), ": not a regular file")};
  }
  const File file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (file == nullptr) return system_error("cannot open", path.native());
  if (::fstat(::fileno(file.get()), &status) != 0)
    return system_error("cannot read", path.native());
  Result<Contents> contents = read_contents(file.get(), static_cast<std::uint64_t>(status.st_size));
  if (!contents) return std::move(contents).error().with(path.native());
  return contents;
}

}  // namespace compass::journal
