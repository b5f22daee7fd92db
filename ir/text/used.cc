// SPDX-License-Identifier: MIT
#include "ir/text/used.h"

#include <string_view>
#include <unordered_set>
#include <variant>

namespace compass::text {
namespace {

class Used {
 public:
  explicit Used(const Document& document)
      : document_(document), lines_(document.lines.size()), accesses_(document.accesses.size()) {}

  void add(const Entry& entry) {
    if (!lines_[entry.line]) std::visit(*this, document_.lines.value(entry.line).what);
    lines_[entry.line] = true;
    if (!accesses_[entry.accesses]) {
      for (const Accesses& each : document_.accesses.value(entry.accesses)) add(each);
    }
    accesses_[entry.accesses] = true;
  }

  void add(const Place& place) {
    if (place.kind == Place::Kind::kBuffer) buffers_.insert(place.buffer);
  }

  bool has_kernel(const std::string& name) const { return kernels_.contains(name); }
  bool has_buffer(const std::string& name) const { return buffers_.contains(name); }

  void operator()(const LaunchLine& launch) {
    kernels_.insert(launch.kernel);
    for (const Argument& argument : launch.arguments) {
      if (const auto* place = std::get_if<Place>(&argument.value)) add(*place);
    }
  }
  void operator()(const CopyLine& copy) {
    add(copy.source);
    add(copy.destination);
  }
  void operator()(const FillLine& fill) { add(fill.destination); }
  void operator()(const OtherLine& other) {
    if (other.place) add(*other.place);
  }
  void operator()(const PhaseLine&) {}

 private:
  void add(const Accesses& accesses) {
    if (accesses.node) kernels_.insert(accesses.kernel);
    for (const AccessedBuffer& each : accesses.reads) buffers_.insert(each.buffer);
    for (const AccessedBuffer& each : accesses.writes) buffers_.insert(each.buffer);
  }

  const Document& document_;
  std::vector<bool> lines_, accesses_;  ///< seen
  std::unordered_set<std::string_view> kernels_, buffers_;
};

}  // namespace

void keep_used(Document& document) {
  Used used(document);
  document.for_each_section([&](const Section& section) {
    for (const Entry& entry : section) used.add(entry);
  });
  // What a block is a part of stands before it.
  for (auto block = document.buffers.rbegin(); block != document.buffers.rend(); ++block) {
    if (block->parent && used.has_buffer(block->name)) used.add(*block->parent);
  }
  std::erase_if(document.kernels,
                [&](const KernelLine& each) { return !used.has_kernel(each.name); });
  std::erase_if(document.buffers,
                [&](const BufferLine& each) { return !used.has_buffer(each.name); });
}

}  // namespace compass::text
