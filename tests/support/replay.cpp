// Plays the operations of traces: how long they would take on a machine that is told, with the time
// that passes between calls of MPI as it was recorded. Shares nothing with what expands traces
// but the reading of events and definitions.
//
//   replay TRACE.otf2 [OTHER.otf2] [--latency US] [--bandwidth GB/S]
//
// Prints the time of each in seconds, and how near the second comes: 1 - |t - t'| / t. Exit status
// 1 where a trace cannot be played to its end, or messages are left that nobody receives.
//
// A send costs a quarter of the latency, and its message arrives after the latency and what its
// bytes take. A collective costs the latency for each doubling of its members, and what the largest
// part takes; all wait for all, but one-to-all waits for its root and in all-to-one only the root
// waits. Locations begin together with the end of their first call of MPI.
#include "base/error.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace {

using namespace tracefold;
namespace v = otf2_value;

struct Machine {
  double latency = 2e-6;    // seconds
  double bandwidth = 10e9;  // bytes a second
};

struct Action {
  enum class Kind : std::uint8_t { compute, send, post, receive, arrive, leave, nothing };

  Kind kind = Kind::nothing;
  double seconds = 0;       // of compute
  std::uint32_t queue = 0;  // channel, or communicator
  std::uint64_t bytes = 0;
  std::uint64_t place = 0;  // of a receive its post, of a leave its arrive: actions of the location
  std::uint64_t operation = 0;
  std::uint64_t root = 0;  // process; ~0: none
};

constexpr std::uint64_t no_process = ~std::uint64_t{0};

// Channels and communicators of all locations.
struct Queues {
  using Channel = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
  std::map<Channel, std::uint32_t> channels;

  std::uint32_t find(std::uint64_t communicator, std::uint64_t from, std::uint64_t to,
                     std::uint64_t tag) {
    const auto next = static_cast<std::uint32_t>(channels.size());
    return channels.try_emplace({communicator, from, to, tag}, next).first->second;
  }
};

class ActionSink {
 public:
  ActionSink(const Definitions& definitions, const FunctionTable& functions, Queues& queues,
             std::uint64_t location, double tick)
      : definitions_(definitions),
        functions_(functions),
        queues_(queues),
        location_(location),
        self_(definitions.endpoint(location)),
        tick_(tick) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    ++depth_;
    if (mpi_depth_ != 0 || functions_.functions()[call.function].paradigm != v::paradigm_mpi)
      return;
    mpi_depth_ = depth_;
    if (left_) {
      Action action;
      action.kind = Action::Kind::compute;
      action.seconds = static_cast<double>(call.time - outside_since_) * tick_;
      actions.push_back(action);
    }
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    if (depth_-- != mpi_depth_)
      return;
    mpi_depth_ = 0;
    left_ = true;
    outside_since_ = call.time;
  }
  void unknown(std::uint64_t) {}

  void other(Event& event) {
    using enum EventKind;
    switch (event.kind) {
      case MpiSend:
      case MpiIsend: {
        auto& action = add(Action::Kind::send);
        const auto to = find_partner(event, event.fields[0]);
        action.queue = queues_.find(event.fields[1], self_, to, event.fields[2]);
        action.bytes = event.fields[3];
        break;
      }
      case MpiRecv: {
        const auto post = actions.size();
        fill_receive(add(Action::Kind::post), event);
        auto& action = add(Action::Kind::receive);
        action.place = post;
        break;
      }
      case MpiIrecvRequest: {
        open_[event.fields[0]].push_back(actions.size());
        add(Action::Kind::nothing);  // until it completes
        break;
      }
      case MpiIrecv: {
        const auto post = close(event.fields[4]);
        if (!post)
          break;
        actions[*post].kind = Action::Kind::post;
        fill_receive(actions[*post], event);
        add(Action::Kind::receive).place = *post;
        break;
      }
      case MpiRequestCancelled: close(event.fields[0]); break;
      case MpiCollectiveEnd: {
        const auto arrive = actions.size();
        fill_collective(add(Action::Kind::arrive), event);
        add(Action::Kind::leave).place = arrive;
        break;
      }
      case NonBlockingCollectiveRequest: {
        open_[event.fields[0]].push_back(actions.size());
        add(Action::Kind::nothing);
        break;
      }
      case NonBlockingCollectiveComplete: {
        const auto arrive = close(event.fields[5]);
        if (!arrive)
          break;
        actions[*arrive].kind = Action::Kind::arrive;
        fill_collective(actions[*arrive], event);
        add(Action::Kind::leave).place = *arrive;
        break;
      }
      default: break;
    }
  }

  std::vector<Action> actions;

 private:
  Action& add(Action::Kind kind) {
    actions.emplace_back();
    actions.back().kind = kind;
    return actions.back();
  }
  std::uint64_t find_partner(const Event& event, std::uint64_t rank) const {
    return definitions_.partner(location_, event.fields[1], rank).value_or(no_process);
  }
  void fill_receive(Action& action, const Event& event) {
    const auto from = find_partner(event, event.fields[0]);
    action.queue = queues_.find(event.fields[1], from, self_, event.fields[2]);
  }
  void fill_collective(Action& action, const Event& event) {
    action.operation = event.fields[0];
    action.queue = static_cast<std::uint32_t>(event.fields[1]);
    action.root =
        event.fields[2] >= v::root_this_group ? no_process : find_partner(event, event.fields[2]);
    action.bytes = std::max(event.fields[3], event.fields[4]);
  }
  std::optional<std::uint64_t> close(std::uint64_t request) {
    auto& queue = open_[request];
    if (queue.empty())
      return std::nullopt;
    const auto first = queue.front();
    queue.pop_front();
    return first;
  }

  const Definitions& definitions_;
  const FunctionTable& functions_;
  Queues& queues_;
  std::uint64_t location_, self_;
  double tick_;
  std::size_t depth_ = 0, mpi_depth_ = 0;
  bool left_ = false;
  std::uint64_t outside_since_ = 0;
  std::unordered_map<std::uint64_t, std::deque<std::uint64_t>> open_;
};

