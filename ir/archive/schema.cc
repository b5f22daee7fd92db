// SPDX-License-Identifier: MIT
#include "ir/archive/schema.h"

#include <string_view>

#include "ir/base/concat.h"

namespace compass::archive {
namespace {

/// What of a process is few. Ids count within the process.
constexpr std::string_view kThings = R"sql(
CREATE TABLE archive (
  id INTEGER PRIMARY KEY CHECK (id = 1), recorder TEXT NOT NULL);
CREATE TABLE process (
  id INTEGER PRIMARY KEY, parent INTEGER, rank INTEGER, ranks INTEGER, program TEXT NOT NULL,
  architecture TEXT NOT NULL, complete INTEGER NOT NULL, incomplete_cause TEXT NOT NULL,
  first_record INTEGER NOT NULL, records INTEGER NOT NULL, message BLOB NOT NULL);
CREATE TABLE code_object (
  process INTEGER NOT NULL, id INTEGER NOT NULL, sha256 TEXT NOT NULL, target TEXT NOT NULL,
  size_bytes INTEGER NOT NULL, message BLOB NOT NULL,
  PRIMARY KEY (process, id)) WITHOUT ROWID;
CREATE TABLE kernel (
  process INTEGER NOT NULL, id INTEGER NOT NULL, code_object INTEGER NOT NULL, name TEXT NOT NULL,
  canonical TEXT NOT NULL, kernarg_size_bytes INTEGER NOT NULL, lds_size_bytes INTEGER NOT NULL,
  scratch_size_bytes INTEGER NOT NULL, wavefront_size INTEGER NOT NULL,
  vgpr_count INTEGER NOT NULL, agpr_count INTEGER NOT NULL, sgpr_count INTEGER NOT NULL,
  message BLOB NOT NULL,
  PRIMARY KEY (process, id)) WITHOUT ROWID;
CREATE TABLE allocation (
  process INTEGER NOT NULL, id INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL,
  size_bytes INTEGER NOT NULL, generation INTEGER NOT NULL, parent INTEGER, role TEXT NOT NULL,
  dtype TEXT NOT NULL, shape TEXT NOT NULL, allocated_by INTEGER, freed_by INTEGER,
  first_kernel INTEGER, first_argument INTEGER, message BLOB NOT NULL,
  PRIMARY KEY (process, id)) WITHOUT ROWID;
CREATE TABLE launch (
  process INTEGER NOT NULL, id INTEGER NOT NULL, kernel INTEGER NOT NULL,
  grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
  workgroup_x INTEGER NOT NULL, workgroup_y INTEGER NOT NULL, workgroup_z INTEGER NOT NULL,
  dynamic_lds_bytes INTEGER NOT NULL, pointers INTEGER NOT NULL, launches INTEGER NOT NULL,
  message BLOB NOT NULL,
  PRIMARY KEY (process, id)) WITHOUT ROWID;
CREATE TABLE launch_argument (
  process INTEGER NOT NULL, launch INTEGER NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL,
  offset_bytes INTEGER NOT NULL, size_bytes INTEGER NOT NULL, pointer INTEGER,
  allocation INTEGER, allocation_offset INTEGER, value BLOB,
  PRIMARY KEY (process, launch, ordinal)) WITHOUT ROWID;
CREATE TABLE step (
  process INTEGER NOT NULL, id INTEGER NOT NULL, kind TEXT NOT NULL,
  produces_output INTEGER NOT NULL, deferred INTEGER NOT NULL, real_rows INTEGER NOT NULL,
  padded_rows INTEGER NOT NULL, requests TEXT NOT NULL, launches INTEGER NOT NULL,
  first_record INTEGER, last_record INTEGER, message BLOB NOT NULL,
  PRIMARY KEY (process, id)) WITHOUT ROWID;
)sql";

/// The records of all processes, one process after the other, and what belongs to them. `record.id`
/// counts on from process to process, as does all that names it here.
constexpr std::string_view kRecords = R"sql(
CREATE TABLE record_kind (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, subject TEXT);
CREATE TABLE context (
  id INTEGER PRIMARY KEY, process INTEGER NOT NULL, thread INTEGER NOT NULL,
  stream INTEGER NOT NULL, step INTEGER NOT NULL, phase TEXT NOT NULL, captured INTEGER NOT NULL);
CREATE TABLE record (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, context INTEGER NOT NULL,
  status INTEGER NOT NULL, subject INTEGER, offsets BLOB, message BLOB);
CREATE TABLE transfer (
  record INTEGER PRIMARY KEY, direction TEXT, wait TEXT NOT NULL, size_bytes INTEGER NOT NULL,
  destination INTEGER, destination_offset INTEGER, source INTEGER, source_offset INTEGER,
  content TEXT, completed_content TEXT, result TEXT);
CREATE TABLE replay (
  record INTEGER PRIMARY KEY, list INTEGER NOT NULL);
CREATE TABLE replayed_launch (
  list INTEGER NOT NULL, position INTEGER NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (list, position)) WITHOUT ROWID;
CREATE TABLE call_site_frame (
  process INTEGER NOT NULL, call_site INTEGER NOT NULL, frame INTEGER NOT NULL,
  module TEXT NOT NULL, offset_bytes INTEGER NOT NULL, symbol TEXT NOT NULL,
  PRIMARY KEY (process, call_site, frame)) WITHOUT ROWID;
CREATE TABLE called_from (
  record INTEGER PRIMARY KEY, call_site INTEGER NOT NULL);
CREATE TABLE record_count (
  process INTEGER NOT NULL, kind INTEGER NOT NULL, records INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (process, kind)) WITHOUT ROWID;
CREATE TABLE access_summary (
  process INTEGER NOT NULL, id INTEGER NOT NULL, message BLOB NOT NULL,
  PRIMARY KEY (process, id)) WITHOUT ROWID;
CREATE TABLE access_run (
  process INTEGER NOT NULL, summary INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  allocation INTEGER NOT NULL, mode TEXT NOT NULL, first_byte INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL, stride_bytes INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (process, summary, ordinal)) WITHOUT ROWID;
CREATE TABLE launch_access (
  record INTEGER NOT NULL, node INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  summary INTEGER NOT NULL,
  PRIMARY KEY (record, node, ordinal)) WITHOUT ROWID;
CREATE TABLE launch_index (
  record INTEGER NOT NULL, node INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  complete INTEGER NOT NULL, message BLOB NOT NULL,
  PRIMARY KEY (record, node, ordinal)) WITHOUT ROWID;
CREATE TABLE index_content (
  record INTEGER NOT NULL, node INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  allocation INTEGER NOT NULL, size_bytes INTEGER NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY (record, node, ordinal, allocation)) WITHOUT ROWID;
CREATE TABLE blob (
  id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, size_bytes INTEGER NOT NULL,
  zstd BLOB NOT NULL);
)sql";

