// SPDX-License-Identifier: MIT
#include "ir/journal/file.h"

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

#include "ir/base/quantity.h"

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

/// Frames start at multiples of this, so that their size is stored at once wherever they are.
constexpr std::uint64_t kFrameAlignment = 4;

std::uint64_t padding_of(std::uint64_t payload_bytes) { return -payload_bytes % kFrameAlignment; }

bool is_zero(ByteView bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

Error system_error(std::string_view what, std::string_view path) {
  const int cause = errno;
  return {ErrorCode::kSystem, concat(what, " ", path, ": ", std::strerror(cause))};
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

struct OpenFile {
  File file;
  std::uint64_t size_bytes = 0;
};

Result<OpenFile> open_file(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return system_error("cannot open", path.native());
  if (!S_ISREG(status.st_mode)) {  // opening a FIFO would wait for its writer
    return Error{ErrorCode::kInvalid, concat(path.native(), ": not a regular file")};
  }
  File file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (file == nullptr) return system_error("cannot open", path.native());
  if (::fstat(::fileno(file.get()), &status) != 0) {
    return system_error("cannot read", path.native());
  }
  return OpenFile{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

/// Reads a file from its start, frame by frame.
class FrameReader {
 public:
  FrameReader(std::FILE* file, std::uint64_t file_bytes) : file_(file), remaining_(file_bytes) {}

  /// The next `size` bytes, or fewer at the end of the file; valid until the next call. A size that
  /// a frame merely claims is never allocated before the bytes are known to be there.
  ByteView take(std::uint64_t size) {
    const auto most = static_cast<std::size_t>(std::min(size, remaining_));
    if (bytes_.size() < most) bytes_.resize(most);
    const std::size_t taken = std::fread(bytes_.data(), 1, most, file_);
    offset_ += taken;
    remaining_ = taken < most ? 0 : remaining_ - taken;
    return ByteView(bytes_).first(taken);
  }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t remaining() const { return remaining_; }

  /// Whether all that follows is zeros: room that the writer never used.
  bool rest_is_unused() {
    constexpr std::uint64_t kPiece = 1 << 16;
    while (remaining_ != 0) {
      if (!is_zero(take(kPiece))) return false;
    }
    return true;
  }

 private:
  std::FILE* file_;
  std::uint64_t remaining_;
  std::uint64_t offset_ = 0;
  Bytes bytes_;
};

/// What kept a frame from being read; without a cause where there is no frame.
struct Tear {
  std::string cause;
};
using Frame = std::variant<Entry, Tear>;

Frame read_frame(FrameReader& reader) {
  const ByteView prefix = reader.take(kFramePrefixBytes);
  const bool is_whole = prefix.size() == kFramePrefixBytes;
  const auto size = prefix.size() < sizeof(std::uint32_t) ? 0 : load<std::uint32_t>(prefix);
  if (size == 0) {
    if (is_zero(prefix) && reader.rest_is_unused()) return Tear{};
    return Tear{is_whole ? "a frame was begun and not ended"
                         : "the file ends inside a frame's prefix"};
  }
  if (!is_whole) return Tear{"the file ends inside a frame's prefix"};
  const auto sum = load<std::uint64_t>(prefix, sizeof(std::uint32_t));
  const std::uint64_t padded = std::uint64_t{size} + padding_of(size);
  const ByteView bytes = reader.take(padded);
  if (bytes.size() < padded) {
    return Tear{concat("the file ends inside a frame: ", bytes.size(), " of ", padded, " bytes")};
  }
  const ByteView payload = bytes.first(size);
  if (checksum(payload) != sum) return Tear{"a frame's checksum does not fit its bytes"};
  if (!is_zero(bytes.subspan(size))) return Tear{"a frame is not filled up with zeros"};
  Result<Entry> entry = decode(payload);
  if (!entry) return Tear{std::move(entry.error().message)};
  return std::move(entry).value();
}

std::string ran_path(const std::string& journal) { return journal + ".ran"; }

/// Empty where nothing is known to have run.
Bytes read_ran(const std::string& journal, std::size_t entries) {
  const Result<OpenFile> open = open_file(ran_path(journal));
  if (!open) return {};
  Bytes ran(entries);
  ran.resize(std::fread(ran.data(), 1, ran.size(), open->file.get()));
  return ran;
}

/// Checks the header; says whether all of it is there. A file that was cut inside its header, or
/// right after it was made, is torn but a journal.
Result<bool> check_header(ByteView header) {
  if (is_zero(header)) return false;
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
  if (version != 0 && version < kVersion) {
    return Error{ErrorCode::kUnsupported,
                 concat("journal version ", version, " is older than ", kVersion,
                        ": seal it with the version of compass-capture that wrote it")};
  }
  if (version == 0 || load<std::uint32_t>(header, 12) != 0) {
    return Error{ErrorCode::kCorrupt, "the journal's header is damaged"};
  }
  return true;
}

Result<Contents> read_contents(std::FILE* file, std::uint64_t file_bytes) {
  FrameReader reader(file, file_bytes);
  ASSIGN_OR_RETURN(const bool whole, check_header(reader.take(kHeaderBytes)));
  Contents contents;
  if (!whole) {
    contents.torn = true;
    contents.tear = concat("byte ", reader.offset(), ": the file ends inside its header");
    return contents;
  }
  while (reader.remaining() != 0) {
    const std::uint64_t offset = reader.offset();
    Frame frame = read_frame(reader);
    if (const Tear* tear = std::get_if<Tear>(&frame)) {
      contents.torn = !tear->cause.empty();
      if (contents.torn) contents.tear = concat("byte ", offset, ": ", tear->cause);
      return contents;
    }
    contents.entries.push_back(std::move(*std::get_if<Entry>(&frame)));
  }
  return contents;
}

std::uint64_t frame_bytes(std::uint64_t payload_bytes) {
  return kFramePrefixBytes + payload_bytes + padding_of(payload_bytes);
}

/// Fills in a frame whose payload is there, but for its size.
void finish_frame(std::span<std::byte> frame, std::size_t payload_bytes) {
  const ByteView payload = frame.subspan(kFramePrefixBytes, payload_bytes);
  const std::uint64_t sum = checksum(payload);
  std::memcpy(frame.data() + sizeof(std::uint32_t), &sum, sizeof sum);
  const std::size_t end = kFramePrefixBytes + payload_bytes;
  std::memset(frame.data() + end, 0, frame.size() - end);
}

}  // namespace

Result<std::uint64_t> parse_buffer(std::string_view text) {
  const std::optional<std::uint64_t> bytes = parse_quantity(text, kByteUnits);
  if (bytes && *bytes >= AppendFile::kLeastBufferBytes && *bytes <= AppendFile::kMostBufferBytes) {
    return *bytes;
  }
  return Error{ErrorCode::kInvalid, concat("cannot have a buffer of '", text,
                                           "': expected bytes, or KiB, MiB, GiB or TiB, from 1MiB "
                                           "to 1TiB")};
}

Result<Writer> Writer::create(const char* path, std::uint64_t buffer_bytes) {
  ASSIGN_OR_RETURN(std::shared_ptr<AppendFile> file, AppendFile::create(path, buffer_bytes));
  const auto header = file_header();
  if (!file->append(load<std::uint32_t>(header), ByteView(header).subspan(sizeof(std::uint32_t)))) {
    Error error = system_error("cannot write to", path);
    ::unlink(path);  // nobody learns anything of it
    return error;
  }
  return Writer(path, std::move(file));
}

std::uint64_t Writer::append(const Entry& entry) {
  if (failure_ != 0) return 0;
  const std::span<std::byte> room = file_->room();
  if (room.size() > kFramePrefixBytes) {
    const std::size_t size = encode(entry, room.subspan(kFramePrefixBytes));
    if (frame_bytes(size) <= room.size()) return append_in_place(size);
  }
  frame_.assign(kFramePrefixBytes, std::byte{0});
  encode(entry, frame_);
  return append_apart();
}

std::uint64_t Writer::append_encoded(ByteView payload) {
  if (failure_ != 0) return 0;
  const std::span<std::byte> room = file_->room();
  if (frame_bytes(payload.size()) <= room.size()) {
    std::copy(payload.begin(), payload.end(), room.begin() + kFramePrefixBytes);
    return append_in_place(payload.size());
  }
  frame_.assign(kFramePrefixBytes, std::byte{0});
  frame_.insert(frame_.end(), payload.begin(), payload.end());
  return append_apart();
}

void Writer::note_ran(std::uint64_t entry) {
  if (entry == 0 || entry > entries_ || ran_fails_) return;
  if (!ran_) {
    auto file = DurableFile::create(ran_path(path_).c_str());
    if (!file) return void(ran_fails_ = true);
    ran_.emplace(std::move(file).value());
  }
  constexpr std::byte kRan{1};
  ran_fails_ = !ran_->put(entry - 1, {&kRan, 1});
}

void Writer::end() {
  file_->end();
  if (ran_) ran_->end_at(entries_);
}

/// The payload is in the file's room, where its frame will be.
std::uint64_t Writer::append_in_place(std::size_t payload_bytes) {
  const std::size_t size = frame_bytes(payload_bytes);
  finish_frame(file_->room().first(size), payload_bytes);
  file_->take(size, static_cast<std::uint32_t>(payload_bytes));
  return ++entries_;
}

/// Appends what `frame_` holds.
std::uint64_t Writer::append_apart() {
  const std::size_t size = frame_.size() - kFramePrefixBytes;
  frame_.resize(frame_.size() + padding_of(size));
  finish_frame(frame_, size);
  const bool fits = size <= std::numeric_limits<std::uint32_t>::max();
  const bool stored = fits && file_->append(static_cast<std::uint32_t>(size),
                                            ByteView(frame_).subspan(sizeof(std::uint32_t)));
  if (!stored) failure_ = fits ? errno : EFBIG;
  constexpr std::size_t kKeptBytes = 1 << 20;
  if (frame_.capacity() > kKeptBytes) Bytes().swap(frame_);
  return stored ? ++entries_ : 0;
}

Result<Contents> read(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const OpenFile open, open_file(path));
  constexpr std::size_t kBufferBytes = 1 << 18;
  std::setvbuf(open.file.get(), nullptr, _IOFBF, kBufferBytes);
  Result<Contents> contents = read_contents(open.file.get(), open.size_bytes);
  if (!contents) return std::move(contents).error().with(path.native());
  contents->ran = read_ran(path.native(), contents->entries.size());
  return contents;
}

Start read_start(const std::filesystem::path& path) {
  const Result<OpenFile> open = open_file(path);
  if (!open) return {};
  FrameReader reader(open->file.get(), open->size_bytes);
  const auto header = check_header(reader.take(kHeaderBytes));
  if (!header || !*header || reader.remaining() == 0) return {};
  const Frame frame = read_frame(reader);
  const Entry* const entry = std::get_if<Entry>(&frame);
  const Start* const start = entry == nullptr ? nullptr : std::get_if<Start>(&entry->body);
  return start == nullptr ? Start{} : *start;
}

}  // namespace compass::journal
