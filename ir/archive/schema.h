// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace compass::archive {

/// SQLite's application_id of an archive: "CMPS".
inline constexpr std::uint32_t kApplicationId = 0x434d5053;

/// SQLite's user_version of an archive; docs/ir.md has what each version changed.
inline constexpr std::uint32_t kFormatVersion = 4;
/// Archives of this version and later are read.
inline constexpr std::uint32_t kOldestFormatVersion = 1;
/// From this one on an archive holds several processes, and rows of launches have no message.
inline constexpr std::uint32_t kFirstWithProcesses = 3;
/// From this one on it says which launches were interpreted.
inline constexpr std::uint32_t kFirstWithCoverage = 4;

/// The tables of that version.
std::string tables_sql(std::uint32_t version);
/// The views that docs/ir.md promises of that version.
std::string views_sql(std::uint32_t version);

/// The same of versions before kFirstWithProcesses.
std::string old_tables_sql(std::uint32_t version);
std::string old_views_sql(std::uint32_t version);

}  // namespace compass::archive
