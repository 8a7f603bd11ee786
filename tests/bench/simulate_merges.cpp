// What many processes of tracefold-mpi send to each other, for traces and numbers of processes that
// no machine at hand has: the program's own parts of results, generated, go through its own merges
// and trees, played by one thread (tests/simulated_team.hpp). Nothing is read or written.
//   simulate_merges [--locations P] [--ranks N] [--behaviours B] [--functions F] [--messages M]
//                   [--iterations I] [--gathered G] [--kept K] [--stage NAME]
// Ends with 1 where what is merged is not what was generated, or messages are missing.
//
// Locations are dealt in equal parts to 1, 8, 64, ... up to N ranks. Each calls F functions below
// main, and one more of its behaviour, of which there are B, one behind the other. It sends M
// messages to the next location, takes part in I collective operations, and has I iterations. What
// is only gathered, and not merged, grows with the locations and with nothing else: it is generated
// for G of them at most, and the table says by what its sizes are multiplied.
#include "base/team.hpp"
#include "base/text.hpp"
#include "model/plan.hpp"
#include "pipeline/events/call_hash.hpp"
#include "pipeline/events/shares.hpp"
#include "pipeline/facts/call_path_sink.hpp"
#include "pipeline/facts/merge_call_paths.hpp"
#include "pipeline/facts/program_recorder.hpp"
#include "pipeline/messages/deal_messages.hpp"
#include "pipeline/messages/operation_matching.hpp"
#include "pipeline/messages/operations_part.hpp"
#include "pipeline/profile/profile_part.hpp"
#include "tests/bench/merge_costs.hpp"
#include "tests/simulated_team.hpp"
#include "tests/support/heap_use.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/trace_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace tracefold;
using testing::Check;
using testing::check_tree;
using testing::HeapUse;
using testing::Locations;
using testing::OwnValues;
using testing::play_exchange;
using testing::simulate;
using testing::SimulatedTeam;
using testing::Table;

struct Options {
  std::uint64_t locations = 1'000'000, ranks = 4096, behaviours = 8, functions = 8, messages = 10,
                iterations = 10, gathered = 8'000, kept = 64;
  std::string stage;  // empty: all
};

constexpr std::uint64_t base_ticks = 1'000'000'000;

// 0 + 1 + ... + (n - 1)
constexpr std::uint64_t sum_below(std::uint64_t n) {
  return n * (n - 1) / 2;
}

class Simulation {
 public:
  explicit Simulation(const Options& options)
      : o_(options), all_{options.locations, 1}, few_{options.locations, 1} {
    if (o_.locations > o_.gathered) {
      few_.step = (o_.locations + o_.gathered - 1) / o_.gathered;
      few_.number = o_.locations / few_.step;
    }
    for (std::uint64_t ranks = 1; ranks < o_.ranks; ranks *= 8)
      sizes_.push_back(ranks);
    sizes_.push_back(o_.ranks);
  }

  void run() {
    const std::pair<const char*, void (Simulation::*)()> stages[] = {
        {"profiles", &Simulation::run_profiles},
        {"operations", &Simulation::run_operations},
        {"paths", &Simulation::run_call_paths},
        {"hashes", &Simulation::run_hashes},
        {"collectives", &Simulation::run_collectives},
        {"times", &Simulation::run_message_times},
        {"rows", &Simulation::run_rows},
        {"matching", &Simulation::run_matching}};
    for (const auto& [name, stage] : stages)
      if (o_.stage.empty() || o_.stage == name)
        (this->*stage)();
  }

 private:
  double factor() const {
    return static_cast<double>(o_.locations) / static_cast<double>(few_.number);
  }
  std::uint64_t find_behaviour(std::uint64_t location) const { return location % o_.behaviours; }
  // Its function numbers are 0 for main, 1 to F, and the one of its behaviour.
  std::vector<FunctionIndex> list_functions(std::uint64_t location) const {
    std::vector<FunctionIndex> functions(o_.functions + 1);
    std::iota(functions.begin(), functions.end(), FunctionIndex{0});
    functions.push_back(static_cast<FunctionIndex>(o_.functions + 1 + find_behaviour(location)));
    return functions;
  }
  // In the k-th of its functions.
  static std::uint64_t find_ticks(std::uint64_t location, std::uint64_t k) {
    return base_ticks + location * (k + 1);
  }
  std::uint64_t sum_ticks() const {
    const auto functions = o_.functions + 2;
    return functions * o_.locations * base_ticks +
           sum_below(o_.locations) * sum_below(functions + 1);
  }

