#include "filters/report/lay_out_poset.hpp"

#include "filters/report/layered_graph.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

namespace tracefold::lay_out_poset_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Up = std::vector<std::vector<std::size_t>>;

// Nodes whose calls are their numbers.
LatticeDrawing make_drawing(const Up& up) {
  LatticeDrawing drawing;
  drawing.attribute = "pairs";
  drawing.processes = up.size();
  for (std::size_t n = 0; n < up.size(); ++n) {
    auto& node = drawing.nodes.emplace_back();
    node.up = up[n];
    node.attributes = {"main -> function_" + std::to_string(n)};
    node.processes = {"rank " + std::to_string(n)};
    node.members = {n};
    node.count = 1;
    node.reaching = up.size() - n;
  }
  drawing.attributes = up.size();

  return drawing;
}

PosetLayout lay_out(const LatticeDrawing& drawing) {
  std::vector<std::uint32_t> group_of(drawing.nodes.size());
  std::iota(group_of.begin(), group_of.end(), 0u);
  return lay_out_poset(drawing, group_of);
}

// All subsets of so many things, the empty one at the top.
Up make_subsets(std::size_t things) {
  std::vector<std::size_t> sets(std::size_t{1} << things);
  std::iota(sets.begin(), sets.end(), std::size_t{0});
  std::stable_sort(sets.begin(), sets.end(), [](auto a, auto b) {
    return __builtin_popcountll(a) < __builtin_popcountll(b);
  });
  Up up(sets.size());
  for (std::size_t n = 0; n < sets.size(); ++n)
    for (std::size_t above = 0; above < n; ++above)
      if ((sets[above] & ~sets[n]) == 0 && __builtin_popcountll(sets[n] ^ sets[above]) == 1)
        up[n].push_back(above);

  return up;
}

Up make_tree(std::size_t nodes, std::size_t children) {
  Up up(nodes);
  for (std::size_t n = 1; n < nodes; ++n)
    up[n] = {(n - 1) / children};

  return up;
}

// Each node below some of those before it, by a seed.
Up make_any(std::size_t nodes, std::size_t most_up, std::size_t reach, std::uint32_t seed) {
  const auto draw = [&](std::size_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
  };
  Up up(nodes);
  for (std::size_t n = 1; n < nodes; ++n) {
    std::set<std::size_t> above;
    for (auto k = draw(most_up) + 1; k > 0; --k)
      above.insert(n - 1 - draw(std::min(n, reach)));
    up[n].assign(above.begin(), above.end());
  }

  return up;
}

double left(const PosetLayout::Node& node) {
  return node.x - node.width / 2;
}
double right(const PosetLayout::Node& node) {
  return node.x + node.width / 2;
}

void expect_readable(const PosetLayout& layout) {
  // By height and then from left to right, so that only neighbours can overlap.
  auto nodes = layout.nodes;
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return std::pair(a.y, a.x) < std::pair(b.y, b.x); });
  for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
    if (nodes[k].y == nodes[k + 1].y)
      ASSERT_LT(right(nodes[k]), left(nodes[k + 1]));
    else
      ASSERT_LT(nodes[k].y + layout.node_height, nodes[k + 1].y);
  }
  for (const auto& node : layout.nodes) {
    ASSERT_GE(left(node), 0);
    ASSERT_LE(right(node), layout.width);
    ASSERT_GE(node.y - layout.node_height / 2, 0);
    ASSERT_LE(node.y + layout.node_height / 2, layout.height);
  }

  for (const auto& edge : layout.edges) {
    auto y = layout.nodes[edge.lower].y - layout.node_height / 2;
    for (const auto& bend : edge.bends) {
      ASSERT_LT(bend.y, y);
      y = bend.y;
      // No bend stands in a box.
      for (auto node =
               std::lower_bound(nodes.begin(), nodes.end(), bend.y - layout.node_height / 2 - 1,
                                [](const auto&one, double height) { return one.y < height; });
           node != nodes.end() && node->y <= bend.y + layout.node_height / 2 + 1; ++node)
        ASSERT_TRUE(bend.x < left(*node) || bend.x > right(*node));
    }
    ASSERT_LT(layout.nodes[edge.upper].y + layout.node_height / 2, y);
  }
}

TEST(LayOutPoset, KeepsNodesApartAndEdgesUpwards) {
  for (const auto& up :
       {make_subsets(3), make_subsets(5), make_tree(200, 3), make_any(60, 3, 60, 1),
        make_any(300, 2, 40, 2), make_any(300, 4, 300, 3), Up{{}, {}, {}}}) {
    const auto drawing = make_drawing(up);
    const auto layout = lay_out(drawing);
    ASSERT_EQ(layout.nodes.size(), up.size());
    std::size_t edges = 0;
    for (const auto& above : up)
      edges += above.size();
    EXPECT_EQ(layout.edges.size(), edges);
    expect_readable(layout);
  }
}

