#include "emitters/profile/profile_formats.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_numbers.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace tracefold::profile_formats_test {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string nasty = "a \"b\", c\nd \x1b[31m \xff e";

Plan plan() {
  Plan plan;
  plan.trace.ticks_per_second = 1'000'000;
  plan.functions = {{nasty, "", "x.c", 7}, {"main", "", "", 0}};
  plan.processes.resize(1);
  plan.processes[0].id = 4;
  plan.processes[0].rank = 3;
  plan.processes[0].name = "Master";
  plan.groups = {{{0}, {0}, {1}}};
  plan.groups->at(0).name = "inside, not outside";

  return plan;
}

ProfileReport report() {
  ProfileRow row;
  row.function = 0;
  row.visits = {{1, 1, 1, 1, 1}, 1, 0, {}};
  row.exclusive = {{1500, 1500, 1500, 1500, 1500}, 1500, 1, {0}};
  row.inclusive = {{2'000'000, 2'000'000, 2'000'000, 2'000'000, 2'000'000}, 2e6, 0, {}};

  return {ProfileReport::View::functions, {}, {{0, 1, {row}, 0}}};
}

// What a reader of RFC 4180 makes of the text.
std::vector<std::vector<std::string>> parsed(const std::string& csv) {
  std::vector<std::vector<std::string>> lines{{""}};
  bool in_quotes = false;

  for (std::size_t k = 0; k < csv.size(); ++k) {
    if (csv[k] == '"' && in_quotes && k + 1 < csv.size() && csv[k + 1] == '"')
      lines.back().back() += csv[++k];
    else if (csv[k] == '"')
      in_quotes = !in_quotes;
    else if (csv[k] == ',' && !in_quotes)
      lines.back().emplace_back();
    else if (csv[k] == '\r' && !in_quotes)
      lines.push_back({""}), ++k;
    else
      lines.back().back() += csv[k];
  }

  lines.pop_back();

  return lines;
}

TEST(ProfileCsv, QuotesNamesAndMakesThemPrintable) {
  const auto lines = parsed(to_csv(plan(), report()));
  ASSERT_EQ(lines.size(), 2u);
  ASSERT_EQ(lines[0].size(), lines[1].size());
  EXPECT_EQ(lines[0][2], "function");
  EXPECT_EQ(lines[1][2], "a \"b\", c?d ?[31m \xef\xbf\xbd e");

  const auto value = [&](const std::string& column) {
    const auto at = std::find(lines[0].begin(), lines[0].end(), column);
    return at == lines[0].end() ? "no such column"
                                : lines[1][static_cast<std::size_t>(at - lines[0].begin())];
  };
  EXPECT_EQ(value("exclusive_total_seconds"), "0.001500000");
  EXPECT_EQ(value("exclusive_furthest_locations"), "4");
  EXPECT_EQ(value("group_name"), "inside, not outside");
}

TEST(ProfileCsv, HasAsManyColumnsInEveryView) {
  auto found = report();
  found.groups[0].rows[0].path = 0;
  found.groups[0].rows[0].subject = 1;
  found.paths = {{no_path, 0}};
  for (auto view : {ProfileReport::View::functions, ProfileReport::View::call_paths,
                    ProfileReport::View::neighbours}) {
    found.view = view;
    const auto lines = parsed(to_csv(plan(), found));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].size(), lines[1].size());
  }
}

TEST(ProfileJson, IsValidWhateverNamesHold) {
  const auto json = nlohmann::json::parse(to_json(plan(), report()));
  const auto& row = json["groups"][0]["rows"][0];
  EXPECT_EQ(row["function"]["name"], "a \"b\", c\nd \x1b[31m \xef\xbf\xbd e");
  EXPECT_EQ(row["exclusive_seconds"]["percentiles"][2], 0.0015);
  EXPECT_EQ(row["exclusive_seconds"]["furthest"][0]["rank"], 3);
}

TEST(ProfileTable, CannotSteerATerminal) {
  const auto table = to_table(plan(), report(), Quantity::exclusive);
  EXPECT_THAT(table, HasSubstr("a \"b\", c?d ?[31m \xef\xbf\xbd e"));
  EXPECT_THAT(table, HasSubstr("1: rank 3"));
  EXPECT_THAT(table, HasSubstr("1.50 ms"));
  EXPECT_THAT(table, HasSubstr("2.00 s"));
}

// All processes together, and a group of one of them: 3 of 4 ms are in the row, in 2 visits.
ProfileReport whole_report() {
  auto found = report();
  found.groups[0].rows[0].visits.total = 2;
  found.groups[0].rows[0].exclusive.total = 3000;
  found.groups[0].time = 4000;
  found.counters = {{"cy,cles", 1, ""}, {"energy", 1000, "J"}};
  found.groups[0].rows[0].counters = {{{7, 7, 7, 7, 7}, 21, 0, {}},
                                      {{1500, 1500, 1500, 1500, 1500}, 4500, 0, {}}};
  found.groups[0].rows[0].quarters = Quarters{{{0}, {}, {}, {}}};
  found.all = found.groups[0];
  found.all->group = all_groups;
  return found;
}

TEST(ProfileTable, ShowsSharesTimesPerVisitAndCounters) {
  const auto table = to_table(plan(), whole_report(), Quantity::exclusive);
  EXPECT_THAT(table, HasSubstr("all 1 processes, 3\n"));
  EXPECT_THAT(table, HasSubstr("1.50 ms  75.0 %"));
  EXPECT_THAT(table, HasSubstr("energy [J] 50 %"));
  EXPECT_THAT(table, HasSubstr("  1.5  "));
}

