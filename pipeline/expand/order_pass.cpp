#include "pipeline/expand/order_pass.hpp"

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "pipeline/expand/tried_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

using ProcessIndex = std::uint32_t;

constexpr std::uint32_t none_yet = 0xffffffff;
constexpr std::uint64_t bytes_of_key = 80;  // of a channel, with its node in a map

// A number for a process that has been answered so many questions. States are told apart by the
// sum over processes.
std::uint64_t hash_progress(ProcessIndex process, std::uint64_t answers) {
  auto hash = (std::uint64_t{process} << 40 ^ answers) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
  return hash ^ hash >> 32;
}

// What is sent from one rank to another with one tag.
struct MessageQueue {
  std::vector<std::uint64_t> sent;  // times, by message
  std::uint64_t begun = 0;          // receives; where they are shared, those that have ended
  std::vector<ProcessIndex> waiting;
  ProcessIndex receiver = none_yet;  // one of the processes that receive
  bool is_shared = false;            // others receive, too
};

struct CollectiveInstance {
  std::uint64_t members = 0;  // that have begun it
  std::uint64_t last = 0;     // when the last of them did
  std::uint64_t root = 0;     // when the root did
  bool has_root = false;
  bool is_over = false;  // nobody else will come
  std::vector<ProcessIndex> waiting;
};

struct CollectiveQueue {
  std::unordered_map<std::uint32_t, std::uint64_t> begun;  // by rank
  std::deque<CollectiveInstance> instances;
};

class Order {
 public:
  Order(const Messages& messages, const OperationFinder& finder,
        const std::vector<CommunicatingProcess>& processes, std::uint64_t memory, TriedWays& ways)
      : messages_(messages),
        finder_(finder),
        processes_(processes),
        ways_(ways),
        memory_left_(memory),
        collectives_(messages.communicators.size()),
        waits_(processes.size()) {
    take_memory(ways.count_bytes());
    result_.times.resize(processes.size());
    for (ProcessIndex t = 0; t < processes.size(); ++t) {
      const auto& process = processes[t];
      players_.emplace_back(process.part, Sink(*this, t));
      take_memory(process.part.sequence->symbols.size() * sizeof(none_yet));
      known_.emplace_back(process.part.sequence->symbols.size(), none_yet);
      if (!process.part.calls->steps.empty()) {
        first_ = std::min(first_, process.part.calls->first_time());
        last_ = std::max(last_, process.part.calls->last_time());
      }
    }
    find_shared_queues();
  }

  // None where processes wait for messages for ever.
  std::optional<OrderResult> find() {
    for (ProcessIndex t = 0; t < processes_.size(); ++t)
      ready_.push_back(t);

    while (true) {
      while (!ready_.empty()) {
        const auto t = ready_.front();
        ready_.pop_front();
        play(t);
      }
      if (stopped_.empty())
        return std::move(result_);
      drop_missed_turns();
      if (turns_.empty() ? !help_on() : !take_turn())
        return std::nullopt;
    }
  }

  // What to say where they do.
  Error explain() {
    const auto t = find_cause();
    return Error(ErrorKind::input,
                 fmt::format("its messages do not fit each other: rank {} waits for a message of "
                             "rank {} that is never sent",
                             processes_[t].rank, find_awaited(t)));
  }

  // How many operations have been looked up, and questions answered.
  std::uint64_t count_steps() const {
    std::uint64_t steps = operations_.size();
    for (const auto& times : result_.times)
      steps += times.answers.size();
    return steps;
  }

 private:
  struct Known {
    RankOperation operation;
    std::uint32_t queue = none_yet;
  };

  // Where a process stands that waits.
  struct Stop {
    std::uint32_t operation = 0;
    std::uint64_t ticket = 0;
    bool may_leave_open = false;
  };

  class Sink {
   public:
    Sink(Order& order, ProcessIndex process) : order_(order), process_(process) {}

