// Views of a trace: one metric of one call path over processes, or over processes and the
// iterations of a loop.
//
// They come from the call-path profiles of all processes (view_source.hpp): a metric is what
// iterations are compared by, or a rate of it per second of the call path's time. Values are of a
// call path alone, or with all that it calls where the metric is an inclusive one. An inclusive
// view that equals the view of the call path alone is left out. One reading gives the sums of each
// process. Where iterations are no axis, these are the values; where they are, values are then read
// for as many views at once as memory is there for.
//
// Views and values do not depend on the number of threads. Memory: that of the sums, and 16 bytes
// for each value that is not 0 of the views that are read together.
//
// Sources: frequency 2 (severity views), dynamics 3 (time-series call-path profiles).
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "model/correlation/correlation.hpp"
#include "pipeline/correlation/view_source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct Plan;

struct ViewOptions {
  // Names of metrics, also with "/s" behind or "inclusive " before them, "all", or "waiting" for
  // all times of waiting; empty: the usual ones.
  std::vector<std::string> metrics;
  // "METRIC:CALL PATH", where a glob may stand for the call path; empty: no view is queried.
  std::string query;
  // Views with a smaller share of the sum of their metric are left out, but the queried one.
  double least_share = 0.001;
  // Inclusive time is one of the usual ones, and of all.
  bool adds_inclusive = true;
};

// A value and where it is: the place of the process among the members, times the number of
// iterations, plus the iteration.
struct ViewCell {
  std::uint64_t place = 0;
  double value = 0;
};

// What a value takes while it is read: it is held twice, in lists that grow.
inline constexpr std::uint64_t view_cell_bytes = 3 * sizeof(ViewCell);

class Views {
 public:
  // Reads the trace, or what is kept of its original. Throws Error(usage) where a metric or call
  // path is not there, Error(input) where a counter has values that are no numbers.
  Views(const CorrelatedTrace& trace, const ViewOptions& options);

  // By metric in the order asked for, then by call path, depth first.
  std::size_t size() const { return count_; }
  // With those behind them that were left out, which count in sums over call paths only.
  std::size_t size_with_small() const { return all_.size(); }
  const CorrelationView& view(std::size_t number) const { return all_[number].view; }
  std::optional<std::size_t> query() const { return query_; }
  std::size_t left_out() const { return left_out_; }
  // Why a time of waiting is not known that was looked for; null where it is.
  const std::string* find_unknown(Metric wait) const { return source_->find_unknown(wait); }

  // The number of iterations of the process that has most; 1 where iterations are no axis.
  std::size_t iterations() const { return iterations_; }
  // The number of iterations of one member.
  std::size_t count_iterations(std::size_t member) const;

  // At least as many as values of a view are not 0.
  std::size_t count_cells(std::size_t view) const { return all_[view].cells; }
  // Members, ascending, whose values of a view are not known: its metric is a counter for which
  // they recorded what is infinite, or no number.
  const std::vector<std::size_t>& list_absent(std::size_t view) const {
    return metrics_[all_[view].metric].absent;
  }

  // The values of several views that are not 0, by place. Reads the trace again where iterations
  // are an axis.
  std::vector<std::vector<ViewCell>> read_cells(const std::vector<std::size_t>& wanted) const;

  // Whether calls of some views can be why calls of others wait. Reads the trace.
  CallOrder find_call_order(const std::vector<std::size_t>& waits,
                            const std::vector<std::size_t>& causes) const;
  PathIndex path(std::size_t view) const { return all_[view].path; }
  // Whether an inclusive view has the calls of another one in it.
  bool contains(std::size_t inclusive, std::size_t other) const;

  // Who sends to whom, as indexes of processes of the plan; ends that cannot be told are left out.
  std::vector<std::pair<std::size_t, std::size_t>> list_neighbours() const {
    return source_->list_neighbours();
  }

 private:
  struct ViewMetric {
    std::string name;
    MetricKind kind = MetricKind::count;
    std::string recorded_unit;              // of a counter
    std::vector<std::size_t> columns;       // whose sum it is
    std::vector<std::size_t> time_columns;  // of a rate: what it is divided by
    std::uint64_t steps_per_unit = 1;       // that the columns count in
    std::vector<std::size_t> absent;        // members whose values are not known
    bool is_inclusive = false;              // with what a call path calls
  };
  struct Entry {
    CorrelationView view;
    std::size_t cells = 0;
    PathIndex path = no_path;
    std::size_t metric = 0;
    double variation = 0;  // of sums over processes: standard deviation, as a share of the mean
    bool is_own = true;    // the call path alone has the same values
  };

  // What a process did in a call path, by column of the source.
  struct Rows {
    std::span<const std::uint64_t> own, with_callees;
  };
  // A value before it is divided by anything.
  struct Amount {
    double value = 0, ticks = 0;
  };

  // A view that is to be read, by its place in the result. WantedViews has those of each call path.
  struct WantedView {
    std::size_t place = 0;
    std::size_t metric = 0;
  };
  using WantedViews = std::vector<std::vector<WantedView>>;

  void choose_metrics(const ViewOptions& options);
  ViewMetric make_metric(const CondensedForm::Entry& entry) const;
  std::optional<ViewMetric> look_up(const std::string& name) const;
  bool has_exclusive(const ViewMetric& inclusive) const;
  ViewMetric find_metric(const std::string& name) const;
  // The metric that a query begins with, and the rest of it.
  std::pair<ViewMetric, std::string> split_query(const std::string& query) const;
  void list_views();
  void choose_query(const std::string& query);
  void leave_out_small(double least_share);
  void warn_of_steady(unsigned percent, Diagnostics& diagnostics) const;

  static Amount measure(const ViewMetric& metric, std::span<const std::uint64_t> row);
  double to_value(const ViewMetric& metric, const Amount& amount) const;
  double find_value(const ViewMetric& metric, const Rows& rows) const;
  // With the names that are shown, or those that the trace defines.
  std::string name_path(PathIndex path, bool uses_shown_names) const;
  void take_sums(const WantedViews& by_path, std::vector<std::vector<ViewCell>>& out) const;
  void read_iterations(const WantedViews& by_path, std::vector<std::vector<ViewCell>>& out) const;

  // Calls body(member, path, rows) for all sums.
  template <class Body>
  void each_sum(Body&& body) const;

  const Definitions& definitions_;
  const Plan& plan_;
  std::vector<std::size_t> members_;
  std::optional<SeriesLoop> loop_;
  std::unique_ptr<const ViewSource> source_;
  std::size_t iterations_ = 1;

  std::vector<ViewMetric> metrics_;
  std::vector<std::size_t> columns_;  // of the source, that any metric needs
  CallPathProfiles sums_;             // of these columns, by member
  std::vector<Entry> all_;            // those with a small share behind the others
  std::size_t count_ = 0;             // of the others
  std::optional<std::size_t> query_;
  std::size_t left_out_ = 0;
};

}  // namespace tracefold
