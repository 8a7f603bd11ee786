#include "pipeline/verify/verify.hpp"

#include "base/ranges.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/verify/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>

namespace tracefold {

namespace {

// Of every location, also where it says nothing.
std::map<std::uint64_t, Standing> said_of(const Definitions& definitions) {
  std::map<std::uint64_t, Standing> said;
  for (auto id : definitions.locations())
    said[id];
  for (auto& [id, standing] : standing_said(definitions))
    said[id] = std::move(standing);

  return said;
}

std::vector<FilterSection> filters_beside(const Archive& archive) {
  const auto plan = archive.paths().anchor.parent_path() / "tracefold.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(plan, ignored))
    return {};

  std::ifstream in(plan);
  std::stringstream text;
  text << in.rdbuf();

  return plan_from_json(text.str()).filters;
}

// Kinds whose records may be left out with their partner: of collectives only where
// it is in a collapsed iteration.
bool may_be_cut(EventKind kind, bool folded) {
  const auto name = row_of(kind).name;
  if (folded && name.starts_with("NonBlockingCollective"))
    return true;
  if (!folded && (kind == EventKind::MpiCollectiveBegin || kind == EventKind::MpiCollectiveEnd))
    return false;

  return name.starts_with("Mpi") || name.starts_with("Rma") || name.starts_with("ThreadTask");
}

class Rules {
 public:
  explicit Rules(std::vector<RuleVerdict>& out) : out_(out) {}
  Rules& rule(std::string words) {
    out_.push_back({std::move(words), {}});
    return *this;
  }
  void violated(std::string by) { out_.back().violations.push_back(std::move(by)); }

 private:
  std::vector<RuleVerdict>& out_;
};

void check_definitions(Rules& rules, const Definitions& definitions) {
  rules.rule("definitions refer to what is there");
  for (const auto& d : definitions.all())
    for_each_ref(row_of(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
      if (kind != Ref::paradigm && id != undefined_of(kind) && !definitions.find(kind, id))
        rules.violated(fmt::format("{} {} names {}", row_of(d.kind).name, d.id(), id));
    });
}

// None where that is no list, or one of more ids than there are.
std::vector<std::uint64_t> members_said(const std::string& members, std::size_t most) {
  try {
    return from_ranges(members, most);
  } catch (const Error&) {
    return {};
  }
}

// What the original's locations are in the first original, which differs where it was reduced
// itself.
class FirstOriginal {
 public:
  explicit FirstOriginal(const Definitions& original) : earlier_(earlier_reductions(original)) {
    for (auto id : original.locations()) {
      const auto at = earlier_.find(id);
      const bool again = at != earlier_.end();
      location_of_.emplace(again ? at->second.source : id, id);
      if (again)
        all_.insert(at->second.members.begin(), at->second.members.end());
      else
        all_.insert(id);
    }
  }
  const std::set<std::uint64_t>& all() const { return all_; }
  // How many of its locations one of the original stands for.
  std::uint64_t count(std::uint64_t location) const {
    const auto at = earlier_.find(location);
    return at == earlier_.end() ? 1 : at->second.count;
  }
  // The location of the original that has this source; the source itself where none has.
  std::uint64_t location_of(std::uint64_t source) const {
    const auto at = location_of_.find(source);
    return at == location_of_.end() ? source : at->second;
  }

