// The call trees that the papers give, as traces: from events to similarity.
#include "filters/groups/compare_groups.hpp"
#include "filters/groups/group.hpp"
#include "model/plan.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/every_record.hpp"

#include <gmock/gmock.h>

#include <map>

namespace tracefold::call_trees_test {

using K = DefinitionKind;

// A process as text: a letter calls a function, '.' returns from the innermost.
class CallTrees {
 public:
  explicit CallTrees(const std::vector<std::string>& processes) {
    define(K::ClockProperties, {1'000, 0, 1'000'000, ~std::uint64_t{0}});
    string("a name");
    define(K::SystemTreeNode, {0, 0, 0, 0xffffffff});
    for (const auto& calls : processes)
      add_process(calls);
    testing::write_archive(content_, folder_.path());
  }

  // Grouped exactly, so that a group is a set.
  Plan plan() const {
    Diagnostics diagnostics;
    const Archive archive((folder_.path() / "traces.otf2").string(), diagnostics);
    Plan plan = make_plan(archive, {});
    add_profiles(plan, archive, {}, diagnostics);
    group(plan, 1);

    return plan;
  }
  double value(CompareBy by, bool subsumption, std::size_t row = 0, std::size_t column = 1) const {
    const auto table = compare_groups(
        plan(), {.by = by}, subsumption ? GroupMeasure::subsumption : GroupMeasure::similarity);
    return table.values.size() == 1 ? table.values[0][0] : table.values.at(row).at(column);
  }

 private:
  void define(K kind, std::initializer_list<std::uint64_t> fields) {
    Definition d;
    d.kind = kind;
    std::copy(fields.begin(), fields.end(), d.fields.begin());
    content_.definitions.push_back(d);
  }
  std::uint64_t string(const std::string& text) {
    define(K::String, {strings_});
    content_.definitions.back().text = text;
    return strings_++;
  }
  std::uint64_t region(char name) {
    const auto [at, fresh] = regions_.try_emplace(name, regions_.size());
    if (fresh) {
      const auto text = string(std::string(1, name));
      define(K::Region, {at->second, text, text, text, 0, 0, 0, 0, 0, 0});
    }

    return at->second;
  }
  void call(std::vector<Event>& events, EventKind kind, std::uint64_t region) {
    Event e;
    e.kind = kind;
    e.time = events.size();
    e.fields[0] = region;
    events.push_back(e);
  }
  void add_process(const std::string& calls) {
    std::vector<Event> events;
    std::vector<std::uint64_t> open;

    for (char c : calls) {
      if (c != '.') {
        open.push_back(region(c));
        call(events, EventKind::Enter, open.back());
      } else {
        call(events, EventKind::Leave, open.back());
        open.pop_back();
      }
    }

    EXPECT_TRUE(open.empty());
    const std::uint64_t id = content_.events.size();
    define(K::LocationGroup, {id, 0, 1, 0, 0xffffffff});
    define(K::Location, {id, 0, otf2_value::location_type_cpu, events.size(), id});
    content_.events[id] = std::move(events);
  }

  testing::TestFolder folder_;
  testing::TraceContent content_;
  std::map<char, std::uint64_t> regions_;
  std::uint64_t strings_ = 0;
};

// m: main, i: init, o: fopen, c: fclose.
TEST(CallTrees, StructuralFigure2) {
  const CallTrees trees({"mio.c..o.c..", "mio.c..."});
  EXPECT_DOUBLE_EQ(trees.value(CompareBy::pairs, false), 4.0 / 6);
  EXPECT_EQ(trees.value(CompareBy::functions, false), 1);
}

TEST(CallTrees, ThesisFigure34) {
  EXPECT_DOUBLE_EQ(CallTrees({"abcd....", "abc..."}).value(CompareBy::pairs, false), 3.0 / 4);
}

// Structural figures 8 and 10: b is inlined into its caller on the second process.
TEST(CallTrees, StructuralFigure8) {
  const CallTrees trees({"ab..", "b."});
  EXPECT_EQ(trees.value(CompareBy::pairs, false), 0);
  EXPECT_EQ(trees.value(CompareBy::pairs, true, 0, 1), 1);
  EXPECT_DOUBLE_EQ(trees.value(CompareBy::pairs, true, 1, 0), 1.0 / 3);
}

TEST(CallTrees, RepetitionOrderAndDepthOfRecursionDoNotMatter) {
  EXPECT_EQ(CallTrees({"mf.g.f..", "mg.f.."}).plan().groups->size(), 1u);
  EXPECT_EQ(CallTrees({"mff...", "mffff....."}).plan().groups->size(), 1u);
  EXPECT_DOUBLE_EQ(CallTrees({"mff...", "mf.."}).value(CompareBy::pairs, false),
                   2.0 / 3);  // a recursive f adds f -> f
}

TEST(CallTrees, ProcessesWithoutCallsAreAlike) {
  const CallTrees trees({"", ""});
  EXPECT_EQ(trees.plan().groups->size(), 1u);
  EXPECT_EQ(trees.value(CompareBy::pairs, false), 1);
}

}  // namespace tracefold::call_trees_test
