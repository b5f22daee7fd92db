// SPDX-License-Identifier: MIT
#include "ir/text/document.h"

#include "ir/base/concat.h"

namespace compass::text {

Document::Document() { add(std::vector<Accesses>{}); }

LineIndex Document::add(Line line) {
  std::string text = print_line(line);
  return lines.add(std::move(text), std::move(line));
}

AccessIndex Document::add(std::vector<Accesses> list) {
  std::string text;
  for (const Accesses& each : list) text += print_accesses(each) + '\n';
  return accesses.add(std::move(text), std::move(list));
}

}  // namespace compass::text
