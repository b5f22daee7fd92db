// SPDX-License-Identifier: MIT
#include "driverless/inspection/confirm.h"

#include <xxhash.h>

#include <cstddef>
#include <iterator>
#include <memory>
#include <span>

namespace compass::inspection {
namespace {

/// As signed numbers of any width one is negative, one positive, and one zero, which is what most
/// branches ask for; of the first two no bit is alike.
constexpr std::byte kPatterns[] = {std::byte{0xA5}, std::byte{0x5A}, std::byte{0}};

/// A loop over an undefined count may have no end.
constexpr std::uint64_t kStepBudget = std::uint64_t{1} << 24;

/// What a launch did, in one number.
class Digest {
 public:
  Digest() : state_(XXH3_createState()) { XXH3_64bits_reset(state_.get()); }

  void add(std::uint64_t number) { XXH3_64bits_update(state_.get(), &number, sizeof number); }
  void add(ByteView bytes) { XXH3_64bits_update(state_.get(), bytes.data(), bytes.size()); }
  std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

/// One playback with one pattern.
class PoisonPass : public Rerun {
 public:
  PoisonPass(const Stage& stage, const std::set<std::uint64_t>& ordinals)
      : Rerun(stage), ordinals_(ordinals) {
    look_.step_budget = kStepBudget;
  }

  Result<void> run(std::byte pattern) {
    return play_to(stage_.context.record_of_launch(*ordinals_.rbegin()).sequence, pattern);
  }

  const std::map<std::uint64_t, std::uint64_t>& digests() const { return digests_; }

  Look* look_at(std::uint64_t record) override {
    end();
    const std::uint64_t ordinal = cursor_.ordinal_of(record);
    if (!ordinals_.contains(ordinal)) return nullptr;
    ordinal_ = ordinal;
    digest_ = std::make_unique<Digest>();
    return &look_;
  }

  void on_fault(const Fault& fault) override {
    if (!digest_) return;
    for (const std::uint64_t each : {fault.pc, fault.address.value, std::uint64_t{fault.lane}}) {
      digest_->add(each);
    }
  }
  void on_stopped(std::uint64_t, const std::string&) override {
    if (digest_) digest_->add(1);
  }
  void on_ended(std::uint64_t, std::uint64_t wave_instructions) override {
    if (digest_) digest_->add(wave_instructions);
  }
  void on_touched(std::uint64_t, AllocationId allocation, const TouchedExtents& touched) override {
    if (!digest_) return;
    digest_->add(allocation.value);
    for (const auto* const extents : {&touched.reads, &touched.writes}) {
      digest_->add(extents->size());
      for (const Extent& extent : *extents) {
        digest_->add(extent.begin);
        digest_->add(extent.end);
      }
    }
    add_known(allocation, touched.writes);
  }

 private:
  /// What is known of the bytes that it stored.
  void add_known(AllocationId allocation, const std::vector<Extent>& writes) {
    const DeviceAddress base = stage_.context.recording().allocation(allocation).address;
    const Region* const region = memory_->find(base);
    if (region == nullptr || region->id != allocation) return;
    for (const Extent& extent : writes) {
      for (std::uint64_t at = extent.begin; at < extent.end; ++at) {
        if (region->shadow->state(at) != ByteState::kKnown) continue;
        digest_->add(at);
        digest_->add(ByteView(region->host + at, 1));
      }
    }
  }

  void on_played() override { end(); }

  void end() {
    if (digest_) digests_[ordinal_] = digest_->value();
    digest_.reset();
  }

  const std::set<std::uint64_t>& ordinals_;
  Look look_;
  std::uint64_t ordinal_ = 0;
  std::unique_ptr<Digest> digest_;
  std::map<std::uint64_t, std::uint64_t> digests_;
};

}  // namespace

Result<std::map<std::uint64_t, gate::Confirmation>> confirm_undefined(
    const Stage& stage, const std::set<std::uint64_t>& ordinals) {
  std::map<std::uint64_t, gate::Confirmation> answers;
  if (ordinals.empty()) return answers;
  std::map<std::uint64_t, std::set<std::uint64_t>> digests;
  std::map<std::uint64_t, std::size_t> passes;
  for (const std::byte pattern : kPatterns) {
    PoisonPass pass(stage, ordinals);
    if (auto ok = pass.run(pattern); !ok) return std::move(ok).error();
    for (const auto& [ordinal, digest] : pass.digests()) {
      digests[ordinal].insert(digest);
      ++passes[ordinal];
    }
  }
  for (const auto& [ordinal, different] : digests) {
    if (passes[ordinal] != std::size(kPatterns)) continue;
    answers[ordinal] =
        different.size() == 1 ? gate::Confirmation::kRefuted : gate::Confirmation::kConfirmed;
  }
  return answers;
}

}  // namespace compass::inspection
