// SPDX-License-Identifier: MIT
#include "ir/archive/call_site_rows.h"

#include "ir/archive/utf8.h"

namespace compass::archive {
namespace {

Result<void> write_frames(const Database& database, ProcessId process,
                          const std::vector<CallSite>& sites) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO call_site_frame VALUES (?, ?, ?, ?, ?, ?)"));
  std::uint64_t site = 0;
  for (const CallSite& call_site : sites) {
    ++site;
    std::uint64_t number = 0;
    for (const CallSite::Frame& frame : call_site.frames) {
      insert.bind(0, std::uint64_t{process.value})
          .bind(1, site)
          .bind(2, number++)
          .bind(3, to_utf8(frame.module))
          .bind(4, frame.offset_bytes)
          .bind(5, to_utf8(frame.symbol));
      if (auto ok = insert.run(); !ok) return ok;
    }
  }
  return {};
}

}  // namespace

Result<void> write_call_sites(const Database& database, ProcessId process,
                              const RecordedCallSites& call_sites, std::uint64_t records_before) {
  if (auto ok = write_frames(database, process, call_sites.sites); !ok) return ok;
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO called_from VALUES (?, ?)"));
  for (const CalledFrom& called : call_sites.called_from) {
    insert.bind(0, records_before + called.record).bind(1, std::uint64_t{called.call_site});
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

}  // namespace compass::archive
