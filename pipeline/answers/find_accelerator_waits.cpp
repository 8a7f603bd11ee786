#include "pipeline/answers/find_accelerator_waits.hpp"

#include "base/team.hpp"
#include "model/summary/accelerator_calls.hpp"
#include "otf2/otf2_values.hpp"
#include "otf2/record.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t owners_together = 64;
constexpr std::uint64_t tolerated_part = 100;  // of the length of a call

// How many calls may still be held.
class CallRoom {
 public:
  bool take() { return used_.fetch_add(1, std::memory_order_relaxed) < most_accelerator_calls; }
  std::size_t used() const { return used_; }  // more than the most where it was not enough

 private:
  std::atomic<std::size_t> used_{0};
};

struct KernelRun {
  std::uint64_t begin, end;
  FunctionIndex function;
};

// The innermost calls of a stream, in the order of their ends.
class KernelSink {
 public:
  KernelSink(const std::vector<bool>& are_idle, CallRoom& room)
      : are_idle_(are_idle), room_(room) {}

  void enter(const CallBegin&, std::span<const Attribute>) { is_innermost_ = true; }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    if (is_innermost_ && !are_idle_[call.function] && room_.take())
      kernels_.push_back({call.time - call.inclusive, call.time, call.function});
    is_innermost_ = false;
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}
  bool wants(EventKind) const { return false; }

  std::vector<KernelRun> take() { return std::move(kernels_); }

 private:
  const std::vector<bool>& are_idle_;
  CallRoom& room_;
  bool is_innermost_ = false;
  std::vector<KernelRun> kernels_;
};

constexpr std::uint64_t no_stream = ~std::uint64_t{0};

struct WaitingCall {
  std::uint64_t begin, end;
  FunctionIndex function, caller;
  std::uint64_t stream = no_stream;  // location that the call names
};

// The calls of a host thread that may wait for an accelerator.
class WaitingCallSink {
 public:
  WaitingCallSink(const std::vector<bool>& may_wait, CallRoom& room)
      : may_wait_(may_wait), room_(room) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    Open open{call.caller, no_stream};
    if (may_wait_[call.function])
      for (const auto& attribute : attributes)
        if (ref_from_type(attribute.type) == Ref::location)
          open.stream = attribute.value;
    open_.push_back(open);
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    const auto open = open_.back();
    open_.pop_back();
    if (may_wait_[call.function] && room_.take())
      calls_.push_back(
          {call.time - call.inclusive, call.time, call.function, open.caller, open.stream});
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}
  bool wants(EventKind) const { return false; }

  std::vector<WaitingCall> take() { return std::move(calls_); }

 private:
  struct Open {
    FunctionIndex caller;
    std::uint64_t stream;
  };

  const std::vector<bool>& may_wait_;
  CallRoom& room_;
  std::vector<Open> open_;
  std::vector<WaitingCall> calls_;
};

// A process of the operating system with accelerators: processes of the plan.
struct Owner {
  std::vector<std::size_t> streams, hosts;
};

struct StreamKernels {
  std::size_t process;
  std::uint64_t location;
  std::vector<KernelRun> kernels;
};

// The kernels that end in a call.
std::span<const KernelRun> find_ending(const StreamKernels& stream, const WaitingCall& call) {
  const auto ends_by = [](const KernelRun& kernel, std::uint64_t time) {
    return kernel.end <= time;
  };
  const auto last = call.end + (call.end - call.begin) / tolerated_part;
  const auto begin =
      std::lower_bound(stream.kernels.begin(), stream.kernels.end(), call.begin, ends_by);
  const auto end = std::lower_bound(begin, stream.kernels.end(), last, ends_by);
  return {begin, end};
}

class WaitFinder {
 public:
  WaitFinder(const PlannedTrace& trace, std::span<const std::uint64_t> types,
             const std::vector<std::vector<Interval>>& spans)
      : trace_(trace), spans_(spans) {
    // As a plan shows functions, where several have one name.
    std::map<Function, std::string> shown;
    for (const auto& function : trace.plan().functions)
      shown.emplace(function, function.shown_name());
    for (const auto& function : trace.functions().functions()) {
      const auto at = shown.find(function);
      names_.push_back(at == shown.end() ? function.shown_name() : at->second);
      are_idle_.push_back(find_stream_work(function) == StreamWork::idle);
      may_wait_.push_back(waits_for_accelerator(function) || may_wait_for_accelerator(function));
    }
    find_owners(types);
  }

  std::optional<std::vector<AcceleratorWait>> find() {
    std::vector<std::size_t> used;  // calls, by owners that are looked at together
    for (std::size_t first = 0; first < owners_.size(); first += owners_together) {
      used.push_back(read(first, std::min(owners_.size(), first + owners_together)));
      if (used.back() > most_accelerator_calls)
        break;
    }
    if (!have_room(std::move(used)))
      return std::nullopt;
    share_sums();

    std::vector<AcceleratorWait> out;
    for (const auto& [key, ticks] : sums_) {
      const auto& [process, call, caller, kernel, stream] = key;
      out.push_back({process, stream, call, caller, kernel, ticks});
    }
    return out;
  }

 private:
  // Ticks, by host, call, caller, kernel and stream.
  using Sums = std::map<std::tuple<std::size_t, std::string, std::string, std::string, std::size_t>,
                        std::uint64_t>;

