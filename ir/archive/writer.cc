// SPDX-License-Identifier: MIT
#include "ir/archive/writer.h"

#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "ir/archive/call_site_rows.h"
#include "ir/archive/compression.h"
#include "ir/archive/output_file.h"
#include "ir/archive/rows.h"
#include "ir/archive/schema.h"
#include "ir/archive/sqlite.h"
#include "ir/archive/temporary_file.h"
#include "ir/archive/validate.h"

namespace compass::archive {
namespace {

/// The contents that the record names; those that were not kept are empty.
std::vector<const std::string*> contents_of(const RecordBody& body) {
  if (const auto* copy = std::get_if<Copy>(&body)) {
    return {&copy->content, &copy->completed.source, &copy->completed.result};
  }
  if (const auto* write = std::get_if<HostWrite>(&body)) return {&write->content};
  const auto* const launch = std::get_if<LaunchGraph>(&body);
  if (launch == nullptr) return {};
  std::vector<const std::string*> contents;
  for (const NodeCopy& copy : launch->copies) {
    for (const auto* each : {&copy.content, &copy.completed.source, &copy.completed.result}) {
      contents.push_back(each);
    }
  }
  return contents;
}

}  // namespace

class Writer::State {
 public:
  State(std::filesystem::path target, TemporaryFile file, Database database)
      : target_(std::move(target)), file_(std::move(file)), database_(std::move(database)) {}

  Result<void> begin(const std::string& recorder) {
    const std::string identity = concat("PRAGMA application_id = ", kApplicationId,
                                        "; PRAGMA user_version = ", kFormatVersion, "; BEGIN;");
    auto ok = database_.execute(identity);
    if (ok) ok = database_.execute(tables_sql(kFormatVersion));
    if (ok) ok = write_recorder(recorder);
    if (ok) ok = write_record_kinds(database_);
    return ok;
  }

  Result<void> add(const Recording& recording, const Frames& frames,
                   const RecordedCallSites& call_sites) {
    if (recording.process.id.value != ++processes_) {
      return Error{ErrorCode::kInvalid, concat("process ", recording.process.id.value, " where ",
                                               processes_, " is due")};
    }
    if (auto ok = validate(recording); !ok) return ok;
    if (auto ok = write_contents_of(recording, frames); !ok) return ok;
    const std::uint64_t records_before = written_.records;
    if (auto ok = write_recording(database_, recording, written_); !ok) return ok;
    return write_call_sites(database_, recording.process.id, call_sites, records_before);
  }

  Result<void> finish() {
    auto ok = database_.execute(views_sql(kFormatVersion));
    if (ok) ok = database_.execute("COMMIT");
    if (ok) ok = std::move(database_).close();
    return ok ? file_.rename_to(target_) : ok;
  }

 private:
  /// Every content that the recording names and no process before it.
  Result<void> write_contents_of(const Recording& recording, const Frames& frames) {
    for (const CodeObject& code_object : recording.code_objects) {
      if (auto ok = write_content(code_object.sha256, frames); !ok) return ok;
    }
    for (const Record& record : recording.records) {
      for (const std::string* content : contents_of(record.body)) {
        if (content->empty()) continue;
        if (auto ok = write_content(*content, frames); !ok) return ok;
      }
    }
    for (const LaunchIndex& index : recording.launch_indices) {
      for (const IndexContent& content : index.contents) {
        if (auto ok = write_content(content.content, frames); !ok) return ok;
      }
    }
    return {};
  }
  Result<void> write_content(const std::string& sha256, const Frames& frames) {
    if (!contents_.insert(sha256).second) return {};
    ASSIGN_OR_RETURN(const StoredContent stored, frames(sha256));
    ASSIGN_OR_RETURN(
        Statement insert,
        database_.prepare("INSERT INTO blob (sha256, size_bytes, zstd) VALUES (?, ?, ?)"));
    insert.bind(0, sha256).bind(1, stored.size_bytes).bind(2, ByteView(stored.frame));
    return insert.run();
  }

  Result<void> write_recorder(const std::string& recorder) {
    ASSIGN_OR_RETURN(Statement insert, database_.prepare("INSERT INTO archive VALUES (1, ?)"));
    insert.bind(0, recorder);
    return insert.run();
  }

  std::filesystem::path target_;
  TemporaryFile file_;
  Database database_;
  RowCount written_;
  std::uint32_t processes_ = 0;
  std::unordered_set<std::string> contents_;  ///< SHA-256 of those that are written
};

std::string this_recorder() { return "compass-capture " COMPASS_VERSION; }

Writer::Writer(std::filesystem::path output, std::unique_ptr<State> state)
    : output_(std::move(output)), state_(std::move(state)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<Writer> Writer::create(const std::filesystem::path& output, const std::string& recorder) {
  const auto made = [&]() -> Result<Writer> {
    ASSIGN_OR_RETURN(std::filesystem::path target, output_file(output));
    ASSIGN_OR_RETURN(TemporaryFile file, TemporaryFile::beside(target));
    ASSIGN_OR_RETURN(Database database, Database::open_to_write(file.name()));
    auto state = std::make_unique<State>(std::move(target), std::move(file), std::move(database));
    if (auto ok = state->begin(recorder); !ok) return std::move(ok).error();
    return Writer(output, std::move(state));
  };
  auto writer = made();
  if (!writer) return std::move(writer).error().with(concat("archive ", output.string()));
  return writer;
}

Result<void> Writer::add(const Recording& recording, const Contents& contents,
                         const RecordedCallSites& call_sites) {
  const auto frame_of = [&](const std::string& sha256) -> Result<StoredContent> {
    const auto found = contents.find(sha256);
    if (found == contents.end()) {
      return Error{ErrorCode::kInvalid, concat("the bytes of content ", sha256, " are missing")};
    }
    ASSIGN_OR_RETURN(Bytes frame, compress(found->second));
    return StoredContent{found->second.size(), std::move(frame)};
  };
  return add(recording, Frames(frame_of), call_sites);
}

Result<void> Writer::add(const Recording& recording, const Frames& frames,
                         const RecordedCallSites& call_sites) {
  return named(state_->add(recording, frames, call_sites));
}

Result<void> Writer::finish() && { return named(state_->finish()); }

Result<void> Writer::named(Result<void> result) const {
  if (result) return result;
  return std::move(result).error().with(concat("archive ", output_.string()));
}

Result<void> write(const std::filesystem::path& output, const Recording& recording,
                   const Contents& contents) {
  ASSIGN_OR_RETURN(Writer writer, Writer::create(output));
  if (auto ok = writer.add(recording, contents); !ok) return ok;
  return std::move(writer).finish();
}

}  // namespace compass::archive