    void enter(std::uint64_t time, std::uint32_t) { see(time); }
    void leave(std::uint64_t time, std::uint32_t) { see(time); }
    const RankOperation& find(std::uint32_t operation) {
      return order_.find_known(process_, operation).operation;
    }
    std::uint64_t begin(std::uint32_t operation, std::uint64_t time, std::uint64_t) {
      return order_.begin(process_, operation, time);
    }
    std::optional<std::uint64_t> find_end(std::uint32_t operation, std::uint64_t ticket,
                                          bool may_leave_open) {
      return order_.find_end(process_, {operation, ticket, may_leave_open});
    }
    void end(std::uint32_t, std::uint64_t time, std::uint64_t) { see(time); }

   private:
    void see(std::uint64_t time) {
      auto& times = order_.result_.times[process_];
      if (times.last == 0)
        times.first = time;
      times.last = std::max(times.last, time);
    }

    Order& order_;
    ProcessIndex process_;
  };

  void play(ProcessIndex t) {
    check_stop();
    if (players_[t].play())
      stopped_.erase(t);
  }

  void find_shared_queues() {
    std::vector<std::uint32_t> threads;  // by rank
    for (const auto& process : processes_) {
      threads.resize(std::max<std::size_t>(threads.size(), process.rank + std::size_t{1}));
      ++threads[process.rank];
    }

    for (ProcessIndex t = 0; t < processes_.size(); ++t) {
      if (threads[processes_[t].rank] == 1)
        continue;
      for (std::uint32_t operation = 0; operation < known_[t].size(); ++operation) {
        auto& known = find_known(t, operation);
        if (!is_receive(known.operation.role))
          continue;
        auto& queue = find_queue(t, known, false);
        queue.is_shared = queue.is_shared || (queue.receiver != none_yet && queue.receiver != t);
        queue.receiver = t;
      }
    }
  }

  // Those that ask for a message which another one has got wait for the next one.
  void drop_missed_turns() {
    for (auto turn = turns_.begin(); turn != turns_.end();) {
      const auto t = turn->second;
      auto& queue = find_queue(t, find_known(t, stopped_.at(t).operation), false);
      if (queue.begun < queue.sent.size()) {
        ++turn;
        continue;
      }
      wait(t, queue.waiting);
      turn = turns_.erase(turn);
    }
  }

  // Lets a process go on that asks for a message of a channel that others receive on, too. False
  // where this way has been gone before.
  bool take_turn() {
    const auto before = ways_.count_bytes();
    const auto place = ways_.choose(state_, turns_.size());
    take_memory(ways_.count_bytes() - before);
    if (!place)
      return false;
    const auto chosen = std::next(turns_.begin(), static_cast<std::ptrdiff_t>(*place));
    turn_ = chosen->second;
    turns_.erase(chosen);
    stopped_.erase(turn_);
    play(turn_);
    turn_ = none_yet;
    return true;
  }

  // Operations are looked up once for each process that has them.
  Known& find_known(ProcessIndex t, std::uint32_t operation) {
    auto& place = known_[t][operation];
    if (place == none_yet) {
      take_memory(sizeof(Known));
      place = static_cast<std::uint32_t>(operations_.size());
      operations_.push_back(
          {finder_.find(processes_[t].part.sequence->symbols[operation], processes_[t].rank),
           none_yet});
    }
    return operations_[place];
  }

  MessageQueue& find_queue(ProcessIndex t, Known& known, bool is_send) {
    if (known.queue == none_yet) {
      const auto& operation = known.operation;
      const std::uint64_t own = processes_[t].rank;
      const auto key = is_send
                           ? std::tuple(operation.communicator, own, operation.peer, operation.tag)
                           : std::tuple(operation.communicator, operation.peer, own, operation.tag);
      const auto next = static_cast<std::uint32_t>(messages_sent_.size());
      const auto [at, is_new] = queues_.try_emplace(key, next);
      if (is_new) {
        take_memory(sizeof(MessageQueue) + bytes_of_key);
        messages_sent_.emplace_back();
      }
      known.queue = at->second;
    }
    return messages_sent_[known.queue];
  }

  static bool is_send(OperationRole role) {
    return role == OperationRole::send || role == OperationRole::open_send;
  }
  static bool is_receive(OperationRole role) {
    return role == OperationRole::receive || role == OperationRole::open_receive;
  }
  static bool is_collective(OperationRole role) {
    return role == OperationRole::collective || role == OperationRole::open_collective;
  }

