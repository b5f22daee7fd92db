// SPDX-License-Identifier: MIT
#pragma once

#include "ir/text/document.h"

namespace compass::text {

/// Takes the kernels and buffers from the document's lists that no line of its sections names.
void keep_used(Document& document);

}  // namespace compass::text
