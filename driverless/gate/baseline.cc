// SPDX-License-Identifier: MIT
#include "driverless/gate/baseline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driverless/gate/allow_list.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 2;
constexpr std::string_view kExpected = "what `check --format json` or `run --format json` prints";

/// Keeps where the text stops to be JSON.
class SyntaxCheck : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    position_ = position;
    return false;
  }
  std::size_t position() const { return position_; }

 private:
  std::size_t position_ = 0;  // from 1
};

Error wrong(std::string_view file, std::string_view what) {
  return {ErrorCode::kInvalid, concat(file, ": ", what)};
}

Result<Json> parse(std::string_view text, std::string_view file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return wrong(file, concat("it is empty: expected ", kExpected));
  }
  SyntaxCheck syntax;
  if (Json::sax_parse(text, &syntax)) return Json::parse(text, nullptr, false);
  const std::string_view before = text.substr(0, syntax.position());
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  return Error{ErrorCode::kInvalid, concat(file, ":", line, ": no JSON: expected ", kExpected)};
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<void> check_format(const Json& json, std::string_view file) {
  const std::string format = json.is_object() ? text_of(json, "format") : std::string();
  if (format != "compass-capture check" && format != "compass-capture run") {
    return wrong(file, concat("it is no report: expected ", kExpected));
  }
  const auto version = json.find("version");
  if (version != json.end() && *version == kVersion) return {};
  const std::string found = version == json.end() ? std::string("none") : version->dump();
  return wrong(file, concat("its version is ", found, ": expected ", kVersion,
                            ", so make it anew with this compass-capture"));
}

}  // namespace

bool Baseline::knows(std::string_view id) const {
  const auto found = std::lower_bound(findings.begin(), findings.end(), id,
                                      [](const KnownFinding& finding, std::string_view other) {
                                        return std::string_view(finding.id) < other;
                                      });
  return found != findings.end() && found->id == id;
}

Result<Baseline> parse_baseline(std::string_view text, std::string_view file) {
  ASSIGN_OR_RETURN(const Json json, parse(text, file));
  if (auto ok = check_format(json, file); !ok) return std::move(ok).error();
  const auto findings = json.find("findings");
  if (findings == json.end() || !findings->is_array()) {
    return wrong(file, "findings is missing: expected an array");
  }
  Baseline baseline{std::string(file), {}};
  for (const Json& finding : *findings) {
    KnownFinding known;
    if (finding.is_object()) {
      known = {text_of(finding, "id"), text_of(finding, "rule"), text_of(finding, "kernel")};
    }
    if (!is_finding_id(known.id)) {
      return wrong(file, concat("findings[", &finding - &findings->front(),
                                "] has no id: expected 12 hex digits"));
    }
    baseline.findings.push_back(std::move(known));
  }
  std::vector<KnownFinding>& all = baseline.findings;
  std::sort(all.begin(), all.end(),
            [](const KnownFinding& a, const KnownFinding& b) { return a.id < b.id; });
  const auto same = [](const KnownFinding& a, const KnownFinding& b) { return a.id == b.id; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return baseline;
}

}  // namespace compass::gate
