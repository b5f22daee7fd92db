// SPDX-License-Identifier: MIT
#pragma once

#include <list>

#include "ir/archive/writer.h"
#include "ir/call_site.h"
#include "ir/evidence.h"
#include "ir/journal/file.h"
#include "ir/recording.h"

namespace compass::archive {

/// A journal's recording, and the bytes that it names: views into the journal and into what was
/// compressed there.
struct Resolved {
  Recording recording;
  Contents contents;
  std::list<Bytes> decompressed;
  RecordedCallSites call_sites;
  Evidence evidence;  ///< of a runtime that saw what it ran
  /// Something that the process asked for is missing. Where it is false the recording may still be
  /// incomplete: the process did not end in order, and its end is all that is missing.
  bool has_gaps = false;
  /// Something was asked of a device; else there are marks alone.
  bool has_work = false;
};

/// Whether it asks something of a device; else it is a mark.
bool is_work(const Record& record);

/// Whether the process asked the runtime for anything that a recording holds, or marked anything.
bool has_anything_to_keep(const journal::Contents& journal);

/// Whether the process called HIP at all, if only to ask.
bool called_hip(const journal::Contents& journal);

/// Turns what capture saw into the IR: handles into ids, addresses into places, functions into
/// kernels. Takes any entries and gives a valid recording; what cannot be resolved is left out, and
/// the recording says that it is incomplete and why. docs/ir.md, "Sealing", has the rules.
Resolved resolve(const journal::Contents& journal);

}  // namespace compass::archive
