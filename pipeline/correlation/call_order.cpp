#include "pipeline/correlation/call_order.hpp"

#include "base/sort_and_unite.hpp"
#include "model/iterations/collapsed_name.hpp"
#include "model/plan.hpp"
#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/iteration_cursor.hpp"
#include "pipeline/iterations/collapsed_iteration.hpp"
#include "pipeline/iterations/stored_folds.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <utility>

namespace tracefold {

namespace {

constexpr auto never = std::numeric_limits<std::uint64_t>::max();

// When calls of a path took place: ticks.
struct CallSpan {
  std::uint64_t first_begin = never;
  std::uint64_t last_end = 0;

  void add(const CallSpan& other) {
    first_begin = std::min(first_begin, other.first_begin);
    last_end = std::max(last_end, other.last_end);
  }
};

// Finds the spans of all call paths of a location in each iteration. One location, one thread.
class CallSpanSink {
 public:
  // The iteration, through all loops or `outside`, and by path of paths() the spans in it.
  using OnSpans = std::function<void(std::size_t, const std::vector<CallSpan>&)>;

  CallSpanSink(const ProcessLoops& loops, OnSpans on_spans)
      : iterations_(loops), on_spans_(std::move(on_spans)) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    go_to(iterations_.enter(call), call.time);
    begin(paths_.enter(call.function), call.time);
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    go_to(iterations_.leave(call), call.time);
    end(paths_.leave(), call.time);
  }
  void other(const Event& event) { go_to(iterations_.other(event.time), event.time); }
  void unknown(std::uint64_t) {}

  PathIndex sample(const SampledCalls& calls) {
    return paths_.visit(calls.open_calls, calls.functions);
  }
  void visit_sampled(const SampledCalls&) {}
  void spend_sampled(PathIndex path, std::uint64_t from, std::uint64_t to) {
    begin(path, from);
    end(path, to);
  }

  // Call once, after the last event.
  void finish() { on_spans_(iteration_, spans_); }
  std::span<const CallPath> paths() const { return paths_.paths(); }

 private:
  CallSpan& find_span(PathIndex path) {
    if (path >= spans_.size())
      spans_.resize(paths_.paths().size());
    return spans_[path];
  }
  void begin(PathIndex path, std::uint64_t time) {
    auto& span = find_span(path);
    span.first_begin = std::min(span.first_begin, time);
  }
  void end(PathIndex path, std::uint64_t time) {
    auto& span = find_span(path);
    span.last_end = std::max(span.last_end, time);
  }

  // Calls that are open go on in the next iteration.
  void go_to(std::size_t iteration, std::uint64_t time) {
    if (iteration == iteration_)
      return;

    for (auto path = paths_.path(); path != 0; path = paths_.paths()[path].caller)
      end(path, time);
    on_spans_(iteration_, spans_);
    spans_.assign(spans_.size(), {});
    iteration_ = iteration;
    for (auto path = paths_.path(); path != 0; path = paths_.paths()[path].caller)
      begin(path, time);
  }

  IterationCursor iterations_;
  OnSpans on_spans_;
  CallPathCursor paths_;
  std::vector<CallSpan> spans_;  // by path, in the iteration of the last event
  std::size_t iteration_ = IterationCursor::outside;
};

// What is collected from all processes.
class CollectedSpans {
 public:
  CollectedSpans(const std::vector<CallPath>& tree, const OrderedPaths& paths,
                 std::size_t iterations)
      : tree_(PathNumbers::make_tree(tree)),
        paths_(paths),
        ends_(iterations * waits(), 0),
        begins_(iterations * causes(), never),
        own_(waits() * causes(), false) {}

  // What one process did in one iteration: by path of its own tree. From any thread.
  void add(std::size_t iteration, const std::vector<CallSpan>& spans,
           std::span<const CallPath> own_tree, PathNumbers& known) {
    std::vector<CallSpan> wait_spans(waits());
    std::vector<CallSpan> cause_spans(causes());
    const auto put = [](const auto& paths, PathIndex path, const CallSpan& span, auto& to) {
      const auto at = std::lower_bound(paths.begin(), paths.end(), path);
      if (at != paths.end() && *at == path)
        to[static_cast<std::size_t>(at - paths.begin())].add(span);
    };
    for (std::size_t p = 1; p < spans.size(); ++p) {
      const auto path = known.find(tree_, static_cast<PathIndex>(p), own_tree);
      put(paths_.waits, path, spans[p], wait_spans);
      put(paths_.causes, path, spans[p], cause_spans);
    }
    add(iteration, wait_spans, cause_spans);
  }

