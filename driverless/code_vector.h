// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/base/result.h"

namespace compass {

/// A few instructions with what they find and what they must leave, from `fixtures/vectors/`.
///
/// The file is text in sections. A section starts with a line that ends in a colon: "witness:" (who
/// says so), "target:" (architectures), "scratch:" (bytes of a work-item), "code:" (assembler), and
/// "v3 in:", "v5 out:", "lds in:", "memory out:" with words in hex. Registers have 64 words; LDS
/// and memory a multiple of 64. The code finds the address of the memory in s[8:9].
struct CodeVector {
  std::string witness, code;
  std::vector<std::string> targets;
  std::uint32_t scratch_bytes = 0;
  /// "v3" and so on, "lds", "memory".
  std::map<std::string, std::vector<std::uint32_t>> in, out;
};

Result<CodeVector> read_code_vector(const std::string& path);

/// Assembles the code for `target` with clang-22, runs it on one wavefront and gives what is in
/// each place that `vector.out` names. Fails if it cannot, or if the kernel stops or faults.
Result<std::map<std::string, std::vector<std::uint32_t>>> run_code_vector(
    const CodeVector& vector, const std::string& target);

}  // namespace compass
