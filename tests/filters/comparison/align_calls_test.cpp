#include "filters/comparison/align_calls.hpp"

#include "filters/comparison/picture_alignment.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::align_calls_test {

using ::testing::IsEmpty;
using ::testing::Optional;

// A process whose calls are made one by one; each call begins where the one before has ended.
class CallMaker {
 public:
  explicit CallMaker(const std::vector<std::string>& names) {
    for (const auto& name : names)
      functions_.emplace_back().name = name;
  }

  void begin(FunctionIndex function) {
    const auto caller = open_.empty() ? not_a_call : open_.back();
    open_.push_back(static_cast<std::uint32_t>(calls_.calls.size()));
    calls_.calls.push_back(
        {now_, 0, function, caller, 0, static_cast<std::uint32_t>(open_.size() - 1)});
    ++calls_.all_calls;
  }
  void end() {
    auto& call = calls_.calls[open_.back()];
    call.inclusive = now_ - call.begin;
    call.end = static_cast<std::uint32_t>(calls_.calls.size());
    open_.pop_back();
  }
  void pass(std::uint64_t ticks) { now_ += ticks; }
  void call(FunctionIndex function, std::uint64_t ticks) {
    begin(function);
    pass(ticks);
    end();
  }
  std::uint64_t now() const { return now_; }
  ProcessCalls& calls() { return calls_; }
  AlignedSide side() const { return {calls_, functions_, 1}; }

 private:
  std::vector<Function> functions_;
  ProcessCalls calls_;
  std::vector<std::uint32_t> open_;
  std::uint64_t now_ = 0;
};

const std::vector<std::string> names{"main", "solve", "send", "check"};

// main calls these, each with its ticks.
CallMaker make_calls(const std::vector<std::pair<FunctionIndex, std::uint64_t>>& calls) {
  CallMaker made(names);
  made.begin(0);
  for (const auto& [function, ticks] : calls)
    made.call(function, ticks);
  made.end();
  return made;
}

TEST(AlignCalls, FindsNothingInEqualCalls) {
  const auto a = make_calls({{1, 10}, {2, 5}}), b = make_calls({{1, 10}, {2, 5}});
  const auto found = align_calls(a.side(), b.side());
  EXPECT_EQ(found.same.calls, 3u);
  EXPECT_EQ(found.inserted.calls + found.deleted.calls + found.changed.calls, 0u);
  EXPECT_THAT(found.costly, IsEmpty());
  EXPECT_EQ(found.time_a, 15);
}

TEST(AlignCalls, TellsTheCallThatTakesLonger) {
  const auto a = make_calls({{1, 10}, {2, 5}, {1, 10}}), b = make_calls({{1, 10}, {2, 5}, {1, 90}});
  const auto found = align_calls(a.side(), b.side());
  ASSERT_EQ(found.costly.size(), 1u) << "main itself takes as long";
  EXPECT_EQ(found.costly[0].path, "main > solve");
  EXPECT_EQ(found.costly[0].change, CallChange::same);
  EXPECT_EQ(found.costly[0].number, 3u);
  EXPECT_EQ(found.costly[0].b - found.costly[0].a, 80);
}

TEST(AlignCalls, TellsWhatIsInsertedDeletedAndChanged) {
  const auto a = make_calls({{1, 10}, {3, 7}, {2, 5}, {1, 10}});
  const auto b = make_calls({{1, 10}, {2, 5}, {3, 20}, {1, 10}, {3, 4}});
  const auto found = align_calls(a.side(), b.side());
  EXPECT_EQ(found.deleted.calls, 1u);
  EXPECT_EQ(found.deleted.a, 7);
  EXPECT_EQ(found.inserted.calls, 2u);
  EXPECT_EQ(found.inserted.b, 24);
  EXPECT_EQ(found.costly[0].change, CallChange::inserted);
  EXPECT_EQ(found.costly[0].path, "main > check");

  const auto other = make_calls({{1, 10}, {2, 6}, {2, 5}, {1, 10}});
  const auto changed = align_calls(a.side(), other.side());
  EXPECT_EQ(changed.changed.calls, 1u);
  EXPECT_EQ(changed.costly[0].function_in_b, "send");
}

TEST(AlignCalls, KnowsFunctionsByTheirNames) {
  CallMaker b({"solve_", "main"});
  b.begin(1);
  b.call(0, 10);
  b.end();
  EXPECT_EQ(align_calls(make_calls({{1, 10}}).side(), b.side()).same.calls, 2u);
}

// Iteration 2 of A lacks its last call; without iterations the calls of later ones would be
// shifted.
CallMaker make_iterations(const std::vector<std::vector<FunctionIndex>>& iterations) {
  CallMaker made(names);
  Loop loop;
  loop.path = {0};
  loop.function = 1;
  made.begin(0);
  for (std::size_t k = 0; k < iterations.size(); ++k) {
    const auto begin = made.now();
    for (auto function : iterations[k])
      made.call(function, 10 + k);
    loop.iterations.push_back({begin, made.now()});
  }
  made.end();
  made.calls().loop = loop;
  return made;
}

