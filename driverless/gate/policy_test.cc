// SPDX-License-Identifier: MIT
#include "driverless/gate/policy.h"

#include <gtest/gtest.h>

#include "driverless/gate/print.h"

namespace compass::gate {
namespace {

constexpr const char* kStore = "0123456789ab";
constexpr const char* kSample = "ba9876543210";

Finding finding(const char* id, Level level = Level::kError, std::uint64_t launches = 1) {
  Finding finding;
  finding.rule = level == Level::kError ? "out-of-bounds" : "uninit-read";
  finding.level = level;
  finding.id = id;
  finding.kernel = "ns::store(float*)";
  finding.launches = launches;
  finding.places.emplace_back();
  return finding;
}

ProcessReport process(std::vector<Finding> findings, std::uint64_t unchecked = 0) {
  ProcessReport process;
  process.number = 1;
  process.report.findings = std::move(findings);
  process.report.checked = 2;
  process.report.unchecked = unchecked;
  for (const std::string& rule : rule_names()) process.report.rules[rule] = {2, unchecked, {}};
  return process;
}

Policy policy() {
  Policy policy;
  policy.require = memory_rules();
  policy.today = {2026, 1, 1};
  return policy;
}

AllowList allow(const char* id, Date expires, std::optional<std::uint64_t> most = {}) {
  return {"allow.toml", {{id, "a reason", "a team", expires, most, 1}}};
}

Baseline baseline(const char* id) { return {"base.json", {{id, "out-of-bounds", "ns::store"}}}; }

FindingState state_of(const Policy& policy, const std::vector<ProcessReport>& processes) {
  return ruling_of(policy, processes).findings.at(0).state;
}

Outcome outcome_of(const Policy& policy, const std::vector<ProcessReport>& processes) {
  return ruling_of(policy, processes).outcome;
}

TEST(Policy, FailsOnTheLevelThatWasChosen) {
  const std::vector<ProcessReport> warned = {process({finding(kSample, Level::kWarning)})};
  Policy strict = policy();
  strict.fail_on = Level::kWarning;
  EXPECT_EQ(outcome_of(policy(), {process({})}), Outcome::kPassed);
  EXPECT_EQ(outcome_of(policy(), {process({}), process({finding(kStore)})}), Outcome::kFailed);
  EXPECT_EQ(outcome_of(policy(), warned), Outcome::kPassed);
  EXPECT_EQ(outcome_of(strict, warned), Outcome::kFailed);
}

TEST(Policy, KnowsWhatTheBaselineHasAndNamesWhatIsGone) {
  Policy known = policy();
  known.baseline = baseline(kStore);
  EXPECT_EQ(outcome_of(known, {process({finding(kStore)})}), Outcome::kPassed);
  const std::vector<ProcessReport> other = {process({finding(kSample)})};
  const Ruling ruling = ruling_of(known, other);
  EXPECT_EQ(ruling.outcome, Outcome::kFailed);
  ASSERT_EQ(ruling.gone.size(), 1u);
  EXPECT_EQ(ruling.gone[0]->id, kStore);
}

TEST(Policy, AllowsUntilTheEndOfTheLastDay) {
  Policy allowing = policy();
  const std::vector<ProcessReport> found = {process({finding(kStore)})};
  allowing.allow = allow(kStore, {2026, 1, 1});
  EXPECT_EQ(state_of(allowing, found), FindingState::kAllowed);
  EXPECT_EQ(outcome_of(allowing, found), Outcome::kPassed);
  allowing.allow = allow(kStore, {2025, 12, 31});
  EXPECT_EQ(state_of(allowing, found), FindingState::kExpired);
  EXPECT_EQ(outcome_of(allowing, found), Outcome::kFailed);
}

TEST(Policy, CountsTheLaunchesOfAllProcessesAgainstMost) {
  Policy allowing = policy();
  allowing.allow = allow(kStore, {2027, 1, 1}, 3);
  const ProcessReport two = process({finding(kStore, Level::kError, 2)});
  EXPECT_EQ(state_of(allowing, {two}), FindingState::kAllowed);
  EXPECT_EQ(state_of(allowing, {two, two}), FindingState::kOverMost);
  EXPECT_EQ(outcome_of(allowing, {two, two}), Outcome::kFailed);
}

TEST(Policy, ABaselineDoesNotKeepAliveWhatHasExpired) {
  Policy both = policy();
  both.baseline = baseline(kStore);
  both.allow = allow(kStore, {2025, 1, 1});
  EXPECT_EQ(state_of(both, {process({finding(kStore)})}), FindingState::kExpired);
}

TEST(Policy, NamesWhatIsAllowedForNothingUnlessItSawAPart) {
  Policy allowing = policy();
  allowing.allow = allow(kSample, {2027, 1, 1});
  allowing.baseline = baseline(kSample);
  const std::vector<ProcessReport> found = {process({})};
  EXPECT_EQ(ruling_of(allowing, found).unused.size(), 1u);
  EXPECT_EQ(ruling_of(allowing, found).gone.size(), 1u);
  EXPECT_EQ(outcome_of(allowing, found), Outcome::kPassed);
  allowing.is_of_a_part = true;
  EXPECT_TRUE(ruling_of(allowing, found).unused.empty());
  EXPECT_TRUE(ruling_of(allowing, found).gone.empty());
}

TEST(Policy, RequiresThatLaunchesWereChecked) {
  Policy lax = policy();
  lax.require.clear();
  const std::vector<ProcessReport> partly = {process({}, 1)};
  EXPECT_EQ(outcome_of(policy(), partly), Outcome::kUnchecked);
  EXPECT_EQ(outcome_of(lax, partly), Outcome::kPassed);
  std::vector<ProcessReport> cut = {process({})};
  cut[0].is_whole = false;
  EXPECT_EQ(outcome_of(policy(), cut), Outcome::kUnchecked);
  EXPECT_EQ(outcome_of(lax, cut), Outcome::kPassed);
  std::vector<ProcessReport> nothing = {process({})};
  nothing[0].report.checked = 0;
  EXPECT_EQ(outcome_of(lax, nothing), Outcome::kUnchecked);
}

TEST(Policy, RequiresOnlyTheRulesThatItNames) {
  std::vector<ProcessReport> partly = {process({})};
  partly[0].report.rules["failed-call"] = {1, 1, {{"a reason", 2, 7, 1}}};
  EXPECT_EQ(outcome_of(policy(), partly), Outcome::kPassed);
  Policy strict = policy();
  strict.require = {"failed-call"};
  EXPECT_EQ(outcome_of(strict, partly), Outcome::kUnchecked);
  const std::string text = to_text(partly[0].report, {});
  EXPECT_NE(text.find("failed-call: checked 1 launch, unchecked 1\n"
                      "    1 launch from launch 2 (record 7): a reason\n"),
            std::string::npos)
      << text;
}

TEST(Policy, ComparesNothingWithoutItsBaseline) {
  Policy first = policy();
  first.missing_baseline = "base.json";
  EXPECT_EQ(outcome_of(first, {process({})}), Outcome::kNoBaseline);
  EXPECT_EQ(outcome_of(first, {process({finding(kStore)})}), Outcome::kNoBaseline);
}

TEST(Policy, ARulesVerdictIsTheWorstThatIsTrue) {
  const Report report = process({finding(kStore), finding(kSample, Level::kWarning)}, 1).report;
  EXPECT_EQ(verdict_of(report, "out-of-bounds"), RuleVerdict::kError);
  EXPECT_EQ(verdict_of(report, "uninit-read"), RuleVerdict::kWarning);
  EXPECT_EQ(verdict_of(report, "use-after-free"), RuleVerdict::kUnchecked);
  EXPECT_EQ(verdict_of(process({}).report, "use-after-free"), RuleVerdict::kOk);
}

TEST(Policy, TheMemoryRulesAreRules) {
  const std::vector<std::string> names = rule_names();
  for (const std::string& rule : memory_rules()) {
    EXPECT_NE(std::find(names.begin(), names.end(), rule), names.end()) << rule;
  }
}

TEST(AllowList, IsReadWithItsLines) {
  const auto list = parse_allow_list(R"(# nobody
[[allow]]
id = "0123456789ab"
reason = "a reason"
owner = "a team"
expires = 2027-01-31
most = 2
)",
                                     "allow.toml");
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->entries.size(), 1u);
  const AllowEntry& entry = list->entries[0];
  EXPECT_EQ(entry.line, 2u);
  EXPECT_EQ(entry.expires, (Date{2027, 1, 31}));
  EXPECT_EQ(entry.most, 2u);
  EXPECT_EQ(list->find("0123456789ab"), &entry);
  EXPECT_EQ(list->find("0123456789ac"), nullptr);
}

