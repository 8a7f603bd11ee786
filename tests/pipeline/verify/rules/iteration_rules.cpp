#include "tests/pipeline/verify/rules/iteration_rules.hpp"

#include "model/iterations/loops.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/messages/marker_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr const char* tracefold_marker_group = "tracefold";

// What the text of a marker, or the name of a region, tells of an iteration.
struct IterationWords {
  std::uint64_t iteration = 0;
  std::uint64_t loop = 1;
  std::optional<std::uint64_t> stands_in;  // the iteration that stands for it
};

// Takes "WORDS" and a number from the front of a text.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view words) {
  if (!text.starts_with(words))
    return std::nullopt;

  std::uint64_t number = 0;
  const auto rest = text.substr(words.size());
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (code != std::errc{})
    return std::nullopt;

  text = rest.substr(static_cast<std::size_t>(end - rest.data()));

  return number;
}

// "iteration 7 of loop 2 ≈ #3"
std::optional<IterationWords> parse_marker(std::string_view text) {
  const auto iteration = take_number(text, "iteration ");
  if (!iteration)
    return std::nullopt;

  IterationWords words{*iteration, 1, std::nullopt};
  words.loop = take_number(text, " of loop ").value_or(1);
  words.stands_in = take_number(text, " ≈ #");

  return text.empty() ? std::optional(words) : std::nullopt;
}

// "iteration ≈ #3 of loop 2"
std::optional<IterationWords> parse_region(std::string_view text) {
  const auto kept = take_number(text, "iteration ≈ #");
  if (!kept)
    return std::nullopt;

  IterationWords words{*kept, 1, *kept};
  words.loop = take_number(text, " of loop ").value_or(1);

  return text.empty() ? std::optional(words) : std::nullopt;
}

// What a marker says, in words that are the same in both archives.
using MarkerMeaning = std::tuple<std::uint64_t, std::uint64_t, std::string, std::string,
                                 std::uint64_t, std::uint64_t, std::uint64_t, std::string>;

struct MarkerReader {
  MarkerReader(const ArchiveFacts& of, const DefinitionHashes& by) : facts(of), hashes(by) {
    for (const auto& kind : facts.marker_kinds)
      kinds.emplace(kind.id, &kind);
  }

  bool is_ours(const Marker& marker) const {
    const auto kind = kinds.find(marker.kind);
    return kind != kinds.end() && kind->second->group == tracefold_marker_group;
  }
  std::uint64_t find_scope(const Marker& marker) const {
    constexpr std::array scopes{Ref::string,           Ref::location, Ref::location_group,
                                Ref::system_tree_node, Ref::group,    Ref::comm};
    if (marker.scope == 0 || marker.scope >= scopes.size())
      return marker.scope_id;
    return hashes.find(scopes[marker.scope], marker.scope_id);
  }
  MarkerMeaning read(const Marker& marker) const {
    const auto kind = kinds.find(marker.kind);
    static const MarkerKind unknown;
    const auto& named = kind == kinds.end() ? unknown : *kind->second;

    return {marker.time,    marker.duration, named.group,        named.category,
            named.severity, marker.scope,    find_scope(marker), marker.text};
  }

  const ArchiveFacts& facts;
  const DefinitionHashes& hashes;
  std::map<std::uint64_t, const MarkerKind*> kinds;
};

// Whether the scope of a marker of the original is kept.
bool is_scope_kept(const Marker& marker, const DefinitionHashes& before,
                   const DefinitionHashes& after) {
  const auto meaning = [&](Ref kind) { return before.find(kind, marker.scope_id); };
  const auto is_there = [&](Ref kind) {
    const auto wanted = meaning(kind);
    const auto& all = after.definitions().all();
    return wanted != DefinitionHashes::undefined &&
           std::any_of(all.begin(), all.end(), [&](const auto& d) {
             const auto& first = get_row(d.kind).fields[0];
             return first.role == FieldRole::self && first.target == kind &&
                    after.find(kind, d.id()) == wanted;
           });
  };

  switch (marker.scope) {
    case 1: return before.is_kept(marker.scope_id);
    case 2:
      return before.find_group(marker.scope_id) == marker.scope_id && is_there(Ref::location_group);
    case 3: return is_there(Ref::system_tree_node);
    case 4: return is_there(Ref::group);
    case 5: return is_there(Ref::comm);
    default: return true;
  }
}

