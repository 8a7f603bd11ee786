#include "pipeline/messages/wait_matcher.hpp"

#include "base/team.hpp"
#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "otf2/merge_archives.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/messages/deal_messages.hpp"
#include "pipeline/messages/wait_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

constexpr std::array message_waits{Metric::mpi_late_sender_time, Metric::mpi_late_receiver_time};

bool is_message_wait(Metric metric) {
  return std::find(message_waits.begin(), message_waits.end(), metric) != message_waits.end();
}

// Whether any process calls such a function.
template <class Predicate>
bool is_called(const Plan& plan, Predicate&& predicate) {
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs)
      if (predicate(pair.callee))
        return true;
  return false;
}

bool has_word(const std::string& name, std::string_view word) {
  return std::search(name.begin(), name.end(), word.begin(), word.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         }) != name.end();
}

// Why no time of waiting is known, before anything is read; empty where that does not tell.
std::string find_reason_in_plan(const Archive& archive, const Plan& plan) {
  const bool is_part =
      std::any_of(plan.filters.begin(), plan.filters.end(),
                  [](const FilterSection& filter) { return !filter.locations.empty(); });
  if (is_part)
    return "processes are left out";
  if (!is_whole(archive.facts()))
    return "the trace was reduced before";

  const auto& properties = archive.facts().properties;
  if (properties.contains(loose_clocks_property))
    return clocks_not_in_step;
  const auto complete = properties.find(complete_property);
  if (complete != properties.end() && complete->second == "false")
    return "the trace does not hold all communication";

  for (const auto& process : plan.processes)
    if (process.damaged)
      return fmt::format("location {} is damaged", process.id);

  return {};
}

}  // namespace

// What was read of the locations of some processes of the plan.
struct WaitMatcher::Readings {
  // About one location; all members of a team get them.
  struct Facts {
    std::uint64_t parts = 0;        // in collective operations that block
    std::uint64_t nonblocking = 0;  // in others
    std::uint64_t on_windows = 0;
    std::uint64_t one_sided = 0;  // other synchronisations
    bool is_whole = true;
    std::uint64_t matched = 0, unmatched = 0;      // ends of messages
    std::uint64_t posts = 0, completed_posts = 0;  // receives that do not block
  };
  friend auto list_members(Like<Facts> auto& facts) {
    return std::tie(facts.parts, facts.nonblocking, facts.on_windows, facts.one_sided,
                    facts.is_whole, facts.matched, facts.unmatched, facts.posts,
                    facts.completed_posts);
  }

  // Where in `own` a location is that is there.
  std::size_t find_own(std::size_t location) const {
    return static_cast<std::size_t>(std::lower_bound(own.begin(), own.end(), location) -
                                    own.begin());
  }

  std::vector<std::size_t> processes;    // ascending
  std::vector<std::uint64_t> locations;  // by place among these
  std::vector<std::size_t> own;          // the places that this process reads, ascending
  std::vector<Facts> facts;              // by place
  std::vector<std::optional<LocationMessages>> messages;  // of `own`; none of who has none
};

WaitMatcher::WaitMatcher(const Archive& archive, const Plan& plan, const FunctionTable& functions,
                         const std::vector<Metric>& time_metrics, const std::vector<Metric>& wanted,
                         const ReadOptions& options, Diagnostics& diagnostics,
                         CollectedWaits* collected, const std::vector<std::size_t>& read_again) {
  choose_what_is_read(archive, plan, wanted);
  if (messages_ || collectives_)
    read(archive, plan, time_metrics, wanted, options, diagnostics, collected, read_again);

  for (auto wait : wanted) {
    auto reason = is_message_wait(wait) ? check_messages(plan, functions, time_metrics)
                                        : check_collectives(plan, functions, time_metrics, wait);
    if (!reason.empty())
      reasons_.emplace(wait, std::move(reason));
    if (!reasons_.contains(wait))
      known_.push_back(wait);
  }
}

