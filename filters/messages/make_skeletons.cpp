#include "filters/messages/make_skeletons.hpp"

#include "filters/messages/align_ranks.hpp"
#include "filters/messages/sequence_folder.hpp"
#include "filters/messages/signature_clusters.hpp"
#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace tracefold {

namespace {

constexpr std::uint64_t most_unfolded = std::uint64_t{1} << 24;  // operations to fold once more

std::string join_path(const Communication& communication, std::uint32_t path) {
  std::vector<std::string_view> names;
  for (; path != 0; path = communication.paths[path].caller)
    names.push_back(communication.names[communication.paths[path].name]);
  return fmt::format("{}", fmt::join(names.rbegin(), names.rend(), " > "));
}

// The same of the call paths of profiles.
std::vector<std::string> join_paths(const Plan& plan, const std::vector<CallPath>& paths) {
  std::vector<std::string> out;
  for (const auto& [caller, function] : paths)
    out.push_back((caller == no_path ? "" : out[caller] + " > ") + plan.functions[function].name);
  return out;
}

struct PathTimes {
  std::uint64_t calls = 0, ticks = 0, waiting = 0;

  void add(const PathTimes& other) {
    calls += other.calls;
    ticks += other.ticks;
    waiting += other.waiting;
  }
  void put(const Plan& plan, bool knows_waits, SkeletonLine& line) const {
    if (calls == 0)
      return;
    line.seconds = to_seconds(plan, ticks) / static_cast<double>(calls);
    if (knows_waits)
      line.waiting_seconds = to_seconds(plan, waiting) / static_cast<double>(calls);
  }
};

// By path of the profiles, of all processes of a group.
std::vector<PathTimes> sum_times(const ProcessProfiles& profiles, const Group& group,
                                 const std::vector<bool>& are_mpi) {
  const auto& calls = profiles.calls;
  std::vector<PathTimes> sums(calls.paths.size());
  const auto time = calls.columns.find(Metric::execution_time);
  const auto visits = calls.columns.find(Metric::visits);
  const auto waits = calls.columns.list_waits();
  for (auto process : group.members) {
    const auto& known = profiles.members;
    const auto at = std::lower_bound(known.begin(), known.end(), process);
    if (!time || !visits || at == known.end() || *at != process)
      continue;
    const auto m = static_cast<std::size_t>(at - known.begin());
    const auto& paths = calls.shape(m).paths;
    for (std::size_t place = 0; place < paths.size(); ++place) {
      // What happens in a call of the program takes an unknown part of its time.
      if (!are_mpi[calls.paths[paths[place]].function])
        continue;
      auto& sum = sums[paths[place]];
      sum.add({calls.value(m, place, *visits), calls.value(m, place, *time)});
      for (auto wait : waits)
        sum.waiting += calls.value(m, place, *calls.columns.find(wait));
    }
  }
  return sums;
}

constexpr std::string_view of_mpi = "MPI_";

// "Irecv" of MPI_Irecv; where no function of MPI was recorded, what the record says.
std::string name_line(const Operation& one, std::string_view function) {
  if (function.starts_with(of_mpi))
    return std::string(function.substr(of_mpi.size()));
  const auto what = find_parameter(one.kind, Parameter::operation);
  const auto name = one.kind == EventKind::MpiCollectiveEnd && what != most_parameters
                        ? name_collective(unpack_first(one.values[what]))
                        : std::string_view();
  if (!name.empty())
    return std::string(name);
  const auto kind = get_row(one.kind).name;
  return std::string(kind.starts_with("Mpi") ? kind.substr(3) : kind);
}

// What is the same for all of these ranks: the distance, or the rank that all of them mean.
std::string name_common_peer(const std::vector<std::uint64_t>& distances,
                             const std::vector<std::uint64_t>& ranks, std::uint32_t size) {
  const auto first = distances.front();
  const auto are_all = [&](auto find) {
    for (std::size_t m = 1; m < ranks.size(); ++m)
      if (!is_rank(distances[m]) || find(m) != find(0))
        return false;
    return is_rank(first);
  };
  const auto world = [&](std::size_t m) { return (distances[m] + ranks[m]) % size; };

  if (std::all_of(distances.begin(), distances.end(), [&](auto d) { return d == first; })) {
    if (!is_rank(first))
      return first == no_root ? "all" : "?";
    if (first == 0)
      return "itself";
    return 2 * first <= size ? fmt::format("+{}", first) : fmt::format("-{}", size - first);
  }
  if (are_all(world))
    return fmt::format("rank {}", world(0));
  if (are_all([&](std::size_t m) { return world(m) ^ ranks[m]; }))
    return fmt::format("^{}", world(0) ^ ranks.front());
  return "various";
}

// A skeleton while it is made: lines that differ, and the sequence of their numbers.
struct Draft {
  std::vector<SkeletonLine> lines;
  FoldedSequence sequence;
};

constexpr std::uint32_t no_line = 0xffffffff;

// The sequence with `line_of` its symbols, without those that have none.
FoldedSequence rename(std::span<const SequenceNode> nodes,
                      const std::vector<std::uint32_t>& line_of) {
  FoldedSequence out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_loop()) {
      if (line_of[nodes[i].symbol] != no_line)
        out.push_back({line_of[nodes[i].symbol]});
      continue;
    }
    const auto body = rename(nodes.subspan(i + 1, nodes[i].body), line_of);
    if (!body.empty()) {
      out.push_back({0, static_cast<std::uint32_t>(body.size()), nodes[i].count});
      out.insert(out.end(), body.begin(), body.end());
    }
    i += nodes[i].body;
  }
  return out;
}