 private:
  std::unordered_map<std::uint64_t, EarlierReduction> earlier_;
  std::unordered_map<std::uint64_t, std::uint64_t> location_of_;  // by source
  std::set<std::uint64_t> all_;
};

void check_standing(Rules& rules, const std::map<std::uint64_t, Standing>& said,
                    const std::set<std::uint64_t>& originals) {
  std::map<std::uint64_t, std::uint64_t> times;
  rules.rule("every location says what it stands for, and is one of its members");

  for (const auto& [id, s] : said) {
    if (!s.source || !s.count || !s.members) {
      rules.violated(fmt::format("location {}", id));
      continue;
    }

    const auto members = members_said(*s.members, originals.size());
    for (auto m : members)
      ++times[m];
    if (members.size() != *s.count ||
        !std::binary_search(members.begin(), members.end(), *s.source))
      rules.violated(fmt::format("location {}", id));
  }

  rules.rule("every original location is stood for exactly once");
  for (auto id : originals)
    if (times[id] != 1)
      rules.violated(fmt::format("location {}: {} times", id, times[id]));

  for (auto [id, n] : times)
    if (!originals.contains(id))
      rules.violated(fmt::format("location {} is not in the original", id));
}

void check_records(Rules& rules, const std::map<std::uint64_t, Standing>& said,
                   const std::map<std::uint64_t, Recorded>& before,
                   const std::map<std::uint64_t, Recorded>& after) {
  const auto each = [&](auto&& check) {
    for (const auto& [id, s] : said)
      if (s.source && before.contains(*s.source) && after.contains(id))
        check(id, before.at(*s.source), after.at(id));
  };

  rules.rule(
      "kept locations have every call of the original, at its time, but for those in collapsed "
      "iterations");
  each([&](auto id, const auto& b, const auto& a) {
    if (a.stand_ins.empty() ? a.calls != b.calls : b.lost > 0)
      rules.violated(fmt::format("location {}", id));
  });

  const bool folded = std::any_of(after.begin(), after.end(),
                                  [](const auto& one) { return !one.second.stand_ins.empty(); });
  rules.rule("as many records of each kind that names no partner, and no others appear");

  each([&](auto id, const auto& b, const auto& a) {
    for (std::size_t k = 0; k < event_kinds; ++k)
      if (a.kinds[k] > b.kinds[k] || (a.kinds[k] < b.kinds[k] && a.stand_ins.empty() &&
                                      !may_be_cut(static_cast<EventKind>(k), folded)))
        rules.violated(fmt::format("location {}: {} {} of {}", id, event_table[k].name, a.kinds[k],
                                   b.kinds[k]));
  });

  rules.rule("events refer to what is there");
  for (const auto& [id, a] : after)
    if (a.dangling)
      rules.violated(fmt::format("location {}: {} times", id, a.dangling));
}

void check_messages(Rules& rules, const std::map<std::uint64_t, Recorded>& before,
                    const std::map<std::uint64_t, Recorded>& after) {
  using Traffic = std::map<std::array<std::uint64_t, 4>, std::pair<std::int64_t, std::int64_t>>;

  const auto total = [](const auto& all) {
    Traffic t;
    for (const auto& [id, r] : all) {
      for (const auto& [key, n] : r.sent)
        t[key].first += n;
      for (const auto& [key, n] : r.received)
        t[key].second += n;
    }

    return t;
  };

  auto was = total(before);
  rules.rule("messages stay matched, and none appears");

  for (const auto& [key, now] : total(after)) {
    const auto [sent, received] = was[key];
    if (now.first > sent || now.second > received || (now.first != now.second && sent == received))
      rules.violated(fmt::format("{} to {} tag {}: {} sent, {} received", key[0], key[1], key[2],
                                 now.first, now.second));
  }
}

void compare_profiles(Verification& out, const FirstOriginal& first,
                      const std::map<std::uint64_t, Standing>& said,
                      const std::map<std::uint64_t, Recorded>& before,
                      const std::map<std::uint64_t, Recorded>& after) {
  std::map<Function, double> difference;
  double all = 0, folded = 0;
  for (const auto& [id, r] : before)
    for (const auto& [f, ticks] : r.exclusive) {
      const auto weighted = static_cast<double>(ticks) * static_cast<double>(first.count(id));
      difference[f] += weighted, all += weighted;
    }

  for (const auto& [id, r] : after)
    for (const auto& [f, ticks] : r.exclusive) {
      const auto weighted =
          static_cast<double>(ticks) * static_cast<double>(said.at(id).count.value_or(1));
      if (is_stand_in(f.name))
        folded += weighted;
      else
        difference[f] -= weighted;
    }

  double wrong = 0;
  for (const auto& [f, d] : difference)
    wrong += std::abs(d);
  if (all <= 0)
    return;

  out.folded = folded / all;
  out.profile_error = std::max(0.0, wrong - folded) / (2 * all);
}

}  // namespace

bool Verification::holds() const {
  return std::all_of(rules.begin(), rules.end(),
                     [](const auto& r) { return r.violations.empty(); });
}

Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options,
                    Diagnostics& diagnostics) {
  Verification out;
  Rules rules(out.rules);
  check_definitions(rules, reduced.definitions());
  auto said = said_of(reduced.definitions());
  const FirstOriginal first(original.definitions());
  check_standing(rules, said, first.all());
  Sources sources;
  for (auto& [id, s] : said) {
    if (s.source)
      s.source = first.location_of(*s.source);
    sources[id] = s.source.value_or(id);
  }

  Diagnostics quiet;  // the original's oddities were told when it was reduced
  const auto after = record(reduced, {}, sources, {}, options, diagnostics);
  std::map<std::uint64_t, const Recorded*> collapsed;  // by source
  for (const auto& [id, a] : after)
    if (!a.stand_ins.empty())
      collapsed.emplace(sources.at(id), &a);

  const auto before = record(original, filters_beside(reduced), {}, collapsed, options, quiet);
  check_records(rules, said, before, after);
  check_messages(rules, before, after);
  rules.rule("the reduced trace is clean");
  for (const auto& line : diagnostics.warnings())
    rules.violated(line);

  compare_profiles(out, first, said, before, after);

  return out;
}

}  // namespace tracefold