struct Result {
  double seconds = 0;
  std::uint64_t sent = 0, received = 0, collectives = 0;
  std::string stuck;  // where it is, in words; empty: it is not
};

class Replay {
 public:
  Replay(const std::string& trace, const Machine& machine) : machine_(machine) {
    Diagnostics ignored;
    const Archive archive(trace, ignored);
    const auto& definitions = archive.definitions();
    const FunctionTable functions(definitions, {});
    double ticks = 1e9;
    for (const auto& d : definitions.all()) {
      if (d.kind == DefinitionKind::ClockProperties && d.fields[0] > 0)
        ticks = static_cast<double>(d.fields[0]);
      if (d.kind == DefinitionKind::Comm)
        members_[static_cast<std::uint32_t>(d.id())] = count_members(definitions, d);
    }

    Queues queues;
    for (auto location : definitions.locations()) {
      EventReader reader(archive, std::span(&location, 1), {}, ignored);
      ActionSink sink(definitions, functions, queues, location, 1 / ticks);
      read_clean_events(reader, location, functions, sink);
      actors_.push_back({location, definitions.endpoint(location), std::move(sink.actions)});
    }
    channels_.resize(queues.channels.size());
  }

  Result play() {
    for (bool moved = true; moved;) {
      moved = false;
      for (auto& actor : actors_)
        moved |= play(actor);
    }

    for (const auto& actor : actors_) {
      result_.seconds = std::max(result_.seconds, actor.now);
      if (actor.at < actor.actions.size() && result_.stuck.empty())
        result_.stuck = fmt::format("location {} waits at its action {} of {}", actor.location,
                                    actor.at, actor.actions.size());
    }
    return result_;
  }

 private:
  struct Actor {
    std::uint64_t location, process;
    std::vector<Action> actions;
    std::size_t at = 0;
    double now = 0;
    std::map<std::uint32_t, std::uint64_t> collectives = {};        // begun, by communicator
    std::unordered_map<std::uint64_t, std::uint64_t> tickets = {};  // by action
  };
  struct Channel {
    std::vector<double> arrivals;
    std::uint64_t posted = 0;
  };
  struct Instance {
    std::uint64_t members = 0;
    double last = 0, root = 0;
    bool has_root = false;
    std::uint64_t bytes = 0;
  };

  static std::uint64_t count_members(const Definitions& definitions, const Definition& comm) {
    const auto* group =
        definitions.find(Ref::group, get_field<"group", DefinitionKind::Comm>(comm));
    const bool is_self =
        !group || get_field<"groupType", DefinitionKind::Group>(*group) == v::group_comm_self;
    return is_self ? 1 : definitions.members(*group).size();
  }

  bool play(Actor& actor) {
    const auto before = actor.at;
    while (actor.at < actor.actions.size() && step(actor))
      ++actor.at;
    return actor.at > before;
  }