bool is_line(const SequenceNode& node) {
  return !node.is_loop() || node.body == 1;
}

// Rows whose lines look the same are one line; `joins_sizes`: also where sizes differ.
Draft draft(const FoldedSequence& sequence, const std::vector<std::optional<SkeletonLine>>& rows,
            bool joins_sizes) {
  Draft out;
  using Bytes = decltype(SkeletonLine::bytes);
  std::map<std::tuple<std::string, std::string, std::string, Bytes>, std::uint32_t> numbers;
  std::vector<std::uint32_t> line_of;
  for (const auto& row : rows) {
    if (!row) {
      line_of.push_back(no_line);
      continue;
    }
    const auto next = static_cast<std::uint32_t>(out.lines.size());
    const auto [at, is_new] = numbers.try_emplace(
        {row->call, row->peer, row->call_path, joins_sizes ? Bytes() : row->bytes}, next);
    line_of.push_back(at->second);
    if (is_new)
      out.lines.push_back(*row);
    auto& bytes = out.lines[at->second].bytes;
    if (bytes && row->bytes)
      bytes = {std::min(bytes->first, row->bytes->first),
               std::max(bytes->second, row->bytes->second)};
  }

  out.sequence = rename(sequence, line_of);
  if (count_symbols(out.sequence) > most_unfolded)
    return out;
  SequenceFolder folder;
  for (SequenceCursor cursor(out.sequence); !cursor.at_end(); cursor.advance())
    folder.add(cursor.symbol());
  out.sequence = folder.take();
  return out;
}

