// SPDX-License-Identifier: MIT
#include "ir/text/mark_text.h"

#include <variant>

#include "ir/base/concat.h"
#include "ir/names.h"
#include "ir/text/line.h"

namespace compass::text {
namespace {

std::string name_of(const std::string& name) { return name_text(printable(name)); }

/// "label=value" behind what is there already, or nothing.
void label(std::string& text, std::string_view label, const std::string& value) {
  if (!value.empty()) text += concat(text.empty() ? "" : " ", label, '=', value);
}

void label_name(std::string& text, std::string_view what, const std::string& name) {
  if (!name.empty()) label(text, what, name_of(name));
}

/// "0,4-5".
std::string ranges_text(const std::vector<RowRange>& ranges) {
  std::string text;
  for (const RowRange& range : ranges) {
    text += concat(text.empty() ? "" : ",", range.first);
    if (range.last != range.first) text += concat('-', range.last);
  }
  return text;
}

struct MarkText {
  std::string operator()(const DeclarePool& body) const {
    std::string text;
    label_name(text, "name", body.name);
    label_name(text, "unit", body.unit);
    label(text, "rows", std::to_string(body.rows));
    if (body.row_bytes != 0) label(text, "row_bytes", std::to_string(body.row_bytes));
    label(text, "reserved", ranges_text(body.reserved));
    label_name(text, "said_by", body.said_by);
    return text;
  }
  std::string operator()(const DeclareSentinel& body) const {
    std::string text;
    label_name(text, "role", body.role);
    label_name(text, "pool", body.pool);
    label_name(text, "unit", body.unit);
    label(text, "values", list_text(body.values));
    return text;
  }
  std::string operator()(const Sleep& body) const {
    std::string text;
    label(text, "level", std::to_string(body.level));
    label_name(text, "tag", body.tag);
    return text;
  }
  std::string operator()(const Wake& body) const {
    std::string text;
    label_name(text, "tag", body.tag);
    return text;
  }
  std::string operator()(const ReportOutput& body) const {
    std::string text = concat(body.size_bytes, " B");
    label(text, "requests", list_text(body.request_ids));
    label(text, "ids", list_text(body.ids));
    return text;
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::optional<MemoryRef> marked_memory(const RecordBody& body) {
  if (const auto* pool = std::get_if<DeclarePool>(&body)) return pool->memory;
  if (const auto* sentinel = std::get_if<DeclareSentinel>(&body)) return sentinel->memory;
  if (const auto* report = std::get_if<ReportOutput>(&body)) return report->memory;
  if (const auto* made = std::get_if<AllocateBlock>(&body)) return MemoryRef{made->allocation, 0};
  if (const auto* ended = std::get_if<FreeBlock>(&body)) return MemoryRef{ended->allocation, 0};
  return std::nullopt;
}

std::string mark_text(const RecordBody& body) { return std::visit(MarkText{}, body); }

}  // namespace compass::text
