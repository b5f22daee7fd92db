// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/base/bytes.h"

namespace compass::text {

/// The types of a kernel's parameters, from its canonical name; empty where that names none.
std::vector<std::string> parameter_types(std::string_view canonical);

/// A scalar of that type, or of an unknown one (empty), as scalar_text() writes it, but a float as
/// a decimal number. Empty where the bytes may be those of a structure: some may be padding, which
/// is stack garbage.
std::string value_text(std::string_view type, ByteView bytes);

}  // namespace compass::text
