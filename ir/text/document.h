// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/allocation.h"
#include "ir/text/line.h"

namespace compass::text {

using LineIndex = std::uint32_t;
using AccessIndex = std::uint32_t;
inline constexpr AccessIndex kUnknownAccesses = 0;

/// Each distinct T once, by the text that stands for it.
template <class T>
class Distinct {
 public:
  std::uint32_t add(std::string text, T value) {
    const auto [known, is_new] =
        index_of_.try_emplace(std::move(text), static_cast<std::uint32_t>(values_.size()));
    if (is_new) {
      values_.push_back(std::move(value));
      texts_.push_back(&known->first);
    }
    return known->second;
  }
  const T& value(std::uint32_t index) const { return values_.at(index); }
  const std::string& text(std::uint32_t index) const { return *texts_.at(index); }
  std::size_t size() const { return values_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> index_of_;  // its keys stay where they are
  std::vector<T> values_;
  std::vector<const std::string*> texts_;
};

/// The phase that each stream, and the host, has where a section begins.
inline constexpr std::string_view kFirstPhase = "eager";

/// A place of a section: a line, and what a launch there accessed.
struct Entry {
  std::optional<std::uint32_t> stream;  ///< absent: the host did it
  LineIndex line = 0;
  AccessIndex accesses = kUnknownAccesses;
  friend bool operator==(const Entry&, const Entry&) = default;
};
using Section = std::vector<Entry>;

struct KernelLine {
  std::string name;
  std::string canonical;  ///< empty: the same
  std::uint32_t wavefront_size = 64;
  std::uint32_t lds_size_bytes = 0;
};

struct BufferLine {
  std::string name;
  AllocationKind kind = AllocationKind::kDevice;
  std::uint64_t size_bytes = 0;
  BufferInfo info;              ///< without the name
  std::optional<Place> parent;  ///< where a block lies
};

/// A forward of the model, and what was done between its end and the next.
struct StepSection {
  Step step;
  Section body;   ///< stream by stream
  Section after;  ///< in the host's order
};

/// Which process it is, where several were recorded together.
struct ProcessHeading {
  std::uint32_t process = 0;
  std::optional<std::uint32_t> rank;
  std::string program;
};

/// The normal form of one process: docs/ir.md, section 4. Nothing in it is folded. Not to be
/// copied: entries name lines and accesses of the document that they are in.
struct Document {
  Document();
  Document(Document&&) = default;
  Document& operator=(Document&&) = default;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  std::optional<ProcessHeading> process;
  std::string architecture;
  bool complete = true;
  std::vector<KernelLine> kernels;
  std::vector<BufferLine> buffers;
  Section before;  ///< the first step
  std::vector<StepSection> steps;
  Distinct<Line> lines;
  /// What one launch accessed, or each node of a launched graph; the first, kUnknownAccesses, is
  /// empty.
  Distinct<std::vector<Accesses>> accesses;

  LineIndex add(Line line);
  AccessIndex add(std::vector<Accesses> accesses);

  /// Calls `visit(section)` for each section, in the order of the text.
  template <class Visit>
  void for_each_section(Visit visit) {
    visit(before);
    for (StepSection& step : steps) {
      visit(step.body);
      visit(step.after);
    }
  }
};

enum class Folding : std::uint8_t { kFolded, kFull };

/// The text of the documents of all processes, in their order. Folded, what repeats is there once.
std::string print(const std::vector<Document>& documents, Folding folding = Folding::kFolded);

/// What such a text says, folded or not. Text that would unfold to more than fits is refused.
Result<std::vector<Document>> parse(std::string_view text);

/// Whether a file that starts so is meant to be a normal form; comments may come before.
bool is_normal_form(std::string_view start);

inline constexpr std::uint32_t kVersion = 3;

}  // namespace compass::text