  bool step(Actor& actor) {
    auto& action = actor.actions[actor.at];
    switch (action.kind) {
      case Action::Kind::compute: actor.now += action.seconds; return true;
      case Action::Kind::send:
        channels_[action.queue].arrivals.push_back(actor.now + machine_.latency +
                                                   find_seconds(action.bytes));
        actor.now += machine_.latency / 4;
        ++result_.sent;
        return true;
      case Action::Kind::post:
        actor.tickets[actor.at] = channels_[action.queue].posted++;
        return true;
      case Action::Kind::receive: {
        const auto& channel = channels_[actor.actions[action.place].queue];
        const auto ticket = actor.tickets.find(action.place);
        if (ticket->second >= channel.arrivals.size())
          return false;
        actor.now = std::max(actor.now, channel.arrivals[ticket->second]);
        actor.tickets.erase(ticket);
        ++result_.received;
        return true;
      }
      case Action::Kind::arrive: arrive(actor, action); return true;
      case Action::Kind::leave: return leave(actor, actor.actions[action.place], action.place);
      case Action::Kind::nothing: return true;
    }
    return true;
  }

  void arrive(Actor& actor, const Action& action) {
    const auto number = actor.collectives[action.queue]++;
    actor.tickets[actor.at] = number;
    if (members_[action.queue] <= 1)
      return;

    auto& instances = collectives_[action.queue];
    if (number >= instances.size())
      instances.resize(number + 1);
    auto& instance = instances[number];
    ++instance.members;
    instance.last = std::max(instance.last, actor.now);
    instance.bytes = std::max(instance.bytes, action.bytes);
    if (action.root == actor.process) {
      instance.has_root = true;
      instance.root = actor.now;
    }
  }

  bool leave(Actor& actor, const Action& action, std::uint64_t place) {
    const auto members = members_[action.queue];
    const auto ticket = actor.tickets.find(place);
    if (members > 1) {
      const auto& instance = collectives_[action.queue][ticket->second];
      const auto operation = action.operation;
      const bool has_root = action.root != no_process;
      const bool from_root =
          has_root && (operation == v::collective_bcast || operation == v::collective_scatter ||
                       operation == v::collective_scatterv);
      const bool to_root =
          has_root && (operation == v::collective_gather || operation == v::collective_gatherv ||
                       operation == v::collective_reduce);
      const bool is_root = action.root == actor.process;
      const auto cost = machine_.latency * static_cast<double>(std::bit_width(members - 1));

      if (from_root) {
        if (!instance.has_root)
          return false;
        actor.now = std::max(actor.now, instance.root) + cost + find_seconds(action.bytes);
      } else if (to_root && !is_root) {
        actor.now += cost + find_seconds(action.bytes);
      } else {
        if (instance.members < members)
          return false;
        actor.now = std::max(actor.now, instance.last) + cost + find_seconds(instance.bytes);
      }
    }
    actor.tickets.erase(ticket);
    ++result_.collectives;
    return true;
  }

  double find_seconds(std::uint64_t bytes) const {
    return static_cast<double>(bytes) / machine_.bandwidth;
  }

  Machine machine_;
  std::vector<Actor> actors_;
  std::vector<Channel> channels_;
  std::map<std::uint32_t, std::uint64_t> members_;
  std::map<std::uint32_t, std::deque<Instance>> collectives_;
  Result result_;
};

bool report(const std::string& trace, const Result& result) {
  fmt::print("{}: {:.6f} s, {} messages, {} collectives{}{}\n", trace, result.seconds,
             result.received, result.collectives,
             result.stuck.empty() ? "" : ", DEADLOCK: ", result.stuck);
  if (result.sent != result.received)
    fmt::print("{}: {} messages are sent, {} received\n", trace, result.sent, result.received);
  return result.stuck.empty() && result.sent == result.received;
}

}  // namespace

int main(int argc, char** argv) try {
  Machine machine;
  std::vector<std::string> traces;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--latency" && i + 1 < argc)
      machine.latency = std::atof(argv[++i]) * 1e-6;
    else if (word == "--bandwidth" && i + 1 < argc)
      machine.bandwidth = std::atof(argv[++i]) * 1e9;
    else
      traces.push_back(word);
  }
  if (traces.empty() || traces.size() > 2) {
    fmt::print(stderr, "usage: replay TRACE.otf2 [OTHER.otf2] [--latency US] [--bandwidth GB/S]\n");
    return 2;
  }

  bool is_well = true;
  std::vector<double> seconds;
  for (const auto& trace : traces) {
    const auto result = Replay(trace, machine).play();
    is_well &= report(trace, result);
    seconds.push_back(result.seconds);
  }
  if (seconds.size() == 2)
    fmt::print("accuracy {:.4f}\n", 1 - std::abs(seconds[0] - seconds[1]) / seconds[0]);
  return is_well ? 0 : 1;
} catch (const std::exception& problem) {
  fmt::print(stderr, "replay: {}\n", problem.what());
  return 3;
}
