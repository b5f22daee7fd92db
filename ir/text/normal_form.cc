// SPDX-License-Identifier: MIT
#include "ir/text/normal_form.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "ir/base/concat.h"
#include "ir/names.h"
#include "ir/text/lines.h"
#include "ir/text/used.h"

namespace compass::text {
namespace {

/// A record's place in the section that it is in.
struct Made {
  ThreadId thread;
  std::optional<StreamId> stream;  ///< absent: the host did it
  std::string phase;
  LineIndex line = 0;
  AccessIndex accesses = kUnknownAccesses;
};
using MadeLines = std::vector<Made>;

/// What the host did in one thread stands with the line of a stream that it gave out before, in the
/// section, or else after: so no other thread's pace decides where it stands. What a thread did
/// that used no stream comes first.
class Streams {
 public:
  explicit Streams(const MadeLines& lines) {
    for (const Made& line : lines) add(line);
  }

  /// Stream by stream, in the order of the work of each.
  std::vector<std::pair<std::optional<StreamId>, const Made*>> sorted(const Document& document) {
    std::vector<std::vector<const Made*>> hosts;
    for (auto& [thread, state] : threads_) hosts.push_back(std::move(state.waiting));
    const auto text_of = [&](const Made* line) { return document.lines.text(line->line); };
    std::sort(hosts.begin(), hosts.end(), [&](const auto& a, const auto& b) {
      return std::lexicographical_compare(
          a.begin(), a.end(), b.begin(), b.end(),
          [&](const Made* x, const Made* y) { return text_of(x) < text_of(y); });
    });
    std::vector<std::pair<std::optional<StreamId>, const Made*>> out;
    for (const auto& host : hosts) {
      for (const Made* line : host) out.emplace_back(std::nullopt, line);
    }
    for (const auto& [stream, groups] : streams_) {
      for (const std::size_t group : groups) {
        for (const Made* line : groups_[group]) out.emplace_back(stream, line);
      }
    }
    return out;
  }

 private:
  struct Thread {
    std::vector<const Made*> waiting;  ///< for the thread's first line of a stream
    std::optional<std::size_t> group;
  };

  void add(const Made& line) {
    Thread& thread = threads_[line.thread];
    if (line.stream) {
      thread.group = groups_.size();
      groups_.push_back(std::exchange(thread.waiting, {}));
      streams_[*line.stream].push_back(*thread.group);
    }
    (thread.group ? groups_[*thread.group] : thread.waiting).push_back(&line);
  }

  std::map<ThreadId, Thread> threads_;
  std::vector<std::vector<const Made*>> groups_;  ///< a line of a stream, and what stands with it
  std::map<StreamId, std::vector<std::size_t>> streams_;
};

/// Appends lines to a section, with a line wherever the phase of a stream, or of the host, changes.
class SectionWriter {
 public:
  SectionWriter(Document& document, Section& section) : document_(document), section_(section) {}

  void add(std::optional<StreamId> stream, const Made& line) {
    std::optional<std::uint32_t> number;
    if (stream) number = stream->value;
    std::string& phase = phases_.try_emplace(number, kFirstPhase).first->second;
    if (line.phase != phase) {
      section_.push_back({number, document_.add({PhaseLine{line.phase}, 0}), kUnknownAccesses});
    }
    phase = line.phase;
    section_.push_back({number, line.line, line.accesses});
  }

 private:
  Document& document_;
  Section& section_;
  std::map<std::optional<std::uint32_t>, std::string> phases_;
};

class Builder {
 public:
  Builder(const Recording& recording, const std::optional<StepRange>& steps)
      : recording_(recording), steps_(steps), names_(recording) {}

  Document build() {
    document_.architecture = printable(recording_.device.architecture);
    document_.complete = recording_.complete;
    add_kernels();
    add_buffers();
    for (const Step& step : recording_.steps) {
      document_.steps.push_back({step, {}, {}});
      document_.steps.back().step.kind = printable(step.kind);
    }
    add_lines();
    keep_used(document_);
    return std::move(document_);
  }

 private:
  void add_kernels() {
    for (const Kernel& kernel : recording_.kernels) {
      const std::string& name = names_.kernel(kernel.id);
      const std::string canonical = printable(kernel.canonical);
      document_.kernels.push_back({name, canonical == name ? std::string() : canonical,
                                   kernel.wavefront_size, kernel.lds_size_bytes});
    }
  }

  void add_buffers() {
    for (const Allocation& allocation : recording_.allocations) {
      BufferLine line{names_.buffer(allocation.id), allocation.kind, allocation.size_bytes,
                      allocation.info, std::nullopt};
      if (allocation.parent) {
        const Allocation& parent = recording_.allocation(allocation.parent);
        line.parent = Place{Place::Kind::kBuffer, names_.buffer(parent.id),
                            allocation.address.value - parent.address.value, false};
      }
      line.info.name.clear();
      line.info.role = printable(line.info.role);
      line.info.dtype = printable(line.info.dtype);
      document_.buffers.push_back(std::move(line));
    }
  }

  void add_lines() {
    LineMaker maker(recording_, names_, document_);
    std::vector<MadeLines> in_steps(recording_.steps.size());
    std::vector<MadeLines> outside(recording_.steps.size() + 1);  // [n]: after n steps had begun
    std::size_t begun = 0;
    for (const Record& record : recording_.records) {
      if (std::holds_alternative<BeginStep>(record.body) && record.step) begun = record.step.value;
      if (!steps_ || steps_->has(record.step.value)) {
        MadeLines& lines = record.step ? in_steps[record.step.value - 1] : outside[begun];
        add_line(maker, record, lines);
      }
      maker.pass(record);
    }
    if (!steps_) add_outside(outside[0], document_.before);
    for (std::size_t i = 0; i < document_.steps.size(); ++i) {
      add_step(in_steps[i], document_.steps[i].body);
      if (!steps_) add_outside(outside[i + 1], document_.steps[i].after);
    }
  }

  static void add_line(LineMaker& maker, const Record& record, MadeLines& lines) {
    const std::optional<LineIndex> line = maker.line(record);
    if (!line) return;
    Made made{record.thread, std::nullopt, printable(record.phase), *line, maker.accesses(record)};
    const bool made_by_hand = record.captured && !record.stream;  // nobody gave it to a stream
    if (is_stream_work(record) && !made_by_hand) made.stream = record.stream;
    lines.push_back(std::move(made));
  }

  void add_outside(const MadeLines& lines, Section& section) {
    SectionWriter writer(document_, section);
    for (const Made& line : lines) writer.add(line.stream, line);
  }

  void add_step(const MadeLines& lines, Section& section) {
    SectionWriter writer(document_, section);
    for (const auto& [stream, line] : Streams(lines).sorted(document_)) writer.add(stream, *line);
  }

  const Recording& recording_;
  const std::optional<StepRange> steps_;
  Names names_;
  Document document_;
};

}  // namespace

Document document_of(const Recording& recording, const std::optional<StepRange>& steps) {
  return Builder(recording, steps).build();
}

}  // namespace compass::text
