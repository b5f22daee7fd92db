// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace compass::archive {

/// SQLite's application_id of an archive: "CMPS".
inline constexpr std::uint32_t kApplicationId = 0x434d5053;

/// SQLite's user_version of an archive; docs/ir.md has what each version changed.
inline constexpr std::uint32_t kFormatVersion = 2;
/// Archives of this version and later are read.
inline constexpr std::uint32_t kOldestFormatVersion = 1;

/// The tables of that version.
std::string tables_sql(std::uint32_t version);
/// Indexes, and the views that docs/ir.md promises.
const char* views_sql();

}  // namespace compass::archive
