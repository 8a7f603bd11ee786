// A team of very many members, which one thread plays one after the other: a member begins when
// another one waits for its first message. In trees that is depth first, so that never more of them
// are under way than the tree has levels, and what others have given is there once.
//
// The messages are those of base/tree_team.hpp, which decides who sends to whom. What the first
// member sends to all is the same for all: who gets it is played, too, but without the bytes, and
// no other member goes on with them. After share() the others go on with an answer, or as if nobody
// had given anything; after share_merged() and exchange() they end.
#pragma once

#include "base/packed_values.hpp"
#include "base/tree_team.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

// Messages that go one way in one call of a team, all members together.
struct MessageCosts {
  std::uint64_t messages = 0, bytes = 0, largest = 0;
  std::uint64_t levels = 0;       // that pass or are merged one after the other, at most
  std::uint64_t chain_bytes = 0;  // of messages that pass one after the other, at most
};

struct CallCosts {
  MessageCosts up, down;  // up: also what members exchange
  // Processor time: of the longest chain of merges, and of the first member from when it has what
  // all get until its next call.
  double merge_seconds = 0, read_seconds = 0;
  std::uint64_t most_held = 0;  // bytes that the first member holds at most
};

class SimulatedTeam {
 public:
  class Member;
  // Makes what a member has, calls member.begin(), and gives it.
  using Body = std::function<void(Member&)>;
  // How many bytes the first member holds at most, from watch() on.
  struct Memory {
    std::function<void()> watch;
    std::function<std::uint64_t()> find_most;
  };

  // What the others go on with after a call of share(), by its number: packed, as the first member
  // sends it.
  using Answer = std::function<std::string(std::size_t call)>;

  SimulatedTeam(std::size_t size, Body body, Memory memory, Answer answer = give_nothing)
      : size_(size),
        body_(std::move(body)),
        memory_(std::move(memory)),
        answer_(std::move(answer)),
        has_run_(size) {}

  static std::string give_nothing(std::size_t) { return pack(std::vector<std::string>()); }

  // Returns what each call has cost. Throws std::logic_error where a member is left out, or waits
  // for what nobody sends.
  std::vector<CallCosts> run();
  // The same where nobody waits for another member: all play, and end at an exchange.
  std::vector<CallCosts> run_all();

 private:
  // How far a member is, or was when it sent.
  struct Progress {
    std::uint64_t levels = 0, bytes = 0;
    double seconds = 0;
  };
  struct Message {
    std::string bytes;
    Progress progress;
  };
  struct Given {};  // thrown where a member has given what it is asked for
  class Receiver;

  void play(std::size_t rank);
  CallCosts& costs(std::size_t call) {
    costs_.resize(std::max(costs_.size(), call + 1));
    return costs_[call];
  }

  std::size_t size_;
  Body body_;
  Memory memory_;
  Answer answer_;
  std::vector<bool> has_run_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Message>> waiting_;  // by from and to
  std::vector<CallCosts> costs_;
};

// Gets what the first member sends to all, and passes it on.
class SimulatedTeam::Receiver : public TreeTeam {
 public:
  Receiver(std::size_t rank, std::size_t size, std::uint64_t bytes, MessageCosts& costs,
           Progress progress)
      : rank_(rank), size_(size), bytes_(bytes), costs_(costs), progress_(progress) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

 protected:
  void send(std::size_t to, std::string) override {
    ++progress_.levels;  // its messages go one after the other
    progress_.bytes += bytes_;
    ++costs_.messages;
    costs_.bytes += bytes_;
    costs_.largest = bytes_;
    costs_.levels = std::max(costs_.levels, progress_.levels);
    costs_.chain_bytes = std::max(costs_.chain_bytes, progress_.bytes);
    Receiver(to, size_, bytes_, costs_, progress_).broadcast({});
  }
  std::string receive(std::size_t) override { return {}; }
  std::string send_and_receive(std::size_t, std::string, std::size_t) override {
    throw std::logic_error("a broadcast sends one way only");
  }

 private:
  std::size_t rank_, size_;
  std::uint64_t bytes_;
  MessageCosts& costs_;
  Progress progress_;
};

class SimulatedTeam::Member : public TreeTeam {
 public:
  Member(std::size_t rank, SimulatedTeam& team) : rank_(rank), team_(team) {}

