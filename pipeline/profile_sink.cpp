#include "pipeline/profile_sink.hpp"

#include <algorithm>

namespace tracefold {

PairSet::PairSet(std::size_t functions) : width_(functions ? functions : 1), dense_((functions + 1) * width_ <= (std::uint64_t{64} << 20)) {
  if (dense_) bits_.resize(((functions + 1) * width_ + 63) / 64);
}

std::vector<CallPair> PairSet::take() {
  for (auto [caller, callee] : pairs_)
    if (dense_) bits_[(std::uint64_t{caller + 1} * width_ + callee) >> 6] = 0;
  seen_.clear();
  std::sort(pairs_.begin(), pairs_.end());
  return std::exchange(pairs_, {});
}

ProfileSink::ProfileSink(const Definitions& definitions, std::size_t functions)
    : definitions_(definitions), pairs_(functions), tallies_(functions) {}

void ProfileSink::other(Event& event) {
  record(event.kind, event.time);
  switch (event.kind) {
    case EventKind::MpiSend: case EventKind::MpiIsend: case EventKind::MpiRecv: case EventKind::MpiIrecv:
      profile_.talks = true;
      break;
    case EventKind::Metric: metrics_.insert(event.fields[0]); break;
    default: break;
  }
}

namespace {

// The member names of a metric class or of the class of an instance.
std::string metric_names(const Definitions& definitions, std::uint64_t metric) {
  const auto* found = definitions.find(Ref::metric, metric);
  if (found && found->kind == DefinitionKind::MetricInstance) found = definitions.find(Ref::metric, found->fields[1]);
  if (!found || found->kind != DefinitionKind::MetricClass) return "?";
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
    for (auto metric : metrics_) names.insert(metric_names(definitions_, metric));
    profile_.intent.metrics.assign(names.begin(), names.end());
  }
  std::sort(touched_.begin(), touched_.end());
  for (auto function : touched_) {
    auto& tally = tallies_[function];
    profile_.functions.push_back({function, tally.visits, tally.exclusive, tally.inclusive});
    tally = {};
  }
  touched_.clear();
  stack_.clear();
  metrics_.clear();
  return std::exchange(profile_, {});
}

}  // namespace tracefold
