// SPDX-License-Identifier: MIT
#include "cli/query.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "cli/query_rows.h"
#include "ir/archive/query.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::string sql;
  std::string format = "table";
};

Result<int> query(const Options& options) {
  ASSIGN_OR_RETURN(archive::Query query, archive::Query::open(options.file, options.sql));
  const std::unique_ptr<RowWriter> writer = make_row_writer(options.format, query.columns());
  const auto print = [&] { return print_text(std::exchange(writer->text(), {})); };
  constexpr std::size_t kMostBytes = 1 << 16;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, query.step());
    if (!more) break;
    std::vector<archive::QueryValue> row;
    for (std::size_t i = 0; i < query.columns().size(); ++i) row.push_back(query.value(i));
    writer->add(row);
    if (writer->text().size() < kMostBytes) continue;
    const int unprinted = print();
    if (unprinted != 0 || std::ferror(stdout) != 0) return unprinted;
  }
  writer->finish();
  return print();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += concat(text.empty() ? "" : ", ", word);
  return text;
}

Result<int> list_views(const Options& options) {
  ASSIGN_OR_RETURN(const std::vector<archive::View> views, archive::views_of(options.file));
  std::string text;
  for (const archive::View& view : views) {
    text += concat(view.name, "\n    ", joined(view.columns), '\n');
  }
  return print_text(text);
}

int run(const Options& options) {
  // Who reads the rows may have seen enough.
  std::signal(SIGPIPE, SIG_IGN);
  const auto code = options.sql.empty() ? list_views(options) : query(options);
  return code ? *code : print_error(code.error());
}

}  // namespace

void add_query(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* query = app.add_subcommand("query", "Ask an archive in SQL");
  query->add_option("FILE", options->file, "the archive")->required();
  query->add_option("SQL", options->sql,
                    "one statement that reads; without it, the views and their columns are listed");
  query->add_option("--format", options->format, "how to print the rows")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->capture_default_str();
  query->footer(
      "docs/ir.md has what the views mean. Bytes are printed in hexadecimal digits, and unsigned\n"
      "64-bit numbers as the signed ones with the same bits. For example:\n\n"
      "  compass-capture query run.compass \\\n"
      "    \"SELECT kernel, count(*) FROM launches WHERE step = 3 GROUP BY kernel\"");
  query->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