TEST(AlignCalls, GoesIterationByIteration) {
  const auto a = make_iterations({{1, 2}, {1}, {1, 2}, {1, 2}});
  const auto b = make_iterations({{1, 2}, {1, 2}, {1, 2}});
  const auto found = align_calls(a.side(), b.side());
  EXPECT_THAT(found.iterations_a, Optional(4u));
  EXPECT_THAT(found.iterations_b, Optional(3u));
  EXPECT_EQ(found.inserted.calls, 1u);
  EXPECT_EQ(found.deleted.calls, 2u) << "the iteration that B does not have";
  ASSERT_EQ(found.costly.size(), 3u);
  EXPECT_THAT(found.costly[0].iteration, Optional(3u));
  EXPECT_THAT(found.costly[2].iteration, Optional(1u));
}

TEST(AlignCalls, LooksOnlyAsDeepAsBothHaveCalls) {
  auto a = make_calls({{1, 10}}), b = make_calls({{2, 10}});
  b.calls().least_depth = 1;
  const auto found = align_calls(a.side(), b.side());
  EXPECT_THAT(found.least_depth, Optional(1u));
  EXPECT_EQ(found.same.calls, 1u);
  EXPECT_EQ(found.changed.calls, 0u);
}

TEST(AlignCalls, KeepsTheTenThatCostMost) {
  std::vector<std::pair<FunctionIndex, std::uint64_t>> calls(30, {1, 10}), longer;
  for (std::uint64_t k = 0; k < 30; ++k)
    longer.emplace_back(1, 10 + k);
  const auto found = align_calls(make_calls(calls).side(), make_calls(longer).side());
  ASSERT_EQ(found.costly.size(), most_costly_calls);
  for (std::size_t k = 0; k < found.costly.size(); ++k)
    EXPECT_EQ(found.costly[k].cost(), 29.0 - static_cast<double>(k));
}

namespace {

AlignmentPicture make_picture(const CallMaker& a, const CallMaker& b) {
  const auto side_a = a.side(), side_b = b.side();
  CallPartners partners;
  const auto alignment = align_calls(side_a, side_b, &partners);
  return picture_alignment(side_a, side_b, alignment, partners);
}

// So many columns of each kind.
std::vector<DrawnKind> make_columns(std::vector<std::pair<DrawnKind, std::size_t>> parts) {
  std::vector<DrawnKind> out;
  for (const auto& [kind, columns] : parts)
    out.insert(out.end(), columns, kind);
  return out;
}

}  // namespace

TEST(PictureAlignment, ShowsWhenOneProcessIsAlone) {
  using enum DrawnKind;
  const auto picture =
      make_picture(make_calls({{1, 10}, {3, 10}, {2, 10}}), make_calls({{1, 10}, {2, 10}}));
  EXPECT_EQ(picture.length, 30);
  const auto third = picture_columns / 3;
  ASSERT_EQ(picture.rows[0].kinds.size(), 2u);
  EXPECT_EQ(picture.rows[0].kinds[0], make_columns({{same, 3 * third}}));
  EXPECT_EQ(picture.rows[0].kinds[1], make_columns({{same, third}, {alone, third}, {same, third}}));
  EXPECT_EQ(picture.rows[1].kinds[1], make_columns({{same, 2 * third}, {none, third}}));

  ASSERT_EQ(picture.costly.size(), 1u);
  ASSERT_TRUE(picture.costly[0].a);
  EXPECT_FALSE(picture.costly[0].b);
  EXPECT_EQ(picture.costly[0].a->begin, 10);
  EXPECT_EQ(picture.costly[0].a->end, 20);
  ASSERT_EQ(picture.links.size(), 2u);
  EXPECT_EQ(picture.links[1].a, 20);
  EXPECT_EQ(picture.links[1].b, 10);
  ASSERT_EQ(picture.rows[0].calls.size(), 4u);
  EXPECT_EQ(picture.rows[0].calls[2].name, "check");
}

TEST(PictureAlignment, ShowsWhereACallTakesLonger) {
  using enum DrawnKind;
  const auto picture = make_picture(make_calls({{1, 10}, {2, 10}}), make_calls({{1, 40}, {2, 10}}));
  const auto fifth = picture_columns / 5;
  EXPECT_EQ(picture.rows[0].kinds[1], make_columns({{same, 2 * fifth}, {none, 3 * fifth}}));
  EXPECT_EQ(picture.rows[1].kinds[1], make_columns({{longer, 4 * fifth}, {same, fifth}}));
  EXPECT_EQ(picture.costly[0].b->end, 40);
}

TEST(PictureAlignment, ShowsWhatIsInsideOfACallAsThat) {
  const auto make = [](bool checks) {
    CallMaker made(names);
    made.begin(0);
    made.call(1, 10);
    if (checks) {
      made.begin(3);
      made.call(2, 10);
      made.end();
    }
    made.end();
    return made;
  };
  const auto picture = make_picture(make(false), make(true));
  EXPECT_EQ(picture.rows[1].kinds[2].back(), DrawnKind::alone);
  EXPECT_EQ(make_picture(make(true), make(true)).rows[1].kinds[2].back(), DrawnKind::same);
}

TEST(PictureAlignment, IsEmptyWithoutCalls) {
  const CallMaker none(names);
  EXPECT_EQ(make_picture(none, none).length, 0);
}

}  // namespace tracefold::align_calls_test