// Loops beside each other are kinds of iterations where they have at least half of their lines in
// common, as often. Adds the lines of one that the others do not have as often: places in the
// sequence.
void find_differences(std::span<const SequenceNode> nodes, std::size_t first,
                      std::set<std::size_t>& differ) {
  struct Loop {
    std::size_t begin, end;
    std::map<std::uint32_t, std::uint64_t> times;  // by line
  };
  std::vector<std::vector<Loop>> kinds;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_line(nodes[i])) {
      i += nodes[i].body;
      continue;
    }
    Loop loop{i + 1, i + 1 + nodes[i].body, {}};
    const auto body = nodes.subspan(i + 1, nodes[i].body);
    find_differences(body, first + i + 1, differ);
    visit_symbols(body, [&](auto line, auto times) { loop.times[line] += times; });
    constexpr std::size_t most_compared = 64;  // with those before
    const auto near =
        kinds.end() - static_cast<std::ptrdiff_t>(std::min(kinds.size(), most_compared));
    const auto kind = std::find_if(near, kinds.end(), [&](const auto& loops) {
      const auto& known = loops.front().times;
      const auto common = std::count_if(known.begin(), known.end(), [&](const auto& line) {
        const auto at = loop.times.find(line.first);
        return at != loop.times.end() && at->second == line.second;
      });
      const auto all = known.size() + loop.times.size() - static_cast<std::size_t>(common);
      return 2 * static_cast<std::size_t>(common) >= all;
    });
    (kind == kinds.end() ? kinds.emplace_back() : *kind).push_back(std::move(loop));
    i += nodes[i].body;
  }

  for (const auto& loops : kinds)
    for (const auto& loop : loops)
      for (auto place = loop.begin; place < loop.end; ++place) {
        if (nodes[place].is_loop())
          continue;
        const auto line = nodes[place].symbol;
        if (std::any_of(loops.begin(), loops.end(), [&](const Loop& other) {
              const auto at = other.times.find(line);
              return at == other.times.end() || at->second != loop.times.at(line);
            }))
          differ.insert(first + place);
      }
}

void put_lines(const Draft& draft, std::size_t begin, std::size_t end, std::size_t depth,
               const std::set<std::size_t>& differ, std::vector<SkeletonLine>& out) {
  for (auto i = begin; i < end; ++i) {
    const auto& node = draft.sequence[i];
    if (is_line(node)) {
      i += node.body;
      auto line = draft.lines[draft.sequence[i].symbol];
      line.depth = depth;
      line.count = node.count;
      line.differs = differ.contains(i);
      out.push_back(std::move(line));
    } else {
      out.push_back({.depth = depth, .count = node.count});
      put_lines(draft, i + 1, i + 1 + node.body, depth + 1, differ, out);
      i += node.body;
    }
  }
}

// What the rows of aligned ranks are as lines; none for what is no operation of this thread.
std::vector<std::optional<SkeletonLine>> describe_rows(const Communication& communication,
                                                       const AlignedRanks& aligned,
                                                       std::uint8_t thread) {
  std::vector<std::optional<SkeletonLine>> rows;
  for (std::size_t row = 0; row < aligned.rows(); ++row) {
    const auto& first = aligned.operation(communication, row, 0);
    auto& line = rows.emplace_back();
    if (!is_compared(first.kind) || first.thread != thread)
      continue;

    const auto& path = communication.paths[first.path];
    const auto function =
        first.path == 0 ? std::string_view() : std::string_view(communication.names[path.name]);
    line.emplace(SkeletonLine{.call = name_line(first, function)});
    line->call_path = join_path(communication, first.path);
    const auto peer = find_parameter(first.kind, Parameter::peer);
    const std::array sizes{find_parameter(first.kind, Parameter::bytes),
                           find_parameter(first.kind, Parameter::received)};
    std::vector<std::uint64_t> distances, ranks;
    for (std::size_t m = 0; m < aligned.members.size(); ++m) {
      const auto& values = aligned.operation(communication, row, m).values;
      ranks.push_back(communication.ranks[aligned.members[m]].rank);
      if (peer != most_parameters)
        distances.push_back(values[peer]);
      std::optional<std::uint64_t> bytes;
      for (auto size : sizes)
        if (size != most_parameters)
          bytes = std::max(bytes.value_or(0), values[size]);
      if (bytes && line->bytes)
        line->bytes = {std::min(line->bytes->first, *bytes), std::max(line->bytes->second, *bytes)};
      else if (bytes)
        line->bytes = {*bytes, *bytes};
    }
    if (!distances.empty())
      line->peer = name_common_peer(distances, ranks, std::max(communication.size, 1u));
  }
  return rows;
}

