#include "filters/groups/early_ends.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace tracefold {

namespace {

// Records end early that end before the others by more than this part of the run.
constexpr std::uint64_t run_by_margin = 50;  // 2 %

bool is_main(const Process& process) {
  return process.rank ? process.is_mpi_endpoint : process.thread == 0;
}

class EarlyEndFinder {
 public:
  EarlyEndFinder(const Plan& plan, const std::vector<RecordEnd>& ends) : plan_(plan), ends_(ends) {
    margin_ = (plan.trace.run->end - plan.trace.run->begin) / run_by_margin;
    for (std::size_t p = 0; p < ends.size(); ++p) {
      auto& last = last_[find_kind(p)];
      last = std::max(last, ends[p].last_time);
    }
    for (std::size_t p = 0; p < ends.size(); ++p)
      if (!ends_before_others(p))
        whole_.insert(plan.processes[p].intent);
  }

  bool ends_early(std::size_t p) const {
    return ends_[p].is_open && ends_before_others(p) &&
           (is_main(plan_.processes[p]) || does_what_whole_ones_do(p));
  }

 private:
  // The type of the location, and whether it is a main one.
  using Kind = std::pair<std::uint64_t, bool>;

  Kind find_kind(std::size_t p) const {
    const auto& process = plan_.processes[p];
    return {plan_.intents[process.intent].set.type, is_main(process)};
  }
  bool ends_before_others(std::size_t p) const {
    return ends_[p].last_time + margin_ < last_.at(find_kind(p));
  }
  bool does_what_whole_ones_do(std::size_t p) const {
    const auto& own = plan_.intents[plan_.processes[p].intent].set;
    return std::any_of(whole_.begin(), whole_.end(), [&](auto intent) {
      const auto& other = plan_.intents[intent].set;
      return other.type == own.type && std::includes(other.pairs.begin(), other.pairs.end(),
                                                     own.pairs.begin(), own.pairs.end());
    });
  }

  const Plan& plan_;
  const std::vector<RecordEnd>& ends_;
  std::uint64_t margin_ = 0;
  std::map<Kind, std::uint64_t> last_;
  std::set<std::uint32_t> whole_;  // intents of processes that go on
};

}  // namespace

void mark_early_ends(Plan& plan, const std::vector<RecordEnd>& ends) {
  const bool has_open =
      std::any_of(ends.begin(), ends.end(), [](const RecordEnd& end) { return end.is_open; });
  if (!plan.trace.run || !has_open || ends.size() != plan.processes.size())
    return;

  const EarlyEndFinder found(plan, ends);
  for (std::size_t p = 0; p < ends.size(); ++p)
    if (found.ends_early(p))
      plan.processes[p].ends_early = ends[p].last_time;
}

}  // namespace tracefold