void check_markers(RuleBook& rules, const MarkerReader& was, const MarkerReader& is,
                   const TimeWindow* window) {
  rules.add_rule("the markers of what is kept are there, and no others");
  std::multiset<MarkerMeaning> expected;
  auto cut = count_cut_markers(was.facts);
  for (const auto& marker : was.facts.markers) {
    if (was.is_ours(marker) || !is_marker_inside(window, marker))
      continue;
    if (is_scope_kept(marker, was.hashes, is.hashes))
      expected.insert(was.read(marker));
    else
      ++cut;
  }

  const auto stated = is.facts.properties.find("TRACEFOLD::CUT::MARKER");
  const auto words = stated == is.facts.properties.end() ? "0" : stated->second;
  if (words != std::to_string(cut))
    rules.add_violation(fmt::format("{} markers are left out, not {}", cut, words));

  for (const auto& marker : is.facts.markers) {
    if (is.is_ours(marker))
      continue;
    const auto at = expected.find(is.read(marker));
    if (at == expected.end())
      rules.add_violation(fmt::format("the marker at {} is not the original's", marker.time));
    else
      expected.erase(at);
  }

  for (const auto& missing : expected)
    rules.add_violation(fmt::format("the marker at {} is missing", std::get<0>(missing)));

  std::multiset<std::tuple<std::string, std::string, std::uint64_t>> kinds;
  for (const auto& kind : was.facts.marker_kinds)
    if (kind.group != tracefold_marker_group)
      kinds.insert({kind.group, kind.category, kind.severity});
  for (const auto& kind : is.facts.marker_kinds) {
    const auto at = kinds.find({kind.group, kind.category, kind.severity});
    const bool is_ours =
        kind.group == tracefold_marker_group && kind.category == "iteration" && kind.severity == 0;
    if (at != kinds.end())
      kinds.erase(at);
    else if (!is_ours)
      rules.add_violation(
          fmt::format("the kind of markers '{}' is not the original's", kind.category));
  }
  if (!kinds.empty())
    rules.add_violation("a kind of markers is missing");
}

// An iteration as its marker describes it.
struct MarkedIteration {
  Interval interval;
  IterationWords words;
};

// By time.
std::vector<MarkedIteration> read_iterations(RuleBook& rules, const MarkerReader& reader) {
  std::vector<MarkedIteration> marked;
  for (const auto& marker : reader.facts.markers) {
    if (!reader.is_ours(marker))
      continue;
    const auto words = parse_marker(marker.text);
    if (!words || marker.scope != 0 || marker.scope_id != 0)
      rules.add_violation(fmt::format("the marker at {} tells of no iteration", marker.time));
    else
      marked.push_back({{marker.time, marker.time + marker.duration}, *words});
  }

  std::map<std::uint64_t, std::uint64_t> next, last_end;  // by loop
  std::set<std::pair<std::uint64_t, std::uint64_t>> kept;
  for (const auto& one : marked)
    if (!one.words.stands_in)
      kept.insert({one.words.loop, one.words.iteration});
  for (const auto& one : marked) {
    const auto loop = one.words.loop;
    if (one.words.iteration != next[loop]++ || one.interval.begin < last_end[loop])
      rules.add_violation(
          fmt::format("iteration {} of loop {} is not in its place", one.words.iteration, loop));
    if (one.words.stands_in && !kept.contains({loop, *one.words.stands_in}))
      rules.add_violation(fmt::format("iteration {} is to stand for iteration {}, and is not kept",
                                      *one.words.stands_in, one.words.iteration));
    last_end[loop] = one.interval.end;
  }

  return marked;
}