  void run_profiles();
  void run_operations();
  void run_call_paths();
  void run_hashes();
  void run_collectives();
  void run_message_times();
  void run_rows();
  void run_matching();

  ProfilePart make_profiles(std::size_t rank, std::size_t ranks) const;
  OperationsPart make_operations(std::size_t rank, std::size_t ranks) const;
  CallPathPart make_call_paths(std::size_t rank, std::size_t ranks) const;
  LocationMessages make_message_times(std::uint64_t place, std::uint64_t number) const;
  static Definitions make_definitions(std::uint64_t locations);
  std::vector<CallPath> list_paths(std::uint64_t location) const;
  void record(ProgramRecorder& recorder, std::size_t process, bool with_times) const;

  // Shares what find(location) gives of some locations. Returns what the first rank has.
  template <class T, class Find>
  auto share_values(const Locations& of, std::size_t ranks, Find&& find) {
    return simulate(
        ranks,
        [&](std::size_t rank) {
          const auto [first, end] = of.find_own(rank, ranks);
          std::pair<OwnValues<T>, std::vector<std::size_t>> own{
              rank == 0 ? OwnValues<T>(0, of.number, of.step)
                        : OwnValues<T>(first * of.step, end - first, of.step),
              {}};
          for (auto k = first; k < end; ++k) {
            own.second.push_back(k * of.step);
            own.first.at(k * of.step) = find(k * of.step);
          }
          return own;
        },
        [](SimulatedTeam::Member& member, auto own) {
          share_found(&member, own.first, own.second);
          return std::move(own.first);
        });
  }

  const Options o_;
  Locations all_, few_;
  std::vector<std::uint64_t> sizes_;
};

ProfilePart Simulation::make_profiles(std::size_t rank, std::size_t ranks) const {
  ProfilePart part;
  const auto [first, end] = all_.find_own(rank, ranks);
  for (auto p = first; p < end; ++p) {
    Profile profile;
    profile.intent.type = otf2_value::location_type_cpu;
    const auto functions = list_functions(p);
    for (std::size_t k = 0; k < functions.size(); ++k) {
      if (k > 0)
        profile.intent.pairs.push_back({0, functions[k]});
      profile.functions.push_back({functions[k], 1, find_ticks(p, k)});
    }
    profile.intent.pairs.push_back({virtual_root, 0});
    profile.events = 2 * functions.size();
    profile.records[static_cast<std::size_t>(EventKind::MpiSend)] = o_.messages;
    profile.last_time = p;
    profile.has_messages = true;
    profile.receivers = {static_cast<std::uint32_t>((p + 1) % o_.locations)};
    part.add(p, std::move(profile), true);
  }
  return part;
}

void Simulation::run_profiles() {
  Table table("Profiles: call pairs and times of functions", "group, reduce: merged");
  for (const auto ranks : sizes_) {
    const auto made = simulate(
        ranks, [&](auto rank) { return std::vector{make_profiles(rank, ranks)}; },
        [&](auto& member, auto parts) {
          parts = share_parts(&member, std::move(parts));
          std::vector<Process> processes(o_.locations);  // only the first rank comes here
          auto merged = ProfilePart::merge(std::move(parts), processes);
          return std::pair(std::move(merged), std::move(processes));
        });
    check_tree(made.costs.at(0), ranks);
    const auto& [merged, processes] = made.result;
    Check::expect("intents", merged.profiles.intents.size(), std::min(o_.behaviours, o_.locations));
    Check::expect("events", merged.totals.events, 2 * (o_.functions + 2) * o_.locations);
    Check::expect("last time", merged.totals.run.get().value_or(TimeSpan{}).end, o_.locations - 1);
    std::uint64_t ticks = 0, receivers = 0, events = 0;
    for (const auto& profile : merged.profiles.processes)
      ticks += std::accumulate(profile.exclusive.begin(), profile.exclusive.end(), 0ull);
    for (const auto& of_process : merged.receivers)
      receivers += of_process.ranks.at(0);
    for (const auto& process : processes)
      events += process.events;
    Check::expect("ticks", ticks, sum_ticks());
    Check::expect("receivers", receivers, sum_below(o_.locations));
    Check::expect("events of processes", events, merged.totals.events);
    table.add({ranks, made.costs[0], made.held});
  }
  table.print();
}

