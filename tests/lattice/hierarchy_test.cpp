// The AOC-poset and the concept lattice, against each other and against brute force.
#include "lattice/concept_lattice.hpp"
#include "lattice/context.hpp"
#include "lattice/poset.hpp"
#include "lattice/similarity.hpp"
#include "tests/lattice/brute_force.hpp"
#include "tests/support/strip_hierarchy.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>

namespace tracefold::lattice::hierarchy_test {

using brute_force::Bits;
using brute_force::Drawing;
using brute_force::Label;

// With attributes that no object has.
Context convert_context(const brute_force::Context& plain) {
  std::map<Bits, std::size_t> numbers;
  std::vector<std::size_t> firsts;
  Context context;
  for (std::size_t i = 0; i < plain.objects.size(); ++i) {
    const auto [at, is_new] = numbers.try_emplace(plain.objects[i], numbers.size());
    if (is_new) {
      firsts.push_back(i);
      context.objects.emplace_back();
    }
    context.objects[at->second].push_back(i);
  }

  for (Element e = 0; e < plain.attributes; ++e)
    context.attributes.push_back(e);
  context.intents = BitRows(firsts.size(), plain.attributes);
  for (std::size_t i = 0; i < firsts.size(); ++i)
    for (std::size_t j = 0; j < plain.attributes; ++j)
      if (plain.objects[firsts[i]] >> j & 1)
        set_bit(context.intents.row(i), j);

  return context;
}

Label label(const Context& context, const Node& node) {
  Label label;
  if (node.intent)
    for (auto object : context.objects[*node.intent])
      label.objects.insert(object);
  label.attributes.insert(node.attributes.begin(), node.attributes.end());

  return label;
}

Drawing drawing(const Context& context, const Hierarchy& hierarchy) {
  Drawing drawing;
  for (std::size_t x = 0; x < num_vertices(hierarchy); ++x) {
    EXPECT_TRUE(drawing.nodes.insert(label(context, hierarchy[x])).second);
    for (auto [edge, end] = out_edges(x, hierarchy); edge != end; ++edge) {
      EXPECT_LT(target(*edge, hierarchy), x);
      EXPECT_TRUE(drawing.edges
                      .insert({label(context, hierarchy[x]),
                               label(context, hierarchy[target(*edge, hierarchy)])})
                      .second);
    }
  }

  return drawing;
}

std::vector<std::vector<std::size_t>> edge_lists(const Hierarchy& hierarchy) {
  std::vector<std::vector<std::size_t>> lists(num_vertices(hierarchy));
  for (std::size_t x = 0; x < lists.size(); ++x)
    for (auto [edge, end] = out_edges(x, hierarchy); edge != end; ++edge)
      lists[x].push_back(target(*edge, hierarchy));
  return lists;
}

void expect_same(const Hierarchy& a, const Hierarchy& b) {
  EXPECT_EQ(edge_lists(a), edge_lists(b));
  for (std::size_t x = 0; x < num_vertices(a); ++x)
    EXPECT_EQ(a[x], b[x]);
}

// What stands at a node and at all above it.
std::vector<Bits> inherited(const Hierarchy& hierarchy) {
  std::vector<Bits> attributes(num_vertices(hierarchy));
  for (std::size_t x = 0; x < attributes.size(); ++x) {
    for (auto j : hierarchy[x].attributes)
      attributes[x] |= Bits{1} << j;
    for (auto [edge, end] = out_edges(x, hierarchy); edge != end; ++edge)
      attributes[x] |= attributes[target(*edge, hierarchy)];
  }

  return attributes;
}

brute_force::Context random_context(std::mt19937_64& random) {
  brute_force::Context plain{std::vector<Bits>(random() % 9), random() % 9};
  const auto density = 1 + random() % 6;
  for (auto& object : plain.objects)
    for (std::size_t j = 0; j < plain.attributes; ++j)
      if (random() % 7 < density)
        object |= Bits{1} << j;

  if (!plain.objects.empty() && random() % 2)
    plain.objects.push_back(plain.objects[0]);

  return plain;
}

// The objects that stand at a node and at all below it.
std::vector<Bits> extents(const Hierarchy& hierarchy, const Context& context) {
  std::vector<Bits> objects(num_vertices(hierarchy));
  for (auto x = objects.size(); x-- > 0;) {
    if (hierarchy[x].intent)
      for (auto object : context.objects[*hierarchy[x].intent])
        objects[x] |= Bits{1} << object;
    for (auto [edge, end] = out_edges(x, hierarchy); edge != end; ++edge)
      objects[target(*edge, hierarchy)] |= objects[x];
  }

  return objects;
}

void expect_concepts(const Hierarchy& lattice, const brute_force::Context& plain,
                     const Context& context) {
  std::map<Bits, Bits> found, expected;
  for (auto intent : brute_force::next_closure(plain))
    expected[intent] = plain.extent(intent);

  const auto intents = inherited(lattice), objects = extents(lattice, context);
  for (std::size_t x = 0; x < intents.size(); ++x)
    found[intents[x]] = objects[x];

  EXPECT_EQ(found, expected);
  EXPECT_EQ(intents.size(), expected.size());
}

TEST(Hierarchy, AgreesWithBruteForceOnThousandsOfContexts) {
  std::mt19937_64 random(1);

  for (int round = 0; round < 4000 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto plain = random_context(random);
    const auto context = convert_context(plain);
    const auto lattice = build_concept_lattice(context.intents);
    ASSERT_TRUE(lattice);
    expect_concepts(*lattice, plain, context);
    const auto poset = build_aoc_poset(context.intents);
    EXPECT_EQ(drawing(context, poset), brute_force::stripped(plain));
    expect_same(poset, strip_hierarchy(*lattice));
    const auto attributes = inherited(poset);
    for (std::size_t x = 0; x < attributes.size(); ++x)
      if (poset[x].intent) {
        EXPECT_EQ(attributes[x], plain.objects[context.objects[*poset[x].intent].front()]);
      }
  }
}

// Every second context is wider than a word of bits, and has more intents.
TEST(Hierarchy, OfTheLatticeWithoutEmptyNodesIsThePosetOfLargerContexts) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 60; ++round) {
    const std::size_t width = 1 + random() % (round % 2 ? 200 : 20), objects = random() % 90;
    std::vector<Set> sets(objects);
    for (auto& set : sets)
      for (Element e = 0; e < width; ++e)
        if (random() % 20 == 0)
          set.push_back(e);

    const auto context = build_context(sets);
    const auto lattice = build_concept_lattice(context.intents);
    ASSERT_TRUE(lattice);
    expect_same(build_aoc_poset(context.intents), strip_hierarchy(*lattice));
  }
}