TEST(AllowList, TakesAnyBytesWithoutHarm) {
  for (const std::string_view text : {"\xff\xfe", "[[allow]]", "[[allow", "allow = [[]]",
                                      "allow = [1, {}]", "allow.id = 1", "[[allow.id]]"}) {
    EXPECT_FALSE(parse_allow_list(text, "allow.toml")) << text;
  }
}

TEST(AllowList, KnowsTheDayOfAMoment) {
  EXPECT_EQ(date_of(0), (Date{1970, 1, 1}));
  EXPECT_EQ(date_of(951'782'399), (Date{2000, 2, 28}));
  EXPECT_EQ(to_string(date_of(951'782'400)), "2000-02-29");
}

TEST(Baseline, IsWhatAReportPrints) {
  const std::vector<ProcessReport> found = {process({finding(kStore)}), process({finding(kStore)})};
  const Policy any = policy();
  const Ruling ruling = ruling_of(any, found);
  const auto baseline = parse_baseline(to_json({"run", found, any, ruling}), "base.json");
  ASSERT_TRUE(baseline) << baseline.error().message;
  EXPECT_EQ(baseline->findings.size(), 1u);
  EXPECT_TRUE(baseline->knows(kStore));
  EXPECT_FALSE(baseline->knows(kSample));
}

TEST(Baseline, TakesAnyBytesWithoutHarm) {
  for (const std::string_view text : {"\xff", "{", "[]", "{\"format\": 1}",
                                      "{\"format\": \"compass-capture run\", \"version\": 2, "
                                      "\"findings\": [{\"id\": 3}]}"}) {
    EXPECT_FALSE(parse_baseline(text, "base.json")) << text;
  }
}

}  // namespace
}  // namespace compass::gate
