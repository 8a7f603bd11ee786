#include "pipeline/correlation/view_source.hpp"

#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"
#include "model/profile/time_metric.hpp"

#include <algorithm>
#include <cassert>

namespace tracefold {

namespace {

// The events of the members, read as often as anything is asked for.
class ReadViews : public ViewSource {
 public:
  ReadViews(const CorrelatedTrace& trace, const std::vector<Metric>& wanted_waits)
      : plan_(trace.plan),
        loop_(trace.loop),
        no_loops_(trace.plan.processes.size()),
        pass_({trace.archive, trace.plan, trace.reading, trace.diagnostics},
              loop_ ? loop_->loops : no_loops_, trace.members, wanted_waits) {}

  const MetricColumns& columns() const override { return pass_.columns(); }
  const std::vector<Function>& functions() const override { return pass_.functions(); }
  bool is_mpi(FunctionIndex function) const override {
    return pass_.kind(function) == PathKind::mpi;
  }
  const std::string* find_unknown(Metric wait) const override { return pass_.find_unknown(wait); }

  CallPathProfiles sum(const std::vector<std::size_t>& columns) const override {
    return sum_series(pass_, loop_, columns);
  }
  bool is_not_finite(std::size_t member, std::size_t column) const override {
    return pass_.is_not_finite(pass_.members()[member], column);
  }
  void read_iterations(const std::function<void(const SeriesProfile&)>& body) const override {
    read_own_series(pass_, loop_, body);  // no team correlates
  }

  std::vector<std::pair<std::size_t, std::size_t>> list_neighbours() const override {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    const auto* messages = pass_.messages();
    if (!messages)
      return out;

    const auto find_process = [&](std::uint64_t location) {
      const auto at =
          std::lower_bound(plan_.processes.begin(), plan_.processes.end(), location,
                           [](const Process& p, std::uint64_t id) { return p.id < id; });
      return static_cast<std::size_t>(at - plan_.processes.begin());
    };
    for (const auto& [sender, receiver] : messages->list_neighbours())
      out.emplace_back(find_process(sender), find_process(receiver));
    return out;
  }

  CallOrder find_call_order(const std::vector<CallPath>& tree, OrderedPaths paths) const override {
    return read_call_order(pass_, loop_, tree, std::move(paths));
  }

 private:
  const Plan& plan_;
  std::optional<SeriesLoop> loop_;
  std::vector<ProcessLoops> no_loops_;
  SeriesPass pass_;
};

// What tracefold.profiles tells of the members, in the whole run of the original.
class StoredViews : public ViewSource {
 public:
  explicit StoredViews(const CorrelatedTrace& trace)
      : archive_(trace.archive),
        functions_(trace.plan.functions),
        reading_(trace.reading),
        diagnostics_(trace.diagnostics),
        members_(trace.members),
        stored_(*trace.program->stored),
        calls_(stored_.read_calls(StoredColumns::all)) {
    for (auto metric : choose_metric_columns(trace.archive.definitions()).measured)
      if (is_waiting(metric) && !columns().find(metric))
        unknown_.push_back(metric);
    for (std::size_t column = 0; column < columns().size(); ++column)
      unknown_counters_.push_back(stored_.find_unknown_counter(column));
  }

  const MetricColumns& columns() const override { return calls_.profiles.columns; }
  const std::vector<Function>& functions() const override { return functions_; }
  bool is_mpi(FunctionIndex function) const override {
    return is_mpi_time(calls_.time_metrics[function]);
  }
  const std::string* find_unknown(Metric wait) const override {
    static const std::string reason = "they were not stored when the trace was reduced";
    return std::binary_search(unknown_.begin(), unknown_.end(), wait) ? &reason : nullptr;
  }

  CallPathProfiles sum(const std::vector<std::size_t>& columns) const override {
    const auto& all = calls_.profiles;
    CallPathProfiles out{all.paths, take_columns(all.columns, columns), all.shapes, {}};
    for (auto member : members_) {
      const auto& paths = all.shape(member).paths;
      auto& process = out.processes.emplace_back();
      process.shape = all.processes[member].shape;
      process.values.reserve(paths.size() * columns.size());
      for (std::size_t place = 0; place < paths.size(); ++place)
        for (auto column : columns)
          process.values.push_back(all.value(member, place, column));
    }

    return out;
  }
  bool is_not_finite(std::size_t member, std::size_t column) const override {
    return !unknown_counters_[column].empty() && unknown_counters_[column][members_[member]];
  }
  void read_iterations(const std::function<void(const SeriesProfile&)>&) const override {
    assert(false);
  }

  std::vector<std::pair<std::size_t, std::size_t>> list_neighbours() const override {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    if (const auto pairs = stored_.read_pairs())
      for (const auto& pair : *pairs)
        if (pair.messages > 0)
          out.emplace_back(pair.sender, pair.receiver);
    return out;
  }
  CallOrder find_call_order(const std::vector<CallPath>& tree, OrderedPaths paths) const override {
    return read_kept_call_order(archive_, reading_, diagnostics_, functions_, tree,
                                std::move(paths));
  }

 private:
  const Archive& archive_;
  const std::vector<Function>& functions_;
  const ReadOptions reading_;
  Diagnostics& diagnostics_;
  const std::vector<std::size_t> members_;
  const StoredProgram& stored_;
  Aggregates calls_;
  std::vector<Metric> unknown_;                      // ascending
  std::vector<std::vector<bool>> unknown_counters_;  // by column and process; empty: all know it
};

}  // namespace

std::unique_ptr<const ViewSource> make_view_source(const CorrelatedTrace& trace,
                                                   std::vector<Metric> wanted_waits) {
  if (trace.program)
    return std::make_unique<const StoredViews>(trace);
  wanted_waits.push_back(Metric::mpi_late_sender_time);
  sort_and_unite(wanted_waits);
  return std::make_unique<const ReadViews>(trace, wanted_waits);
}

}  // namespace tracefold