OperationsPart Simulation::make_operations(std::size_t rank, std::size_t ranks) const {
  OperationsPart part;
  part.paths = {{}, {0, 0}};
  for (FunctionIndex k = 1; k <= o_.functions; ++k)
    part.paths.push_back({1, k});

  const auto [first, end] = all_.find_own(rank, ranks);
  std::map<std::uint64_t, std::uint32_t> numbers;  // of sequences, by behaviour
  for (auto p = first; p < end; ++p) {
    const auto b = find_behaviour(p);
    const auto [number, is_new] =
        numbers.try_emplace(b, static_cast<std::uint32_t>(part.sequences.size()));
    if (is_new) {
      auto& sequence = part.sequences.emplace_back();
      sequence.push_back({0, static_cast<std::uint32_t>(o_.functions), o_.iterations});
      for (std::uint32_t k = 0; k < o_.functions; ++k) {
        sequence.push_back({static_cast<std::uint32_t>(part.operations.size()), 0, 1});
        Operation operation;
        operation.path = 2 + k;
        operation.values = {1, 0, b, 1024 * (k + 1)};
        part.operations.push_back(operation);
      }
    }
    OperationTotals totals{2 * o_.messages, 1024 * o_.messages, {}, {}};
    for (std::uint32_t k = 0; k < o_.functions; ++k)
      totals.gaps.push_back({2 + k, find_ticks(p, k)});
    part.processes.push_back({p, number->second, true, std::move(totals)});
  }
  return part;
}

void Simulation::run_operations() {
  Table table("Operations: signatures, and times outside of MPI",
              "reduce, group --by signature: merged");
  for (const auto ranks : sizes_) {
    const auto made = simulate(
        ranks, [&](auto rank) { return std::vector{make_operations(rank, ranks)}; },
        [](auto& member, auto parts) {
          for (const auto fits : share(&member, true))
            Check::expect("fits", fits, true);
          return share_parts(&member, std::move(parts));
        });
    check_tree(made.costs.at(0), ranks);
    check_tree(made.costs.at(1), ranks);
    const auto& all = made.result.at(0);
    const auto behaviours = std::min(o_.behaviours, o_.locations);
    Check::expect("operations", all.operations.size(), behaviours * o_.functions);
    Check::expect("sequences", all.sequences.size(), behaviours);
    std::uint64_t processes = 0, messages = 0, ticks = 0;
    for (const auto& one : all.processes) {
      processes += one.process;
      messages += one.totals.messages;
      for (const auto& gap : one.totals.gaps)
        ticks += gap.ticks;
    }
    Check::expect("processes", processes, sum_below(o_.locations));
    Check::expect("messages", messages, 2 * o_.messages * o_.locations);
    Check::expect("ticks", ticks,
                  o_.functions * o_.locations * base_ticks +
                      sum_below(o_.locations) * sum_below(o_.functions + 1));
    table.add({ranks, made.costs[1], made.held});
  }
  table.print();
}

// The trees of ranks have the same paths in other orders.
CallPathPart Simulation::make_call_paths(std::size_t rank, std::size_t ranks) const {
  CallPathPart part;
  const auto functions = o_.functions;
  const auto find_function = [&](std::uint64_t place) {
    return 1 + (place + functions - rank % functions) % functions;
  };
  std::vector<CallPath> tree{{}, {0, 0}};
  for (std::uint64_t k = 0; k < functions; ++k)
    tree.push_back({1, static_cast<FunctionIndex>(find_function(k))});
  for (std::uint64_t b = 0; b < o_.behaviours; ++b)
    tree.push_back({1, static_cast<FunctionIndex>(functions + 1 + b)});

  const auto [first, end] = all_.find_own(rank, ranks);
  for (auto p = first; p < end; ++p) {
    CallPathPart::Paths paths(functions + 1);
    std::iota(paths.begin(), paths.end(), PathIndex{1});
    paths.push_back(static_cast<PathIndex>(functions + 2 + find_behaviour(p)));
    std::vector<std::uint64_t> values{find_ticks(p, 0), 1};
    for (std::uint64_t k = 0; k < functions; ++k)
      values.insert(values.end(), {find_ticks(p, find_function(k)), 1});
    values.insert(values.end(), {find_ticks(p, functions + 1), 1});
    part.add(p, std::move(paths), std::move(values));
  }
  part.set_tree(tree);
  return part;
}

