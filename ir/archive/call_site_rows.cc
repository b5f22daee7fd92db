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

Result<void> read_frames(const Database& database, ProcessId process, RowBudget& budget,
                         std::vector<CallSite>& sites) {
  ASSIGN_OR_RETURN(Statement rows,
                   database.prepare(concat("SELECT call_site, module, offset_bytes, symbol FROM "
                                           "call_site_frame WHERE process = ",
                                           process.value, " ORDER BY call_site, frame")));
  while (true) {
    ASSIGN_OR_RETURN(const bool more, rows.step());
    if (!more) return {};
    if (auto fits = budget.take(rows.bytes(1).size() + rows.bytes(3).size()); !fits) return fits;
    const std::uint64_t site = rows.number(0);
    if (site == sites.size() + 1) sites.emplace_back();
    if (auto ok = check_number(site, sites.size()); !ok) return ok;
    sites.back().frames.push_back(
        {std::string(rows.text(1)), rows.number(2), std::string(rows.text(3))});
  }
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

Result<RecordedCallSites> read_call_sites(const Database& database, ProcessId process,
                                          std::uint64_t first_record, std::uint64_t records,
                                          RowBudget& budget) {
  RecordedCallSites read;
  if (auto ok = read_frames(database, process, budget, read.sites); !ok) {
    return std::move(ok).error();
  }
  if (records == 0) return read;
  ASSIGN_OR_RETURN(Statement rows,
                   database.prepare(concat(
                       "SELECT record, call_site FROM called_from WHERE record BETWEEN ",
                       first_record, " AND ", first_record + records - 1, " ORDER BY record")));
  while (true) {
    ASSIGN_OR_RETURN(const bool more, rows.step());
    if (!more) return read;
    if (auto fits = budget.take(std::uint64_t{0}); !fits) return std::move(fits).error();
    CalledFrom called{rows.number(0) - first_record + 1, 0};
    ASSIGN_OR_RETURN(called.call_site, id_of(rows, 1, "call site"));
    if (called.call_site == 0 || called.call_site > read.sites.size()) {
      return Error{ErrorCode::kCorrupt,
                   concat("record ", called.record, " names call site ", called.call_site,
                          ", there are ", read.sites.size())};
    }
    read.called_from.push_back(called);
  }
}

}  // namespace compass::archive