  // What the member has is there; what follows counts.
  void begin() {
    take_time();
    if (rank_ == 0)
      team_.memory_.watch();
  }

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return team_.size_; }

  std::vector<std::string> gather(std::string bytes) override {
    begin_tree(true);
    auto all = TreeTeam::gather(std::move(bytes));
    end_tree();
    return all;
  }
  std::string reduce(std::string bytes, const Merge& merge) override {
    begin_tree(false);
    auto merged = TreeTeam::reduce(std::move(bytes), merge);
    end_tree();
    return merged;
  }
  std::string broadcast(std::string bytes) override {
    if (rank_ != 0) {
      if (!gathers_)
        throw Given();
      return team_.answer_(*call_);
    }

    auto& costs = team_.costs(*call_);
    costs.merge_seconds += take_time();
    hold();
    Receiver(0, size(), bytes.size(), costs.down, {}).broadcast({});
    take_time();
    return bytes;
  }
  std::vector<std::string> exchange(std::vector<std::string> bytes) override {
    begin_tree(false);
    auto& up = team_.costs(*call_).up;
    TreeTeam::exchange(std::move(bytes));
    up.levels = std::max(up.levels, progress_.levels);
    up.chain_bytes = std::max(up.chain_bytes, progress_.bytes);
    throw Given();
  }

  // Call when the first member has gone through its last call.
  void end() {
    if (call_ && rank_ == 0) {
      team_.costs(*call_).read_seconds += take_time();
      hold();
    }
  }

 protected:
  void send(std::size_t to, std::string bytes) override {
    progress_.seconds += take_time();
    count(bytes.size());
    team_.waiting_[{rank_, to}].push_back({std::move(bytes), progress_});
    progress_ = {};
    take_time();
  }
  std::string receive(std::size_t from) override {
    progress_.seconds += take_time();
    hold();
    auto& messages = team_.waiting_[{from, rank_}];
    if (messages.empty())
      team_.play(from);
    if (messages.empty())
      throw std::logic_error("a member waits for what nobody sends");
    auto message = std::move(messages.front());
    messages.erase(messages.begin());

    progress_.levels = std::max(progress_.levels, message.progress.levels) + 1;
    progress_.bytes = std::max(progress_.bytes, message.progress.bytes) + message.bytes.size();
    progress_.seconds = std::max(progress_.seconds, message.progress.seconds);
    if (rank_ == 0)
      team_.memory_.watch();
    take_time();
    return std::move(message.bytes);
  }
  // What is received does not matter, but that it comes with the next round.
  std::string send_and_receive(std::size_t, std::string bytes, std::size_t) override {
    count(bytes.size());
    ++progress_.levels;
    progress_.bytes += bytes.size();
    return {};
  }

 private:
  void begin_tree(bool gathers) {
    if (call_ && rank_ == 0) {
      end();
      team_.memory_.watch();
    }
    call_ = call_ ? *call_ + 1 : 0;
    gathers_ = gathers;
  }
  void end_tree() {
    if (rank_ != 0)
      return;
    auto& costs = team_.costs(*call_);
    costs.merge_seconds = progress_.seconds + take_time();
    costs.up.levels = progress_.levels;
    costs.up.chain_bytes = progress_.bytes;
    hold();
    progress_ = {};
  }
  void count(std::uint64_t bytes) {
    auto& up = team_.costs(*call_).up;
    ++up.messages;
    up.bytes += bytes;
    up.largest = std::max(up.largest, bytes);
  }
  // Since this was asked last.
  double take_time() {
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    const auto now = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    return now - std::exchange(last_, now);
  }
  void hold() {
    if (rank_ == 0 && call_) {
      auto& most = team_.costs(*call_).most_held;
      most = std::max(most, team_.memory_.find_most());
    }
  }

  std::size_t rank_;
  SimulatedTeam& team_;
  std::optional<std::size_t> call_;  // none before the first
  bool gathers_ = false;
  Progress progress_;
  double last_ = 0;
};

inline void SimulatedTeam::play(std::size_t rank) {
  if (has_run_.at(rank))
    return;
  has_run_[rank] = true;
  Member member(rank, *this);
  try {
    body_(member);
    member.end();
  } catch (const Given&) {}
}

inline std::vector<CallCosts> SimulatedTeam::run() {
  play(0);
  if (std::find(has_run_.begin(), has_run_.end(), false) != has_run_.end())
    throw std::logic_error("a member is asked for nothing");
  for (const auto& [members, messages] : waiting_)
    if (!messages.empty())
      throw std::logic_error("a message is received by nobody");
  return std::move(costs_);
}

inline std::vector<CallCosts> SimulatedTeam::run_all() {
  for (std::size_t rank = 0; rank < size_; ++rank)
    play(rank);
  return std::move(costs_);
}

}  // namespace tracefold::testing
