// From sets already extracted to groups, similarity matrix and AOC-poset, on one
// core, beside the papers' way in the same run: AddIntent for every process, then
// labels stripped and empty nodes deleted, and similarities from the sizes of the
// nodes above (structural VI, thesis 3.4 and 4.2.3). Contexts are made to the
// measures of structural table III, of the largest runs in structural IX and
// thesis 4.2, and of a million processes.
//   lattice_bench [--quick] [--rounds N] [--cap SECONDS] [--only WORD]
// Ends with 1 where groups, nodes or posets are not as they were made, and tells
// which times are met. --quick takes at most 2,000 processes and one round.
#include "tests/bench/made_contexts.hpp"
#include "tests/support/strip_hierarchy.hpp"

#include "lattice/concept_lattice.hpp"
#include "lattice/context.hpp"
#include "lattice/poset.hpp"
#include "lattice/similarity.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>

namespace tracefold::bench {
namespace {

using namespace lattice;

struct Row {
  const char* name;
  Measures made;
  std::size_t published_nodes;  // 0 where unknown
  std::size_t made_nodes;
  double aim_ms;  // 0 where there is none
};

constexpr Row rows[] = {
    {"HPL", {2'360, 8, 2, 1, 0, 1}, 2, 2, 0},
    {"GROMACS", {36, 1'381, 11, 5, 500, 15}, 24, 24, 0},
    {"CCLM", {180, 180, 3, 3, 200, 27}, 6, 6, 0},
    {"COSMO-SPECS", {100, 50, 1, 0, 0, 1}, 1, 1, 0},
    {"WRF", {64, 774, 2, 1, 0, 1}, 2, 2, 0},
    {"FD4", {65'536, 55, 14, 5, 400, 8}, 22, 22, 10},
    {"HOMME", {1'024, 179, 3, 2, 0, 1}, 3, 3, 0},
    {"AMG2006", {1'024, 440, 7, 4, 300, 16}, 11, 11, 0},
    {"IRS", {64, 989, 7, 5, 500, 16}, 18, 18, 0},
    {"LULESH", {432, 406, 35, 8, 600, 5}, 182, 182, 0},
    {"ParaDiS", {128, 649, 74, 64, 250, 1}, 6'367, 6'385, 0},
    {"PIConGPU", {39, 474, 17, 6, 700, 6}, 60, 60, 0},
    {"BT-MZ", {16, 126, 3, 3, 200, 1}, 5, 5, 0},
    {"HPCC MPI-FFTE", {128, 109, 4, 3, 300, 40}, 7, 7, 0},
    {"PEPC", {16'384, 113, 2, 1, 0, 1}, 2, 2, 0},
    {"BT-MZ, large", {65'536, 126, 3, 3, 200, 1}, 0, 5, 15},
    {"AMG2006, large", {4'096, 483, 10, 6, 600, 3}, 36, 36, 5},
    {"ParaDiS, largest", {4'096, 655, 216, 100, 200, 1}, 57'814, 57'851, 10},
    {"a million", {1'048'576, 1'000, 200, 100, 150, 1}, 0, 13'956, 300},
};

struct Options {
  bool quick = false;
  int rounds = 5;
  double cap_seconds = 20;
  const char* only = "";
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Answer {
  BitRows groups{};
  std::vector<std::size_t> sizes{};
  Matrix similarity = Matrix(0);
  Hierarchy poset{};
};

// The distinct rows, in the order in which they come, and how often each does.
void find_groups(const BitRows& processes, Answer& answer) {
  std::map<std::vector<Word>, std::size_t> numbers;
  std::vector<std::size_t> firsts;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    const auto row = processes.row(p);
    const auto [at, is_new] = numbers.try_emplace({row.begin(), row.end()}, firsts.size());
    if (is_new) {
      firsts.push_back(p);
      answer.sizes.push_back(0);
    }
    ++answer.sizes[at->second];
  }
  answer.groups = pick_rows(processes, firsts);
}

Answer our_way(const BitRows& processes) {
  Answer answer;
  find_groups(processes, answer);
  answer.similarity = compute_similarity_matrix(answer.groups);
  answer.poset = build_aoc_poset(answer.groups);
  return answer;
}

struct PapersAnswer {
  bool complete = false;
  std::size_t nodes = 0;
  Hierarchy stripped{};
  Matrix similarity = Matrix(0);
};

// The nodes with processes walk upwards once each; what two of them reach is
// compared node by node.
Matrix similarity_from_nodes(const Hierarchy& hierarchy, std::size_t groups) {
  std::vector<std::vector<bool>> reached(num_vertices(hierarchy));
  std::vector<std::size_t> node_of(groups);

  for (std::size_t x = 0; x < reached.size(); ++x) {
    reached[x].resize(reached.size());
    reached[x][x] = true;
    for (auto [edge, end] = out_edges(x, hierarchy); edge != end; ++edge)
      for (std::size_t y = 0; y < x; ++y)
        if (reached[target(*edge, hierarchy)][y])
          reached[x][y] = true;

    if (hierarchy[x].intent)
      node_of[*hierarchy[x].intent] = x;
  }

  Matrix matrix(groups);

  for (std::size_t i = 0; i < groups; ++i)
    for (std::size_t j = i + 1; j < groups; ++j) {
      std::size_t both = 0, either = 0;
      for (std::size_t x = 0; x < reached.size(); ++x) {
        const bool ours = reached[node_of[i]][x], theirs = reached[node_of[j]][x];
        if (ours && theirs)
          both += hierarchy[x].attributes.size();
        if (ours || theirs)
          either += hierarchy[x].attributes.size();
      }

      matrix.set(i, j, either == 0 ? 1 : static_cast<double>(both) / static_cast<double>(either));
    }

  return matrix;
}

PapersAnswer papers_way(const BitRows& processes, double cap_seconds) {
  const auto start = std::chrono::steady_clock::now();
  AddIntent lattice(processes.width(), ~std::size_t{0});
  std::vector<std::size_t> of_groups;
  std::vector<bool> has_group;
  PapersAnswer answer;

  for (std::size_t p = 0; p < processes.size(); ++p) {
    const auto node = *lattice.insert(processes.row(p));
    has_group.resize(lattice.size());
    if (!has_group[node])
      of_groups.push_back(node);

    has_group[node] = true;
    answer.nodes = lattice.size();
    if (p % 16 == 0 && milliseconds_since(start) > 1000 * cap_seconds)
      return answer;
  }

  answer.stripped = strip_hierarchy(label_concepts(lattice, of_groups));
  answer.similarity = similarity_from_nodes(answer.stripped, of_groups.size());
  answer.complete = true;

  return answer;
}

bool same(const Matrix& a, const Matrix& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i)
    for (std::size_t j = 0; equal && j < a.size(); ++j)
      equal = a.at(i, j) == b.at(i, j);
  return equal;
}

bool same(const Hierarchy& a, const Hierarchy& b) {
  if (num_vertices(a) != num_vertices(b) || num_edges(a) != num_edges(b))
    return false;

  for (std::size_t x = 0; x < num_vertices(a); ++x) {
    if (a[x] != b[x])
      return false;
    for (auto [edge, end] = out_edges(x, a); edge != end; ++edge)
      if (!boost::edge(x, target(*edge, a), b).second)
        return false;
  }

  return true;
}

int failures = 0;
void check(bool good, const Row& row, const char* what) {
  if (good)
    return;
  std::printf("%s: %s not as made\n", row.name, what);
  ++failures;
}

void check(const Row& row, const Answer& ours, const PapersAnswer& papers) {
  check(ours.sizes.size() == row.made.groups, row, "number of groups is");
  if (!papers.complete)
    return;

  check(papers.nodes == row.made_nodes, row, "number of nodes is");
  check(same(papers.stripped, ours.poset), row, "lattice without empty nodes is");
  check(same(papers.similarity, ours.similarity), row, "similarity from the lattice is");
}

// Times of our way and the papers' way, in turns.
struct Times {
  std::vector<double> ours, papers;
};

void say(const Row& row, const Answer& ours, const PapersAnswer& papers, const Times& times,
         const Options& options) {
  const double one = median(times.ours), theirs = median(times.papers);
  const auto processes = std::accumulate(ours.sizes.begin(), ours.sizes.end(), std::size_t{0});
  const char *at_least = papers.complete ? " " : ">", *or_more = papers.complete ? " " : "+";
  std::printf("%-16s %9zu %6zu %7zu %6zu %7zu %7zu%s %10.3f %s%10.3f %s%8.1f", row.name, processes,
              row.made.pairs, ours.sizes.size(), num_vertices(ours.poset), row.published_nodes,
              papers.nodes, or_more, one, at_least, theirs, at_least, theirs / one);
  if (row.aim_ms > 0 && !options.quick)
    std::printf("   %5.0f %s", row.aim_ms, one <= row.aim_ms ? "met" : "MISSED");

  std::printf("\n");
  std::fflush(stdout);
}

template <class Way>
auto timed(std::vector<double>& times, Way way) {
  const auto start = std::chrono::steady_clock::now();
  auto answer = way();
  times.push_back(milliseconds_since(start));
  return answer;
}

void say_memory(double memory) {
  std::printf("%-16s %.0f MiB with the input (aim 1,024: %s)\n", "", memory,
              memory <= 1024 ? "met" : "MISSED");
}

void measure(const Row& row, const Options& options) {
  auto made = row.made;
  if (options.quick)
    made.processes = std::min<std::size_t>(made.processes, 2'000);

  const auto processes = rows_of_processes(made);
  Times times;
  PapersAnswer papers;
  double memory = 0;

  for (int round = 0; round < options.rounds; ++round) {
    const auto ours = timed(times.ours, [&] { return our_way(processes); });
    if (round == 0)
      memory = peak_mebibytes();
    if (round == 0 || papers.complete)
      papers = timed(times.papers, [&] { return papers_way(processes, options.cap_seconds); });

    check(row, ours, papers);
    if (round + 1 == options.rounds)
      say(row, ours, papers, times, options);
  }

  if (row.made.processes > 1'000'000 && !options.quick)
    say_memory(memory);
}

Options options_of(int argc, char** argv) {
  Options options;

  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (!std::strcmp(argv[i], "--quick"))
      options.quick = true, options.rounds = 1;
    else if (!std::strcmp(argv[i], "--rounds") && has_value)
      options.rounds = std::max(1, std::atoi(argv[++i]));
    else if (!std::strcmp(argv[i], "--cap") && has_value)
      options.cap_seconds = std::atof(argv[++i]);
    else if (!std::strcmp(argv[i], "--only") && has_value)
      options.only = argv[++i];
    else
      std::fprintf(stderr,
                   "usage: lattice_bench [--quick] [--rounds N] [--cap SECONDS] [--only WORD]\n"),
          std::exit(2);
  }

  return options;
}

}  // namespace
}  // namespace tracefold::bench

int main(int argc, char** argv) {
  using namespace tracefold::bench;
  const auto options = options_of(argc, argv);
  std::printf("%-16s %9s %6s %7s %6s %7s %8s %10s  %10s  %8s   %5s\n", "", "processes", "pairs",
              "groups", "poset", "publ.", "lattice", "ours ms", "papers ms", "ratio", "aim");
  for (const auto& row : rows)
    if (std::strstr(row.name, options.only))
      measure(row, options);

  return failures == 0 ? 0 : 1;
}
