#include "pipeline/profile/profile_sink.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

ProfileSink::ProfileSink(const Definitions& definitions, std::size_t functions)
    : definitions_(definitions), pairs_(functions), tallies_(functions) {}

void ProfileSink::add(const SegmentCalls::Stage& stage, FunctionIndex caller) {
  for (auto callee : stage.callees)
    pairs_.insert(caller, callee);
}

void ProfileSink::add(const SegmentCalls& part) {
  for (const auto& pair : part.pairs())
    pairs_.insert(pair.caller, pair.callee);
  for (FunctionIndex f = 0; f < tallies_.size(); ++f) {
    tallies_[f].visits += part.visits(f);
    tallies_[f].exclusive += part.exclusive(f);
  }

  for (std::size_t k = 0; k < event_kinds; ++k)
    profile_.records[k] += part.records()[k];

  profile_.unknown_records += part.unknown_records();
  metrics_.insert(part.metrics().begin(), part.metrics().end());
}

namespace {

// The member names of a metric class or of the class of an instance.
std::string metric_names(const Definitions& definitions, std::uint64_t metric) {
  const auto* found = definitions.find(Ref::metric, metric);
  if (found && found->kind == DefinitionKind::MetricInstance)
    found = definitions.find(Ref::metric, found->fields[1]);
  if (!found || found->kind != DefinitionKind::MetricClass)
    return "?";

  std::string names;
  for (auto member : found->list) {
    const auto* m = definitions.find(Ref::metric_member, member);
    names += (names.empty() ? "" : ",") + (m ? definitions.text(m->fields[1]) : std::string("?"));
  }

  return names;
}

}  // namespace

Profile ProfileSink::take(std::uint64_t location_type) {
  profile_.intent.type = location_type;
  profile_.intent.pairs = pairs_.take();

  if (profile_.intent.pairs.empty()) {
    std::set<std::string> names;
    for (auto metric : metrics_)
      names.insert(metric_names(definitions_, metric));
    profile_.intent.metrics.assign(names.begin(), names.end());
  }

  std::uint64_t visits = 0;

  for (auto function : functions_called(profile_.intent)) {
    auto& tally = tallies_[function];
    profile_.functions.push_back({function, tally.visits, tally.exclusive});
    visits += tally.visits;
    tally = {};
  }

  profile_.records[static_cast<std::size_t>(EventKind::Enter)] =
      profile_.records[static_cast<std::size_t>(EventKind::Leave)] = visits;
  using enum EventKind;
  for (auto kind : {MpiSend, MpiIsend, MpiRecv, MpiIrecv})
    profile_.exchanges_messages |= profile_.records[static_cast<std::size_t>(kind)] > 0;

  profile_.events =
      std::accumulate(profile_.records.begin(), profile_.records.end(), profile_.unknown_records);
  metrics_.clear();

  return std::exchange(profile_, {});
}

}  // namespace tracefold