TEST(ProfileTable, DoesNotKnowSharesOfKeptProcesses) {
  auto found = whole_report();
  found.groups[0].processes = 3;
  const auto table = to_table(plan(), found, Quantity::exclusive);
  EXPECT_THAT(table, HasSubstr("n/a    n/a"));
  const auto json = nlohmann::json::parse(to_json(plan(), found));
  EXPECT_TRUE(json["groups"][0]["rows"][0]["exclusive_share"].is_null());
  EXPECT_TRUE(json["groups"][0]["rows"][0]["exclusive_seconds_per_visit"].is_null());
  EXPECT_TRUE(json["groups"][0]["rows"][0]["quartiles"].is_null());
  EXPECT_EQ(json["all"]["rows"][0]["exclusive_share"], 0.75);
}

TEST(ProfileTable, ShowsWhoIsInWhichQuarter) {
  auto found = whole_report();
  found.quarters_of = Quantity::inclusive;
  const auto table = to_table(plan(), found, Quantity::inclusive);
  EXPECT_THAT(table, HasSubstr("inclusive to 25 %  to 50 %  to 75 %  above  function"));
  EXPECT_THAT(table, HasSubstr("3                  -        -        -      a"));
  const auto json = nlohmann::json::parse(to_json(plan(), found));
  EXPECT_EQ(json["quartiles_of"], "inclusive");
  EXPECT_EQ(json["all"]["rows"][0]["quartiles"][0]["members"], "4");
  EXPECT_EQ(json["all"]["rows"][0]["quartiles"][0]["ranks"], "3");
}

TEST(ProfileTable, ListsQuartersBelowEachOtherWhereLinesAreShort) {
  auto found = whole_report();
  found.quarters_of = Quantity::inclusive;
  set_text_layout({.columns = 40});
  const auto table = to_table(plan(), found, Quantity::inclusive);
  set_text_layout({.columns = 120});
  const auto wider = to_table(plan(), found, Quantity::inclusive);
  set_text_layout({});
  EXPECT_THAT(table, HasSubstr("\nfunction, inclusive\na \"b\""));
  EXPECT_THAT(table, HasSubstr("\n  to 25 %  3\n"));
  EXPECT_THAT(table, ::testing::Not(HasSubstr("to 50 %"))) << "nobody is there";
  EXPECT_THAT(wider, HasSubstr("inclusive to 25 %  to 50 %  to 75 %  above  function"));
}

TEST(ProfileCsv, HasAllProcessesAndWhatIsNew) {
  auto found = whole_report();
  found.quarters_of = Quantity::exclusive;
  const auto lines = parsed(to_csv(plan(), found));
  ASSERT_EQ(lines.size(), 3u);
  ASSERT_EQ(lines[0].size(), lines[1].size());
  const auto value = [&](std::size_t line, const std::string& column) {
    const auto at = std::find(lines[0].begin(), lines[0].end(), column);
    return at == lines[0].end() ? "no such column"
                                : lines[line][static_cast<std::size_t>(at - lines[0].begin())];
  };
  EXPECT_EQ(value(1, "group"), "all");
  EXPECT_EQ(value(2, "group"), "0");
  EXPECT_EQ(value(1, "exclusive_share"), "0.750000000");
  EXPECT_EQ(value(1, "exclusive_per_visit_seconds"), "0.001500000000000");
  EXPECT_EQ(value(1, "cy,cles_total"), "21");
  EXPECT_EQ(value(1, "energy_p50"), "1.5");
  EXPECT_EQ(value(1, "quartile_1_locations"), "4");
  EXPECT_EQ(value(1, "quartile_2_locations"), "");
}

TEST(ProfileFormats, NameGroupsOfFunctions) {
  auto found = whole_report();
  found.view = ProfileReport::View::function_groups;
  found.function_groups = {nasty};
  EXPECT_THAT(to_table(plan(), found, Quantity::exclusive), HasSubstr("a \"b\", c?d ?[31m"));
  const auto lines = parsed(to_csv(plan(), found));
  ASSERT_EQ(lines[0].size(), lines[1].size());
  EXPECT_EQ(lines[0][2], "function_group");
  const auto json = nlohmann::json::parse(to_json(plan(), found));
  EXPECT_EQ(json["view"], "function_groups");
  EXPECT_FALSE(json["all"]["rows"][0].contains("function"));
  EXPECT_EQ(json["all"]["rows"][0]["function_group"], "a \"b\", c\nd \x1b[31m \xef\xbf\xbd e");
}

TEST(ProfileTable, SaysWhereNothingIsCalled) {
  auto none = report();
  none.groups[0].rows.clear();
  EXPECT_THAT(to_table(plan(), none, Quantity::visits), HasSubstr("no calls"));
  none.groups.clear();
  EXPECT_EQ(to_table(plan(), none, Quantity::visits), "no processes\n");
}

TEST(ProfileTable, SaysHowManyRowsAreNotShown) {
  auto found = report();
  EXPECT_THAT(to_table(plan(), found, Quantity::visits), Not(HasSubstr("more")));
  found.groups[0].left_out = 3;
  EXPECT_THAT(to_table(plan(), found, Quantity::visits), HasSubstr("and 3 more"));
}

TEST(ProfileTable, ShowsTimesInAUnitThatFits) {
  const auto p = plan();
  EXPECT_EQ(format_time(p, 0), "0");
  EXPECT_EQ(format_time(p, 1), "1.00 us");
  EXPECT_EQ(format_time(p, 999), "999 us");
  EXPECT_EQ(format_time(p, 12'345), "12.3 ms");
  EXPECT_EQ(format_time(p, 999'999), "1.00 s");
  EXPECT_EQ(format_time(p, 3'600'000'000), "3600 s");
}

}  // namespace tracefold::profile_formats_test