void WaitMatcher::choose_what_is_read(const Archive& archive, const Plan& plan,
                                      const std::vector<Metric>& wanted) {
  if (const auto reason = find_reason_in_plan(archive, plan); !reason.empty())
    for (auto wait : wanted)
      reasons_.emplace(wait, reason);

  // Who sends to whom is asked for also where waiting for them is not known.
  if (std::any_of(wanted.begin(), wanted.end(), is_message_wait))
    messages_.emplace(archive.definitions(), plan);
  wants_posts_ =
      std::find(wanted.begin(), wanted.end(), Metric::mpi_late_receiver_time) != wanted.end();
  if (std::any_of(wanted.begin(), wanted.end(),
                  [&](Metric wait) { return !is_message_wait(wait) && !reasons_.contains(wait); }))
    collectives_ = std::make_unique<CollectiveMatcher>(archive.definitions());
}

bool WaitMatcher::has_messages(std::size_t process) const {
  return messages_ &&
         std::binary_search(messages_->processes().begin(), messages_->processes().end(), process);
}

void WaitMatcher::read(const Archive& archive, const Plan& plan,
                       const std::vector<Metric>& time_metrics, const std::vector<Metric>& wanted,
                       const ReadOptions& options, Diagnostics& diagnostics,
                       CollectedWaits* collected, const std::vector<std::size_t>& read_again) {
  Readings readings;
  if (collectives_) {
    readings.processes.resize(plan.processes.size());
    std::iota(readings.processes.begin(), readings.processes.end(), std::size_t{0});
  } else {
    readings.processes = messages_->processes();
  }
  readings.locations = find_locations(archive, plan, readings.processes);
  readings.own = Shares(archive.definitions(), options.team).list_own(readings.locations);
  readings.facts.resize(readings.locations.size());
  readings.messages.resize(readings.own.size());

  const bool is_collected = collected && collected->processes.size() == plan.processes.size() &&
                            (!collectives_ || collected->collectives);
  if (is_collected)
    take_collected(plan, *collected, readings);
  else
    read_own(archive, plan, time_metrics, options, diagnostics, readings);

  deal(archive, plan, options.team, read_again, readings);
  add_up(readings, wanted, diagnostics);
  if (collectives_)
    collectives_->finish();
}

void WaitMatcher::take_collected(const Plan& plan, CollectedWaits& collected, Readings& readings) {
  for (std::size_t k = 0; k < readings.own.size(); ++k) {
    const auto process = readings.processes[readings.own[k]];
    auto& of_process = *collected.processes[process];
    auto& facts = readings.facts[readings.own[k]];
    facts.is_whole = !plan.processes[process].damaged;
    if (has_messages(process))
      readings.messages[k] = std::move(of_process.messages);
    if (collectives_) {
      facts.parts = of_process.parts;
      facts.nonblocking = of_process.nonblocking;
      facts.on_windows = of_process.on_windows;
      facts.one_sided = of_process.one_sided;
    }
  }

  if (collectives_)
    collectives_ = std::move(collected.collectives);
  collected.processes.clear();
}

void WaitMatcher::read_own(const Archive& archive, const Plan& plan,
                           const std::vector<Metric>& time_metrics, const ReadOptions& options,
                           Diagnostics& diagnostics, Readings& readings) {
  const auto& definitions = archive.definitions();
  // Messages are sent where they were sent, whether or not filters drop the calls that do it.
  const FunctionTable all(definitions, keep_windows(plan.filters));
  const auto read_location = [&](EventReader& reader, std::size_t i) {
    const auto location = readings.locations[i];
    std::optional<MessageCollector> messages;
    if (has_messages(readings.processes[i]))
      messages.emplace(definitions, location,
                       wants_posts_ || messages_->is_one_of_several(readings.processes[i]));
    std::optional<CollectiveMatcher::Location> collectives;
    if (collectives_)
      collectives.emplace(*collectives_, location);

    WaitSink sink(definitions, time_metrics, messages ? &*messages : nullptr,
                  collectives ? &*collectives : nullptr);
    auto& facts = readings.facts[i];
    facts.is_whole = read_calls(reader, location, all, sink).whole;
    facts.parts = sink.parts();
    facts.nonblocking = sink.nonblocking();
    facts.on_windows = sink.on_windows();
    facts.one_sided = sink.one_sided();
    if (messages)
      readings.messages[readings.find_own(i)] = messages->take();
    if (collectives)
      collectives->finish();
  };

  for_each_own_location(archive, readings.locations, options, diagnostics, read_location);
  if (collectives_)
    collectives_->share(options.team);
}