void Simulation::run_call_paths() {
  Table table("Call paths: time and visits", "profile: merged");
  for (const auto ranks : sizes_) {
    const auto made = simulate(
        ranks, [&](auto rank) { return std::vector{make_call_paths(rank, ranks)}; },
        [&](auto& member, auto parts) {
          return merge_call_paths(share_parts(&member, std::move(parts)), CallPathSink::columns(),
                                  o_.locations);
        });
    check_tree(made.costs.at(0), ranks);
    const auto& all = made.result;
    Check::expect("call paths", all.paths.size(), 1 + o_.functions + o_.behaviours);
    Check::expect("shapes", all.shapes.size(), std::min(o_.behaviours, o_.locations));
    std::uint64_t ticks = 0;
    for (std::size_t p = 0; p < all.processes.size(); ++p)
      for (std::size_t k = 0; k < o_.functions + 2; ++k) {
        ticks += all.value(p, k, 0);
        if (p == o_.locations - 1)
          Check::expect("ticks of a call path", all.value(p, k, 0), find_ticks(p, k));
      }
    Check::expect("ticks", ticks, sum_ticks());
    table.add({ranks, made.costs[0], made.held});
  }
  table.print();
}

void Simulation::run_hashes() {
  Table table("Hashes of calls", "reduce: gathered");
  const auto find_hash = [&](std::uint64_t location) {
    return (find_behaviour(location) + 1) * 0x9e3779b97f4a7c15u;
  };
  CallHash expected = 0;
  for (std::uint64_t p = 0; p < o_.locations; ++p)
    expected += find_hash(p);
  for (const auto ranks : sizes_) {
    const auto made = share_values<CallHash>(all_, ranks, find_hash);
    check_tree(made.costs.at(0), ranks);
    const auto& hashes = made.result.values();
    Check::expect("hashes", std::accumulate(hashes.begin(), hashes.end(), CallHash{0}), expected);
    table.add({ranks, made.costs[0], made.held});
  }
  table.print();
}