TEST(LayOutPoset, CrossesNoEdgesOfTrees) {
  EXPECT_EQ(count_crossings(make_layers(make_tree(500, 3))), 0u);
  // Edges of a leaf that pass layers, too.
  EXPECT_EQ(count_crossings(make_layers({{}, {0}, {0}, {0}, {1}, {3}, {4, 0}, {5, 0}})), 0u);
}

// The fewest crossings that any order of the layers has.
std::uint64_t find_fewest(LayeredGraph graph, std::size_t layer = 0) {
  if (layer == graph.layers.size())
    return count_crossings(graph);
  auto fewest = ~std::uint64_t{0};
  std::sort(graph.layers[layer].begin(), graph.layers[layer].end());
  do
    fewest = std::min(fewest, find_fewest(graph, layer + 1));
  while (std::next_permutation(graph.layers[layer].begin(), graph.layers[layer].end()));

  return fewest;
}

TEST(LayOutPoset, FindsTheFewestCrossingsOfSmallPosets) {
  const auto cube = make_layers(make_subsets(3));
  EXPECT_EQ(count_crossings(cube), 2u);
  EXPECT_EQ(find_fewest(cube), 2u);

  std::uint64_t ours = 0, fewest = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const auto graph = make_layers(make_any(9, 3, 4, seed));
    std::size_t orders = 1;
    for (const auto& layer : graph.layers)
      for (std::size_t k = 2; k <= layer.size(); ++k)
        orders *= k;
    if (orders > 3'000)
      continue;
    ours += count_crossings(graph);
    fewest += find_fewest(graph);
  }
  EXPECT_GT(fewest, 0u);
  EXPECT_LE(ours, fewest + 1);
}

TEST(LayOutPoset, DrawsFourThingsWithFewCrossings) {
  EXPECT_LE(count_crossings(make_layers(make_subsets(4))), 24u);
}

TEST(LayOutPoset, TakesLessThanASecondForThousandsOfNodes) {
  for (const auto& up :
       {make_any(5000, 3, 2500, 4), make_any(5000, 3, 60, 5), make_tree(5000, 70)}) {
    const auto drawing = make_drawing(up);
    const auto begin = std::chrono::steady_clock::now();
    const auto layout = lay_out(drawing);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    RecordProperty("seconds", std::to_string(taken.count()));
    EXPECT_LT(taken.count(), 10) << "the library is optimised, and the machine may be busy";
    expect_readable(layout);
  }
}

TEST(LayOutPoset, IsTheSameEachTime) {
  const auto drawing = make_drawing(make_any(300, 4, 300, 3));
  const auto a = lay_out(drawing), b = lay_out(drawing);
  for (std::size_t n = 0; n < a.nodes.size(); ++n)
    ASSERT_EQ(a.nodes[n].x, b.nodes[n].x);
}

TEST(LayOutPoset, SaysWhatANodeAdds) {
  auto drawing = make_drawing({{}, {0}, {0}, {1, 2}});
  drawing.nodes[0].attributes = {"-> main", "main -> MPI_Init"};
  drawing.nodes[0].processes = {};
  drawing.nodes[0].members = {};
  drawing.nodes[0].count = 0;
  drawing.nodes[1].attributes = {"main -> a", "a -> b", "b -> c"};
  drawing.nodes[1].entries = {"main -> a"};
  drawing.nodes[2].attributes = {"main -> a_function_with_a_name_that_goes_on_and_on"};
  drawing.nodes[3].attributes = {};
  drawing.nodes[3].processes = {"rank 5", "rank 7"};
  drawing.nodes[3].members = {0, 1, 2};

  const std::vector<std::uint32_t> group_of{4, 2, 4};
  for (auto& node : drawing.nodes)
    if (&node != &drawing.nodes[3])
      node.members = {};
  const auto layout = lay_out_poset(drawing, group_of);
  EXPECT_EQ(layout.nodes[0].label, "all: 2");
  EXPECT_EQ(layout.nodes[1].label, "main -> a +2");
  EXPECT_LE(layout.nodes[2].label.size(), 30u);
  EXPECT_THAT(layout.nodes[2].title,
              HasSubstr("main -> a_function_with_a_name_that_goes_on_and_on"));
  EXPECT_EQ(layout.nodes[3].label, "rank 5 +1");
  EXPECT_THAT(layout.nodes[3].groups, ElementsAre(2, 4));
  EXPECT_EQ(layout.nodes[3].processes, 1u);
}

TEST(LayOutPoset, BearsAnEmptyLattice) {
  const auto layout = lay_out(LatticeDrawing{});
  EXPECT_THAT(layout.nodes, IsEmpty());
  EXPECT_THAT(layout.edges, IsEmpty());
}

}  // namespace tracefold::lay_out_poset_test
