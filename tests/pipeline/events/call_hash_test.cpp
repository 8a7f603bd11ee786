#include "pipeline/events/call_hash.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace tracefold::call_hash_test {

// A letter enters a function, "." leaves the innermost one, "-" lets time pass.
CallHash hash(const std::string& words) {
  CallHashSink sink;
  CallBegin begin;
  CallEnd end;
  for (auto c : words) {
    if (c == '-') {
      ++begin.time;
      ++end.time;
    } else if (c == '.') {
      sink.leave(end, {});
    } else {
      begin.function = static_cast<FunctionIndex>(c - 'a');
      sink.enter(begin, {});
    }
  }

  return sink.hash();
}

TEST(CallHash, TellsCallsButNotTheirTimes) {
  EXPECT_EQ(hash("ab..c."), hash("-a--b.-.c-."));
  EXPECT_EQ(hash(""), hash("--"));
}

// All ways to make so many calls of two functions, of which some are open.
void list_calls(const std::string& begun, std::size_t calls, std::size_t open,
                std::vector<std::string>& out) {
  out.push_back(begun);
  if (open > 0)
    list_calls(begun + ".", calls, open - 1, out);
  if (calls > 0)
    for (const auto* function : {"a", "b"})
      list_calls(begun + function, calls - 1, open + 1, out);
}

TEST(CallHash, DiffersWithOrderNumberAndNesting) {
  std::vector<std::string> all;
  list_calls("", 6, 0, all);
  std::set<CallHash> hashes;
  for (const auto& words : all)
    hashes.insert(hash(words));
  EXPECT_GT(all.size(), 10'000u);
  EXPECT_EQ(hashes.size(), all.size());
}

}  // namespace tracefold::call_hash_test
