// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/names.h"
#include "ir/recording.h"

namespace compass {

/// A record in the normal form.
struct TextLine {
  std::optional<StreamId> stream;  ///< absent: the host did it
  std::string phase;
  std::string text;
};

/// Turns records into lines. Takes them in their order: it knows what was freed by then.
class LinePrinter {
 public:
  LinePrinter(const Recording& recording, const Names& names)
      : recording_(recording), names_(names), freed_(recording.allocations.size()) {}

  /// Absent where the record has no line of its own.
  std::optional<TextLine> print(const Record& record);

 private:
  std::optional<std::string> text_of(const Record& record);
  std::string place(const MemoryRef& memory, std::string_view nowhere) const;
  std::string launch_text(const Launch& launch) const;
  std::string argument_text(const Kernel& kernel, const LaunchArgument& argument) const;
  std::string copy_text(const Copy& copy) const;
  std::string fill_text(const Fill& fill) const;
  std::string wait_text(const WaitValue& wait) const;

  const Recording& recording_;
  const Names& names_;
  std::vector<bool> freed_;  ///< by allocation
};

}  // namespace compass