/// What is not known of a process: contents that its recorder could not write down in time, and
/// what an interpretation has not covered. Records are numbered as above.
constexpr std::string_view kCoverage = R"sql(
CREATE TABLE given_up (
  process INTEGER PRIMARY KEY, contents INTEGER NOT NULL, size_bytes INTEGER NOT NULL);
CREATE TABLE coverage (
  process INTEGER PRIMARY KEY, architecture TEXT NOT NULL, interpreter TEXT NOT NULL,
  launches INTEGER NOT NULL);
CREATE TABLE coverage_reason (
  process INTEGER NOT NULL, id INTEGER NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY (process, id)) WITHOUT ROWID;
CREATE TABLE coverage_gap (
  record INTEGER NOT NULL, node INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  reason INTEGER NOT NULL,
  PRIMARY KEY (record, node, ordinal)) WITHOUT ROWID;
CREATE TABLE instruction_run (
  process INTEGER NOT NULL, architecture TEXT NOT NULL, mnemonic TEXT NOT NULL,
  basis TEXT NOT NULL,
  PRIMARY KEY (process, architecture, mnemonic)) WITHOUT ROWID;
)sql";

constexpr std::string_view kViewsOfThings = R"sql(
CREATE VIEW processes AS
  SELECT p.id AS process, p.parent, p.rank, p.ranks, p.program, p.architecture, p.complete,
    p.incomplete_cause, p.records,
    (SELECT coalesce(sum(l.launches), 0) FROM launch l WHERE l.process = p.id) AS launches,
    (SELECT count(*) FROM step s WHERE s.process = p.id) AS steps
  FROM process p;
