// SPDX-License-Identifier: MIT
#include "driverless/inspection/strays.h"

#include <optional>
#include <utility>

#include "driverless/gate/reach.h"

namespace compass::inspection {
namespace {

class StraysPass : public Rerun {
 public:
  StraysPass(const Stage& stage, const std::set<std::uint64_t>& ordinals)
      : Rerun(stage), ordinals_(ordinals) {}

  Result<void> run() {
    return play_to(stage_.context.record_of_launch(*ordinals_.rbegin()).sequence);
  }

  std::map<std::uint64_t, std::vector<gate::TouchedAllocation>> take() { return std::move(found_); }

  void on_record(const Record&) override { end(); }
  void on_node(const Record& record, const Record& node) override {
    end();
    Rerun::on_node(record, node);
  }
  void on_dispatch(std::uint64_t record) override {
    const std::uint64_t ordinal = cursor_.ordinal_of(record);
    if (!ordinals_.contains(ordinal)) return;
    running_.emplace(gate::LaunchEvidence{.context = stage_.context,
                                          .record = stage_.context.record(record),
                                          .node = cursor_.node_of(record),
                                          .ordinal = ordinal});
  }
  void on_touched(std::uint64_t, AllocationId allocation, const TouchedExtents& touched) override {
    if (running_) running_->touched.push_back({allocation, touched});
  }

 private:
  void on_played() override { end(); }

  void end() {
    if (running_) found_.emplace(running_->ordinal, gate::strays_of(*running_, memory_));
    running_.reset();
  }

  const std::set<std::uint64_t>& ordinals_;
  std::optional<gate::LaunchEvidence> running_;
  std::map<std::uint64_t, std::vector<gate::TouchedAllocation>> found_;
};

}  // namespace

Result<std::map<std::uint64_t, std::vector<gate::TouchedAllocation>>> find_strays(
    const Stage& stage, const std::set<std::uint64_t>& ordinals) {
  if (ordinals.empty()) return std::map<std::uint64_t, std::vector<gate::TouchedAllocation>>();
  StraysPass pass(stage, ordinals);
  if (auto ok = pass.run(); !ok) return std::move(ok).error();
  return pass.take();
}

}  // namespace compass::inspection
