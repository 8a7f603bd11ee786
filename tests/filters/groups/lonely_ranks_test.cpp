#include "filters/groups/lonely_ranks.hpp"

#include "model/plan.hpp"
#include "tests/support/communication_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::lonely_ranks_test {

using testing::CommunicationBuilder;
using testing::Does;
using ::testing::Optional;
using enum EventKind;

// Eight ranks that receive from two others in an order of their own.
TEST(LonelyRanks, AreCountedWithAndWithoutOrder) {
  CommunicationBuilder made(8);
  for (std::uint64_t rank = 0; rank < 8; ++rank) {
    std::vector<Does> does;
    for (std::uint64_t bit = 0; bit < 3; ++bit)
      does.push_back({MpiRecv, (rank + 1 + (rank >> bit & 1)) % 8});
    for (std::uint64_t bit = 0; bit < 3; ++bit)
      does.push_back({MpiRecv, (rank + 2 - (rank >> bit & 1)) % 8});
    made.rank(does);
  }
  Plan plan;
  plan.comparison.by = CompareBy::signature;
  plan.processes.resize(8);
  plan.groups.emplace();
  for (std::uint32_t rank = 0; rank < 8; ++rank)
    plan.groups->push_back({{rank}, {}, {}, SignatureClusters{0, rank}});

  EXPECT_THAT(find_lonely_ranks(plan, made.made()), Optional(LonelyRanks{8, 8, 8, 1, 8}));

  auto without = plan;
  without.comparison.signature.keep_order = false;
  EXPECT_EQ(find_lonely_ranks(without, made.made()), std::nullopt);
  auto pairs = plan;  // half of the ranks are not alone
  for (std::uint32_t rank = 0; rank < 4; ++rank)
    pairs.groups->at(rank).members = {0, 1};
  EXPECT_EQ(find_lonely_ranks(pairs, made.made()), std::nullopt);
}

}  // namespace tracefold::lonely_ranks_test
