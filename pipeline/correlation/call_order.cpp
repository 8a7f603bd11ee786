#include "pipeline/correlation/call_order.hpp"

#include "base/sort_and_unite.hpp"
#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/iteration_cursor.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
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
  CollectedSpans(std::size_t iterations, std::size_t waits, std::size_t causes)
      : waits_(waits),
        causes_(causes),
        ends_(iterations * waits, 0),
        begins_(iterations * causes, never),
        own_(waits * causes, false) {}

  // What one process did in one iteration; spans by place among waits and causes. From any thread.
  void add(std::size_t iteration, std::span<const CallSpan> waits,
           std::span<const CallSpan> causes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t w = 0; w < waits_; ++w) {
      auto& end = ends_[iteration * waits_ + w];
      end = std::max(end, waits[w].last_end);
      for (std::size_t c = 0; c < causes_; ++c)
        if (causes[c].first_begin < waits[w].last_end)
          own_[w * causes_ + c] = true;
    }
    for (std::size_t c = 0; c < causes_; ++c) {
      auto& begin = begins_[iteration * causes_ + c];
      begin = std::min(begin, causes[c].first_begin);
    }
  }

  std::vector<CallOrder::Begun> compare() const {
    std::vector<CallOrder::Begun> out(own_.size(), CallOrder::Begun::nowhere);
    for (std::size_t w = 0; w < waits_; ++w)
      for (std::size_t c = 0; c < causes_; ++c)
        if (own_[w * causes_ + c])
          out[w * causes_ + c] = CallOrder::Begun::on_the_same_process;
        else if (has_begun_somewhere(w, c))
          out[w * causes_ + c] = CallOrder::Begun::on_other_processes;
    return out;
  }

 private:
  bool has_begun_somewhere(std::size_t wait, std::size_t cause) const {
    const auto iterations = causes_ == 0 ? 0 : begins_.size() / causes_;
    for (std::size_t i = 0; i < iterations; ++i)
      if (begins_[i * causes_ + cause] < ends_[i * waits_ + wait])
        return true;
    return false;
  }

  std::size_t waits_;
  std::size_t causes_;
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

}  // namespace

CallOrder::CallOrder(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                     const std::vector<CallPath>& tree, std::vector<PathIndex> waits,
                     std::vector<PathIndex> causes)
    : waits_(std::move(waits)), causes_(std::move(causes)) {
  sort_and_unite(waits_);
  sort_and_unite(causes_);
  CollectedSpans collected(count_most_iterations(pass, loop), waits_.size(), causes_.size());
  const auto numbers = PathNumbers::make_tree(tree);
  const ProcessLoops no_loops;

  pass.trace().read_each(pass.members(), [&](std::size_t process, const auto& read_calls_to) {
    const auto first = loop ? loop->count_iterations_before(process) : 0;
    const auto count = loop ? loop->count_iterations(process) : 0;
    PathNumbers known;
    std::vector<CallSpan> wait_spans;
    std::vector<CallSpan> cause_spans;

    CallSpanSink sink(
        loop ? loop->loops[process] : no_loops,
        [&](std::size_t iteration, const std::vector<CallSpan>& spans) {
          if (loop && (iteration < first || iteration - first >= count))
            return;

          wait_spans.assign(waits_.size(), {});
          cause_spans.assign(causes_.size(), {});
          const auto put = [](const auto& paths, PathIndex path, const CallSpan& span, auto& to) {
            const auto at = std::lower_bound(paths.begin(), paths.end(), path);
            if (at != paths.end() && *at == path)
              to[static_cast<std::size_t>(at - paths.begin())].add(span);
          };
          for (std::size_t p = 1; p < spans.size(); ++p) {
            const auto path = known.find(numbers, static_cast<PathIndex>(p), sink.paths());
            put(waits_, path, spans[p], wait_spans);
            put(causes_, path, spans[p], cause_spans);
          }
          collected.add(loop ? iteration - first : 0, wait_spans, cause_spans);
        });
    read_calls_to(sink);
    sink.finish();
  });

  begun_ = collected.compare();
}

CallOrder::Begun CallOrder::find(PathIndex wait, PathIndex cause) const {
  const auto w = std::lower_bound(waits_.begin(), waits_.end(), wait) - waits_.begin();
  const auto c = std::lower_bound(causes_.begin(), causes_.end(), cause) - causes_.begin();
  return begun_[static_cast<std::size_t>(w) * causes_.size() + static_cast<std::size_t>(c)];
}

}  // namespace tracefold