// A group's processes that operations are of: ranks, and which of their locations.
struct GroupRanks {
  std::vector<std::size_t> ranks;  // indexes into Communication::ranks
  std::uint8_t thread = 0;
};

// By group.
std::vector<GroupRanks> find_group_ranks(const Plan& plan, const Communication& communication) {
  std::vector<std::size_t> group_of(plan.processes.size());
  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    for (auto process : (*plan.groups)[g].members)
      group_of[process] = g;

  std::vector<GroupRanks> out(plan.groups->size());
  for (std::size_t r = 0; r < communication.ranks.size(); ++r) {
    const auto& locations = communication.ranks[r].locations;
    for (std::size_t t = 0; t < locations.size(); ++t) {
      auto& [ranks, thread] = out[group_of[locations[t]]];
      if (ranks.empty())
        thread = static_cast<std::uint8_t>(std::min<std::size_t>(t, most_threads - 1));
      if (ranks.empty() || ranks.back() != r)
        ranks.push_back(r);
    }
  }
  return out;
}

}  // namespace

std::vector<Skeleton> make_skeletons(const Plan& plan, const Communication& communication,
                                     const ProcessProfiles& profiles) {
  const auto main = find_main_clusters(communication);
  const auto paths = join_paths(plan, profiles.calls.paths);
  auto of_groups = find_group_ranks(plan, communication);
  const auto known_by = find_mpi_known_by(plan.functions);
  std::vector<bool> are_mpi;
  for (const auto& f : plan.functions)
    are_mpi.push_back(is_mpi_time(time_metric(f.paradigm, f.role, f.name, known_by)));
  std::vector<Skeleton> skeletons;

  for (std::size_t g = 0; g < plan.groups->size(); ++g) {
    const auto& group = (*plan.groups)[g];
    auto& [ranks, thread] = of_groups[g];
    if (ranks.empty())
      continue;
    const auto all = ranks.size();
    std::erase_if(ranks, [&, first = main[ranks.front()]](auto r) { return main[r] != first; });

    const auto aligned = align_ranks(communication, std::move(ranks));
    const auto rows = describe_rows(communication, aligned, thread);
    auto best = draft(aligned.sequence, rows, false);
    if (best.sequence.size() > most_lines_with_sizes)
      if (auto joined = draft(aligned.sequence, rows, true);
          2 * joined.sequence.size() <= best.sequence.size())
        best = std::move(joined);
    if (best.sequence.empty())
      continue;

    auto& out = skeletons.emplace_back();
    out.group = g;
    out.ranks = aligned.members.size();
    out.others = all - out.ranks;
    std::set<std::size_t> differ;
    find_differences(best.sequence, 0, differ);
    put_lines(best, 0, best.sequence.size(), 0, differ, out.lines);

    const bool knows_waits = !profiles.calls.columns.list_waits().empty();
    const auto times = sum_times(profiles, group, are_mpi);
    std::map<std::string, PathTimes> of_lines;  // by call path
    for (const auto& line : out.lines)
      of_lines.try_emplace(line.call_path);
    for (std::size_t p = 0; p < paths.size(); ++p) {
      const auto at = of_lines.find(paths[p]);
      if (at != of_lines.end()) {
        at->second.add(times[p]);
      } else if (times[p].waiting > 0) {
        const std::string_view function = plan.functions[profiles.calls.paths[p].function].name;
        auto& wait = out.waits.emplace_back();
        wait.count = (times[p].calls + group.members.size() / 2) / group.members.size();
        wait.call = function.substr(function.starts_with(of_mpi) ? of_mpi.size() : 0);
        wait.call_path = paths[p];
        times[p].put(plan, knows_waits, wait);
      }
    }
    for (auto& line : out.lines)
      of_lines.at(line.call_path).put(plan, knows_waits, line);
  }
  return skeletons;
}

}  // namespace tracefold
