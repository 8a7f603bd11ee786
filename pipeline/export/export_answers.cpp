#include "pipeline/export/export_answers.hpp"

#include "base/interrupt.hpp"
#include "base/text.hpp"
#include "filters/messages/sum_matrix.hpp"
#include "model/messages/own_communicators.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/iterations/program_map.hpp"
#include "pipeline/iterations/program_values.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/reduce/original_ids.hpp"
#include "pipeline/reduce/profile_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t not_measured = ~std::size_t{0};

std::size_t find_metric_named(const ProcessProfiles& profiles, std::string_view name) {
  const auto at = std::find_if(profiles.metrics.begin(), profiles.metrics.end(),
                               [&](const ProcessMetric& metric) { return metric.name == name; });
  return at == profiles.metrics.end() ? not_measured
                                      : static_cast<std::size_t>(at - profiles.metrics.begin());
}

// By path of the member's shape: execution time with callees, in ticks.
std::vector<std::uint64_t> sum_with_callees(const ProcessProfiles& profiles, std::size_t member) {
  const auto& callers = profiles.calls.shape(member).callers;
  std::vector<std::uint64_t> sums(callers.size());
  for (auto place = sums.size(); place-- > 0;) {
    sums[place] += profiles.value(member, place, 0);
    if (callers[place] != no_path)
      sums[callers[place]] += sums[place];
  }
  return sums;
}

std::vector<std::size_t> order_by_id(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::vector<std::size_t> order(processes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return plan.processes[processes[a]].id < plan.processes[processes[b]].id;
  });
  return order;
}

}  // namespace

std::vector<Function> export_profile(PlanSession session, const TableOutput* output,
                                     KnownCallPaths& paths) {
  session.ask_for_all();
  const auto profiles = read_process_profiles(session, {}, {});
  take_original_ids(session);
  const auto& plan = session.plan();
  const TraceTimes times(session.archive().definitions());

  const CallPathIds path_ids(plan.functions);
  const auto& tree = profiles.calls.paths;
  std::vector<std::uint64_t> ids;
  for (const auto& path : tree) {
    const auto caller = path.caller == no_path ? CallPathIds::root : ids[path.caller];
    ids.push_back(path_ids.extend(caller, path.function));
    paths.add(ids.back(), {caller, make_utf8(plan.functions[path.function].shown_name())});
  }
  if (!output)
    return plan.functions;

  const auto visits = find_metric_named(profiles, get_entry(Metric::visits).name);
  std::vector<std::size_t> waits;
  for (const auto metric : {Metric::mpi_late_sender_time, Metric::mpi_late_receiver_time,
                            Metric::mpi_wait_at_barrier_time, Metric::mpi_wait_at_nxn_time,
                            Metric::mpi_late_broadcast_time, Metric::mpi_early_reduce_time,
                            Metric::mpi_wait_at_fence_time})
    waits.push_back(find_metric_named(profiles, get_entry(metric).name));

  TableFile file(ExportTable::profile, output->folder, output->format, 1, output->metadata);
  TablePart part(file, 0);
  for (auto m : order_by_id(plan, profiles.members)) {
    const auto& process = plan.processes[profiles.members[m]];
    const auto& shape = profiles.calls.shape(m).paths;
    const auto inclusive = sum_with_callees(profiles, m);
    for (std::size_t p = 0; p < shape.size(); ++p) {
      part.add(process.id).add_optional(process.rank).add(ids[shape[p]]);
      part.add_text(plan.functions[tree[shape[p]].function].shown_name());
      part.add(visits == not_measured ? 0 : profiles.value(m, p, visits));
      part.add(times.convert(inclusive[p])).add(times.convert(profiles.value(m, p, 0)));
      for (auto wait : waits)
        part.add_optional(wait == not_measured
                              ? std::nullopt
                              : std::optional(times.convert(profiles.value(m, p, wait))));
      part.end_row();
    }
  }
  part.finish();
  file.finish();
  output->written(file);

  return plan.functions;
}

std::shared_ptr<const StoredProgram> find_program(PlanSession& session) {
  RunPartOptions options;
  options.maps = RecordMaps::yes;
  if (is_whole(session.archive().facts()))
    return read_run(session, options).program;
  session.ask_for_all();
  return session.program() ? session.program()->stored : nullptr;
}