CREATE VIEW steps AS
  SELECT s.process, s.id AS step, s.kind, s.real_rows, s.padded_rows, s.produces_output,
    s.deferred, s.requests, s.launches, s.first_record, s.last_record
  FROM step s;
CREATE VIEW kernels AS
  SELECT k.process, k.id AS kernel, k.canonical AS name, k.name AS symbol, c.target,
    (SELECT coalesce(sum(l.launches), 0) FROM launch l
      WHERE l.process = k.process AND l.kernel = k.id) AS launches,
    k.kernarg_size_bytes, k.lds_size_bytes, k.scratch_size_bytes, k.wavefront_size,
    k.vgpr_count, k.agpr_count, k.sgpr_count
  FROM kernel k JOIN code_object c ON c.process = k.process AND c.id = k.code_object;
CREATE VIEW allocations AS
  SELECT a.process, a.id AS allocation, a.path AS name, a.kind, a.size_bytes, a.role, a.dtype,
    a.shape, a.generation, a.parent, a.allocated_by, a.freed_by
  FROM allocation a;
CREATE VIEW arguments AS
  SELECT a.process, a.launch AS distinct_launch, k.canonical AS kernel, a.ordinal, a.name,
    a.offset_bytes, a.size_bytes, b.path AS allocation_name, a.allocation, a.allocation_offset,
    nullif(hex(a.value), '') AS value
  FROM launch_argument a JOIN launch l ON l.process = a.process AND l.id = a.launch
    JOIN kernel k ON k.process = l.process AND k.id = l.kernel
    LEFT JOIN allocation b ON b.process = a.process AND b.id = a.allocation;
)sql";

constexpr std::string_view kViewsOfRecords = R"sql(
CREATE VIEW records AS
  SELECT p.id AS process, r.id - p.first_record + 1 AS record, k.name AS kind, r.subject, c.step,
    c.phase, c.stream, c.thread, c.captured, r.status
  FROM process p CROSS JOIN record r ON r.id >= p.first_record AND r.id < p.first_record + p.records
    JOIN context c ON c.id = r.context JOIN record_kind k ON k.id = r.kind;
CREATE VIEW launches AS
  SELECT p.id AS process, r.id - p.first_record + 1 AS record, c.step, c.phase, c.stream, c.thread,
    k.canonical AS kernel, l.grid_x, l.grid_y, l.grid_z, l.workgroup_x, l.workgroup_y,
    l.workgroup_z, l.dynamic_lds_bytes, r.status, l.id AS distinct_launch, NULL AS node
  FROM process p CROSS JOIN record r ON r.id >= p.first_record AND r.id < p.first_record + p.records
    CROSS JOIN context c ON c.id = r.context
    CROSS JOIN launch l ON l.process = p.id AND l.id = r.subject
    CROSS JOIN kernel k ON k.process = p.id AND k.id = l.kernel
  WHERE r.kind = (SELECT id FROM record_kind WHERE name = 'launch') AND NOT c.captured
  UNION ALL
  SELECT p.id, r.id - p.first_record + 1, c.step, 'replay', c.stream, c.thread,
    k.canonical, l.grid_x, l.grid_y, l.grid_z, l.workgroup_x, l.workgroup_y,
    l.workgroup_z, l.dynamic_lds_bytes, r.status, l.id, n.id - p.first_record + 1
  FROM process p CROSS JOIN replay g ON g.record >= p.first_record
      AND g.record < p.first_record + p.records
    CROSS JOIN record r ON r.id = g.record CROSS JOIN context c ON c.id = r.context
    CROSS JOIN replayed_launch m ON m.list = g.list CROSS JOIN record n ON n.id = m.node
    CROSS JOIN launch l ON l.process = p.id AND l.id = n.subject
    CROSS JOIN kernel k ON k.process = p.id AND k.id = l.kernel;