  void find_owners(std::span<const std::uint64_t> types) {
    const auto& processes = trace_.plan().processes;
    std::map<std::uint64_t, Owner> owners;  // by location group
    for (std::size_t p = 0; p < processes.size(); ++p) {
      const auto& process = processes[p];
      if (process.events == 0 || types[p] == otf2_value::location_type_metric)
        continue;
      if (types[p] == otf2_value::location_type_accelerator)
        owners[process.creator.value_or(process.location_group)].streams.push_back(p);
      else
        owners[process.location_group].hosts.push_back(p);
    }
    for (auto& [group, owner] : owners)
      if (!owner.streams.empty() && !owner.hosts.empty())
        owners_.push_back(std::move(owner));

    std::vector<std::size_t> first_hosts;
    for (const auto& owner : owners_)
      first_hosts.push_back(owner.hosts.front());
    const auto ids = find_locations(trace_.archive(), trace_.plan(), first_hosts);
    const Shares shares(trace_.definitions(), ids, trace_.options().team);
    for (auto id : ids)
      are_own_.push_back(shares.is_own(id));
  }

  // Whether the calls that all members of a team had to hold are few enough.
  bool have_room(std::vector<std::size_t> used) const {
    used.resize((owners_.size() + owners_together - 1) / owners_together);
    std::vector<std::size_t> sums(used.size());
    for (const auto& of_member : share(trace_.options().team, std::move(used)))
      std::transform(sums.begin(), sums.end(), of_member.begin(), sums.begin(), std::plus<>());
    return std::all_of(sums.begin(), sums.end(),
                       [](auto sum) { return sum <= most_accelerator_calls; });
  }

  // What the members of a team have found is known to all of them then.
  void share_sums() {
    sums_ = share_merged(trace_.options().team, std::move(sums_), [](Sums lower, Sums higher) {
      lower.merge(higher);
      return lower;
    });
  }

  // Those of these owners that are this process's own. Returns how many calls there were to hold;
  // nothing is found where these were too many.
  std::size_t read(std::size_t first, std::size_t end) {
    CallRoom room;
    std::vector<std::size_t> own, streams, hosts;
    for (auto o = first; o < end; ++o)
      if (are_own_[o])
        own.push_back(o);
    if (own.empty())
      return 0;
    for (auto o : own) {
      streams.insert(streams.end(), owners_[o].streams.begin(), owners_[o].streams.end());
      hosts.insert(hosts.end(), owners_[o].hosts.begin(), owners_[o].hosts.end());
    }

    std::map<std::size_t, std::vector<KernelRun>> kernels;
    std::map<std::size_t, std::vector<WaitingCall>> calls;
    for (auto p : streams)
      kernels[p];
    for (auto p : hosts)
      calls[p];
    trace_.read_each(streams, [&](std::size_t process, const auto& read_calls_to) {
      KernelSink sink(are_idle_, room);
      read_calls_to(sink);
      kernels.at(process) = sink.take();
    });
    trace_.read_each(hosts, [&](std::size_t process, const auto& read_calls_to) {
      WaitingCallSink sink(may_wait_, room);
      read_calls_to(sink);
      calls.at(process) = sink.take();
    });
    if (room.used() <= most_accelerator_calls)
      for (auto o : own)
        match(owners_[o], kernels, calls);
    return room.used();
  }

  void match(const Owner& owner, std::map<std::size_t, std::vector<KernelRun>>& kernels,
             const std::map<std::size_t, std::vector<WaitingCall>>& calls) {
    std::vector<StreamKernels> streams;
    for (auto p : owner.streams)
      streams.push_back({p, trace_.plan().processes[p].id, std::move(kernels.at(p))});
    for (auto host : owner.hosts) {
      const auto pieces = find_pieces(owner, host);
      for (const auto& call : calls.at(host))
        if (pieces.empty() || std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
              return call.begin >= piece.begin && call.end <= piece.end;
            }))
          add(host, call, streams);
    }
  }

  // The pieces of the run that are looked at, for a thread; those of its process where it has none
  // of its own. Empty: all of the run.
  std::vector<Interval> find_pieces(const Owner& owner, std::size_t host) const {
    std::vector<Interval> pieces;
    for (const auto& piece : spans_) {
      auto own = piece[host];
      for (auto other : owner.hosts)
        if (own.end == 0)
          own = piece[other];
      pieces.push_back(own);
    }
    return pieces;
  }

  void add(std::size_t host, const WaitingCall& call, const std::vector<StreamKernels>& streams) {
    const bool names_one = std::any_of(streams.begin(), streams.end(), [&](const auto& stream) {
      return stream.location == call.stream;
    });
    const StreamKernels* waited_for = nullptr;
    std::uint64_t last = 0;
    for (const auto& stream : streams) {
      if (names_one && stream.location != call.stream)
        continue;
      const auto ending = find_ending(stream, call);
      if (!ending.empty() && ending.back().end > last) {
        last = ending.back().end;
        waited_for = &stream;
      }
    }
    if (!waited_for)
      return;

    const auto name = [&](FunctionIndex function) {
      return function == virtual_root ? std::string() : names_[function];
    };
    for (const auto& kernel : find_ending(*waited_for, call)) {
      const auto begin = std::max(kernel.begin, call.begin), end = std::min(kernel.end, call.end);
      if (begin < end)
        sums_[{host, name(call.function), name(call.caller), name(kernel.function),
               waited_for->process}] += end - begin;
    }
  }

  const PlannedTrace& trace_;
  const std::vector<std::vector<Interval>>& spans_;
  std::vector<std::string> names_;         // by function
  std::vector<bool> are_idle_, may_wait_;  // likewise
  std::vector<Owner> owners_;
  std::vector<bool> are_own_;  // by owner: this process reads it
  Sums sums_;
};

}  // namespace

std::optional<std::vector<AcceleratorWait>> find_accelerator_waits(
    const PlannedTrace& trace, std::span<const std::uint64_t> types,
    const std::vector<std::vector<Interval>>& spans) {
  return WaitFinder(trace, types, spans).find();
}

}  // namespace tracefold
