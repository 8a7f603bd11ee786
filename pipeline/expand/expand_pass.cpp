#include "pipeline/expand/expand_pass.hpp"
#include "base/sort_and_unite.hpp"
#include "model/iterations/iteration_section.hpp"
#include "pipeline/events/calling_contexts.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/expand/align_operations.hpp"
#include "pipeline/expand/call_template.hpp"
#include "pipeline/expand/call_times.hpp"
#include "pipeline/expand/expanded_definitions.hpp"
#include "pipeline/expand/expanded_processes.hpp"
#include "pipeline/expand/order_pass.hpp"
#include "pipeline/expand/player.hpp"
#include "pipeline/expand/rank_operations.hpp"
#include "pipeline/expand/writing_sink.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/rewrite/estimate.hpp"
#include "pipeline/rewrite/otf2_output.hpp"
#include "pipeline/rewrite/publish_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_steps = std::size_t{1} << 30;

// The plan beside a reduced trace, with all that is asked of it.
Plan read_plan(const Archive& reduced) {
  if (!was_reduced(reduced))
    throw Error(ErrorKind::input, "was not reduced, so there is nothing to expand")
        .hint("give a reduced trace");

  auto beside = read_plan_beside(reduced);
  if (beside.is_missing())
    throw Error(ErrorKind::input, "has no plan beside it, so nothing tells its messages")
        .hint("keep tracefold.json where it was written, or reduce the original again");
  if (!beside.is_that)
    throw Error(ErrorKind::input, "has another plan beside it than it was written with")
        .hint("reduce the original again");
  if (beside.error)
    throw *beside.error;
  if (!beside.plan->messages)
    throw Error(ErrorKind::input, "keeps no messages beside it")
        .hint("reduce the original again, and keep its messages");
  if (beside.plan->messages->size == 0 || beside.plan->messages->endpoints.empty())
    throw Error(ErrorKind::input, "has no ranks of MPI, so nothing tells its messages");
  if (!beside.plan->messages->complete)
    throw Error(ErrorKind::input, "keeps messages that are not complete, which cannot be expanded")
        .hint("reduce the original again where it can be mended");

  return std::move(*beside.plan);
}

// How much of what must be held in memory at once there may be.
class MemoryShare {
 public:
  explicit MemoryShare(std::uint64_t bytes) : bytes_(bytes) {}

  std::size_t count(std::size_t bytes_each) const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(bytes_ / bytes_each, most_steps));
  }
  std::uint64_t left() const { return bytes_; }
  void take(std::uint64_t bytes) {
    if (bytes > bytes_)
      throw Error(ErrorKind::input, "what is expanded needs more memory than there is")
          .hint("raise `memory`, or expand fewer `locations`");
    bytes_ -= bytes;
  }

 private:
  std::uint64_t bytes_;
};

class Expansion {
 public:
  Expansion(const Archive& reduced, const ExpandOptions& options, Diagnostics& diagnostics)
      : reduced_(reduced),
        options_(options),
        diagnostics_(diagnostics),
        plan_(read_plan(reduced)),
        messages_(*plan_.messages),
        is_first_(count_reductions(reduced.facts()) <= 1),
        expanded_(choose_expanded(reduced.definitions(), plan_, is_first_, options.locations)),
        finder_(messages_, expanded_.is_there),
        records_(messages_, finder_),
        memory_(options.memory) {}

  void read() {
    if (!CallingContexts(reduced_.definitions()).empty())
      diagnostics_.warn("calls that only samples show are not expanded");
    read_templates();
    make_processes();
    find_records();
  }

  // Bytes of the event files, about: times are those of calls, and records of messages stand at
  // such times.
  std::uint64_t estimate_bytes() const {
    constexpr std::uint64_t call_bytes = 12;       // of Enter or Leave, with its time
    constexpr std::uint64_t operation_bytes = 16;  // of all records of a message or collective
    std::uint64_t bytes = 0;
    for (std::size_t l = 0; l < expanded_.locations.size(); ++l) {
      bytes += call_bytes * templates_[template_of_.at(expanded_.locations[l].kept)].steps.size();
      if (process_of_[l] != no_process)
        bytes += operation_bytes * processes_[process_of_[l]].part.sequence->operations.size();
    }

    return bytes;
  }

