// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "ir/base/concat.h"
#include "ir/text/document.h"
#include "ir/text/headings.h"

namespace compass::text {
namespace {

/// Recordings have fewer, and short text could ask for any number.
constexpr std::uint64_t kMostEntries = 1 << 24;
constexpr std::uint64_t kMostBytes = 1 << 30;
constexpr std::uint32_t kDeepest = 32;
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

constexpr std::string_view kTitle = "compass normal form ";

struct TextLine {
  std::uint32_t number = 0;
  std::uint32_t depth = 0;  ///< its indentation, by two
  std::string_view text;
};

/// The lines of a text but for comments and empty ones.
Result<std::vector<TextLine>> split(std::string_view text) {
  std::vector<TextLine> lines;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    const std::size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
    if (indent == whole.size() || whole[indent] == '#') continue;
    Cursor cursor(whole, number);
    const auto odd = std::find_if(whole.begin(), whole.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20) || c == 0x7f;
    });
    cursor.go_to(static_cast<std::size_t>(odd - whole.begin()));
    if (odd != whole.end()) return cursor.error("no control character");
    cursor.go_to(indent);
    if (indent % 2 != 0 || indent > std::size_t{2} * kDeepest) {
      return cursor.error(concat("an even number of spaces up to ", 2 * kDeepest, " before"));
    }
    lines.push_back({number, static_cast<std::uint32_t>(indent / 2), whole});
  }
  return lines;
}

/// How often a line is meant, by the " x N" at its end, which is cut off.
std::uint32_t take_count(std::string_view& text) {
  const std::size_t at = text.rfind(" x ");
  if (at == std::string_view::npos) return 1;
  Cursor cursor(text.substr(at + 3), 0);
  const auto count = cursor.number("a count", kMost32);
  if (!count || !cursor.at_end() || *count < 2) return 1;
  text = text.substr(0, at);
  return static_cast<std::uint32_t>(*count);
}

class Parser {
 public:
  explicit Parser(std::vector<TextLine> lines) : lines_(std::move(lines)) {}

  Result<std::vector<Document>> parse() {
    if (auto done = title(); !done) return std::move(done).error();
    std::vector<Document> documents;
    do {
      document_ = &documents.emplace_back();
      if (next_is("process ")) {
        ASSIGN_OR_RETURN(document_->process, parse_process(cursor_of(lines_[at_++])));
      } else if (documents.size() > 1) {
        return here("a process");
      }
      if (auto done = parse_document(); !done) return std::move(done).error();
    } while (!at_end());
    return documents;
  }

 private:
  bool at_end() const { return at_ == lines_.size(); }
  bool next_is(std::string_view start, std::uint32_t depth = 0) const {
    return !at_end() && lines_[at_].depth == depth &&
           lines_[at_].text.substr(std::size_t{2} * depth).starts_with(start);
  }
  static Cursor cursor_of(const TextLine& line) {
    Cursor cursor(line.text, line.number);
    cursor.go_to(std::size_t{2} * line.depth);
    return cursor;
  }
  Error here(std::string_view expected) const {
    if (!at_end()) return cursor_of(lines_[at_]).error(expected);
    return {ErrorCode::kCorrupt, concat("expected ", expected, ", found the end of the text")};
  }

  Result<void> title() {
    if (!next_is(kTitle)) return here("'compass normal form'");
    Cursor cursor = cursor_of(lines_[at_++]);
    cursor.take(kTitle);
    ASSIGN_OR_RETURN(const std::uint64_t version, cursor.number("a version"));
    if (version == kVersion) return cursor.expect_end();
    return Error{ErrorCode::kUnsupported,
                 concat("normal form has version ", version, "; this program reads ", kVersion)};
  }

  Result<void> parse_document() {
    if (!next_is("architecture")) return here("'architecture'");
    ASSIGN_OR_RETURN(document_->architecture, parse_architecture(cursor_of(lines_[at_++])));
    document_->complete = next_is("complete");
    if (!document_->complete && !next_is("incomplete")) return here("complete or incomplete");
    Cursor cursor = cursor_of(lines_[at_++]);
    cursor.take(document_->complete ? "complete" : "incomplete");
    if (auto done = cursor.expect_end(); !done) return done;
    if (auto done = parse_lists(); !done) return done;
    if (auto done = parse_outside(document_->before); !done) return done;
    while (next_is("step ")) {
      if (auto done = step(); !done) return done;
      if (auto done = parse_outside(document_->steps.back().after); !done) return done;
    }
    if (at_end() || next_is("process ")) return {};
    return here("a step, in the order of their numbers, or the end of the text");
  }

