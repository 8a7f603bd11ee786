#include "pipeline/reduce/inside_window.hpp"

#include "base/team.hpp"
#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

void check_number_inside(std::size_t spans) {
  if (spans > most_spans)
    throw Error(ErrorKind::usage,
                fmt::format("these calls are more than {} parts of the time of all processes",
                            group_digits(most_spans)))
        .hint("ask for functions that call these");
}

// Finds the spans of a location. Mostly, calls end in the order of time, callees before callers.
class InsideSink {
 public:
  explicit InsideSink(const std::vector<bool>& is_asked) : is_asked_(is_asked) {}

  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd& call, std::span<const Attribute>) {
    if (!is_asked_[call.function] || call.inclusive == 0)
      return;
    TimeSpan span{call.time - call.inclusive, call.time};
    for (; !spans_.empty() && spans_.back().end >= span.begin && spans_.back().begin <= span.end;
         spans_.pop_back())
      span = {std::min(span.begin, spans_.back().begin), std::max(span.end, spans_.back().end)};
    spans_.push_back(span);
    check_number_inside(spans_.size());
  }
  void other(Event&) {}
  void unknown(std::uint64_t) {}
  bool wants(EventKind) const { return false; }

  TimeSpans take() { return join_spans(std::move(spans_)); }

 private:
  const std::vector<bool>& is_asked_;
  TimeSpans spans_;
};

[[noreturn]] void throw_never_called(const std::vector<std::string>& patterns,
                                     const std::vector<Function>& functions) {
  const auto& pattern = patterns.front();
  const auto similar = suggest_function(pattern, functions);
  throw Error(ErrorKind::usage,
              fmt::format("no call of '{}' was recorded", make_printable(pattern)))
      .hint(similar.empty() ? "'tracefold profile' lists functions" : similar);
}

std::vector<TimeSpans> read_spans(const Archive& archive, const std::vector<std::uint64_t>& ids,
                                  const FunctionTable& functions,
                                  const std::vector<std::string>& patterns,
                                  const ReadOptions& options) {
  std::vector<bool> is_asked;
  for (const auto& function : functions.functions())
    is_asked.push_back(matches_any(patterns, function));

  Diagnostics ignored;  // the passes that follow tell what is odd
  std::vector<TimeSpans> found(ids.size());
  const auto own = for_each_own_location(archive, ids, options, ignored,
                                         [&](EventReader& reader, std::size_t i) {
                                           InsideSink sink(is_asked);
                                           read_calls(reader, ids[i], functions, sink);
                                           found[i] = sink.take();
                                         });
  share_found(options.team, found, own);
  return found;
}

}  // namespace

TimeWindow find_inside_window(const Archive& archive, const std::vector<std::string>& patterns,
                              const ReadOptions& options) {
  const auto processes = find_processes(archive.definitions(), {});
  std::vector<std::uint64_t> ids;
  for (const auto& process : processes)
    ids.push_back(process.id);
  const FunctionTable functions(archive.definitions(), {});
  auto found = read_spans(archive, ids, functions, patterns, options);

  TimeWindow window;
  std::unordered_map<std::uint64_t, TimeSpans> of_owner;
  const auto find_owner = [](const Process& process) {
    return process.creator.value_or(process.location_group);
  };
  for (std::size_t p = 0; p < processes.size(); ++p)
    for (auto* all : {&of_owner[find_owner(processes[p])], &window.spans})
      all->insert(all->end(), found[p].begin(), found[p].end());
  for (auto& [owner, all] : of_owner)
    all = join_spans(std::move(all));
  window.spans = join_spans(std::move(window.spans));
  if (window.spans.empty())
    throw_never_called(patterns, functions.functions());

  auto spans = window.spans.size();
  for (std::size_t p = 0; p < processes.size(); ++p) {
    auto& own = window.own[processes[p].id];
    own = found[p].empty() ? of_owner[find_owner(processes[p])] : std::move(found[p]);
    spans += own.size();
    check_number_inside(spans);
  }
  return window;
}

}  // namespace tracefold
