// The worked examples of the papers, built as contexts. Where a figure gives the
// sizes of nodes only, a node's pairs are numbers of our own.
#include "lattice/closure.hpp"
#include "lattice/concept_lattice.hpp"
#include "lattice/context.hpp"
#include "lattice/poset.hpp"
#include "lattice/similarity.hpp"

#include <gmock/gmock.h>

#include <optional>

namespace tracefold::lattice::papers_test {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// Functions; root is the virtual one.
enum : std::uint32_t { root, main_function, init, fopen_function, fclose_function };
enum : std::uint32_t { a = 1, b, c, d };

Set pairs(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> list) {
  Set set;
  for (auto [from, to] : list)
    set.push_back(to_element(from, to));
  std::ranges::sort(set);
  return set;
}

// All functions that are called.
Set functions(const Set& pairs) {
  Set called;
  for (auto pair : pairs)
    called.push_back(static_cast<std::uint32_t>(pair));
  std::ranges::sort(called);
  called.erase(std::unique(called.begin(), called.end()), called.end());

  return called;
}

// Whole nodes of a figure, each {number, how many pairs}.
Set nodes(std::initializer_list<std::pair<Element, Element>> list) {
  Set set;
  for (auto [node, size] : list)
    for (Element i = 0; i < size; ++i)
      set.push_back(node * 1000 + i);
  return set;
}

Matrix similarities(const std::vector<Set>& sets) {
  return compute_similarity_matrix(build_context(sets).intents);
}

// How many attributes stand at the node of each intent, by intent.
std::vector<std::size_t> own_attributes(const Hierarchy& hierarchy, std::size_t intents) {
  std::vector<std::size_t> counts(intents);
  for (std::size_t x = 0; x < num_vertices(hierarchy); ++x)
    if (hierarchy[x].intent)
      counts[*hierarchy[x].intent] = hierarchy[x].attributes.size();
  return counts;
}

TEST(Papers, StructuralFigure2) {
  const auto first = pairs({{root, main_function},
                            {main_function, init},
                            {main_function, fopen_function},
                            {main_function, fclose_function},
                            {init, fopen_function},
                            {init, fclose_function}});

  const auto second = pairs({{root, main_function},
                             {main_function, init},
                             {init, fopen_function},
                             {init, fclose_function}});

  EXPECT_DOUBLE_EQ(similarities({first, second}).at(0, 1), 4.0 / 6);
  EXPECT_EQ(build_context({functions(first), functions(second)}).size(), 1u);
  EXPECT_EQ(compute_similarity_matrix(std::vector{functions(first), functions(second)}).at(0, 1),
            1);
}

TEST(Papers, ThesisFigure34) {
  const auto first = pairs({{root, a}, {a, b}, {b, c}, {c, d}}),
             second = pairs({{root, a}, {a, b}, {b, c}});
  EXPECT_DOUBLE_EQ(similarities({first, second}).at(0, 1), 3.0 / 4);
}

// Figures 3 and 4: three concepts have processes, P2 and P4 are a group, P3 is the bottom.
TEST(Papers, StructuralTable1) {
  const Element f1 = to_element(root, a), f2 = to_element(a, b), f3 = to_element(a, c);
  const auto context = build_context({{f1, f2}, {f1, f3}, {f1, f2, f3}, {f1, f3}});
  ASSERT_EQ(context.size(), 3u);
  EXPECT_THAT(context.objects[1], ElementsAre(1, 3));
  EXPECT_EQ(num_vertices(*build_concept_lattice(context.intents)), 4u);
  const auto poset = build_aoc_poset(context.intents);
  ASSERT_EQ(num_vertices(poset), 4u);
  EXPECT_EQ(poset[0], (Node{std::nullopt, {0}}));
  EXPECT_EQ(poset[1], (Node{0, {1}}));
  EXPECT_EQ(poset[2], (Node{1, {2}}));
  EXPECT_EQ(poset[3], (Node{2, {}}));
  EXPECT_EQ(out_degree(3, poset), 2u);
}

// Figures 3.8 and 3.9: the lattice has an empty top.
TEST(Papers, ThesisTable31) {
  const auto context = build_context({{'A'}, {'B', 'C'}, {'A', 'B', 'C'}, {'B', 'C'}});
  EXPECT_EQ(num_vertices(*build_concept_lattice(context.intents)), 4u);
  const auto poset = build_aoc_poset(context.intents);
  ASSERT_EQ(num_vertices(poset), 3u);
  EXPECT_EQ(out_degree(2, poset), 2u);
}

// Inlining: structural figures 8 to 10, thesis figures 3.13 to 3.15.
TEST(Papers, StructuralFigure8) {
  const auto first = pairs({{root, a}, {a, b}}), second = pairs({{root, b}});
  EXPECT_EQ(similarities({first, second}).at(0, 1), 0);
  const auto closed = build_context({find_closure(first), find_closure(second)});
  const auto subsumed = compute_subsumption_matrix(closed.intents);
  EXPECT_DOUBLE_EQ(subsumed.at(0, 1), 1);
  EXPECT_DOUBLE_EQ(subsumed.at(1, 0), 1.0 / 3);
  EXPECT_EQ(num_vertices(*build_concept_lattice(build_context({first, second}).intents)), 4u);
  EXPECT_EQ(num_vertices(*build_concept_lattice(closed.intents)), 2u);
}

// Thesis figure 3.12 and table 3.2: 4 processes, 12 threads.
TEST(Papers, Wrf) {
  const auto first = nodes({{0, 109}, {1, 216}, {2, 95}}), others = nodes({{0, 109}, {1, 216}}),
             thread = nodes({{0, 109}, {3, 33}});
  std::vector<Set> sets{first, others, others, others};
  sets.resize(16, thread);
  const auto context = build_context(sets);
  EXPECT_THAT(context.objects, ElementsAre(SizeIs(1), SizeIs(3), SizeIs(12)));
  const auto m = compute_similarity_matrix(context.intents);
  EXPECT_DOUBLE_EQ(m.at(0, 1), (109.0 + 216) / (109 + 216 + 95));
  EXPECT_DOUBLE_EQ(m.at(1, 2), 109.0 / (109 + 216 + 33));
  EXPECT_NEAR(m.at(0, 1), 0.77, 0.005);
  EXPECT_NEAR(m.at(1, 2), 0.30, 0.005);
  EXPECT_NEAR(m.at(0, 2), 0.24, 0.005);
  const auto poset = build_aoc_poset(context.intents);
  EXPECT_EQ(poset[0].attributes.size(), 109u);
  EXPECT_THAT(own_attributes(poset, 3), ElementsAre(95, 216, 33));
}

// Thesis tables 4.2 and 4.3, figure 4.10; sizes of nodes that fit. Structural
// table III gives BT-MZ 5 nodes and 3 groups.
TEST(Papers, Bt) {
  const auto first = nodes({{0, 56}, {1, 40}, {2, 1}}), others = nodes({{0, 56}, {1, 40}}),
             thread = nodes({{0, 56}, {3, 29}});
  const auto context = build_context({first, others, thread});
  const auto m = compute_similarity_matrix(context.intents);
  EXPECT_NEAR(m.at(0, 1), 0.99, 0.005);
  EXPECT_NEAR(m.at(1, 2), 0.45, 0.005);
  EXPECT_NEAR(m.at(0, 2), 0.44, 0.005);
  EXPECT_EQ(num_vertices(*build_concept_lattice(context.intents)), 5u);
  const auto closed = compute_subsumption_matrix(std::vector<Set>{
      nodes({{0, 62}, {1, 136}, {2, 2}}), nodes({{0, 62}, {1, 136}}), nodes({{0, 62}})});
  EXPECT_THAT((std::vector{closed.at(0, 1), closed.at(0, 2), closed.at(1, 2)}),
              ElementsAre(1, 1, 1));
  EXPECT_NEAR(closed.at(1, 0), 0.99, 0.005);
  EXPECT_NEAR(closed.at(2, 0), 0.31, 0.005);
  EXPECT_NEAR(closed.at(2, 1), 0.31, 0.005);
}

// Structural figure 7: processes 0 and 1.
TEST(Papers, PIConGPU) {
  const auto m =
      similarities({nodes({{0, 11}, {1, 66}}), nodes({{0, 11}, {2, 160}, {3, 6}, {4, 6}, {5, 2}})});
  EXPECT_DOUBLE_EQ(m.at(0, 1), 11.0 / (11 + 66 + 160 + 6 + 6 + 2));
  EXPECT_NEAR(m.at(0, 1), 0.044, 0.0005);
}

// Structural table II, MPI processes only.
TEST(Papers, PIConGPUMergesAtTheThresholdOfStructural8b) {
  const std::vector<std::vector<double>> below{{},
                                               {.04},
                                               {.04, .95},
                                               {.04, .93, .96},
                                               {.05, .96, .92, .90},
                                               {.05, .92, .96, .93, .97},
                                               {.05, .90, .92, .97, .93, .97}};

  Matrix m(below.size());
  for (std::size_t i = 0; i < below.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      m.set(i, j, below[i][j]);

  const auto merged = merge_similar(m, {1, 1, 2, 1, 3, 6, 3}, std::vector<std::size_t>(7), 0.83);
  EXPECT_THAT(merged.groups, ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3, 4, 5, 6)));
  EXPECT_NEAR(merged.similarity.at(0, 1), (.04 + 2 * .04 + .04 + 3 * .05 + 6 * .05 + 3 * .05) / 16,
              1e-12);
}

}  // namespace tracefold::lattice::papers_test
