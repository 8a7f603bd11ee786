// Writes contexts as .cxt files for another program to judge, and beside each a
// line of what we say of it: the numbers of concepts, of the AOC-poset's nodes and
// of its edges.
//   write_cxt FOLDER
#include "emitters/groups/lattice_formats.hpp"
#include "lattice/concept_lattice.hpp"
#include "lattice/context.hpp"
#include "lattice/poset.hpp"

#include <algorithm>
#include <fstream>
#include <random>

namespace {

using namespace tracefold;
using namespace tracefold::lattice;

std::vector<Set> random_sets(std::mt19937_64& random) {
  std::vector<Set> sets(random() % 12);
  const auto width = random() % 12, density = 1 + random() % 8;
  for (auto& set : sets)
    for (Element e = 0; e < width; ++e)
      if (random() % 9 < density)
        set.push_back(e);

  return sets;
}

void write(const std::string& path, const std::vector<Set>& sets) {
  const auto context = build_context(sets);
  NamedContext named;

  for (std::size_t i = 0; i < sets.size(); ++i) {
    named.objects.push_back("process " + std::to_string(i));
    auto& row = named.incidence.emplace_back();
    for (auto e : context.attributes)
      row.push_back(std::binary_search(sets[i].begin(), sets[i].end(), e));
  }

  for (auto e : context.attributes)
    named.attributes.push_back("main→f" + std::to_string(e));

  std::ofstream(path + ".cxt") << to_cxt(named);
  const auto poset = build_aoc_poset(context.intents);
  std::ofstream(path + ".txt") << num_vertices(*build_concept_lattice(context.intents)) << ' '
                               << num_vertices(poset) << ' ' << num_edges(poset) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  std::mt19937_64 random(41);
  for (int round = 0; round < 200; ++round)
    write(argv[1] + ("/" + std::to_string(round)), random_sets(random));
}
