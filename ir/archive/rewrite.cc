// SPDX-License-Identifier: MIT
#include "ir/archive/rewrite.h"

#include <string>
#include <utility>
#include <vector>

#include "ir/archive/writer.h"

namespace compass::archive {

Result<void> rewrite(const Archive& archive, const std::filesystem::path& output,
                     const std::function<Result<void>(Recording&)>& change) {
  ASSIGN_OR_RETURN(const std::string recorder, archive.recorder());
  ASSIGN_OR_RETURN(Writer writer, Writer::create(output, recorder));
  ASSIGN_OR_RETURN(const std::vector<Recording> processes, archive.processes());
  const Frames frames = [&](const std::string& sha256) { return archive.stored(sha256); };
  for (const Recording& process : processes) {
    ASSIGN_OR_RETURN(Recording recording, archive.recording(process.process.id));
    ASSIGN_OR_RETURN(const RecordedCallSites sites, archive.call_sites(process.process.id));
    if (auto ok = change(recording); !ok) return ok;
    if (auto ok = writer.add(recording, frames, sites); !ok) return ok;
  }
  return std::move(writer).finish();
}

}  // namespace compass::archive