CREATE VIEW launch_numbers AS
  SELECT made.process, made.record, made.node,
    row_number() OVER (PARTITION BY made.process ORDER BY made.record, made.position) AS launch
  FROM (
    SELECT p.id AS process, r.id - p.first_record + 1 AS record, 0 AS position, NULL AS node
    FROM process p CROSS JOIN record r
        ON r.id >= p.first_record AND r.id < p.first_record + p.records
      CROSS JOIN context c ON c.id = r.context
    WHERE r.kind = (SELECT id FROM record_kind WHERE name = 'launch') AND NOT c.captured
    UNION ALL
    SELECT p.id, g.record - p.first_record + 1, m.position, m.node - p.first_record + 1
    FROM process p CROSS JOIN replay g ON g.record >= p.first_record
        AND g.record < p.first_record + p.records
      CROSS JOIN replayed_launch m ON m.list = g.list) made;
CREATE VIEW call_sites AS
  SELECT p.id AS process, c.record - p.first_record + 1 AS record, f.frame, f.module,
    f.offset_bytes, nullif(f.symbol, '') AS symbol
  FROM process p CROSS JOIN called_from c ON c.record >= p.first_record
      AND c.record < p.first_record + p.records
    CROSS JOIN call_site_frame f ON f.process = p.id AND f.call_site = c.call_site;
CREATE VIEW copies AS
  SELECT p.id AS process, r.id - p.first_record + 1 AS record, c.step, c.phase, c.stream, c.thread,
    t.direction, t.wait, t.size_bytes, d.path AS destination_name, t.destination,
    t.destination_offset, s.path AS source_name, t.source, t.source_offset, t.content,
    t.completed_content, t.result, r.status
  FROM process p CROSS JOIN transfer t ON t.record >= p.first_record
      AND t.record < p.first_record + p.records
    CROSS JOIN record r ON r.id = t.record CROSS JOIN context c ON c.id = r.context
    LEFT JOIN allocation d ON d.process = p.id AND d.id = t.destination
    LEFT JOIN allocation s ON s.process = p.id AND s.id = t.source
  WHERE t.direction IS NOT NULL;
CREATE VIEW accesses AS
  SELECT p.id AS process, a.record - p.first_record + 1 AS record,
    CASE a.node WHEN 0 THEN NULL ELSE a.node - p.first_record + 1 END AS node, r.allocation,
    b.path AS allocation_name, r.mode, r.first_byte, r.size_bytes, r.stride_bytes, r.count
  FROM process p CROSS JOIN launch_access a ON a.record >= p.first_record
      AND a.record < p.first_record + p.records
    CROSS JOIN access_run r ON r.process = p.id AND r.summary = a.summary
    JOIN allocation b ON b.process = p.id AND b.id = r.allocation;
CREATE VIEW index_bytes AS
  SELECT p.id AS process, i.record - p.first_record + 1 AS record,
    CASE i.node WHEN 0 THEN NULL ELSE i.node - p.first_record + 1 END AS node, i.complete,
    c.allocation, b.path AS allocation_name, c.size_bytes, c.content
  FROM process p CROSS JOIN launch_index i ON i.record >= p.first_record
      AND i.record < p.first_record + p.records
    LEFT JOIN index_content c ON c.record = i.record AND c.node = i.node AND c.ordinal = i.ordinal
    LEFT JOIN allocation b ON b.process = p.id AND b.id = c.allocation;
)sql";