  Result<void> parse_lists() {
    if (next_is("kernels")) {
      for (++at_; next_is("", 1); ++at_) {
        ASSIGN_OR_RETURN(KernelLine kernel, parse_kernel(cursor_of(lines_[at_])));
        document_->kernels.push_back(std::move(kernel));
      }
    }
    if (!next_is("buffers")) return {};
    for (++at_; next_is("", 1); ++at_) {
      ASSIGN_OR_RETURN(BufferLine buffer, parse_buffer(cursor_of(lines_[at_])));
      document_->buffers.push_back(std::move(buffer));
    }
    return {};
  }

  Result<void> parse_outside(Section& section) {
    if (!next_is("outside steps")) return {};
    Cursor cursor = cursor_of(lines_[at_++]);
    cursor.take("outside steps");
    if (auto done = cursor.expect_end(); !done) return done;
    return body(section, 1, std::nullopt);
  }

  Result<void> step() {
    Cursor cursor = cursor_of(lines_[at_]);
    ASSIGN_OR_RETURN(StepHeading heading, parse_step(cursor));
    std::vector<StepSection>& steps = document_->steps;
    if (!steps.empty() && steps.back().step.id >= heading.step.id) {
      return here(concat("a step behind step ", steps.back().step.id.value));
    }
    const auto same =
        std::lower_bound(steps.begin(), steps.end(), heading.same.value_or(StepId{}),
                         [](const StepSection& each, StepId id) { return each.step.id < id; });
    if (heading.same && (same == steps.end() || same->step.id != *heading.same)) {
      return here("'as step' and a step above");
    }
    ++at_;
    StepSection section{std::move(heading.step), {}, {}};
    if (!heading.same) {
      if (auto done = body(section.body, 1, std::nullopt); !done) return done;
    } else {
      section.body = same->body;
      if (auto done = grow(section.body.size(), bytes_of(section.body, 0)); !done) return done;
      if (auto done = differences(section.body); !done) return done;
    }
    steps.push_back(std::move(section));
    return {};
  }

  /// "launch 3 gemm", and under it what that launch accessed.
  Result<void> differences(Section& body) {
    while (next_is("launch ", 1)) {
      Cursor cursor = cursor_of(lines_[at_]);
      cursor.take("launch ");
      const std::size_t start = cursor.place();
      ASSIGN_OR_RETURN(std::uint64_t launch, cursor.number("the ordinal of a launch"));
      const auto entry = std::find_if(body.begin(), body.end(), [&](const Entry& each) {
        return may_access(document_->lines.value(each.line)) && --launch == 0;
      });
      if (entry == body.end()) {
        cursor.go_to(start);
        return cursor.error("a launch that the step above has");
      }
      const std::string what = launched_text(document_->lines.value(entry->line));
      if (auto done = cursor.expect(concat(' ', what)); !done) return done;
      if (auto done = cursor.expect_end(); !done) return done;
      ++at_;
      entry->accesses = kUnknownAccesses;
      if (next_is("accesses unknown", 2)) {
        ++at_;
        continue;
      }
      ASSIGN_OR_RETURN(entry->accesses, accesses(2));
    }
    return {};
  }

  /// Lines at `depth` and deeper.
  Result<void> body(Section& section, std::uint32_t depth, std::optional<std::uint32_t> stream) {
    while (!at_end() && lines_[at_].depth >= depth) {
      if (lines_[at_].depth > depth) return here("no deeper line");
      auto done = next_is("stream ", depth)   ? in_stream(section, depth, stream)
                  : next_is("repeat ", depth) ? repeated(section, depth, stream)
                                              : entry(section, depth, stream);
      if (!done) return done;
    }
    return {};
  }

