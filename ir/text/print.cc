// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <tuple>

#include "ir/base/concat.h"
#include "ir/text/document.h"
#include "ir/text/fold.h"
#include "ir/text/headings.h"

namespace compass::text {
namespace {

constexpr std::string_view kLegend =
    "# kernel<<<workgroups, work-items in each>>>(arguments). buffer[+bytes] is a place in a "
    "buffer.\n"
    "# reads and writes: buffer[begin:end step stride x count], in bytes; without [], all of it.\n"
    "# A stream does its lines in order. wait_event: it waits there for what another stream did "
    "before\n"
    "# record_event. synchronize: the host waits.\n";

/// 0: no stream.
std::uint64_t stream_number(const Entry& entry) {
  return entry.stream ? std::uint64_t{*entry.stream} + 1 : 0;
}

/// What of a section does not differ where only accesses do.
std::vector<std::uint64_t> outline_of(const Section& section) {
  std::vector<std::uint64_t> outline;
  for (const Entry& entry : section) {
    outline.push_back(stream_number(entry));
    outline.push_back(entry.line);
  }
  return outline;
}

class Printer {
 public:
  Printer(const Document& document, Folding folding, std::string& out)
      : document_(document), folding_(folding), out_(out) {}

  void print() {
    line(0, architecture_text(document_.architecture));
    line(0, document_.complete ? "complete" : "incomplete");
    if (!document_.kernels.empty()) out_ += "\nkernels\n";
    for (const KernelLine& kernel : document_.kernels) line(1, kernel_text(kernel));
    if (!document_.buffers.empty()) out_ += "\nbuffers\n";
    for (const BufferLine& buffer : document_.buffers) line(1, buffer_text(buffer));
    print_outside(document_.before);
    for (const StepSection& step : document_.steps) {
      print_step(step);
      print_outside(step.after);
    }
  }

 private:
  void line(std::uint32_t depth, std::string_view text) {
    out_.append(std::size_t{2} * depth, ' ');
    out_ += text;
    out_ += '\n';
  }

  void print_outside(const Section& section) {
    if (!section.empty()) out_ += "\noutside steps\n";
    print_section(section);
  }

  /// Steps that are as others follow each other without a gap.
  void print_step(const StepSection& step) {
    const StepSection* same = nullptr;
    if (folding_ == Folding::kFolded && !step.body.empty()) {
      same = printed_steps_.try_emplace(outline_of(step.body), &step).first->second;
    }
    const bool has_body = same == nullptr || same == &step;
    const bool differs = !has_body && same->body != step.body;
    if (has_body || differs || !was_one_line_) out_ += '\n';
    was_one_line_ = !has_body && !differs && step.after.empty();
    out_ += step_text(step.step);
    if (!has_body) out_ += concat(", as step ", same->step.id.value, differs ? " but" : "");
    out_ += '\n';
    if (has_body) print_section(step.body);
    if (differs) print_differences(same->body, step.body);
  }

  /// The launches whose accesses are others, by their ordinal in the step.
  void print_differences(const Section& same, const Section& body) {
    std::uint32_t launches = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (!may_access(document_.lines.value(body[i].line))) continue;
      ++launches;
      if (same[i].accesses == body[i].accesses) continue;
      line(1, concat("launch ", launches, ' ', launched_text(document_.lines.value(body[i].line))));
      if (body[i].accesses == kUnknownAccesses) line(2, "accesses unknown");
      print_accesses_of(2, body[i]);
    }
  }

  void print_section(const Section& section) {
    std::vector<std::uint32_t> symbols;
    std::vector<const Entry*> entries;
    std::map<std::tuple<std::uint64_t, LineIndex, AccessIndex>, std::uint32_t> symbol_of;
    for (const Entry& entry : section) {
      const auto [known, is_new] =
          symbol_of.try_emplace(std::tuple(stream_number(entry), entry.line, entry.accesses),
                                static_cast<std::uint32_t>(entries.size()));
      if (is_new) entries.push_back(&entry);
      symbols.push_back(known->second);
    }
    std::vector<Folded> row;
    if (folding_ == Folding::kFolded) row = fold(symbols);
    if (folding_ == Folding::kFull) {
      for (const std::uint32_t symbol : symbols) row.push_back({1, symbol, {}});
    }
    print_row(1, row, entries);
  }

  using Entries = std::vector<const Entry*>;  ///< by their symbols

  /// What stands in one stream is under its heading, which the next of the same stream shares.
  void print_row(std::uint32_t depth, const std::vector<Folded>& row, const Entries& entries) {
    std::uint64_t heading = 0;
    for (const Folded& folded : row) {
      const std::uint64_t stream = stream_number(first_of(folded, entries));
      if (stream == 0 || !is_in_stream(folded, entries, stream)) {
        heading = 0;
        print_folded(depth, folded, entries);
        continue;
      }
      if (stream != heading) line(depth, concat("stream ", stream - 1));
      heading = stream;
      print_folded(depth + 1, folded, entries);
    }
  }

  void print_folded(std::uint32_t depth, const Folded& folded, const Entries& entries) {
    if (folded.block.empty()) {
      const Entry& entry = *entries[folded.symbol];
      const std::string& text = document_.lines.text(entry.line);
      line(depth, folded.count == 1 ? text : concat(text, " x ", folded.count));
      return print_accesses_of(depth + 1, entry);
    }
    line(depth, concat("repeat ", folded.count));
    if (!is_in_stream(folded, entries, stream_number(first_of(folded, entries)))) {
      return print_row(depth + 1, folded.block, entries);
    }
    for (const Folded& each : folded.block) print_folded(depth + 1, each, entries);
  }

  static const Entry& first_of(const Folded& folded, const Entries& entries) {
    return folded.block.empty() ? *entries[folded.symbol] : first_of(folded.block[0], entries);
  }

  static bool is_in_stream(const Folded& folded, const Entries& entries, std::uint64_t stream) {
    if (folded.block.empty()) return stream_number(*entries[folded.symbol]) == stream;
    return std::all_of(folded.block.begin(), folded.block.end(),
                       [&](const Folded& each) { return is_in_stream(each, entries, stream); });
  }

  void print_accesses_of(std::uint32_t depth, const Entry& entry) {
    for (const Accesses& each : document_.accesses.value(entry.accesses)) {
      line(depth, print_accesses(each));
    }
  }

  const Document& document_;
  Folding folding_;
  std::string& out_;
  std::map<std::vector<std::uint64_t>, const StepSection*> printed_steps_;
  bool was_one_line_ = false;  ///< the step before
};

}  // namespace

std::string print(const std::vector<Document>& documents, Folding folding) {
  std::string text = concat("compass normal form ", kVersion, '\n', kLegend);
  for (const Document& document : documents) {
    if (document.process) {
      text += concat('\n', process_text(*document.process), '\n');
    }
    Printer(document, folding, text).print();
  }
  return text;
}

}  // namespace compass::text