  void find_times() {
    order_ = find_order(messages_, finder_, processes_, memory_.left());
    if (order_.short_collectives)
      diagnostics_.warn("collectives that some ranks do not take part in end without them", {},
                        order_.short_collectives);
  }

  ExpandSummary write(const std::filesystem::path& folder) {
    Otf2Output output(folder);
    output.begin(find_largest_record());
    const ExpandedRegions regions(reduced_.definitions(), missing_regions_, list_regions());

    std::vector<ExpandedEvents> events(expanded_.locations.size());
    std::atomic<std::size_t> done{0};
    if (options_.progress)
      options_.progress(0, events.size());
    for_each_index(events.size(), [&](std::size_t l) {
      check_stop();
      events[l] = write_location(l, output, regions);
      if (options_.progress)
        options_.progress(++done, events.size());
    });

    const auto metadata =
        make_expanded_metadata(reduced_, messages_, expanded_, finder_, records_, regions, events);
    output.write(metadata);
    output.check_metadata(metadata);
    std::vector<WrittenLocation> written;
    for (const auto& location : events)
      written.push_back(location.written);
    output.check_events(written, options_);

    return add_up(events);
  }

 private:
  static constexpr std::size_t no_process = ~std::size_t{0};

  static std::size_t find_largest_record() {
    std::size_t largest = 0;
    for (std::size_t kind = 0; kind < event_kinds; ++kind) {
      Event event;
      event.kind = static_cast<EventKind>(kind);
      if (is_one_sided(event.kind) || is_file(event.kind) ||
          event.kind == EventKind::NonBlockingCollectiveComplete)
        largest = std::max(largest, encoded_size(event));
    }
    return largest;
  }

  // What is written of windows and files.
  void find_records() {
    for (const auto& process : processes_)
      for (auto symbol : process.part.sequence->symbols)
        if (!list_record_parameters(messages_.operations[symbol].kind).empty())
          records_.use(symbol, process.rank);
    records_.number();
  }

  void read_templates() {
    std::vector<std::uint64_t> kept;
    for (const auto& location : expanded_.locations)
      kept.push_back(location.kept);
    sort_and_unite(kept);

    const FunctionTable functions(reduced_.definitions(), {});
    const NamedPaths paths(messages_, functions);
    const auto loops = find_original_loops(kept);
    templates_.resize(kept.size());
    constexpr std::size_t bytes_each = 2 * sizeof(std::uint64_t) + 64;  // while it is read
    const auto at_once = std::min<std::size_t>(kept.size(), count_threads());
    const auto most = memory_.count(bytes_each * std::max<std::size_t>(at_once, 1));
    for_each_location(
        reduced_, kept, options_, diagnostics_, [&](EventReader& reader, std::size_t i) {
          templates_[i] = read_template(reader, kept[i], functions, paths, loops[i], most);
        });

    for (std::size_t i = 0; i < kept.size(); ++i) {
      template_of_.emplace(kept[i], i);
      memory_.take(templates_[i].paths.size() * sizeof(TemplatePath) +
                   templates_[i].steps.size() * sizeof(TemplateStep) +
                   templates_[i].calls.size() * sizeof(TemplateCall) +
                   templates_[i].tree.size() * sizeof(CallPath) +
                   templates_[i].mpi_paths.size() * sizeof(MpiPath));
      if (templates_[i].left_folded)
        diagnostics_.warn("iterations that are collapsed cannot be unfolded",
                          fmt::format("location {}", kept[i]), templates_[i].left_folded);
    }
    find_regions(functions);
  }

