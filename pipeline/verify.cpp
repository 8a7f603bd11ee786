#include "pipeline/verify.hpp"

#include "model/ranges.hpp"
#include "pipeline/clean_events.hpp"
#include "pipeline/each_location.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>

namespace tracefold {

namespace {

// What one location records, in terms that are the same in both archives.
struct Recorded {
  std::uint64_t calls = 14695981039346656037u;  // FNV-1a over times, kinds and functions
  std::array<std::uint64_t, event_kinds> kinds{};
  std::map<std::array<std::uint64_t, 4>, std::int64_t> sent, received;  // from, to, tag, length
  std::uint64_t dangling = 0;                                           // ids that are not defined, ranks beyond their communicator
  std::map<Function, std::uint64_t> exclusive;                          // ticks
};

// The first original's id of each location.
using Sources = std::unordered_map<std::uint64_t, std::uint64_t>;

class RecordingSink {
 public:
  RecordingSink(const Definitions& definitions, const FunctionTable& functions, const Sources& sources, std::uint64_t location, Recorded& out)
      : definitions_(definitions), functions_(functions), sources_(sources), location_(location), out_(out), ticks_(functions.functions().size()) {}

  void enter(const CallBegin& c, std::span<const Attribute>) { call(EventKind::Enter, c.time, c.region); }
  void leave(const CallEnd& c, std::span<const Attribute>) {
    call(EventKind::Leave, c.time, c.region);
    ticks_[c.function] += c.exclusive;
  }
  void other(Event& event) {
    ++out_.kinds[static_cast<std::size_t>(event.kind)];
    for_each_ref(row_of(event.kind).shape(), event.fields, event.list, [&](Ref kind, std::uint64_t id) {
      if (kind != Ref::paradigm && id != undefined_of(kind) && !definitions_.find(kind, id)) ++out_.dangling;
    });
    const bool send = event.kind == EventKind::MpiSend || event.kind == EventKind::MpiIsend;
    if (!send && event.kind != EventKind::MpiRecv && event.kind != EventKind::MpiIrecv) return;
    const auto partner = definitions_.partner(location_, event.fields[1], event.fields[0]);
    if (!partner) {
      ++out_.dangling;
      return;
    }
    const auto me = source(definitions_.endpoint(location_)), other = source(*partner);
    ++(send ? out_.sent[{me, other, event.fields[2], event.fields[3]}] : out_.received[{other, me, event.fields[2], event.fields[3]}]);
  }
  void unknown(std::uint64_t) {}
  void finish() {
    for (std::size_t f = 0; f < ticks_.size(); ++f)
      if (ticks_[f]) out_.exclusive[functions_.functions()[f]] += ticks_[f];
  }

 private:
  std::uint64_t source(std::uint64_t id) const {
    auto at = sources_.find(id);
    return at == sources_.end() ? id : at->second;
  }
  void mix(std::string_view bytes) {
    for (char c : bytes) out_.calls = (out_.calls ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  void call(EventKind kind, std::uint64_t time, std::uint64_t region) {
    ++out_.kinds[static_cast<std::size_t>(kind)];
    out_.calls = (out_.calls ^ time) * 1099511628211u;
    out_.calls = (out_.calls ^ static_cast<std::uint64_t>(kind)) * 1099511628211u;
    const auto entry = functions_.of(region);
    if (entry.function == virtual_root) return;
    const auto& f = functions_.functions()[entry.function];
    mix(f.name), mix(f.canonical), mix(f.file), mix(std::to_string(f.line));
  }
  const Definitions& definitions_;
  const FunctionTable& functions_;
  const Sources& sources_;
  std::uint64_t location_;
  Recorded& out_;
  std::vector<std::uint64_t> ticks_;
};

std::map<std::uint64_t, Recorded> record(const Archive& archive, const std::vector<FilterSection>& filters, const Sources& sources,
                                         const ReadOptions& options, Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), filters);
  std::vector<std::uint64_t> ids;
  for (const auto& p : processes_of(archive.definitions(), filters)) ids.push_back(p.id);
  std::vector<Recorded> found(ids.size());
  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    RecordingSink sink(archive.definitions(), functions, sources, ids[i], found[i]);
    CleanEvents<RecordingSink> clean(functions, sink);
    reader.read(ids[i], clean);
    clean.finish();
    sink.finish();
  });
  std::map<std::uint64_t, Recorded> by_id;
  for (std::size_t i = 0; i < ids.size(); ++i) by_id.emplace(ids[i], std::move(found[i]));
  return by_id;
}

struct Said {
  std::optional<std::uint64_t> source, count;
  std::optional<std::string> members;
};

std::map<std::uint64_t, Said> said_of(const Definitions& definitions) {
  std::map<std::uint64_t, Said> said;
  for (auto id : definitions.locations()) said[id];
  for (const auto& d : definitions.all()) {
    if (d.kind != DefinitionKind::LocationProperty) continue;
    const auto& name = definitions.text(d.fields[1]);
    if (name == "tracefold::source") said[d.fields[0]].source = d.fields[3];
    if (name == "tracefold::count") said[d.fields[0]].count = d.fields[3];
    if (name == "tracefold::members") said[d.fields[0]].members = definitions.text(d.fields[3]);
  }
  return said;
}