// Tells whether several of the marked iterations lie in a span. Takes the logarithm of their
// number, and a step for each that begins in the span and does not end there.
class MarkedSpans {
 public:
  explicit MarkedSpans(const std::vector<MarkedIteration>& marked) {
    for (const auto& one : marked)
      by_begin_.push_back(one.interval);
    std::sort(by_begin_.begin(), by_begin_.end(), [](const Interval& a, const Interval& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
  }

  bool has_several(const Interval& span) const {
    auto at =
        std::lower_bound(by_begin_.begin(), by_begin_.end(), span.begin,
                         [](const Interval& a, std::uint64_t begin) { return a.begin < begin; });
    std::size_t inside = 0;
    for (; inside < 2 && at != by_begin_.end() && at->begin <= span.end; ++at)
      inside += at->end <= span.end;

    return inside > 1;
  }

 private:
  std::vector<Interval> by_begin_;
};

// The property of each loop begins with "3 of 20 iterations kept".
void check_loop_properties(RuleBook& rules, const ArchiveFacts& facts,
                           const std::vector<MarkedIteration>& marked) {
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> numbers;  // kept, all; by loop
  for (const auto& one : marked) {
    auto& [kept, all] = numbers[one.words.loop];
    kept += !one.words.stands_in;
    ++all;
  }

  constexpr std::uint64_t most_described = 16;
  for (std::uint64_t loop = 1; loop <= most_described; ++loop) {
    const auto at = facts.properties.find(fmt::format("TRACEFOLD::LOOP::{}", loop));
    const auto found = numbers.find(loop);
    const bool is_described = at != facts.properties.end();
    const bool fits = is_described == (found != numbers.end()) &&
                      (!is_described ||
                       at->second.starts_with(fmt::format(
                           "{} of {} iterations kept", found->second.first, found->second.second)));
    if (!fits)
      rules.add_violation(fmt::format("the property of loop {} tells of other iterations", loop));
  }
}

// The locations of the original that have a process to themselves. Others may follow the iterations
// of another thread, which may be shorter than their own calls.
std::set<std::uint64_t> find_lone_locations(const Definitions& original) {
  std::map<std::uint64_t, std::vector<std::uint64_t>> by_group;
  std::set<std::uint64_t> created;
  for (const auto& d : original.all()) {
    if (d.kind == DefinitionKind::Location)
      by_group[get_field<"locationGroup", DefinitionKind::Location>(d)].push_back(d.id());
    if (d.kind != DefinitionKind::LocationGroup)
      continue;
    const auto creator = get_field<"creatingLocationGroup", DefinitionKind::LocationGroup>(d);
    if (creator != d.id() && original.find(Ref::location_group, creator))
      created.insert(d.id());
  }

  std::set<std::uint64_t> lone;
  for (const auto& [group, locations] : by_group)
    if (locations.size() == 1 && !created.contains(group))
      lone.insert(locations.front());
  return lone;
}

}  // namespace

void check_iterations(RuleBook& rules, const ArchiveFacts& original, const ArchiveFacts& reduced,
                      const DefinitionHashes& before, const DefinitionHashes& after,
                      const RecordedLocations& recorded, const TimeWindow* window) {
  const MarkerReader was(original, before), is(reduced, after);
  check_markers(rules, was, is, window);

  rules.add_rule("the markers of iterations fit together");
  const auto told = read_iterations(rules, is);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> collapsed;  // loop and what stands for it
  for (const auto& one : told)
    if (one.words.stands_in)
      collapsed.emplace_back(one.words.loop, *one.words.stands_in);

  check_loop_properties(rules, reduced, told);

  const auto lone = find_lone_locations(before.definitions());
  const MarkedSpans spans(told);
  rules.add_rule("calls that stand for iterations are those that the markers tell of");
  for (const auto& [id, location] : recorded) {
    std::size_t at = 0;
    bool fits = true, holds_several = false;
    const auto original_id = after.find_location(id);
    const bool follows_none = original_id && lone.contains(*original_id);

    for (std::size_t k = 0; k < location.stand_ins.size(); ++k) {
      const auto& name = after.definitions().text(get_field<"name", DefinitionKind::Region>(
          *after.definitions().find(Ref::region, location.stand_in_regions[k])));
      const auto words = parse_region(name);
      const auto place = words
                             ? std::find(collapsed.begin() + static_cast<std::ptrdiff_t>(at),
                                         collapsed.end(), std::pair(words->loop, words->iteration))
                             : collapsed.end();
      fits = fits && place != collapsed.end();
      at = static_cast<std::size_t>(place - collapsed.begin()) + (place != collapsed.end());

      holds_several = holds_several || spans.has_several(location.stand_ins[k]);
    }

    // A location that does nothing in an iteration has no call for it.
    if (!fits || (follows_none && holds_several && location.stand_ins.size() < collapsed.size()))
      rules.add_violation(fmt::format("location {}", id));
  }
}

}  // namespace tracefold