namespace {

// None: there are no more loops.
std::optional<StoredLoop> find_loop(const StoredProgram& stored, std::size_t number) {
  try {
    return StoredLoop(stored, number);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::usage)
      throw;
    return std::nullopt;
  }
}

std::vector<std::string> list_metric_names(const MetricColumns& columns) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto* counter = columns.counter(c);
    names.push_back(counter ? counter->name : std::string(get_entry(columns.measured[c]).name));
  }
  return names;
}

bool has_values(const IterationMap& map) {
  return std::any_of(map.values.begin(), map.values.end(),
                     [](double value) { return !std::isnan(value) && value != 0; });
}

void put_map(const IterationMap& map, const std::string& unit, double factor, const Plan& plan,
             TablePart& part) {
  for (auto r : order_by_id(plan, map.processes)) {
    const auto& process = plan.processes[map.processes[r]];
    const auto row = map.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (std::isnan(row[c]))
        continue;
      part.add(process.id).add_optional(process.rank).add(map.loop + 1).add(c * map.per_column);
      part.add_text(map.metric).add_text(unit).add_double(row[c] * factor).end_row();
    }
  }
}

}  // namespace

bool export_iterations(PlanSession session, const StoredProgram* stored,
                       const TableOutput& output) {
  if (!stored || !stored->has_iterations())
    return false;
  take_original_ids(session);
  const auto& plan = session.plan();
  const auto& definitions = session.archive().definitions();
  const auto ns_per_tick = 1e9 / static_cast<double>(TraceTimes(definitions).ticks_per_second());

  TableFile file(ExportTable::iterations, output.folder, output.format, 1, output.metadata);
  TablePart part(file, 0);
  for (std::size_t number = 0;; ++number) {
    const auto loop = find_loop(*stored, number);
    if (!loop)
      break;
    for (const auto& name : list_metric_names(stored->columns())) {
      check_stop();
      const auto metric = find_metric(definitions, stored->columns(), name, stored->columns());
      const auto map = read_program_map(*loop, metric);
      const bool is_time = map.kind == MetricKind::time;
      if (has_values(map))
        put_map(map, is_time ? "ns" : find_recorded_unit(definitions, map.kind, name),
                is_time ? ns_per_tick : 1.0, plan, part);
    }
  }
  part.finish();
  file.finish();
  output.written(file);

  return true;
}

namespace {

// Null where they are not known; a note says why.
const Messages* find_known_messages(PlanSession& session) {
  if (is_whole(session.archive().facts()))
    session.store_messages();
  else if (read_stored_messages(session.archive()))
    session.find_messages();
  else
    session.diagnostics().note("no messages were kept when the trace was reduced before");
  return session.plan().messages.get();
}

// How long ranks wait for others, in ticks.
struct PairWaits {
  std::uint64_t late_sender = 0, late_receiver = 0;
};
using WaitsOfPairs = std::map<std::pair<std::uint64_t, std::uint64_t>, PairWaits>;

// By sender and receiver; none where it is not known.
std::optional<WaitsOfPairs> sum_waits(const StoredProgram& program) {
  const auto pairs = program.read_pairs();
  if (!pairs || !program.columns().find(Metric::mpi_late_sender_time))
    return std::nullopt;
  const auto processes = program.read_processes();
  WaitsOfPairs waits;
  for (const auto& pair : *pairs) {
    const auto from = processes[pair.sender].rank, to = processes[pair.receiver].rank;
    if (!from || !to)
      continue;
    auto& sum = waits[{*from, *to}];
    sum.late_sender += pair.late_sender;
    sum.late_receiver += pair.late_receiver;
  }
  return waits;
}

}  // namespace

