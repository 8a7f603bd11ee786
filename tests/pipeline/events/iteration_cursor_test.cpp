#include "pipeline/events/iteration_cursor.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tracefold::iteration_cursor_test {

ProcessLoops tabulate_loops(LoopSource source, std::vector<Interval> iterations,
                            std::vector<std::uint32_t> orders = {}, std::uint32_t end_order = 0) {
  Loop loop;
  loop.source = source;
  loop.function = 'b';
  loop.iterations = std::move(iterations);
  loop.orders = std::move(orders);
  loop.end_order = end_order;

  return {{loop}, 0, 0, std::nullopt};
}

// A letter enters a call, "." leaves the innermost, "s" is another record, and "-" lets
// a tick pass, from time 0 on. Each word but "-" is answered by its iteration, or "_".
std::string places(const ProcessLoops& loops, const std::string& words) {
  IterationCursor cursor(loops);
  std::string out;
  std::uint64_t time = 0;

  for (char c : words) {
    if (c == '-') {
      ++time;
      continue;
    }

    const auto place = c == '.' ? cursor.leave(CallEnd{})
                       : c == 's'
                           ? cursor.other(time)
                           : cursor.enter(CallBegin{time, 0, static_cast<FunctionIndex>(c), 0});

    out += place == IterationCursor::outside ? '_' : static_cast<char>('0' + place);
  }

  return out;
}

TEST(IterationCursor, BeginsWithTheFirstCallWhateverTellsTheLoop) {
  EXPECT_EQ(places(tabulate_loops(LoopSource::call_path, {{1, 3}, {3, 6}}), "m-a-s.b-.a-.-b-..c."),
            "_000001111___")
      << "b takes the time";
  EXPECT_EQ(places(tabulate_loops(LoopSource::sequence, {{1, 3}, {3, 4}}), "m-ax.-.-ax.-.c.."),
            "_00001111___");
}

TEST(IterationCursor, KeepsWhatIsBetweenIterationsWithTheOneBefore) {
  EXPECT_EQ(places(tabulate_loops(LoopSource::sequence, {{1, 4}, {4, 5}}), "m-a-.s-c.-a-.-s."),
            "_0000011__")
      << "but not what is behind the loop";
  EXPECT_EQ(places(tabulate_loops(LoopSource::marked, {{1, 2}, {3, 4}}), "m-a-.s-a-.s."),
            "_00_11__");
}

TEST(IterationCursor, TellsCallsOfOneTimeApart) {
  // Each iteration calls a and b; all but one b are shorter than a tick.
  EXPECT_EQ(places(tabulate_loops(LoopSource::sequence, {{0, 0}, {0, 1}, {1, 1}}, {1, 3, 0}, 2),
                   "ma.b.a.b-.a.b.c.."),
            "_000011112222___");
  EXPECT_EQ(
      places(tabulate_loops(LoopSource::marked, {{0, 0}, {0, 0}, {0, 0}}, {1, 3, 4}), "mb.c.b.b.."),
      "_00__1122_");
}

}  // namespace tracefold::iteration_cursor_test