void WaitMatcher::deal(const Archive& archive, const Plan& plan, Team* team,
                       const std::vector<std::size_t>& read_again, Readings& readings) {
  MessagesByProcess own;
  for (std::size_t k = 0; k < readings.own.size(); ++k) {
    auto& messages = readings.messages[k];
    if (!messages)
      continue;
    const auto i = readings.own[k];
    const auto counts = messages_->count(*messages);
    auto& facts = readings.facts[i];
    facts.matched = counts.matched;
    facts.unmatched = counts.unmatched;
    facts.posts = messages->posts;
    facts.completed_posts = messages->completed_posts;
    own.emplace(readings.processes[i], std::move(*messages));
  }

  share_found(team, readings.facts, readings.own);
  if (!messages_)
    return;
  auto known =
      deal_messages(team, archive.definitions(), plan, *messages_, read_again, std::move(own));
  for (auto& [process, messages] : known)
    messages_->add(process, std::move(messages));
  messages_->finish();
}

void WaitMatcher::add_up(const Readings& readings, const std::vector<Metric>& wanted,
                         Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < readings.locations.size(); ++i) {
    const auto& facts = readings.facts[i];
    const auto name = fmt::format("location {}", readings.locations[i]);
    if (!facts.is_whole)
      for (auto wait : wanted)
        reasons_.emplace(wait, name + " is damaged");
    parts_ += facts.parts + facts.nonblocking;
    on_windows_ += facts.on_windows;
    one_sided_ += facts.one_sided;
    matched_ += facts.matched;
    unmatched_ += facts.unmatched;
    posts_ += facts.posts;
    completed_posts_ += facts.completed_posts;

    if (facts.nonblocking)
      diagnostics.warn(
          "who waits in collective operations that do not block is not told from other time", name,
          facts.nonblocking);
    if (facts.unmatched && facts.matched)
      diagnostics.warn(
          "who waits for messages whose other end is not known is not told from other "
          "point-to-point time",
          name, facts.unmatched);
  }
}

// Why nobody knows who waits for messages; empty where it is known.
std::string WaitMatcher::check_messages(const Plan& plan, const FunctionTable& functions,
                                        const std::vector<Metric>& time_metrics) const {
  if (posts_ > 0 && completed_posts_ == 0)
    return "the ends of non-blocking receives are not recorded";
  if (unmatched_ > 0 && matched_ == 0)
    return "the other ends of messages are not known";

  const auto names_message = [&](FunctionIndex function) {
    return time_metrics[function] == Metric::mpi_point_to_point_time &&
           (has_word(functions.functions()[function].name, "send") ||
            has_word(functions.functions()[function].name, "recv"));
  };
  return messages_->processes().empty() && is_called(plan, names_message)
             ? "messages are not recorded"
             : "";
}

std::string WaitMatcher::check_collectives(const Plan& plan, const FunctionTable& functions,
                                           const std::vector<Metric>& time_metrics,
                                           Metric wait) const {
  if (!collectives_)
    return {};
  if (const auto* reason = collectives_->find_reason(wait))
    return *reason;

  const bool is_of_fences = wait == Metric::mpi_wait_at_fence_time;
  const auto takes_time = [&](FunctionIndex function) {
    return time_metrics[function] == get_entry(wait).parent &&
           (!is_of_fences || is_fence(functions.functions()[function].name));
  };
  return (is_of_fences ? on_windows_ : parts_) == 0 && is_called(plan, takes_time)
             ? "collective operations are not recorded"
             : "";
}

bool WaitMatcher::knows_all() const {
  return !known_.empty() && reasons_.empty() && unmatched_ == 0 && one_sided_ == 0 &&
         (!collectives_ ||
          (!collectives_->find_reason(Metric::none) &&
           (knows(Metric::mpi_wait_at_fence_time) || !collectives_->has_any_on_windows())));
}

const std::string* WaitMatcher::find_reason(Metric metric) const {
  const auto found = reasons_.find(metric);
  return found == reasons_.end() ? nullptr : &found->second;
}

bool WaitMatcher::knows(Metric metric) const {
  return std::find(known_.begin(), known_.end(), metric) != known_.end();
}

}  // namespace tracefold