  Result<void> in_stream(Section& section, std::uint32_t depth,
                         std::optional<std::uint32_t> outer) {
    Cursor cursor = cursor_of(lines_[at_]);
    if (outer) return cursor.error("no stream inside a stream");
    cursor.take("stream ");
    ASSIGN_OR_RETURN(const std::uint64_t stream, cursor.number("a stream", kMost32));
    if (auto done = cursor.expect_end(); !done) return done;
    ++at_;
    return body(section, depth + 1, static_cast<std::uint32_t>(stream));
  }

  Result<void> repeated(Section& section, std::uint32_t depth,
                        std::optional<std::uint32_t> stream) {
    Cursor cursor = cursor_of(lines_[at_]);
    cursor.take("repeat ");
    if (cursor.rest().starts_with('0')) return cursor.error("a count");
    ASSIGN_OR_RETURN(const std::uint64_t count, cursor.number("a count", kMost32));
    if (auto done = cursor.expect_end(); !done) return done;
    ++at_;
    const std::size_t begin = section.size();
    if (auto done = body(section, depth + 1, stream); !done) return done;
    const std::size_t size = section.size() - begin;
    const std::uint64_t more = size == 0 ? 0 : count - 1;
    if (auto done = grow(more * size, more * bytes_of(section, begin)); !done) return done;
    for (std::uint64_t i = 0; i < more; ++i) {
      for (std::size_t n = 0; n < size; ++n) section.push_back(Entry(section[begin + n]));
    }
    return {};
  }

  Result<void> entry(Section& section, std::uint32_t depth, std::optional<std::uint32_t> stream) {
    const TextLine& line = lines_[at_];
    std::string_view text = line.text;
    const std::uint32_t count = take_count(text);
    Cursor cursor = cursor_of({line.number, depth, text});
    ASSIGN_OR_RETURN(Line parsed, parse_line(cursor));
    if (auto done = cursor.expect_end(); !done) return done;
    const bool can_access = may_access(parsed);
    Entry entry{stream, document_->add(std::move(parsed)), kUnknownAccesses};
    std::string_view again = document_->lines.text(entry.line);
    if (take_count(again) != 1) return cursor.error("one count");
    ++at_;
    if (can_access && !at_end() && lines_[at_].depth == depth + 1) {
      ASSIGN_OR_RETURN(entry.accesses, accesses(depth + 1));
    }
    if (auto done = grow(count, document_->lines.text(entry.line).size() * count); !done) {
      return done;
    }
    section.insert(section.end(), count, entry);
    return {};
  }

  /// All lines at `depth`: what one launch accessed.
  Result<AccessIndex> accesses(std::uint32_t depth) {
    std::vector<Accesses> list;
    for (; !at_end() && lines_[at_].depth == depth; ++at_) {
      Cursor cursor = cursor_of(lines_[at_]);
      ASSIGN_OR_RETURN(Accesses each, parse_accesses(cursor));
      if (auto done = cursor.expect_end(); !done) return std::move(done).error();
      list.push_back(std::move(each));
    }
    if (list.empty()) return here("reads, writes or accesses nothing");
    return document_->add(std::move(list));
  }

  std::uint64_t bytes_of(const Section& section, std::size_t begin) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = begin; i < section.size(); ++i) {
      bytes += document_->lines.text(section[i].line).size() +
               document_->accesses.text(section[i].accesses).size();
    }
    return bytes;
  }

  /// Before sections get that much longer.
  Result<void> grow(std::uint64_t entries, std::uint64_t bytes) {
    entries_ += entries;
    bytes_ += bytes;
    if (entries_ <= kMostEntries && bytes_ <= kMostBytes) return {};
    return Error{ErrorCode::kUnsupported, concat("line ", lines_[at_ - 1].number,
                                                 ": unfolded, the text would have more than ",
                                                 kMostEntries, " lines or ", kMostBytes, " bytes")};
  }

  std::vector<TextLine> lines_;
  std::size_t at_ = 0;
  Document* document_ = nullptr;
  std::uint64_t entries_ = 0, bytes_ = 0;
};

}  // namespace

bool is_normal_form(std::string_view start) {
  while (start.starts_with('#'))
    start.remove_prefix(std::min(start.find('\n'), start.size() - 1) + 1);
  return start.starts_with(kTitle);
}

Result<std::vector<Document>> parse(std::string_view text) {
  ASSIGN_OR_RETURN(std::vector<TextLine> lines, split(text));
  return Parser(std::move(lines)).parse();
}

}  // namespace compass::text