  // What was not met counts as begun on the same process.
  void allow_unmet() {
    for (std::size_t w = 0; w < waits(); ++w)
      for (std::size_t c = 0; c < causes(); ++c)
        if (ends_[w] == 0 || begins_[c] == never)
          own_[w * causes() + c] = true;
  }

  std::vector<CallOrder::Begun> compare() const {
    std::vector<CallOrder::Begun> out(own_.size(), CallOrder::Begun::nowhere);
    for (std::size_t w = 0; w < waits(); ++w)
      for (std::size_t c = 0; c < causes(); ++c)
        if (own_[w * causes() + c])
          out[w * causes() + c] = CallOrder::Begun::on_the_same_process;
        else if (has_begun_somewhere(w, c))
          out[w * causes() + c] = CallOrder::Begun::on_other_processes;
    return out;
  }

 private:
  std::size_t waits() const { return paths_.waits.size(); }
  std::size_t causes() const { return paths_.causes.size(); }

  // Spans by place among waits and causes.
  void add(std::size_t iteration, std::span<const CallSpan> wait_spans,
           std::span<const CallSpan> cause_spans) {
    const std::lock_guard lock(mutex_);
    for (std::size_t w = 0; w < waits(); ++w) {
      auto& end = ends_[iteration * waits() + w];
      end = std::max(end, wait_spans[w].last_end);
      for (std::size_t c = 0; c < causes(); ++c)
        if (cause_spans[c].first_begin < wait_spans[w].last_end)
          own_[w * causes() + c] = true;
    }
    for (std::size_t c = 0; c < causes(); ++c) {
      auto& begin = begins_[iteration * causes() + c];
      begin = std::min(begin, cause_spans[c].first_begin);
    }
  }

  bool has_begun_somewhere(std::size_t wait, std::size_t cause) const {
    const auto iterations = causes() == 0 ? 0 : begins_.size() / causes();
    for (std::size_t i = 0; i < iterations; ++i)
      if (begins_[i * causes() + cause] < ends_[i * waits() + wait])
        return true;
    return false;
  }

  const PathNumbers::Tree tree_;
  const OrderedPaths& paths_;
  std::mutex mutex_;
  std::vector<std::uint64_t> ends_;    // the last, by iteration and wait
  std::vector<std::uint64_t> begins_;  // the first, by iteration and cause
  std::vector<bool> own_;              // by wait and cause
};

std::size_t count_most_iterations(const SeriesPass& pass, const std::optional<SeriesLoop>& loop) {
  std::size_t most = loop ? 0 : 1;
  if (loop)
    for (auto member : pass.members())
      most = std::max(most, loop->count_iterations(member));
  return most;
}

// The kept iterations of a location of a reduced trace.
struct KeptLoops {
  ProcessLoops loops;
  // By iteration through all loops, the loop and the iteration of the original; none: it is not
  // kept.
  std::vector<std::optional<CollapsedIteration>> kept;
};

KeptLoops find_kept_loops(const std::optional<KeptFolds>& folds, std::uint64_t source) {
  KeptLoops out;
  if (!folds || !folds->series.contains(source))
    return out;

  const auto& series = folds->series.at(source);
  for (std::size_t l = 0; l < series.size(); ++l) {
    const auto& fold = folds->loops[l];
    std::vector<std::optional<std::size_t>> kept_at;
    out.loops.loops.push_back(make_kept_loop(series[l], fold, kept_at));
    kept_at.resize(out.loops.loops.back().iterations.size());
    for (auto k : kept_at)
      out.kept.push_back(k ? std::optional(CollapsedIteration{l, fold.kept[*k]}) : std::nullopt);
  }
  if (!series.empty() && series.front().is_taken)
    out.loops.taken_from = 0;

  return out;
}

// The spans of the call paths of a reduced location in the whole original.
class UnfoldedSpans {
 public:
  explicit UnfoldedSpans(const KeptLoops& loops) : loops_(loops) {}