bool export_matrix(PlanSession session, const StoredProgram* program, const TableOutput& output) {
  const auto* messages = find_known_messages(session);
  if (!messages)
    return false;

  const auto waits = program ? sum_waits(*program) : std::nullopt;
  const TraceTimes times(session.archive().definitions());
  const auto matrix = sum_matrix(*messages, list_rank_rows(*messages), MatrixSplit::none);
  TableFile file(ExportTable::matrix, output.folder, output.format, 1, output.metadata);
  TablePart part(file, 0);
  for (const auto& of : matrix.parts)
    for (const auto& cell : of.cells) {
      const bool is_known = cell.to != unknown_row;
      part.add(cell.from);
      part.add_optional(is_known ? std::optional<std::uint64_t>(cell.to) : std::nullopt);
      part.add(cell.messages).add(cell.bytes);
      if (!waits || !is_known) {
        part.add_optional({}).add_optional({}).end_row();
        continue;
      }
      const auto at = waits->find({cell.from, cell.to});
      const auto wait = at == waits->end() ? PairWaits() : at->second;
      part.add_optional(times.convert(wait.late_sender));
      part.add_optional(times.convert(wait.late_receiver)).end_row();
    }
  part.finish();
  file.finish();
  output.written(file);

  return true;
}

namespace {

// The messages that ranks send, in their order.
class StoredSends {
 public:
  explicit StoredSends(const Messages& messages)
      : messages_(messages), communicators_(messages), cluster_of_(messages.size) {
    for (const auto& cluster : messages.clusters)
      for (const auto rank : cluster.ranks)
        cluster_of_[rank] = &cluster;
  }

  void put(std::uint32_t rank, TablePart& part) const {
    if (!cluster_of_[rank])
      return;
    std::unordered_map<std::uint32_t, Send> known;  // by symbol: loops repeat them
    for (SequenceCursor at(cluster_of_[rank]->sequence); !at.at_end(); at.advance()) {
      const auto& operation = messages_.operations[at.symbol()];
      if (!is_send(operation.kind))
        continue;
      const auto [found, is_new] = known.try_emplace(at.symbol());
      auto& send = found->second;
      if (is_new)
        send = read(operation, rank);
      part.add(send.sender).add_optional(send.receiver).add(send.tag).add(send.communicator);
      part.add(send.bytes);
      for (int times = 0; times < 5; ++times)
        part.add_optional({});
      part.end_row();
    }
  }

 private:
  struct Send {
    std::uint64_t sender = 0;
    std::optional<std::uint64_t> receiver;
    std::uint64_t tag = 0, communicator = 0, bytes = 0;
  };

  Send read(const ClusterOperation& operation, std::uint32_t rank) const {
    const auto find = [&](Parameter parameter) {
      return find_value(messages_, operation, parameter, rank);
    };
    Send send;
    send.sender = find_sender(rank, operation.thread);
    if (const auto peer = find(Parameter::peer); peer < messages_.size)
      send.receiver = messages_.endpoints[peer];
    send.tag = find(Parameter::tag);
    if (const auto own = communicators_.find(rank, find(Parameter::communicator)))
      send.communicator = messages_.communicators[*own].id;
    send.bytes = find(Parameter::bytes);
    return send;
  }

  std::uint64_t find_sender(std::uint32_t rank, std::uint8_t thread) const {
    if (thread < messages_.threads.size()) {
      const auto& of = messages_.threads[thread];
      const auto at = std::lower_bound(of.ranks.begin(), of.ranks.end(), rank);
      if (at != of.ranks.end() && *at == rank)
        return of.locations[static_cast<std::size_t>(at - of.ranks.begin())];
    }
    return messages_.endpoints[rank];
  }

  const Messages& messages_;
  OwnCommunicators communicators_;
  std::vector<const MainCluster*> cluster_of_;  // by rank
};

}  // namespace

bool export_stored_messages(PlanSession session, const TableOutput& output) {
  const auto* messages = find_known_messages(session);
  if (!messages || messages->endpoints.size() != messages->size)
    return false;

  std::vector<std::uint32_t> ranks(messages->size);
  std::iota(ranks.begin(), ranks.end(), 0u);
  std::sort(ranks.begin(), ranks.end(),
            [&](auto a, auto b) { return messages->endpoints[a] < messages->endpoints[b]; });
  const StoredSends sends(*messages);
  TableFile file(ExportTable::messages, output.folder, output.format, 1, output.metadata);
  TablePart part(file, 0);
  for (const auto rank : ranks) {
    check_stop();
    sends.put(rank, part);
  }
  part.finish();
  file.finish();
  output.written(file);

  return true;
}

}  // namespace tracefold