std::vector<FilterSection> filters_beside(const Archive& archive) {
  const auto plan = archive.paths().anchor.parent_path() / "tracefold.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(plan, ignored)) return {};
  std::ifstream in(plan);
  std::stringstream text;
  text << in.rdbuf();
  return plan_from_json(text.str()).filters;
}

// Kinds whose records may be left out with their partner.
bool may_be_cut(EventKind kind) {
  const auto name = row_of(kind).name;
  if (kind == EventKind::MpiCollectiveBegin || kind == EventKind::MpiCollectiveEnd) return false;
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

void check_standing(Rules& rules, const std::map<std::uint64_t, Said>& said, const std::map<std::uint64_t, Recorded>& before) {
  std::map<std::uint64_t, std::uint64_t> times;
  rules.rule("every location says what it stands for, and is one of its members");
  for (const auto& [id, s] : said) {
    if (!s.source || !s.count || !s.members) {
      rules.violated(fmt::format("location {}", id));
      continue;
    }
    const auto members = members_said(*s.members, before.size());
    for (auto m : members) ++times[m];
    if (members.size() != *s.count || !std::binary_search(members.begin(), members.end(), *s.source)) rules.violated(fmt::format("location {}", id));
  }
  rules.rule("every original location is stood for exactly once");
  for (const auto& [id, recorded] : before)
    if (times[id] != 1) rules.violated(fmt::format("location {}: {} times", id, times[id]));
  for (auto [id, n] : times)
    if (!before.contains(id)) rules.violated(fmt::format("location {} is not in the original", id));
}

void check_records(Rules& rules, const std::map<std::uint64_t, Said>& said, const std::map<std::uint64_t, Recorded>& before,
                   const std::map<std::uint64_t, Recorded>& after) {
  const auto each = [&](auto&& check) {
    for (const auto& [id, s] : said)
      if (s.source && before.contains(*s.source) && after.contains(id)) check(id, before.at(*s.source), after.at(id));
  };
  rules.rule("kept locations have every call of the original, at its time");
  each([&](auto id, const auto& b, const auto& a) {
    if (a.calls != b.calls) rules.violated(fmt::format("location {}", id));
  });
  rules.rule("as many records of each kind that names no partner, and no others appear");
  each([&](auto id, const auto& b, const auto& a) {
    for (std::size_t k = 0; k < event_kinds; ++k)
      if (a.kinds[k] > b.kinds[k] || (a.kinds[k] < b.kinds[k] && !may_be_cut(static_cast<EventKind>(k))))
        rules.violated(fmt::format("location {}: {} {} of {}", id, event_table[k].name, a.kinds[k], b.kinds[k]));
  });
  rules.rule("events refer to what is there");
  for (const auto& [id, a] : after)
    if (a.dangling) rules.violated(fmt::format("location {}: {} times", id, a.dangling));
}

void check_messages(Rules& rules, const std::map<std::uint64_t, Recorded>& before, const std::map<std::uint64_t, Recorded>& after) {
  using Traffic = std::map<std::array<std::uint64_t, 4>, std::pair<std::int64_t, std::int64_t>>;
  const auto total = [](const auto& all) {
    Traffic t;
    for (const auto& [id, r] : all) {
      for (const auto& [key, n] : r.sent) t[key].first += n;
      for (const auto& [key, n] : r.received) t[key].second += n;
    }
    return t;
  };
  auto was = total(before);
  rules.rule("messages stay matched, and none appears");
  for (const auto& [key, now] : total(after)) {
    const auto [sent, received] = was[key];
    if (now.first > sent || now.second > received || (now.first != now.second && sent == received))
      rules.violated(fmt::format("{} to {} tag {}: {} sent, {} received", key[0], key[1], key[2], now.first, now.second));
  }
}

double profile_error(const std::map<std::uint64_t, Said>& said, const std::map<std::uint64_t, Recorded>& before, const std::map<std::uint64_t, Recorded>& after) {
  std::map<Function, double> difference;
  double all = 0;
  for (const auto& [id, r] : before)
    for (const auto& [f, ticks] : r.exclusive) difference[f] += static_cast<double>(ticks), all += static_cast<double>(ticks);
  for (const auto& [id, r] : after)
    for (const auto& [f, ticks] : r.exclusive) difference[f] -= static_cast<double>(ticks) * static_cast<double>(said.at(id).count.value_or(1));
  double wrong = 0;
  for (const auto& [f, d] : difference) wrong += std::abs(d);
  return all > 0 ? wrong / (2 * all) : 0;
}

}  // namespace

bool Verification::holds() const {
  return std::all_of(rules.begin(), rules.end(), [](const auto& r) { return r.violations.empty(); });
}

Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options, Diagnostics& diagnostics) {
  const auto said = said_of(reduced.definitions());
  Sources sources;
  for (const auto& [id, s] : said) sources[id] = s.source.value_or(id);
  Diagnostics quiet;  // the original's oddities were told when it was reduced
  const auto before = record(original, filters_beside(reduced), {}, options, quiet);
  const auto after = record(reduced, {}, sources, options, diagnostics);
  Verification out;
  Rules rules(out.rules);
  check_definitions(rules, reduced.definitions());
  check_standing(rules, said, before);
  check_records(rules, said, before, after);
  check_messages(rules, before, after);
  rules.rule("the reduced trace is clean");
  for (const auto& line : diagnostics.warnings()) rules.violated(line);
  out.profile_error = profile_error(said, before, after);
  return out;
}

}  // namespace tracefold