  void add(std::size_t iteration, const std::vector<CallSpan>& spans) {
    spans_.resize(std::max(spans_.size(), spans.size()));
    std::vector<PathIndex>* kept = nullptr;
    if (iteration < loops_.kept.size() && loops_.kept[iteration])
      kept = &paths_of_[{loops_.kept[iteration]->loop, loops_.kept[iteration]->iteration}];
    for (std::size_t p = 1; p < spans.size(); ++p) {
      spans_[p].add(spans[p]);
      if (kept && spans[p].last_end > 0)
        kept->push_back(static_cast<PathIndex>(p));
    }
  }

  // Puts the calls of kept iterations where others stand for them.
  const std::vector<CallSpan>& unfold(std::span<const CallPath> paths,
                                      const std::vector<Function>& functions) {
    for (std::size_t p = 1; p < spans_.size(); ++p) {
      const auto& function = functions[paths[p].function];
      const auto named = is_collapsed_iteration(function) ? find_collapsed_iteration(function.name)
                                                          : std::optional<CollapsedIteration>();
      if (!named)
        continue;
      if (const auto found = paths_of_.find(std::pair(named->loop, named->iteration));
          found != paths_of_.end())
        for (auto path : found->second)
          spans_[path].add(spans_[p]);
    }

    return spans_;
  }

 private:
  const KeptLoops& loops_;
  std::vector<CallSpan> spans_;                                                     // by path
  std::map<std::pair<std::size_t, std::size_t>, std::vector<PathIndex>> paths_of_;  // by iteration
};

}  // namespace

OrderedPaths::OrderedPaths(std::vector<PathIndex> waiting, std::vector<PathIndex> causing)
    : waits(std::move(waiting)), causes(std::move(causing)) {
  sort_and_unite(waits);
  sort_and_unite(causes);
}

CallOrder read_call_order(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                          const std::vector<CallPath>& tree, OrderedPaths paths) {
  CollectedSpans collected(tree, paths, count_most_iterations(pass, loop));
  const ProcessLoops no_loops;

  pass.trace().read_each(pass.members(), [&](std::size_t process, const auto& read_calls_to) {
    const auto first = loop ? loop->count_iterations_before(process) : 0;
    const auto count = loop ? loop->count_iterations(process) : 0;
    PathNumbers known;
    CallSpanSink sink(loop ? loop->loops[process] : no_loops,
                      [&](std::size_t iteration, const std::vector<CallSpan>& spans) {
                        if (loop && (iteration < first || iteration - first >= count))
                          return;
                        collected.add(loop ? iteration - first : 0, spans, sink.paths(), known);
                      });
    read_calls_to(sink);
    sink.finish();
  });

  auto begun = collected.compare();  // uses the paths
  return {std::move(paths), std::move(begun)};
}

CallOrder read_kept_call_order(const Archive& archive, const ReadOptions& reading,
                               Diagnostics& diagnostics, const std::vector<Function>& functions,
                               const std::vector<CallPath>& tree, OrderedPaths paths) {
  Plan kept;
  for (auto id : list_process_locations(archive.definitions()))
    kept.processes.emplace_back().id = id;
  const PlannedTrace trace(archive, kept, reading, diagnostics);
  const auto folds = read_kept_folds(archive);
  const auto earlier = find_earlier_reductions(archive.definitions());
  const auto& own_functions = trace.functions().functions();
  CollectedSpans collected(rename_functions(tree, functions, own_functions), paths, 1);

  trace.read_each(list_processes(kept), [&](std::size_t process, const auto& read_calls_to) {
    const auto loops =
        find_kept_loops(folds, find_first_original(earlier, kept.processes[process].id));
    UnfoldedSpans unfolded(loops);
    CallSpanSink sink(loops.loops, [&](std::size_t iteration, const std::vector<CallSpan>& spans) {
      unfolded.add(iteration, spans);
    });
    read_calls_to(sink);
    sink.finish();
    PathNumbers known;
    collected.add(0, unfolded.unfold(sink.paths(), own_functions), sink.paths(), known);
  });
  collected.allow_unmet();

  auto begun = collected.compare();  // uses the paths
  return {std::move(paths), std::move(begun)};
}

CallOrder::Begun CallOrder::find(PathIndex wait, PathIndex cause) const {
  const auto place = [](const std::vector<PathIndex>& paths, PathIndex path) {
    return static_cast<std::size_t>(std::lower_bound(paths.begin(), paths.end(), path) -
                                    paths.begin());
  };
  return begun_[place(paths_.waits, wait) * paths_.causes.size() + place(paths_.causes, cause)];
}

}  // namespace tracefold
