#include "pipeline/messages/wait_matcher.hpp"

#include "base/team.hpp"
#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
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
#include <utility>

namespace tracefold {

namespace {

constexpr std::array message_waits{Metric::mpi_late_sender_time, Metric::mpi_late_receiver_time};

bool is_message_wait(Metric metric) {
  return std::find(message_waits.begin(), message_waits.end(), metric) != message_waits.end();
}

// What the reading of one location tells, which all members of a team get to know.
struct LocationFacts {
  std::uint64_t parts = 0;        // in collective operations that block
  std::uint64_t nonblocking = 0;  // in others
  bool is_whole = true;
  std::uint64_t matched = 0, unmatched = 0;      // ends of messages
  std::uint64_t posts = 0, completed_posts = 0;  // receives that do not block
};
auto list_members(Like<LocationFacts> auto& facts) {
  return std::tie(facts.parts, facts.nonblocking, facts.is_whole, facts.matched, facts.unmatched,
                  facts.posts, facts.completed_posts);
}

// Where in an ascending list it is.
std::size_t find_place(const std::vector<std::size_t>& list, std::size_t value) {
  return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), value) - list.begin());
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

bool is_of_messages(const std::string& name) {
  const auto has = [&](std::string_view word) {
    return std::search(name.begin(), name.end(), word.begin(), word.end(), [](char a, char b) {
             return std::tolower(static_cast<unsigned char>(a)) == b;
           }) != name.end();
  };
  return has("send") || has("recv");
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
  const auto complete = properties.find("OTF2::MPI_COMMUNICATION_COMPLETE");
  if (complete != properties.end() && complete->second == "false")
    return "the trace does not hold all communication";

  for (const auto& process : plan.processes)
    if (process.damaged)
      return fmt::format("location {} is damaged", process.id);

  return {};
}

}  // namespace