  std::uint64_t begin(ProcessIndex t, std::uint32_t operation, std::uint64_t time) {
    auto& known = find_known(t, operation);
    const auto role = known.operation.role;
    if (role == OperationRole::record)
      return 0;
    if (is_collective(role))
      return begin_collective(t, known.operation, time);

    auto& queue = find_queue(t, known, is_send(role));
    if (!is_send(role))
      return queue.is_shared ? 0 : queue.begun++;

    queue.sent.push_back(time);
    take_memory(sizeof(std::uint64_t));
    wake(queue.waiting);
    return 0;
  }

  std::uint64_t begin_collective(ProcessIndex t, const RankOperation& operation,
                                 std::uint64_t time) {
    if (messages_.communicators[operation.communicator].is_self)
      return 0;

    auto& queue = collectives_[operation.communicator];
    const auto number = queue.begun[processes_[t].rank]++;
    if (number >= queue.instances.size()) {
      queue.instances.resize(number + 1);
      take_memory(sizeof(CollectiveInstance));
    }

    auto& instance = queue.instances[number];
    ++instance.members;
    instance.last = std::max(instance.last, time);
    if (operation.is_root) {
      instance.root = time;
      instance.has_root = true;
    }
    if (operation.is_root || instance.members >= finder_.count_members(operation.communicator))
      wake(instance.waiting);
    return number;
  }

  std::optional<std::uint64_t> find_end(ProcessIndex t, const Stop& stop) {
    auto& known = find_known(t, stop.operation);
    auto end = is_collective(known.operation.role)
                   ? find_end_of_collective(t, known.operation, stop.ticket)
                   : find_sent(t, known, stop.ticket);
    if (!end && given_up_ == t) {
      given_up_ = none_yet;
      ++result_.left_open;
      end = left_open;
      state_ += hash_progress(t, ~result_.times[t].answers.size());  // its request is still open
    }
    if (!end) {
      stopped_[t] = stop;
      return std::nullopt;
    }

    take_memory(sizeof(std::uint64_t));
    auto& answers = result_.times[t].answers;
    answers.push_back(*end);
    state_ += hash_progress(t, answers.size()) - hash_progress(t, answers.size() - 1);
    return end;
  }

  std::optional<std::uint64_t> find_sent(ProcessIndex t, Known& known, std::uint64_t ticket) {
    auto& queue = find_queue(t, known, false);
    if (queue.is_shared) {
      if (queue.begun < queue.sent.size() && turn_ != t) {
        turns_.emplace(estimate_time(t), t);
        return std::nullopt;
      }
      ticket = queue.begun;
      turn_ = none_yet;
      if (ticket < queue.sent.size())
        ++queue.begun;
    }
    if (ticket < queue.sent.size())
      return queue.sent[ticket] + 1;
    wait(t, queue.waiting);
    return std::nullopt;
  }

  std::optional<std::uint64_t> find_end_of_collective(ProcessIndex t,
                                                      const RankOperation& operation,
                                                      std::uint64_t number) {
    if (messages_.communicators[operation.communicator].is_self)
      return 0;

    auto& instance = collectives_[operation.communicator].instances[number];
    if (operation.waits_for_root && (operation.is_root || instance.has_root))
      return instance.root;
    if (operation.root_waits && !operation.is_root)
      return 0;
    if (instance.is_over || instance.members >= finder_.count_members(operation.communicator))
      return instance.last;
    wait(t, instance.waiting);
    return std::nullopt;
  }

  // Without calls, nothing tells the times of a process: it goes on evenly from the first call of
  // all to the last.
  std::uint64_t estimate_time(ProcessIndex t) const {
    const auto now = players_[t].now();
    if (!processes_[t].part.calls->steps.empty() || last_ <= first_)
      return now;
    const auto length = static_cast<double>(last_ - first_);
    return std::max(now,
                    first_ + static_cast<std::uint64_t>(length * players_[t].find_share_done()));
  }