// Processes of MPI with one location each, which are in one communicator.
Definitions Simulation::make_definitions(std::uint64_t locations) {
  using enum DefinitionKind;
  constexpr std::uint64_t none = testing::TraceBuilder::none, mpi = otf2_value::paradigm_mpi;
  Definitions made;
  const auto define = [&](DefinitionKind kind, std::initializer_list<std::uint64_t> fields,
                          std::vector<std::uint64_t> list = {}, std::string text = {}) {
    Definition definition;
    definition.kind = kind;
    std::copy(fields.begin(), fields.end(), definition.fields.begin());
    definition.list = std::move(list);
    definition.text = std::move(text);
    made.add(std::move(definition));
  };
  define(ClockProperties, {1'000'000'000, 0, 1000, ~0ull});
  define(String, {0}, {}, "Master thread");
  define(SystemTreeNode, {0, 0, 0, none});
  std::vector<std::uint64_t> ranks(locations);
  std::iota(ranks.begin(), ranks.end(), 0ull);
  for (auto p : ranks) {
    define(String, {p + 1}, {}, fmt::format("MPI Rank {}", p));
    define(LocationGroup, {p, p + 1, otf2_value::location_group_process, 0, none});
    define(Location, {p, 0, otf2_value::location_type_cpu, 1000, p});
  }
  define(Paradigm, {mpi, 0, 0});
  define(Group, {0, 0, otf2_value::group_comm_locations, mpi, 0, ranks.size()}, ranks);
  define(Group, {1, 0, otf2_value::group_comm_group, mpi, 0, ranks.size()}, ranks);
  define(Comm, {0, 0, 1, none, 0});
  made.finish();
  return made;
}

// Of the location `place` among `number` that send around a ring.
LocationMessages Simulation::make_message_times(std::uint64_t place, std::uint64_t number) const {
  const Channel out{Channel::Kind::message, 0, place, (place + 1) % number, 1};
  const Channel in{Channel::Kind::message, 0, (place + number - 1) % number, place, 1};
  LocationMessages messages;
  for (std::uint64_t m = 0; m < o_.messages; ++m) {
    messages.send_times[out].push_back(base_ticks + m);
    messages.post_times[in].push_back(base_ticks + m);
  }
  messages.ends = {{{out, false}, o_.messages}, {{in, true}, o_.messages}};
  messages.posts = messages.completed_posts = o_.messages;
  return messages;
}

// What goes to others are the messages between locations that different ranks read: as many,
// however many locations a rank reads.
void Simulation::run_message_times() {
  Table table("When messages were sent, and receives posted",
              "reduce: exchanged, each with who reads the other end");
  const auto number = few_.number;
  const auto definitions = make_definitions(number);
  Plan plan;
  for (std::uint64_t p = 0; p < number; ++p) {
    auto& process = plan.processes.emplace_back();
    process.id = p;
    process.has_messages = true;
  }
  const MessageMatcher matcher(definitions, plan);
  for (const auto ranks : sizes_)
    play_exchange(table, ranks, [&](SimulatedTeam::Member& member) {
      const Shares shares(definitions, &member);
      MessagesByProcess own;
      for (std::uint64_t p = 0; p < number; ++p)
        if (shares.is_own(p))
          own.emplace(p, make_message_times(p, number));
      member.begin();
      deal_messages(&member, definitions, plan, matcher, {}, std::move(own));
    });
  table.print();
}

void Simulation::run_collectives() {
  Table table("Collective operations: who came last", "reduce: merged");
  const auto before = HeapUse::now();
  const auto definitions = make_definitions(o_.locations);
  const auto of_definitions = HeapUse::now() - before;
  const CollectiveMatcher::Key key{otf2_value::collective_allreduce, 0};
  const auto find_time = [](std::uint64_t n, std::uint64_t p) {
    return base_ticks + n * 10'000'000 + p;
  };
  for (const auto ranks : sizes_) {
    auto made = simulate(
        ranks,
        [&](std::size_t rank) {
          auto matcher = std::make_unique<CollectiveMatcher>(definitions);
          const auto [first, end] = all_.find_own(rank, ranks);
          for (auto p = first; p < end; ++p) {
            CollectiveMatcher::Location location(*matcher, p);
            for (std::uint64_t n = 0; n < o_.iterations; ++n)
              location.add({key.first, key.second, ~0u, 8, 8}, find_time(n, p));
            location.finish();
          }
          return matcher;
        },
        [](auto& member, auto matcher) {
          matcher->share(&member);
          return matcher;
        });
    check_tree(made.costs.at(0), ranks);
    auto& matcher = *made.result;
    matcher.finish();
    for (std::uint64_t n = 0; n < o_.iterations; ++n) {
      Check::expect("last time", matcher.find_time(key, n).value_or(0),
                    find_time(n, o_.locations - 1));
      Check::expect("last process", matcher.find_last(key, n), o_.locations - 1);
    }
    table.add({ranks, made.costs[0], made.held});
  }
  table.print();
  fmt::print("  definitions of all locations, which each rank reads: {}\n",
             format_bytes(of_definitions));
}

// For what has a team among its options: the member that is played.
class PlayedMember : public Team {
 public:
  std::size_t rank() const override { return member_->rank(); }
  std::size_t size() const override { return member_->size(); }
  std::string broadcast(std::string bytes) override { return member_->broadcast(std::move(bytes)); }
  std::vector<std::string> gather(std::string bytes) override {
    return member_->gather(std::move(bytes));
  }
  std::string reduce(std::string bytes, const Merge& merge) override {
    return member_->reduce(std::move(bytes), merge);
  }
  std::vector<std::string> exchange(std::vector<std::string> bytes) override {
    return member_->exchange(std::move(bytes));
  }
  void barrier() override { member_->barrier(); }

  // Until the end of the scope, in which others may be played between.
  class Scope {
   public:
    Scope(PlayedMember& played, Team& member)
        : played_(played), before_(std::exchange(played.member_, &member)) {}
    ~Scope() { played_.member_ = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PlayedMember& played_;
    Team* before_;
  };

 private:
  Team* member_ = nullptr;
};

std::vector<CallPath> Simulation::list_paths(std::uint64_t location) const {
  const auto functions = list_functions(location);
  std::vector<CallPath> paths{{}, {0, 0}};
  for (std::size_t k = 1; k < functions.size(); ++k)
    paths.push_back({1, functions[k]});
  return paths;
}

// What the location of this number of a few did in its iterations.
void Simulation::record(ProgramRecorder& recorder, std::size_t process, bool with_times) const {
  const auto location = process * few_.step;
  const auto paths = list_paths(location);
  for (std::uint64_t i = 0; i < o_.iterations; ++i) {
    CallPathProfile profile;
    for (PathIndex path = 1; path < paths.size(); ++path) {
      profile.rows.push_back({path});
      profile.values.push_back({0, find_ticks(location, path + i)});
      profile.values.push_back({1, 1});
      profile.ends.push_back(static_cast<std::uint32_t>(profile.values.size()));
    }
    recorder.add(SeriesIteration{process, i, profile, paths, Interval{base_ticks, 2 * base_ticks}});
  }

  PartnerAmounts partners;
  partners.sent[(location + 1) % o_.locations] = {o_.messages, 1024 * o_.messages};
  CallTimes times;
  if (with_times) {
    // About what a segment takes in which a call path has time, one before each call of MPI and one
    // in it.
    times.segments = std::string(2 * 8 * o_.messages, 'x');
    times.meetings[{otf2_value::collective_allreduce, 0}].assign(o_.iterations,
                                                                 {base_ticks, 2 * base_ticks});
  }
  const CallPathProfile none;
  const Interval run{0, 2 * base_ticks};
  CallDependencies dependencies;
  std::map<FileId, FileOperations> files;
  const SetAsideTimes set_aside;
  recorder.end({process, paths, none, none, run, run.begin, run.end, partners, times, dependencies,
                files, set_aside});
}

// Once without times, which the first rank alone gets, so that it tells what all ranks hold.
void Simulation::run_rows() {
  Table rows("Values by call path and iteration: how many each process has", "reduce: gathered",
             factor());
  Table times("Times between calls of MPI, which delays are told from",
              "reduce: gathered by rank 0 alone", factor());
  const testing::TestFolder folder;
  testing::TraceBuilder builder;
  builder.add_mpi_processes(1);
  for (FunctionIndex f = 0; f <= o_.functions + o_.behaviours; ++f)
    builder.add_region(f, f == 1 ? "MPI_Send" : fmt::format("f{}", f));
  const auto archive = builder.write(folder.path());

  Plan plan;
  plan.intents.emplace_back();
  plan.processes.resize(few_.number);
  Diagnostics diagnostics;
  PlayedMember played;
  ReadOptions reading;
  reading.team = &played;
  const std::vector<ProcessLoops> loops(few_.number);
  const SeriesPass pass(PlannedTrace(archive, plan, reading, diagnostics), loops, {}, {});

  // Those that take the most time.
  plan.functions = pass.functions();
  const auto with_series = std::min<std::size_t>(o_.functions, 8);
  for (FunctionIndex f = 1; f <= with_series; ++f) {
    plan.intents[0].functions.push_back(f);
    plan.processes[0].exclusive.push_back(base_ticks);
  }

  // The call trees of all processes, which each rank knows before it gives values.
  using Tree = std::pair<std::vector<CallPath>, std::vector<PathIndex>>;
  using Series = std::set<std::pair<std::size_t, PathIndex>>;
  std::tuple<std::vector<Tree>, std::vector<Series>,
             std::vector<std::pair<std::size_t, std::size_t>>>
      trees;
  for (std::uint64_t b = 0; b < o_.behaviours; ++b) {
    auto paths = list_paths(b);
    std::vector<PathIndex> numbers(paths.size() - 1);
    std::iota(numbers.begin(), numbers.end(), PathIndex{1});
    Series series;
    for (std::size_t path = 2; path < 2 + with_series; ++path)
      series.emplace(0, static_cast<PathIndex>(path));
    std::get<0>(trees).emplace_back(std::move(paths), std::move(numbers));
    std::get<1>(trees).push_back(std::move(series));
  }
  for (std::uint64_t k = 0; k < few_.number; ++k)
    std::get<2>(trees).emplace_back(k, find_behaviour(k * few_.step));
  const auto all_trees = pack(std::vector<std::string>{pack(trees)});
  const auto answer = [&](std::size_t call) {
    return call == 0 ? all_trees : SimulatedTeam::give_nothing(call);
  };

  for (const auto ranks : sizes_)
    for (const bool with_times : {false, true}) {
      const auto made = simulate(
          ranks,
          [&](std::size_t rank) {
            auto recorder = std::make_unique<ProgramRecorder>(
                pass, [&](std::size_t) { return std::vector<std::size_t>{o_.iterations}; },
                RecordProgram::yes);
            const auto [first, end] = few_.find_own(rank, ranks);
            for (auto k = first; k < end; ++k)
              record(*recorder, k, with_times);
            return recorder;
          },
          [&](auto& member, auto recorder) {
            const PlayedMember::Scope scope(played, member);
            recorder->share();
            return recorder;
          },
          answer);
      check_tree(made.costs.at(0), ranks);  // call trees
      check_tree(made.costs.at(1), ranks);
      check_tree(made.costs.at(2), ranks, false);
      Check::expect("missing processes", made.result->list_missing().size(), 0);
      if (with_times)
        times.add({ranks, made.costs[2], made.held});
      else
        rows.add({ranks, made.costs[1], made.held});
    }
  rows.print();
  times.print();
}

// What is matched are the operations of kept locations, at a rank that the channel chooses.
void Simulation::run_matching() {
  Table table("Operations of kept locations: which stay",
              "reduce that folds iterations: exchanged by all with all, twice");
  const auto kept = std::min(o_.kept, o_.locations);
  for (const auto ranks : sizes_)
    play_exchange(table, ranks, [&](SimulatedTeam::Member& member) {
      std::vector<LocationOperations> locations(kept);
      for (auto k = member.rank() * kept / ranks; k < (member.rank() + 1) * kept / ranks; ++k) {
        auto& here = locations[k];
        here.process = k;
        here.stays.assign(2 * o_.messages, true);
        here.channel.assign(o_.messages, 0);
        here.channel.insert(here.channel.end(), o_.messages, 1);
        here.channels = {{{Channel::Kind::message, 0, k, (k + 1) % kept, 1}, false},
                         {{Channel::Kind::message, 0, (k + kept - 1) % kept, k, 1}, true}};
      }
      member.begin();
      keep_matched_together(locations, &member);
    });
  table.print();
}

Options parse(int count, char** words) {
  Options options;
  const std::map<std::string, std::uint64_t Options::*> numbers{
      {"--locations", &Options::locations},   {"--ranks", &Options::ranks},
      {"--behaviours", &Options::behaviours}, {"--functions", &Options::functions},
      {"--messages", &Options::messages},     {"--iterations", &Options::iterations},
      {"--gathered", &Options::gathered},     {"--kept", &Options::kept}};
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::string(words[k]) == "--stage")
      options.stage = words[k + 1];
    else
      options.*numbers.at(words[k]) = std::strtoull(words[k + 1], nullptr, 10);
  }
  for (const auto& [name, number] : numbers)
    if (options.*number == 0)
      throw std::invalid_argument(name + " takes a number above 0");
  if (options.locations < 3 || options.locations > 2'000'000 || options.iterations < 2)
    throw std::invalid_argument("3 to 2,000,000 locations, and 2 iterations at least");
  // A plan holds the times of 32 functions of each location, and others are not sent.
  if (options.functions > 30)
    throw std::invalid_argument("30 functions at most");
  return options;
}

}  // namespace

int main(int count, char** words) {
  try {
    const auto options = parse(count, words);
    fmt::print(
        "{} locations of {} behaviours, which call {} functions each, send {}\n"
        "messages and have {} iterations\n",
        group_digits(options.locations), options.behaviours, options.functions + 2,
        options.messages, options.iterations);
    Simulation(options).run();
  } catch (const std::exception& problem) {
    fmt::print("error: {}\n", problem.what());
    return 1;
  }
  if (Check::failed())
    return 1;
  fmt::print("\nsums, messages and levels are as expected\n");
  return 0;
}
