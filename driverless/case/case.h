// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "driverless/case/dtype.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass::kernel_case {

/// One argument of a launch.
struct Argument {
  std::string name;
  const Dtype* dtype = nullptr;
  bool is_buffer = false;

  Bytes value;  ///< of a scalar

  /// Buffers only. Their content is dense, row-major.
  std::vector<std::uint64_t> shape;  ///< elements, outermost first
  Bytes input;                       ///< before the launch
  bool has_expect = false;           ///< else the launch must leave it as it is
  Bytes expect;
  double rtol = 0, atol = 0;

  std::uint64_t elements() const { return input.size() / dtype->size_bytes; }
};

/// A case's kernel as one architecture runs it.
struct Object {
  std::string architecture;
  Bytes elf;
  std::filesystem::path file;
  std::array<std::uint32_t, 3> workgroup_workitems{1, 1, 1};
  std::uint32_t dynamic_lds_bytes = 0;
};

/// One launch and what it must compute: a folder with a case.json, as fixtures/kernels/README.md
/// describes it. Everything that the file names is read.
struct Case {
  std::string name;  ///< the folder's
  std::filesystem::path file;
  std::string kernel;
  std::array<std::uint32_t, 3> grid_workgroups{1, 1, 1};
  std::vector<Argument> arguments;
  std::vector<Object> objects;  ///< in the file's order
};

/// Reads `folder`'s case.json and every file that it names. An error says which file and field,
/// what was expected there and what was found.
Result<Case> read_case(const std::filesystem::path& folder);

/// The folders with a case.json: `folder` itself, or those directly in it, by name. An error if
/// there is none.
Result<std::vector<std::filesystem::path>> find_cases(const std::filesystem::path& folder);

}  // namespace compass::kernel_case
