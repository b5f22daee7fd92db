// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/archive/query.h"

namespace compass::cli {

/// Makes text of the rows of a query.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void add(const std::vector<archive::QueryValue>& row) = 0;
  /// There are no more rows.
  virtual void finish() = 0;
  /// What has been made by now; whoever takes it leaves it empty.
  std::string& text() { return text_; }

 protected:
  std::string text_;
};

/// `format`: "table", with columns that are aligned (as wide as the first thousand rows need, or
/// one further down); "csv" as RFC 4180 has it, with a line of names; or "json", an array of
/// objects.
std::unique_ptr<RowWriter> make_row_writer(const std::string& format,
                                           const std::vector<std::string>& columns);

}  // namespace compass::cli