// Sums of the sizes of nodes above both and above either (structural VI.B).
TEST(Hierarchy, GivesTheSimilaritiesOfTheSets) {
  std::mt19937_64 random(17);

  for (int round = 0; round < 1000; ++round) {
    const auto context = convert_context(random_context(random));
    const auto poset = build_aoc_poset(context.intents);
    const auto attributes = inherited(poset);
    std::vector<Bits> sets(context.size());
    for (std::size_t x = 0; x < attributes.size(); ++x)
      if (poset[x].intent)
        sets[*poset[x].intent] = attributes[x];

    const auto matrix = compute_similarity_matrix(context.intents);

    for (std::size_t i = 0; i < sets.size(); ++i)
      for (std::size_t j = 0; j < sets.size(); ++j) {
        const auto both = std::popcount(sets[i] & sets[j]),
                   either = std::popcount(sets[i] | sets[j]);
        EXPECT_EQ(matrix.at(i, j), either ? static_cast<double>(both) / either : 1);
      }
  }
}

TEST(Hierarchy, OfNothing) {
  EXPECT_EQ(num_vertices(build_aoc_poset(BitRows{})), 0u);
  EXPECT_EQ(num_vertices(*build_concept_lattice(BitRows{})), 1u);
}

TEST(Hierarchy, OfOneObject) {
  const auto context = build_context({{4, 5}});
  EXPECT_EQ(num_vertices(*build_concept_lattice(context.intents)), 1u);
  const auto poset = build_aoc_poset(context.intents);
  ASSERT_EQ(num_vertices(poset), 1u);
  EXPECT_EQ(label(context, poset[0]), (Label{{0}, {0, 1}}));
}

TEST(Hierarchy, OfAnObjectWithoutAttributes) {
  const auto context = build_context({{}, {1}});
  const auto poset = build_aoc_poset(context.intents);
  ASSERT_EQ(num_vertices(poset), 2u);
  EXPECT_EQ(label(context, poset[0]), (Label{{0}, {}}));
  EXPECT_EQ(num_edges(poset), 1u);
}

TEST(ConceptLattice, StopsAtItsLimit) {
  std::vector<Set> sets(12);
  for (std::size_t i = 0; i < 12; ++i)
    for (Element e = 0; e < 12; ++e)
      if (e != i)
        sets[i].push_back(e);

  const auto context = build_context(sets);
  EXPECT_EQ(num_vertices(*build_concept_lattice(context.intents)), 4096u);
  EXPECT_TRUE(build_concept_lattice(context.intents, 4096));

  for (std::size_t limit : {std::size_t{1}, std::size_t{100}, std::size_t{4095}})
    EXPECT_FALSE(build_concept_lattice(context.intents, limit));
}

TEST(ConceptLattice, OfTenThousandDifferentObjectsIsAnswered) {
  std::mt19937_64 random(9);

  BitRows intents(10'000, 200);
  for (std::size_t i = 0; i < intents.size(); ++i)
    std::ranges::copy(std::vector<Word>{random(), random(), random(), random() & 0xff},
                      intents.row(i).begin());

  EXPECT_FALSE(build_concept_lattice(intents, 20'000));
  const auto poset = build_aoc_poset(intents);
  EXPECT_EQ(num_vertices(poset), 10'200u);
  EXPECT_GT(num_edges(poset), 900'000u);
}

}  // namespace tracefold::lattice::hierarchy_test