WaitMatcher::WaitMatcher(const Archive& archive, const Plan& plan, const FunctionTable& functions,
                         const std::vector<Metric>& time_metrics, const std::vector<Metric>& wanted,
                         const ReadOptions& options, Diagnostics& diagnostics,
                         CollectedWaits* collected, const std::vector<std::size_t>& read_again) {
  choose_what_is_read(archive, plan, wanted);
  if (messages_ || collectives_)
    read(archive, plan, time_metrics, wanted, options, diagnostics, collected, read_again);

  for (auto wait : wanted) {
    auto reason = is_message_wait(wait) ? check_messages(plan, functions, time_metrics)
                                        : check_collectives(plan, time_metrics, wait);
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

void WaitMatcher::read(const Archive& archive, const Plan& plan,
                       const std::vector<Metric>& time_metrics, const std::vector<Metric>& wanted,
                       const ReadOptions& options, Diagnostics& diagnostics,
                       CollectedWaits* collected, const std::vector<std::size_t>& read_again) {
  std::vector<std::size_t> with_messages;
  if (messages_)
    with_messages = messages_->processes();
  auto processes = with_messages;
  if (collectives_) {
    processes.resize(plan.processes.size());
    std::iota(processes.begin(), processes.end(), std::size_t{0});
  }

  const auto locations = find_locations(archive, plan, processes);
  std::vector<LocationFacts> facts(locations.size());

  const auto has_messages = [&](std::size_t process) {
    return std::binary_search(with_messages.begin(), with_messages.end(), process);
  };
  const bool is_collected = collected && collected->processes.size() == plan.processes.size() &&
                            (!collectives_ || collected->collectives);
  const Shares shares(archive.definitions(), options.team);
  const auto own = shares.list_own(locations);
  std::vector<std::optional<LocationMessages>> messages(own.size());
  if (is_collected) {
    for (std::size_t k = 0; k < own.size(); ++k) {
      const auto i = own[k];
      auto& of_process = *collected->processes[processes[i]];
      facts[i].is_whole = !plan.processes[processes[i]].damaged;
      if (has_messages(processes[i]))
        messages[k] = std::move(of_process.messages);
      if (collectives_) {
        facts[i].parts = of_process.parts;
        facts[i].nonblocking = of_process.nonblocking;
      }
    }
    if (collectives_)
      collectives_ = std::move(collected->collectives);
    collected->processes.clear();
  }

  // Messages are sent where they were sent, whether or not filters drop the calls that do it.
  const FunctionTable all(archive.definitions(), keep_windows(plan.filters));
  if (!is_collected) {
    for_each_own_location(archive, locations, shares, options, diagnostics,
                          [&](EventReader& reader, std::size_t i) {
                            std::optional<MessageCollector> collector;
                            if (has_messages(processes[i]))
                              collector.emplace(archive.definitions(), locations[i], wants_posts_);
                            std::optional<CollectiveMatcher::Location> collectives;
                            if (collectives_)
                              collectives.emplace(*collectives_, locations[i]);

                            WaitSink sink(time_metrics, collector ? &*collector : nullptr,
                                          collectives ? &*collectives : nullptr);
                            facts[i].is_whole = read_calls(reader, locations[i], all, sink).whole;
                            facts[i].parts = sink.parts();
                            facts[i].nonblocking = sink.nonblocking();
                            if (collector)
                              messages[find_place(own, i)] = collector->take();
                            if (collectives)
                              collectives->finish();
                          });
    if (collectives_)
      collectives_->share(options.team);
  }

  MessagesByProcess found;
  for (std::size_t k = 0; k < own.size(); ++k)
    if (messages[k]) {
      auto& of_location = facts[own[k]];
      const auto counts = messages_->count(*messages[k]);
      of_location.matched = counts.matched;
      of_location.unmatched = counts.unmatched;
      of_location.posts = messages[k]->posts;
      of_location.completed_posts = messages[k]->completed_posts;
      found.emplace(processes[own[k]], std::move(*messages[k]));
    }
  share_found(options.team, facts, own);
  if (messages_)
    for (auto& [process, of_process] : deal_messages(options.team, archive.definitions(), plan,
                                                     *messages_, read_again, std::move(found)))
      messages_->add(process, std::move(of_process));

  for (std::size_t i = 0; i < locations.size(); ++i) {
    const auto& of_location = facts[i];
    const auto name = fmt::format("location {}", locations[i]);
    parts_ += of_location.parts + of_location.nonblocking;
    if (!of_location.is_whole)
      for (auto wait : wanted)
        reasons_.emplace(wait, name + " is damaged");
    if (of_location.nonblocking)
      diagnostics.warn(
          "who waits in collective operations that do not block is not told from other time", name,
          of_location.nonblocking);
    matched_ += of_location.matched;
    unmatched_ += of_location.unmatched;
    posts_ += of_location.posts;
    completed_posts_ += of_location.completed_posts;
    if (of_location.unmatched && of_location.matched)
      diagnostics.warn(
          "who waits for messages whose other end is not known is not told from other "
          "point-to-point time",
          name, of_location.unmatched);
  }

  if (collectives_)
    collectives_->finish();
}

// Why nobody knows who waits for messages; empty where it is known.
std::string WaitMatcher::check_messages(const Plan& plan, const FunctionTable& functions,
                                        const std::vector<Metric>& time_metrics) const {
  if (messages_->unmatched_processes())
    return "several threads of a process send or receive messages";
  if (posts_ > 0 && completed_posts_ == 0)
    return "the ends of non-blocking receives are not recorded";
  if (unmatched_ > 0 && matched_ == 0)
    return "the other ends of messages are not known";

  const auto names_message = [&](FunctionIndex function) {
    return time_metrics[function] == Metric::mpi_point_to_point_time &&
           is_of_messages(functions.functions()[function].name);
  };
  return messages_->processes().empty() && is_called(plan, names_message)
             ? "messages are not recorded"
             : "";
}

std::string WaitMatcher::check_collectives(const Plan& plan,
                                           const std::vector<Metric>& time_metrics,
                                           Metric wait) const {
  if (!collectives_)
    return {};
  if (const auto* reason = collectives_->find_reason(wait))
    return *reason;

  const auto takes_time = [&](FunctionIndex function) {
    return time_metrics[function] == get_entry(wait).parent;
  };
  return parts_ == 0 && is_called(plan, takes_time) ? "collective operations are not recorded" : "";
}

const std::string* WaitMatcher::find_reason(Metric metric) const {
  const auto found = reasons_.find(metric);
  return found == reasons_.end() ? nullptr : &found->second;
}

bool WaitMatcher::knows(Metric metric) const {
  return std::find(known_.begin(), known_.end(), metric) != known_.end();
}

}  // namespace tracefold
