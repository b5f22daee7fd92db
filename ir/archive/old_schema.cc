// SPDX-License-Identifier: MIT
// What archives of formats 1 and 2 hold.
#include <string_view>

#include "ir/archive/schema.h"
#include "ir/base/concat.h"

namespace compass::archive {
namespace {

/// The tables of both but the table of records.
constexpr std::string_view kTables = R"sql(
CREATE TABLE recording (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  program TEXT NOT NULL, architecture TEXT NOT NULL,
  complete INTEGER NOT NULL, incomplete_cause TEXT NOT NULL,
  device BLOB NOT NULL);
CREATE TABLE code_object (
  id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, target TEXT NOT NULL,
  size_bytes INTEGER NOT NULL, message BLOB NOT NULL);
CREATE TABLE kernel (
  id INTEGER PRIMARY KEY, code_object INTEGER NOT NULL, name TEXT NOT NULL,
  canonical TEXT NOT NULL, kernarg_size_bytes INTEGER NOT NULL, lds_size_bytes INTEGER NOT NULL,
  scratch_size_bytes INTEGER NOT NULL, wavefront_size INTEGER NOT NULL,
  vgpr_count INTEGER NOT NULL, agpr_count INTEGER NOT NULL, sgpr_count INTEGER NOT NULL,
  message BLOB NOT NULL);
CREATE TABLE allocation (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, size_bytes INTEGER NOT NULL,
  generation INTEGER NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, dtype TEXT NOT NULL,
  shape TEXT NOT NULL, message BLOB NOT NULL);
CREATE TABLE launch (
  id INTEGER PRIMARY KEY, kernel INTEGER NOT NULL,
  grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
  workgroup_x INTEGER NOT NULL, workgroup_y INTEGER NOT NULL, workgroup_z INTEGER NOT NULL,
  dynamic_lds_bytes INTEGER NOT NULL, message BLOB NOT NULL);
CREATE TABLE launch_argument (
  launch INTEGER NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL,
  offset_bytes INTEGER NOT NULL, size_bytes INTEGER NOT NULL,
  allocation INTEGER, allocation_offset INTEGER, value BLOB,
  PRIMARY KEY (launch, ordinal)) WITHOUT ROWID;
CREATE TABLE step (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, produces_output INTEGER NOT NULL,
  deferred INTEGER NOT NULL, real_rows INTEGER NOT NULL, padded_rows INTEGER NOT NULL,
  requests TEXT NOT NULL, message BLOB NOT NULL);
CREATE TABLE blob (
  id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, size_bytes INTEGER NOT NULL,
  zstd BLOB NOT NULL);
)sql";

constexpr std::string_view kRecords1 = R"sql(
CREATE TABLE record (
  sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, thread INTEGER NOT NULL,
  stream INTEGER NOT NULL, step INTEGER NOT NULL, phase TEXT NOT NULL, status INTEGER NOT NULL,
  launch INTEGER, allocation INTEGER, event INTEGER, code_object INTEGER,
  direction TEXT, wait TEXT,
  destination INTEGER, destination_offset INTEGER, source INTEGER, source_offset INTEGER,
  size_bytes INTEGER, content TEXT, message BLOB NOT NULL);
)sql";

constexpr std::string_view kRecords = R"sql(
CREATE TABLE record (
  sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, thread INTEGER NOT NULL,
  stream INTEGER NOT NULL, step INTEGER NOT NULL, phase TEXT NOT NULL, status INTEGER NOT NULL,
  launch INTEGER, allocation INTEGER, event INTEGER, code_object INTEGER,
  direction TEXT, wait TEXT,
  destination INTEGER, destination_offset INTEGER, source INTEGER, source_offset INTEGER,
  size_bytes INTEGER, content TEXT, captured INTEGER NOT NULL, executable INTEGER,
  message BLOB NOT NULL);
CREATE TABLE replayed_launch (
  record INTEGER NOT NULL, position INTEGER NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (record, position)) WITHOUT ROWID;
)sql";

/// Format 1 as the views of format 2 see it.
constexpr std::string_view kRecords1AsRecords = R"sql(
CREATE VIEW record AS SELECT *, 0 AS captured FROM main.record;
CREATE VIEW replayed_launch AS SELECT NULL AS record, NULL AS position, NULL AS node WHERE false;
)sql";