  // A process that something else has woken may ask again for what it waits for already.
  void wait(ProcessIndex t, std::vector<ProcessIndex>& waiting) {
    if (waits_[t] > 0 && std::find(waiting.begin(), waiting.end(), t) != waiting.end())
      return;
    ++waits_[t];
    waiting.push_back(t);
  }

  void wake(std::vector<ProcessIndex>& waiting) {
    for (auto t : waiting) {
      --waits_[t];
      ready_.push_back(t);
      stopped_.erase(t);
    }
    waiting.clear();
  }

  void take_memory(std::uint64_t bytes) {
    if (memory_left_ < bytes)
      throw Error(ErrorKind::input, "its messages need more memory than there is")
          .hint("raise `memory`, or expand fewer `locations`");
    memory_left_ -= bytes;
  }

  // Where all wait: lets one of them go on. False where none can.
  bool help_on() {
    for (const auto& [t, stop] : stopped_)
      if (stop.may_leave_open) {
        given_up_ = t;
        ready_.push_back(t);
        stopped_.erase(t);
        return true;
      }

    for (const auto& [t, stop] : stopped_) {
      const auto& operation = find_known(t, stop.operation).operation;
      if (!is_collective(operation.role))
        continue;
      ++result_.short_collectives;
      ++state_;
      auto& instance = collectives_[operation.communicator].instances[stop.ticket];
      instance.is_over = true;
      instance.has_root = true;
      wake(instance.waiting);
      return true;
    }
    return false;
  }

  // The rank whose message a stopped process waits for.
  std::uint64_t find_awaited(ProcessIndex t) {
    return find_known(t, stopped_.at(t).operation).operation.peer;
  }

  // Where all wait for messages: one who waits for a rank that does not wait itself, so that others
  // wait because of it. Where there is none, they wait in a circle: one of these.
  ProcessIndex find_cause() {
    std::unordered_map<std::uint64_t, ProcessIndex> by_rank;
    for (const auto& [t, stop] : stopped_)
      by_rank.try_emplace(processes_[t].rank, t);

    auto t = stopped_.begin()->first;
    for (std::size_t steps = 0; steps < stopped_.size(); ++steps) {
      const auto next = by_rank.find(find_awaited(t));
      if (next == by_rank.end())
        break;
      t = next->second;
    }
    return t;
  }

  const Messages& messages_;
  const OperationFinder& finder_;
  const std::vector<CommunicatingProcess>& processes_;
  TriedWays& ways_;
  std::uint64_t memory_left_;
  OrderResult result_;
  std::deque<Player<Sink>> players_;
  std::vector<std::vector<std::uint32_t>> known_;  // by process and operation: in operations_
  std::deque<Known> operations_;                   // which stay where they are
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>, std::uint32_t>
      queues_;  // by communicator, sender, receiver, tag
  std::deque<MessageQueue> messages_sent_;
  std::vector<CollectiveQueue> collectives_;  // by communicator
  std::deque<ProcessIndex> ready_;
  std::map<ProcessIndex, Stop> stopped_;
  std::vector<std::uint32_t> waits_;  // by process: for how many messages and collectives
  ProcessIndex given_up_ = none_yet;
  // Processes that ask for a message which others may get, with their times before.
  std::set<std::pair<std::uint64_t, ProcessIndex>> turns_;
  ProcessIndex turn_ = none_yet;
  // What processes do next follows from how many questions have been answered to each, and which of
  // them by leaving a request open.
  std::uint64_t state_ = 0;
  std::uint64_t first_ = ~std::uint64_t{0}, last_ = 0;  // of all calls
};

}  // namespace

OrderResult find_order(const Messages& messages, const OperationFinder& finder,
                       const std::vector<CommunicatingProcess>& processes, std::uint64_t memory) {
  constexpr std::uint64_t most_steps = 1 << 26;
  TriedWays ways;
  std::optional<Error> failure;
  std::uint64_t steps = 0;
  do {
    Order order(messages, finder, processes, memory, ways);
    if (auto found = order.find())
      return std::move(*found);
    if (!failure)
      failure = order.explain();
    steps += order.count_steps();
  } while (steps < most_steps && ways.begin_next());
  throw *failure;
}

}  // namespace tracefold