constexpr std::string_view kViewsOfCoverage = R"sql(
CREATE VIEW contents_given_up AS
  SELECT g.process, g.contents, g.size_bytes FROM given_up g;
CREATE VIEW interpretations AS
  SELECT c.process, c.architecture, c.interpreter, c.launches,
    c.launches - (SELECT count(*) FROM process p JOIN coverage_gap g ON g.record >= p.first_record
      AND g.record < p.first_record + p.records WHERE p.id = c.process) AS interpreted
  FROM coverage c;
CREATE VIEW not_interpreted AS
  SELECT p.id AS process, g.record - p.first_record + 1 AS record,
    CASE g.node WHEN 0 THEN NULL ELSE g.node - p.first_record + 1 END AS node, r.reason
  FROM process p CROSS JOIN coverage_gap g ON g.record >= p.first_record
      AND g.record < p.first_record + p.records
    LEFT JOIN coverage_reason r ON r.process = p.id AND r.id = g.reason;
CREATE VIEW fidelity AS
  SELECT i.process, i.architecture, i.mnemonic, i.basis FROM instruction_run i;
)sql";

/// The number that the hexadecimal digits in `text` stand for, 16 of them.
std::string number_of_digits(std::string_view text) {
  std::string sum;
  for (int digit = 1; digit <= 16; ++digit) {
    sum += concat(digit == 1 ? "" : " | ", "(instr('123456789ABCDEF', substr(", text, ", ", digit,
                  ", 1)) << ", 4 * (16 - digit), ')');
  }
  return sum;
}

/// With the offsets that a record has for itself: of each pointer the same number of bytes, the
/// highest first.
std::string launch_arguments_view() {
  constexpr std::string_view kStart = R"sql(
CREATE VIEW launch_arguments AS
  SELECT x.process, x.record, x.ordinal, x.name, x.allocation, b.path AS allocation_name,
    CASE WHEN x.allocation IS NULL THEN NULL WHEN x.offsets IS NULL THEN x.allocation_offset
      ELSE )sql";
  constexpr std::string_view kEnd = R"sql( END AS allocation_offset,
    nullif(hex(x.value), '') AS value
  FROM (
    SELECT p.id AS process, r.id - p.first_record + 1 AS record, a.ordinal, a.name, a.allocation,
      a.allocation_offset, a.value, r.offsets,
      substr('0000000000000000' || hex(substr(r.offsets,
        a.pointer * (length(r.offsets) / l.pointers) + 1, length(r.offsets) / l.pointers)), -16)
        AS digits
    FROM process p CROSS JOIN record r
        ON r.id >= p.first_record AND r.id < p.first_record + p.records
      CROSS JOIN launch l ON l.process = p.id AND l.id = r.subject
      CROSS JOIN launch_argument a ON a.process = p.id AND a.launch = l.id
    WHERE r.kind = (SELECT id FROM record_kind WHERE name = 'launch')) x
    LEFT JOIN allocation b ON b.process = x.process AND b.id = x.allocation;
)sql";
  return concat(kStart, number_of_digits("x.digits"), kEnd);
}

}  // namespace

std::string tables_sql(std::uint32_t version) {
  if (version < kFirstWithProcesses) return old_tables_sql(version);
  return concat(kThings, kRecords, version < kFirstWithCoverage ? "" : kCoverage);
}

std::string views_sql(std::uint32_t version) {
  if (version < kFirstWithProcesses) return old_views_sql(version);
  return concat(kViewsOfThings, kViewsOfRecords, launch_arguments_view(),
                version < kFirstWithCoverage ? "" : kViewsOfCoverage);
}

}  // namespace compass::archive
