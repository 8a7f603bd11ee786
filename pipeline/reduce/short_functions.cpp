#include "pipeline/reduce/short_functions.hpp"

#include "base/packed_values.hpp"
#include "base/team.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <tuple>

namespace tracefold {

namespace {

struct CallCounts {
  std::uint64_t calls = 0;
  std::uint64_t without_callees = 0;
  std::uint64_t short_ones = 0;    // of these
  std::uint64_t with_records = 0;  // of all calls

  CallCounts& operator+=(const CallCounts& other) {
    calls += other.calls;
    without_callees += other.without_callees;
    short_ones += other.short_ones;
    with_records += other.with_records;
    return *this;
  }
  bool are_short() const {
    return with_records == 0 && 2 * without_callees > calls && 2 * short_ones > without_callees;
  }
};
auto list_members(Like<CallCounts> auto& counts) {
  return std::tie(counts.calls, counts.without_callees, counts.short_ones, counts.with_records);
}

using CountsByFunction = std::vector<CallCounts>;

void add(const CountsByFunction& more, CountsByFunction& to) {
  for (std::size_t f = 0; f < to.size(); ++f)
    to[f] += more[f];
}

// Counts the calls of one location.
class CallCounter {
 public:
  CallCounter(std::size_t functions, std::uint64_t shortest)
      : counts_(functions), shortest_(shortest) {}

  void enter(const CallBegin&, std::span<const Attribute>) {
    if (!open_.empty())
      open_.back().has_callees = true;
    open_.emplace_back();
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    auto& counts = counts_[call.function];
    const auto& open = open_.back();
    ++counts.calls;
    counts.with_records += open.has_records;
    if (!open.has_callees) {
      ++counts.without_callees;
      counts.short_ones += call.inclusive < shortest_;
    }
    open_.pop_back();
  }
  void other(Event& event) {
    if (!open_.empty() && event.kind != EventKind::Metric)
      open_.back().has_records = true;
  }
  void unknown(std::uint64_t) {
    if (!open_.empty())
      open_.back().has_records = true;
  }

  const CountsByFunction& counts() const { return counts_; }

 private:
  struct Open {
    bool has_callees = false, has_records = false;
  };

  CountsByFunction counts_;
  std::uint64_t shortest_;
  std::vector<Open> open_;
};

}  // namespace

std::vector<std::string> find_short_functions(const Archive& archive,
                                              const std::vector<FilterSection>& filters,
                                              std::uint64_t shortest, const ReadOptions& options) {
  std::vector<std::uint64_t> locations;
  for (const auto& process : find_processes(archive.definitions(), filters))
    locations.push_back(process.id);
  const FunctionTable table(archive.definitions(), filters);
  const auto& functions = table.functions();

  Diagnostics ignored;  // the passes that follow tell what is odd
  std::mutex mutex;
  CountsByFunction all(functions.size());
  for_each_own_location(archive, locations, options, ignored,
                        [&](EventReader& reader, std::size_t i) {
                          CallCounter counter(functions.size(), shortest);
                          read_calls(reader, locations[i], table, counter);
                          const std::lock_guard lock(mutex);
                          add(counter.counts(), all);
                        });
  all = share_merged(options.team, std::move(all), [](auto lower, const auto& higher) {
    add(higher, lower);
    return lower;
  });

  std::map<std::string, CallCounts> by_name;
  for (std::size_t f = 0; f < functions.size(); ++f)
    by_name[functions[f].name] += all[f];
  std::vector<std::string> names;
  for (const auto& [name, counts] : by_name)
    if (counts.are_short())
      names.push_back(name);
  return names;
}

}  // namespace tracefold