  // The loops of kept locations, where the plan is about the trace that they come from.
  std::vector<const ProcessLoops*> find_original_loops(
      const std::vector<std::uint64_t>& kept) const {
    std::vector<const ProcessLoops*> loops(kept.size(), nullptr);
    if (!is_first_ || !plan_.iterations)
      return loops;

    std::unordered_map<std::uint64_t, const ProcessLoops*> loops_of;  // by location of the original
    for (const auto& process : plan_.iterations->processes)
      loops_of.emplace(plan_.processes[process.process].id, &process.loops);

    const auto stand_ins = read_location_properties(reduced_.definitions());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto at = stand_ins.find(kept[i]);
      const auto source = at == stand_ins.end() ? kept[i] : at->second.source.value_or(kept[i]);
      if (const auto found = loops_of.find(source); found != loops_of.end())
        loops[i] = found->second;
    }

    return loops;
  }

  // By name of messages, the region of a function that is called so.
  void find_regions(const FunctionTable& functions) {
    std::unordered_map<std::string, std::uint32_t> regions;
    std::uint32_t next = 0;
    for (const auto& d : reduced_.definitions().all())
      if (d.kind == DefinitionKind::Region) {
        const auto id = static_cast<std::uint32_t>(d.id());
        const auto& function = functions.functions()[functions.find(d.id()).function];
        regions.try_emplace(function.name, id);
        next = std::max(next, id + 1);
        if (function.paradigm == otf2_value::paradigm_mpi)
          mpi_regions_.insert(id);
      }

    for (const auto& name : messages_.names) {
      const auto [at, is_missing] = regions.try_emplace(name, next);
      if (is_missing) {
        missing_regions_.push_back({next, find_planned(name)});
        if (missing_regions_.back().function.paradigm == otf2_value::paradigm_mpi)
          mpi_regions_.insert(next);
        ++next;
      }
      regions_.push_back(at->second);
    }
  }

  // A function that is not in the reduced trace, as far as the plan knows it.
  Function find_planned(const std::string& name) const {
    for (const auto& function : plan_.functions)
      if (function.name == name)
        return function;

    Function function;
    function.name = name;
    if (name.starts_with("MPI_"))
      function.paradigm = otf2_value::paradigm_mpi;
    return function;
  }

  OperationCallers list_callers(std::uint32_t path) const {
    OperationCallers callers;
    for (; path != 0; path = messages_.paths[path].caller)
      callers.regions.push_back(regions_[messages_.paths[path].name]);
    std::reverse(callers.regions.begin(), callers.regions.end());
    callers.is_mpi = !callers.regions.empty() && mpi_regions_.contains(callers.regions.back());
    return callers;
  }

  void make_processes() {
    const auto program = read_whole_program(reduced_, diagnostics_);
    const FunctionTable functions(reduced_.definitions(), {});
    std::optional<StoredCallTimes> times;
    if (program)
      times.emplace(*program, functions);
    std::vector<std::pair<std::size_t, std::size_t>> clusters(
        messages_.size, {messages_.clusters.size(), 0});  // and the place in it, by rank
    for (std::size_t c = 0; c < messages_.clusters.size(); ++c)
      for (std::size_t m = 0; m < messages_.clusters[c].ranks.size(); ++m)
        clusters[messages_.clusters[c].ranks[m]] = {c, m};

    std::vector<std::vector<std::size_t>> of_rank(messages_.size);
    process_of_.assign(expanded_.locations.size(), no_process);
    for (std::size_t l = 0; l < expanded_.locations.size(); ++l) {
      const auto& location = expanded_.locations[l];
      if (!location.thread)
        continue;

      const auto rank = *location.rank;
      const auto& sequence =
          find_sequence(template_of_.at(location.kept), clusters[rank].first, *location.thread);
      CommunicatingProcess process{rank, {}};
      process.part.calls = &templates_[template_of_.at(location.kept)];
      process.part.sequence = &sequence.sequence;
      process.part.callers = &sequence.callers;
      if (times) {
        process.part.process_pace = times->find_pace(*process.part.calls, location.source);
        memory_.take(process.part.process_pace.calls.size() * sizeof(CallPace));
      }
      process_of_[l] = processes_.size();
      of_rank[rank].push_back(processes_.size());
      processes_.push_back(std::move(process));
    }

    for (std::uint32_t rank = 0; rank < messages_.size; ++rank)
      if (!of_rank[rank].empty())
        set_pace(of_rank[rank], messages_.clusters[clusters[rank].first], clusters[rank].second);
  }

  struct AlignedSequence {
    OperationSequence sequence;
    std::vector<OperationCallers> callers;  // as in PlayedCalls
  };

  const AlignedSequence& find_sequence(std::size_t calls, std::size_t cluster,
                                       std::uint8_t thread) {
    auto& known = sequences_[{calls, cluster, thread}];
    if (known)
      return *known;

    known = std::make_unique<AlignedSequence>();
    known->sequence = list_operations(messages_, messages_.clusters[cluster], thread,
                                      memory_.count(sizeof(std::uint32_t)));
    align_operations(messages_, templates_[calls], known->sequence);
    for (auto symbol : known->sequence.symbols) {
      known->callers.push_back(list_callers(messages_.operations[symbol].path));
      memory_.take(sizeof(known->callers.back()) +
                   known->callers.back().regions.size() * sizeof(std::uint32_t));
    }
    memory_.take(known->sequence.operations.size() * sizeof(std::uint32_t) +
                 known->sequence.places.size() * sizeof(OperationSequence::Places));
    return *known;
  }

  // The gap times of a rank, spread over what its processes follow.
  void set_pace(const std::vector<std::size_t>& processes, const MainCluster& cluster,
                std::size_t place) {
    std::vector<TemplatePath> sums(messages_.paths.size());
    for (auto t : processes)
      for (std::size_t p = 0; p < sums.size(); ++p) {
        sums[p].gap += processes_[t].part.calls->paths[p].gap;
        sums[p].calls += processes_[t].part.calls->paths[p].calls;
      }

    std::vector<PathPace> pace(sums.size());
    for (std::size_t p = 0; p < sums.size(); ++p)
      pace[p].scale = sums[p].gap > 0 ? 0 : 1;
    for (const auto& gap : cluster.gaps) {
      const auto ticks = static_cast<double>(gap.ticks[place]);
      const auto& sum = sums[gap.path];
      if (sum.gap > 0)
        pace[gap.path].scale = ticks / static_cast<double>(sum.gap);
      else if (sum.calls > 0)
        pace[gap.path].more = ticks / static_cast<double>(sum.calls);
    }
    memory_.take(processes.size() * pace.size() * sizeof(PathPace));
    for (auto t : processes)
      processes_[t].part.pace = pace;
  }

  std::vector<std::uint32_t> list_regions() const {
    std::vector<std::uint32_t> regions;
    for (const auto& one : templates_) {
      std::vector<std::uint32_t> own;
      for (const auto& step : one.steps)
        if (step.is_enter)
          own.push_back(step.region);
      sort_and_unite(own);
      regions.insert(regions.end(), own.begin(), own.end());
    }
    for (const auto& [key, sequence] : sequences_)
      if (sequence->sequence.apart > 0)
        for (const auto& callers : sequence->callers)
          regions.insert(regions.end(), callers.regions.begin(), callers.regions.end());
    return regions;
  }

  ExpandedEvents write_location(std::size_t l, const Otf2Output& output,
                                const ExpandedRegions& regions) const {
    ExpandedEvents events;
    events.written.id = l;
    auto location = output.open_location(l);
    if (process_of_[l] != no_process) {
      const auto& process = processes_[process_of_[l]];
      const auto& times = order_.times[process_of_[l]];
      Player player(process.part, WritingSink(finder_, records_, process, times, regions, location,
                                              events.written));
      player.play();
      events.first = times.first;
      events.last = times.last;
    } else {
      write_quiet(l, regions, location, events);
    }
    events.written.records = location.close();
    return events;
  }

  // A location without operations: in the time of the first of its process that has some.
  void write_quiet(std::size_t l, const ExpandedRegions& regions, Otf2LocationOutput& output,
                   ExpandedEvents& events) const {
    const auto& calls = templates_[template_of_.at(expanded_.locations[l].kept)];
    const auto guide = find_guide(l);
    const auto* times = guide == no_process ? nullptr : &order_.times[guide];
    const auto* guided = guide == no_process ? nullptr : processes_[guide].part.calls;
    const auto length = guided ? guided->last_time() - guided->first_time() : 0;
    const auto scale =
        length == 0 ? 1.0
                    : static_cast<double>(times->last - times->first) / static_cast<double>(length);

    std::uint64_t last = 0;
    for (const auto& step : calls.steps) {
      auto time = step.time;
      if (guided && time >= guided->first_time())
        time = times->first +
               static_cast<std::uint64_t>(scale * static_cast<double>(time - guided->first_time()));
      last = std::max(last, time);
      if (step.is_enter)
        output.enter(last, regions.new_id(step.region), {});
      else
        output.leave(last, regions.new_id(step.region), {});
      events.first = events.last == 0 ? last : events.first;
      events.last = last;
    }
  }

  std::size_t find_guide(std::size_t l) const {
    const auto process = expanded_.locations[l].process;
    for (auto k = l; k-- > 0 && expanded_.locations[k].process == process;)
      if (process_of_[k] != no_process)
        return process_of_[k];
    for (auto k = l + 1;
         k < expanded_.locations.size() && expanded_.locations[k].process == process; ++k)
      if (process_of_[k] != no_process)
        return process_of_[k];
    return no_process;
  }

  ExpandSummary add_up(const std::vector<ExpandedEvents>& events) const {
    ExpandSummary summary;
    summary.locations = events.size();
    summary.in_original = expanded_.in_original;
    for (const auto& location : events) {
      const auto count = [&](EventKind kind) {
        return location.written.others[static_cast<std::size_t>(kind)];
      };
      summary.events += location.written.records;
      summary.messages += count(EventKind::MpiSend) + count(EventKind::MpiIsend);
      summary.collectives +=
          count(EventKind::MpiCollectiveEnd) + count(EventKind::NonBlockingCollectiveComplete);
      for (std::size_t kind = 0; kind < event_kinds; ++kind) {
        const auto event = static_cast<EventKind>(kind);
        if (can_complete(event) || event == EventKind::RmaCollectiveEnd)
          (is_file(event) ? summary.files : summary.one_sided) += location.written.others[kind];
      }
    }
    return summary;
  }

  const Archive& reduced_;
  const ExpandOptions& options_;
  Diagnostics& diagnostics_;
  const Plan plan_;
  const Messages& messages_;
  const bool is_first_;
  const ExpandedProcesses expanded_;
  const OperationFinder finder_;
  ExpandedRecords records_;
  MemoryShare memory_;
  std::vector<CallTemplate> templates_;
  std::unordered_map<std::uint64_t, std::size_t> template_of_;  // by kept location
  std::vector<std::uint32_t> regions_;                          // by name of messages
  std::vector<MissingRegion> missing_regions_;
  std::unordered_set<std::uint32_t> mpi_regions_;
  std::map<std::tuple<std::size_t, std::size_t, std::uint8_t>, std::unique_ptr<AlignedSequence>>
      sequences_;  // by template, cluster and thread
  std::vector<CommunicatingProcess> processes_;
  std::vector<std::size_t> process_of_;  // by location
  OrderResult order_;
};

}  // namespace

ExpandSummary expand(const Archive& reduced, const std::filesystem::path& out,
                     const ExpandOptions& options, Diagnostics& diagnostics) {
  ExpandSummary summary;
  const auto write = [&](const std::filesystem::path& folder) {
    Expansion expansion(reduced, options, diagnostics);
    expansion.read();
    check_free_space(expansion.estimate_bytes(), folder);
    expansion.find_times();
    summary = expansion.write(folder);
    check_stop();
  };
  if (options.tar)
    publish_tar(out, *options.tar, options.force, reduced, write);
  else
    publish_archive(out, options.force, reduced, write);

  return summary;
}

}  // namespace tracefold
