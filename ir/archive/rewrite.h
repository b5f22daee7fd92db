// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

#include "ir/archive/reader.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// Writes the archive once more, in the newest format, to `output`, which may be its own file:
/// with what `change` makes of each process. Contents are taken over as they are stored, one at a
/// time, and so are call sites and the name of the recorder; `change` must name no other contents.
///
/// As with Writer, `output` is replaced once all is written, and else stays as it is. The same
/// input gives the same bytes.
Result<void> rewrite(const Archive& archive, const std::filesystem::path& output,
                     const std::function<Result<void>(Recording&)>& change);

}  // namespace compass::archive
