// Processes as people are shown them, and as they type them: by rank and thread. Pure and
// thread-safe.
//
// Where each rank has one process, lists are "rank:1-6,57-62". Where ranks have several, their
// threads, accelerator streams and locations of metrics are told as well, by their places among
// the locations of the rank: "rank 0-15 thread 0", "rank 0 thread 1-3, rank 1-15 thread 1-2",
// "rank 0 stream 4". A stream without a rank has the one of the process that created it. What has
// no rank is told by its location id: "location 17-20"; where nothing has a rank, by that alone:
// "0-3". Ranges are those of base/ranges.hpp.
//
// A list is typed in the same words, with colons or spaces behind them, and all that follows a word
// is of its kind until the next one: "rank:0-7,12", "rank:0-3 thread:1-2, location:17", "4,rank:0".
// "rank:0" without a thread means all processes of the rank. "group:3" means all members of a
// group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;

// What a word in front of numbers means.
enum class ProcessWord : std::uint8_t { location, rank, group, thread, stream, metrics };

// One part of a list as it was typed.
struct ListedProcesses {
  ProcessWord word = ProcessWord::location;  // one of the first three
  std::vector<std::uint64_t> numbers;        // ascending
  // Which of the processes of these ranks; none: all of them.
  std::optional<std::pair<ProcessWord, std::vector<std::uint64_t>>> threads = {};

  bool operator==(const ListedProcesses&) const = default;
};
using ProcessList = std::vector<ListedProcesses>;

// Throws Error(usage) where the text is no list.
ProcessList parse_process_list(std::string_view text);

// The processes of one plan, or of the definitions of a trace. What it is made of must stay.
class ProcessNames {
 public:
  explicit ProcessNames(const Plan& plan);
  // With the OTF2_LocationType of each. Ascending by id.
  ProcessNames(const std::vector<Process>& processes, const std::vector<std::uint64_t>& types);

  // One process: "rank 3", "rank 3 thread 1", "rank 0 stream 4", "location 7". A first thread needs
  // no number here.
  std::string name(std::size_t process) const;
  // Several, given as indexes that ascend; "" where there are none.
  std::string list(const std::vector<std::size_t>& processes) const;

  // The ids of the locations that a list means, ascending. Throws Error(usage) with those that are
  // not there. `groups` have indexes of processes; null: there are none.
  std::vector<std::uint64_t> find_locations(
      const ProcessList& list, const std::vector<std::vector<std::size_t>>* groups) const;

 private:
  struct Place {
    ProcessWord word = ProcessWord::location;  // thread, stream or metrics of a rank
    std::uint64_t owner = 0;                   // the rank
    std::uint64_t number = 0;                  // of the thread, or the location id
  };

  void place(const std::vector<Process>& processes, const std::vector<std::uint64_t>& types);

  std::vector<std::uint64_t> ids_;
  std::vector<Place> places_;
  bool have_ranks_ = false;
  bool are_plain_ = true;  // each process that has a rank is the first thread of one of its own
};

// "rank 3", "rank 3 thread 1" or "location 7", of a process alone.
std::string name_process(const Process& process);

// Owners that have the same threads.
struct CondensedThreads {
  std::vector<std::uint64_t> owners, threads;  // ascending
};
// In the order of their first owners. Pairs are of an owner and a thread, in any order.
std::vector<CondensedThreads> condense_threads(
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs);

}  // namespace tracefold
