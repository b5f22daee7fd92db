// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace compass {

/// What an instruction's result rests on.
enum class Basis : std::uint8_t {
  kExact,      ///< the manual says every bit
  kPublished,  ///< measurements on hardware that are published say every bit
  kBounded,    ///< the manual gives an error bound; what was taken is the correctly rounded value
  kAssumed,    ///< no public document says how it rounds and in which order it adds
};

std::string_view name_of(Basis basis);  ///< "exact", "published", "bounded" or "assumed"
std::optional<Basis> basis_of(std::string_view name);

/// An instruction that an interpretation has run.
struct RanInstruction {
  std::string architecture;
  std::string mnemonic;
  Basis basis = Basis::kExact;
  friend auto operator<=>(const RanInstruction&, const RanInstruction&) = default;
};

/// Mnemonics by the names of what they rest on, as reports in JSON have them.
std::map<std::string, std::vector<std::string>> mnemonics_by_basis(
    std::span<const RanInstruction> instructions);

/// On what an interpretation rests, in a line: "87 instructions: 80 exact, 5 bounded (v_exp_f32,
/// …), 2 assumed (…)". What is neither exact nor published is named, the first few of each.
std::string fidelity_text(std::span<const RanInstruction> instructions);

/// A launch of which an interpretation does not know what it does: that of `record`, or where
/// `record` launches a graph, of its `node`. A node that runs several times in one launch of the
/// graph may be there as often.
struct CoverageGap {
  std::uint64_t record = 0;
  std::uint64_t node = 0;    ///< the record that says what the node does; 0: no graph
  std::uint64_t reason = 0;  ///< in Coverage::reasons
  friend bool operator==(const CoverageGap&, const CoverageGap&) = default;
};

/// Which launches of a process were interpreted, and on what that rests.
struct Coverage {
  std::string architecture;  ///< on which they ran
  std::string interpreter;   ///< program and version
  std::uint64_t launches = 0;
  std::vector<std::string> reasons;          ///< each once
  std::vector<CoverageGap> gaps;             ///< by record, then node
  std::vector<RanInstruction> instructions;  ///< in order, each once

  std::uint64_t interpreted() const { return launches - gaps.size(); }
  friend bool operator==(const Coverage&, const Coverage&) = default;
};

/// Counts launches, in any order, and why some were not interpreted.
class CoverageCounter {
 public:
  void add_interpreted() { ++launches_; }
  /// `record` and `node` as of CoverageGap.
  void add_gap(std::uint64_t record, std::uint64_t node, const std::string& reason);
  /// Puts them into `coverage`. Leaves the counter empty.
  void finish(Coverage& coverage);

 private:
  std::uint64_t launches_ = 0;
  std::vector<std::string> reasons_;
  std::unordered_map<std::string, std::uint64_t> numbers_;  // of reasons
  std::vector<CoverageGap> gaps_;
};

}  // namespace compass
