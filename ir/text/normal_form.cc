// SPDX-License-Identifier: MIT
#include "ir/text/normal_form.h"

#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "ir/base/concat.h"
#include "ir/names.h"
#include "ir/text/lines.h"

namespace compass {
namespace {

constexpr std::uint32_t kNormalFormVersion = 2;

/// Lines of one step, or of what came before the next.
using Section = std::vector<TextLine>;

/// `numbers` with commas between.
template <class Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(number);
  }
  return text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += concat(text.empty() ? "" : "x", size);
  return text;
}

std::string labelled(std::string_view label, const std::string& value) {
  return value.empty() ? std::string() : concat(' ', label, '=', printable(value));
}

std::string step_heading(const Step& step) {
  return concat("step ", step.id.value, ' ', printable(step.kind), " real_rows=", step.real_rows,
                " padded_rows=", step.padded_rows, labelled("requests", list(step.request_ids)),
                labelled("positions", list(step.positions)),
                labelled("may_end", list(step.may_end)), step.produces_output ? " output" : "",
                step.deferred ? " deferred" : "", '\n');
}

/// What a recording, or one step of it, uses.
struct Used {
  std::set<KernelId> kernels;
  std::set<AllocationId> allocations;

  void add(const MemoryRef& memory) {
    if (memory.allocation) allocations.insert(memory.allocation);
  }
  void add(const Recording& recording, const Record& record) {
    if (const auto* allocate = std::get_if<Allocate>(&record.body)) add({allocate->allocation, 0});
    if (const auto* free = std::get_if<Free>(&record.body)) add({free->allocation, 0});
    if (const auto* fill = std::get_if<Fill>(&record.body)) add(fill->destination);
    if (const auto* copy = std::get_if<Copy>(&record.body)) {
      add(copy->destination);
      add(copy->source);
    }
    const auto* body = std::get_if<LaunchKernel>(&record.body);
    if (body == nullptr) return;
    const Launch& launch = recording.launch(body->launch);
    kernels.insert(launch.kernel);
    for (const LaunchArgument& argument : launch.arguments) {
      if (argument.is_pointer) add(argument.memory);
    }
  }
};

class NormalForm {
 public:
  NormalForm(const Recording& recording, const TextOptions& options)
      : recording_(recording),
        options_(options),
        names_(recording),
        steps_(recording.steps.size()),
        outside_(recording.steps.size() + 1) {}

  std::string print() {
    sort_records();
    print_header();
    print_kernels();
    print_buffers();
    if (!options_.step) print_outside(outside_[0]);
    for (const Step& step : recording_.steps) {
      if (options_.step && *options_.step != step.id) continue;
      print_step(step);
      if (!options_.step) print_outside(outside_[step.id.value]);
    }
    return std::move(out_);
  }

 private:
  /// Puts every record's line into its section, in the host's order.
  void sort_records() {
    LinePrinter printer(recording_, names_);
    std::size_t begun = 0;
    for (const Record& record : recording_.records) {
      if (!options_.step || *options_.step == record.step) used_.add(recording_, record);
      if (std::holds_alternative<BeginStep>(record.body) && record.step) begun = record.step.value;
      std::optional<TextLine> line = printer.print(record);
      if (!line) continue;
      Section& section = record.step ? steps_[record.step.value - 1] : outside_[begun];
      section.push_back(std::move(*line));
    }
  }

  void print_header() {
    out_ += concat("compass normal form ", kNormalFormVersion, "\narchitecture ",
                   printable(recording_.device.architecture), '\n',
                   recording_.complete ? "complete\n" : "incomplete\n");
  }

  void print_kernels() {
    if (!used_.kernels.empty()) out_ += "\nkernels\n";
    for (const KernelId id : used_.kernels) {
      const Kernel& kernel = recording_.kernel(id);
      const std::string& name = names_.kernel(id);
      const std::string canonical = printable(kernel.canonical);
      out_ += concat("  ", name, name == canonical ? "" : " = ", name == canonical ? "" : canonical,
                     ", wave", kernel.wavefront_size);
      if (kernel.lds_size_bytes != 0) out_ += concat(", lds ", kernel.lds_size_bytes, " B");
      out_ += '\n';
    }
  }

  void print_buffers() {
    if (!used_.allocations.empty()) out_ += "\nbuffers\n";
    for (const AllocationId id : used_.allocations) {
      const Allocation& allocation = recording_.allocation(id);
      const BufferInfo& info = allocation.info;
      out_ += concat("  ", names_.buffer(id), ' ', name_of(allocation.kind), ' ',
                     allocation.size_bytes, " B", labelled("role", info.role),
                     labelled("dtype", info.dtype), labelled("shape", shape_text(info.shape)),
                     labelled("strides", list(info.strides)), '\n');
    }
  }

  void print_line(std::string_view indent, std::string& phase, const TextLine& line) {
    if (line.phase != phase) out_ += concat(indent, "phase ", line.phase, '\n');
    phase = line.phase;
    out_ += concat(indent, line.text, '\n');
  }

  /// In the host's order; a heading wherever the stream changes.
  void print_outside(const Section& section) {
    if (section.empty()) return;
    out_ += "\noutside steps\n";
    std::string phase = "eager";
    std::optional<StreamId> stream;
    for (const TextLine& line : section) {
      if (line.stream && line.stream != stream) {
        out_ += concat("  stream ", line.stream->value, '\n');
      }
      stream = line.stream;
      print_line(stream ? "    " : "  ", phase, line);
    }
  }

  /// Stream by stream. What the host did stands with the stream that it had used last by then.
  void print_step(const Step& step) {
    out_ += '\n';
    out_ += step_heading(step);
    const Section& section = steps_[step.id.value - 1];
    std::optional<StreamId> current;
    for (const TextLine& line : section) {
      if (line.stream && !current) current = line.stream;
    }
    std::map<std::optional<StreamId>, std::vector<const TextLine*>> streams;
    for (const TextLine& line : section) {
      if (line.stream) current = line.stream;
      streams[current].push_back(&line);
    }
    for (const auto& [stream, lines] : streams) {
      out_ += stream ? concat("  stream ", stream->value, '\n') : "  host\n";
      std::string phase = "eager";
      for (const TextLine* line : lines) print_line("    ", phase, *line);
    }
  }

  const Recording& recording_;
  const TextOptions& options_;
  Names names_;
  Used used_;
  std::vector<Section> steps_;
  std::vector<Section> outside_;  ///< [n]: after n steps had begun
  std::string out_;
};

}  // namespace

std::string normal_form(const Recording& recording, const TextOptions& options) {
  return NormalForm(recording, options).print();
}

}  // namespace compass
