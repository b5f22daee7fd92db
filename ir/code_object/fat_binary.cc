// SPDX-License-Identifier: MIT
#include "ir/code_object/fat_binary.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "ir/code_object/compressed_bundle.h"
#include "ir/code_object/elf.h"

namespace compass {
namespace {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
// Real bundles stay far below these.
constexpr std::uint64_t kMostEntries = 1024;
constexpr std::uint64_t kMostIdBytes = 4096;

Error corrupt(std::string message) { return {ErrorCode::kCorrupt, std::move(message)}; }

bool is_bundle(ByteView bytes) { return as_text(bytes).starts_with(kBundleMagic); }

/// An entry of a bundle's header.
struct BundleEntry {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
  std::string_view id;
};

std::string target_of(std::string_view id) {
  return id.starts_with("host") ? std::string() : std::string(processor_of_target_id(id));
}

Result<BundleEntry> read_bundle_entry(ByteReader& reader, ByteView bytes) {
  BundleEntry entry;
  entry.offset = reader.read<std::uint64_t>();
  entry.size_bytes = reader.read<std::uint64_t>();
  const auto id_bytes = reader.read<std::uint64_t>();
  if (id_bytes > kMostIdBytes) {
    return corrupt(concat("offload bundle: an id of ", id_bytes, " bytes at ", reader.offset()));
  }
  entry.id = as_text(reader.take(id_bytes));
  if (!reader.ok()) return corrupt("offload bundle: the header ends inside an entry");
  if (entry.offset > bytes.size() || entry.size_bytes > bytes.size() - entry.offset) {
    return corrupt(concat("offload bundle: entry ", entry.id, ": ", entry.size_bytes,
                          " bytes at offset ", entry.offset, " do not fit ", bytes.size(),
                          " bytes"));
  }
  return entry;
}

Result<std::vector<FatBinaryEntry>> read_bundle(ByteView bytes) {
  ByteReader reader(bytes);
  reader.take(kBundleMagic.size());
  const auto count = reader.read<std::uint64_t>();
  if (!reader.ok() || count > kMostEntries) {
    return corrupt(
        concat("offload bundle: ", count, " entries, at most ", kMostEntries, " are read"));
  }
  std::vector<FatBinaryEntry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const BundleEntry entry, read_bundle_entry(reader, bytes));
    entries.push_back(
        {.target = target_of(entry.id), .elf = slice(bytes, entry.offset, entry.size_bytes)});
  }
  return entries;
}

/// `size_bytes` of memory that a header announced.
ByteView view_at(const std::byte* start, std::uint64_t size_bytes) { return {start, size_bytes}; }

/// Whether the bytes at `start` are `magic`: reads none beyond the first that differs.
bool starts_with(const std::byte* start, std::string_view magic) {
  for (std::size_t i = 0; i < magic.size(); ++i) {  // std::equal may compare in larger steps
    if (static_cast<char>(start[i]) != magic[i]) return false;
  }
  return true;
}

Result<std::uint64_t> bundle_size(const std::byte* start) {
  std::uint64_t end = kBundleMagic.size() + sizeof(std::uint64_t);
  const auto count = load<std::uint64_t>(view_at(start, end), kBundleMagic.size());
  if (count > kMostEntries) return corrupt(concat("offload bundle: ", count, " entries"));
  std::uint64_t size_bytes = end;
  for (std::uint64_t i = 0; i < count; ++i) {
    const ByteView entry = view_at(start + end, 3 * sizeof(std::uint64_t));
    const auto id_bytes = load<std::uint64_t>(entry, 2 * sizeof(std::uint64_t));
    if (id_bytes > kMostIdBytes) {
      return corrupt(concat("offload bundle: an id of ", id_bytes, " bytes"));
    }
    end += entry.size() + id_bytes;
    size_bytes =
        std::max({size_bytes, end, load<std::uint64_t>(entry) + load<std::uint64_t>(entry, 8)});
  }
  return size_bytes;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// "xnack" of "xnack+".
std::string_view feature_of(std::string_view flag) {
  return flag.substr(0, flag.find_first_of("+-"));
}

/// How well `target` fits `architecture`: an exact processor before a generic one, then more
/// feature flags before fewer. Absent where it cannot run there.
std::optional<std::size_t> match(std::string_view target, std::string_view architecture) {
  constexpr std::size_t kExact = 64;  // more than there are flags
  const std::vector<std::string_view> wanted = split(target);
  const std::vector<std::string_view> there = split(architecture);
  const bool is_exact = wanted[0] == there[0];
  if (!is_exact && !is_generic_of(wanted[0], there[0])) return std::nullopt;
  for (std::size_t i = 1; i < wanted.size(); ++i) {
    for (std::size_t j = 1; j < there.size(); ++j) {
      const bool same_feature = feature_of(wanted[i]) == feature_of(there[j]);
      if (same_feature && wanted[i] != there[j]) return std::nullopt;
    }
  }
  return std::min(wanted.size() - 1, kExact - 1) + (is_exact ? kExact : 0);
}

std::string list_targets(const std::vector<FatBinaryEntry>& entries) {
  std::string list;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.target.empty()) continue;
    list += concat(list.empty() ? "" : ", ", entry.target);
  }
  return list.empty() ? "none" : list;
}

}  // namespace

Result<std::vector<FatBinaryEntry>> read_fat_binary(ByteView bytes, Bytes& decompressed) {
  if (is_compressed_bundle(bytes)) {
    ASSIGN_OR_RETURN(decompressed, decompress_bundle(bytes));
    if (!is_bundle(decompressed)) return corrupt("compressed offload bundle: it holds no bundle");
    return read_bundle(decompressed);
  }
  if (is_bundle(bytes)) return read_bundle(bytes);
  if (!is_elf(bytes)) {
    return corrupt(concat("neither an offload bundle nor an ELF: ", bytes.size(),
                          " bytes without their magic"));
  }
  ASSIGN_OR_RETURN(const Elf elf, read_elf(bytes));
  return std::vector<FatBinaryEntry>{
      {.target = target_of_machine_flags(elf.machine_flags), .elf = bytes}};
}

Result<std::uint64_t> fat_binary_size(const std::byte* start) {
  if (starts_with(start, kBundleMagic)) return bundle_size(start);
  if (starts_with(start, "CCOB")) return compressed_bundle_size(start);
  if (starts_with(start, "\177ELF")) return elf_size(start);
  return corrupt("neither an offload bundle nor an ELF: no magic that HIP knows");
}

Result<FatBinaryEntry> select_entry(const std::vector<FatBinaryEntry>& entries,
                                    std::string_view architecture) {
  const FatBinaryEntry* best = nullptr;
  std::optional<std::size_t> best_match;
  for (const FatBinaryEntry& entry : entries) {
    const std::optional<std::size_t> fit = match(entry.target, architecture);
    if (fit > best_match) {
      best = &entry;
      best_match = fit;
    }
  }
  if (best == nullptr) {
    return Error{ErrorCode::kNotFound, concat("no code object for ", architecture,
                                              "; the fat binary has ", list_targets(entries))};
  }
  return *best;
}

}  // namespace compass
