// Checks the messages that a plan keeps against the events of the trace that it is about.
//   check_messages TRACE.otf2 PLAN.json
//
// Decoded, they have to be every operation of every rank, in order, with call path, partner,
// communicator, tag, bytes, operation and root. What the trace has is listed here by plain means:
// no hashes, no folding, definitions asked for each record. Prints operations, and the bytes of the
// section without its gap times; exits 1 where something does not hold.
#include "base/error.hpp"
#include "base/json_text.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tracefold {
namespace {

struct Line {
  std::string path;
  EventKind kind;
  std::vector<std::uint64_t> values;  // partner, communicator, …, in the order of list_parameters

  bool operator==(const Line&) const = default;
};

std::string text_of(const Line& line) {
  return fmt::format("{} {} ({})", line.path, get_row(line.kind).name,
                     fmt::join(line.values, ", "));
}

// Lists the operations of one location.
class Lister {
 public:
  Lister(const Definitions& definitions, const FunctionTable& functions, std::uint64_t location)
      : definitions_(definitions), functions_(functions), location_(location) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    open_.push_back(functions_.functions()[call.function].name);
  }
  void leave(const CallEnd&, std::span<const Attribute>) { open_.pop_back(); }
  void unknown(std::uint64_t) {}

  void other(const Event& event) {
    using enum EventKind;
    const auto& f = event.fields;
    switch (event.kind) {
      case MpiSend:
      case MpiIsend:
      case MpiRecv: lines_.push_back(message(event)); break;
      case MpiIrecvRequest:
      case NonBlockingCollectiveRequest:
        requests_[f[0]].push_back(lines_.size());
        lines_.push_back({path(), event.kind, list_unknown(event.kind)});
        break;
      case MpiIrecv: complete(f[4], message(event), MpiIrecvRequest); break;
      case NonBlockingCollectiveComplete:
        complete(f[5], collective(event), NonBlockingCollectiveRequest);
        break;
      case MpiRequestCancelled:
        if (!requests_[f[0]].empty()) {
          cancelled_.push_back(requests_[f[0]].front());
          requests_[f[0]].pop_front();
        }
        break;
      case MpiCollectiveEnd: lines_.push_back(collective(event)); break;
      default: break;
    }
  }

  std::vector<Line> take() {
    std::vector<Line> kept;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (std::find(cancelled_.begin(), cancelled_.end(), i) == cancelled_.end())
        kept.push_back(std::move(lines_[i]));
    return kept;
  }

 private:
  std::string path() const { return fmt::format("{}", fmt::join(open_, "/")); }

  // What is told of an operation that never completed.
  static std::vector<std::uint64_t> list_unknown(EventKind kind) {
    if (kind == EventKind::MpiIrecvRequest)
      return {unknown_value, unknown_value, 0, 0};
    return {0, unknown_value, unknown_value, 0, 0};
  }

  std::uint64_t world_rank(std::uint64_t communicator, std::uint64_t rank) const {
    const auto partner = definitions_.partner(location_, communicator, rank);
    return partner ? definitions_.mpi_rank(*partner).value_or(unknown_value) : unknown_value;
  }

  Line message(const Event& event) const {
    const auto& f = event.fields;  // partner, communicator, tag, bytes
    return {path(), event.kind, {world_rank(f[1], f[0]), f[1], f[2], f[3]}};
  }

  Line collective(const Event& event) const {
    const auto& f = event.fields;  // operation, communicator, root, sent, received
    auto root = world_rank(f[1], f[2]);
    if (f[2] == otf2_value::root_none)
      root = no_root;
    if (f[2] == otf2_value::root_self)
      root = self_root;
    if (f[2] == otf2_value::root_this_group)
      root = group_root;
    return {path(), event.kind, {f[0], f[1], root, f[3], f[4]}};
  }

  void complete(std::uint64_t request, Line line, EventKind kind) {
    auto& waiting = requests_[request];
    line.kind = kind;
    if (waiting.empty()) {
      lines_.push_back(std::move(line));
      return;
    }
    line.path = lines_[waiting.front()].path;
    lines_[waiting.front()] = std::move(line);
    waiting.pop_front();
  }

  const Definitions& definitions_;
  const FunctionTable& functions_;
  std::uint64_t location_;
  std::vector<std::string> open_;
  std::vector<Line> lines_;
  std::map<std::uint64_t, std::deque<std::size_t>> requests_;
  std::vector<std::size_t> cancelled_;
};

