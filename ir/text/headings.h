// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "ir/text/document.h"

namespace compass::text {

/// The lines of a document outside its sections: headings and lists, as text and from it. What
/// parses takes the whole line.

std::string process_text(const ProcessHeading& process);
std::string architecture_text(const std::string& architecture);
std::string kernel_text(const KernelLine& kernel);
std::string buffer_text(const BufferLine& buffer);
std::string step_text(const Step& step);

/// A step, and the one above whose body it has too; then what accesses differ is below.
struct StepHeading {
  Step step;
  std::optional<StepId> same;
};

Result<ProcessHeading> parse_process(Cursor cursor);
Result<std::string> parse_architecture(Cursor cursor);
Result<KernelLine> parse_kernel(Cursor cursor);
Result<BufferLine> parse_buffer(Cursor cursor);
Result<StepHeading> parse_step(Cursor cursor);

}  // namespace compass::text