constexpr std::string_view kViews = R"sql(
CREATE VIEW launches AS
  WITH made AS (
    SELECT sequence AS record, 0 AS position, NULL AS node, phase, launch
      FROM record WHERE launch IS NOT NULL AND NOT captured
    UNION ALL
    SELECT p.record, p.position, p.node, 'replay', n.launch
      FROM replayed_launch p JOIN record n ON n.sequence = p.node)
  SELECT m.record, r.step, m.phase, r.stream, r.thread, k.canonical AS kernel,
    l.grid_x, l.grid_y, l.grid_z, l.workgroup_x, l.workgroup_y, l.workgroup_z,
    l.dynamic_lds_bytes, r.status,
    row_number() OVER (ORDER BY m.record, m.position) AS launch,
    l.id AS distinct_launch, m.node
  FROM made m JOIN record r ON r.sequence = m.record JOIN launch l ON l.id = m.launch
    JOIN kernel k ON k.id = l.kernel
  ORDER BY m.record, m.position;
CREATE VIEW arguments AS
  SELECT a.launch AS distinct_launch, k.canonical AS kernel, a.ordinal, a.name, a.offset_bytes,
    a.size_bytes, b.name AS allocation_name, a.allocation, a.allocation_offset, hex(a.value) AS value
  FROM launch_argument a JOIN launch l ON l.id = a.launch JOIN kernel k ON k.id = l.kernel
    LEFT JOIN allocation b ON b.id = a.allocation;
CREATE VIEW copies AS
  SELECT r.sequence AS record, r.step, r.phase, r.stream, r.thread, r.direction, r.wait,
    r.size_bytes, d.name AS destination_name, r.destination, r.destination_offset,
    s.name AS source_name, r.source, r.source_offset, r.content, r.status
  FROM record r LEFT JOIN allocation d ON d.id = r.destination
    LEFT JOIN allocation s ON s.id = r.source
  WHERE r.kind = 'copy' ORDER BY r.sequence;
CREATE VIEW allocations AS
  SELECT a.id AS allocation, a.name, a.kind, a.size_bytes, a.role, a.dtype, a.shape, a.generation,
    (SELECT min(sequence) FROM record WHERE kind = 'allocate' AND allocation = a.id)
      AS allocated_by,
    (SELECT min(sequence) FROM record WHERE kind = 'free' AND allocation = a.id
      AND status = 0 AND NOT captured) AS freed_by
  FROM allocation a;
CREATE VIEW kernels AS
  SELECT k.id AS kernel, k.canonical AS name, k.name AS symbol, c.target,
    (SELECT count(*) FROM record r JOIN launch l ON l.id = r.launch
      WHERE l.kernel = k.id AND NOT r.captured) +
    (SELECT count(*) FROM replayed_launch p JOIN record n ON n.sequence = p.node
      JOIN launch l ON l.id = n.launch WHERE l.kernel = k.id) AS launches,
    k.kernarg_size_bytes, k.lds_size_bytes, k.scratch_size_bytes, k.wavefront_size,
    k.vgpr_count, k.agpr_count, k.sgpr_count
  FROM kernel k JOIN code_object c ON c.id = k.code_object;
CREATE VIEW steps AS
  SELECT s.id AS step, s.kind, s.real_rows, s.padded_rows, s.produces_output, s.deferred,
    s.requests,
    (SELECT count(*) FROM record r
      WHERE r.step = s.id AND r.launch IS NOT NULL AND NOT r.captured) +
    (SELECT count(*) FROM replayed_launch p JOIN record r ON r.sequence = p.record
      WHERE r.step = s.id) AS launches,
    (SELECT min(sequence) FROM record r WHERE r.step = s.id) AS first_record,
    (SELECT max(sequence) FROM record r WHERE r.step = s.id) AS last_record
  FROM step s;
)sql";

}  // namespace

std::string old_tables_sql(std::uint32_t version) {
  return concat(kTables, version == 1 ? kRecords1 : kRecords);
}

std::string old_views_sql(std::uint32_t version) {
  return concat(version == 1 ? kRecords1AsRecords : "", kViews);
}

}  // namespace compass::archive