// The id of the communicator that is the k-th, by id, of those that a rank is in.
std::uint64_t find_communicator(const Communication& communication, std::uint64_t rank,
                                std::uint64_t k) {
  for (const auto& c : communication.communicators) {
    const auto has = [&](const auto& ranks) {
      return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    };
    if ((c.is_self || has(c.ranks) || has(c.remote)) && k-- == 0)
      return c.id;
  }
  return unknown_value;
}

// The operations of each of a rank's locations that has any.
std::vector<std::vector<Line>> list_decoded(const Communication& communication,
                                            const RankOperations& rank) {
  std::vector<std::vector<Line>> threads;
  std::map<std::uint64_t, std::uint64_t> ids;
  const auto& sequence = communication.sequences[rank.sequence];

  for (SequenceCursor cursor(sequence); !cursor.at_end(); cursor.advance()) {
    const auto& operation = communication.operations[cursor.symbol()];
    Line line{"", operation.kind, {}};
    for (auto p = operation.path; p != 0; p = communication.paths[p].caller)
      line.path = communication.names[communication.paths[p].name] +
                  (line.path.empty() ? "" : "/") + line.path;

    const auto parameters = list_parameters(operation.kind);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      auto value = operation.values[p];
      if (parameters[p] == Parameter::peer && is_rank(value))
        value = (value + rank.rank) % communication.size;
      if (parameters[p] == Parameter::communicator) {
        const auto [at, is_new] = ids.try_emplace(value, 0);
        if (is_new)
          at->second = find_communicator(communication, rank.rank, value);
        value = at->second;
      }
      line.values.push_back(value);
    }
    threads.resize(std::max<std::size_t>(threads.size(), operation.thread + 1u));
    threads[operation.thread].push_back(std::move(line));
  }
  return threads;
}

int check(const char* trace, const char* plan_file) {
  std::ifstream in(plan_file);
  std::stringstream text;
  text << in.rdbuf();
  const auto plan = plan_from_json(text.str());
  if (!plan.messages) {
    fmt::print("FAIL: the plan has no messages\n");
    return 1;
  }

  Diagnostics diagnostics;
  const Archive archive(trace, diagnostics);
  const auto& definitions = archive.definitions();
  const FunctionTable functions(definitions, {});
  std::map<std::uint64_t, std::vector<std::vector<Line>>> wanted;  // by rank
  std::uint64_t unranked = 0, operations = 0;
  int failures = 0;

  EventReader reader(archive, definitions.locations(), {}, diagnostics);
  for (auto location : definitions.locations()) {
    Lister lister(definitions, functions, location);
    CleanEvents<Lister> events(functions, lister);
    reader.read(location, events);
    events.finish();

    auto lines = lister.take();
    const auto rank = definitions.mpi_rank(definitions.endpoint(location));
    if (!rank)
      unranked += !lines.empty();
    else if (!lines.empty())
      wanted[*rank].push_back(std::move(lines));
  }

  const auto communication = decode_messages(*plan.messages);
  if (communication.ranks.size() != wanted.size())
    fmt::print("FAIL: {} ranks have operations, not {}\n", wanted.size(),
               communication.ranks.size()),
        ++failures;

  for (const auto& rank : communication.ranks) {
    const auto found = list_decoded(communication, rank);
    const auto& original = wanted[rank.rank];
    for (const auto& lines : original)
      operations += lines.size();
    if (found == original)
      continue;

    ++failures;
    fmt::print("FAIL: rank {} has other operations\n", rank.rank);
    for (std::size_t t = 0; t < std::min(found.size(), original.size()); ++t)
      for (std::size_t i = 0; i < std::min(found[t].size(), original[t].size()); ++i)
        if (found[t][i] != original[t][i]) {
          fmt::print("  {}: {}\n   instead of {}\n", i, text_of(found[t][i]),
                     text_of(original[t][i]));
          break;
        }
  }

  auto json = nlohmann::ordered_json::parse(write_json_text(messages_to_json(*plan.messages)));
  for (auto& cluster : json["clusters"])
    cluster.erase("gaps");
  const auto bytes = json.dump().size();
  fmt::print(
      "ranks {}, operations {}, bytes {}, bytes per operation {:.3f}{}\n",
      communication.ranks.size(), operations, bytes,
      static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(operations, 1)),
      unranked ? fmt::format(", {} locations without a rank", unranked) : "");
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace tracefold

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: check_messages TRACE.otf2 PLAN.json\n");
    return 2;
  }
  try {
    return tracefold::check(argv[1], argv[2]);
  } catch (const std::exception& problem) {
    fmt::print("FAIL: {}\n", problem.what());
    return 1;
  }
}
