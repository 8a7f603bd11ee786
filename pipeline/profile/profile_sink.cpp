#include "pipeline/profile/profile_sink.hpp"

#include "base/error.hpp"
#include "model/profile/metric_kind.hpp"
#include "model/program/member_metrics.hpp"

#include <numeric>
#include <string>
#include <utility>

namespace tracefold {

namespace {

// The member names of a metric class or of the class of an instance.
std::string join_metric_names(const Definitions& definitions, std::uint64_t metric) {
  const auto* found = definitions.find(Ref::metric, metric);
  if (found && found->kind == DefinitionKind::MetricInstance)
    found = definitions.find(Ref::metric,
                             get_field<"metricClass", DefinitionKind::MetricInstance>(*found));
  if (!found || found->kind != DefinitionKind::MetricClass)
    return "?";

  std::string names;

  for (auto id : found->list) {
    const auto* member = definitions.find(Ref::metric_member, id);
    if (!names.empty())
      names += ",";
    names +=
        member ? definitions.text(get_field<"name", DefinitionKind::MetricMember>(*member)) : "?";
  }

  return names;
}

}  // namespace

ProfileCounts::ProfileCounts(std::size_t functions) : pairs_(functions), tallies_(functions) {}

void ProfileCounts::add(const ProfileCounts& part) {
  add(part.pairs_.pairs(), part.tallies_, part.metrics_, part.profile_);
  receivers_.add(part.receivers_.list());
}

void ProfileCounts::add(const Content& part) {
  if (part.tallies.size() != tallies_.size())
    throw Error(ErrorKind::input, "a part of a location is of another trace");
  add(part.pairs, part.tallies, part.metrics, part.profile);
  receivers_.add(part.receivers);
}

void ProfileCounts::add(const std::vector<CallPair>& pairs, const std::vector<Tally>& tallies,
                        const std::set<std::uint64_t>& metrics, const Profile& profile) {
  for (const auto& pair : pairs)
    pairs_.insert(pair.caller, pair.callee);

  for (std::size_t f = 0; f < tallies_.size(); ++f) {
    tallies_[f].visits += tallies[f].visits;
    tallies_[f].exclusive += tallies[f].exclusive;
  }

  for (std::size_t k = 0; k < event_kinds; ++k)
    profile_.records[k] += profile.records[k];

  profile_.unknown_records += profile.unknown_records;
  metrics_.insert(metrics.begin(), metrics.end());
}

ProfileCounts::Content ProfileCounts::copy() const {
  return {pairs_.pairs(), tallies_, metrics_, receivers_.list(), profile_};
}

Profile ProfileCounts::take(const Definitions& definitions, std::uint64_t location_type,
                            std::vector<SampledPair> sampled, std::uint64_t unrecorded_visits) {
  using enum EventKind;

  profile_.intent.type = location_type;
  profile_.intent.pairs = pairs_.take();

  profile_.sampled = std::move(sampled);

  if (profile_.intent.pairs.empty() && profile_.sampled.empty()) {
    std::set<std::string> names;
    const auto of_members = find_member_metrics(definitions);
    for (auto metric : metrics_)
      if (!of_members.contains(metric))
        names.insert(name_metric_kind(join_metric_names(definitions, metric)));
    profile_.intent.metrics.assign(names.begin(), names.end());
  }

  std::uint64_t visits = 0;

  for (auto function : find_called_functions(profile_.intent, profile_.sampled)) {
    const auto tally = std::exchange(tallies_[function], {});
    profile_.functions.push_back({function, tally.visits, tally.exclusive});
    visits += tally.visits;
  }

  visits -= unrecorded_visits;
  auto& records = profile_.records;
  records[static_cast<std::size_t>(Enter)] = visits;
  records[static_cast<std::size_t>(Leave)] = visits;
  for (auto kind : {MpiSend, MpiIsend, MpiRecv, MpiIrecv})
    profile_.has_messages |= records[static_cast<std::size_t>(kind)] > 0;

  profile_.events = std::accumulate(records.begin(), records.end(), profile_.unknown_records);
  metrics_.clear();

  return std::exchange(profile_, {});
}

FunctionIndex ProfileSink::sample(const SampledCalls& calls) {
  ++samples_;
  auto caller = calls.caller;

  for (const auto function : calls.functions) {
    auto& shown = shown_[{caller, function}];
    shown.samples += std::exchange(shown.last, samples_) != samples_;
    caller = function;
  }

  return calls.functions.back();
}

Profile ProfileSink::take(std::uint64_t location_type) {
  std::vector<SampledPair> sampled;
  for (const auto& [pair, shown] : shown_)
    sampled.push_back({pair, shown.samples});

  shown_.clear();
  auto profile = counts_.take(definitions_, location_type, std::move(sampled),
                              std::exchange(unrecorded_visits_, 0));
  profile.samples = std::exchange(samples_, 0);

  return profile;
}

}  // namespace tracefold
