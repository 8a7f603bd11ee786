#include "pipeline/facts/record_members.hpp"

#include "base/team.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/member_times.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_slices = 1000;

// The time that the clock's definition says; none where it says nothing.
std::optional<Interval> find_run(const Definitions& definitions) {
  using K = DefinitionKind;
  for (const auto& d : definitions.all()) {
    if (d.kind != K::ClockProperties)
      continue;
    const auto begin = get_field<"globalOffset", K::ClockProperties>(d);
    const auto length = get_field<"traceLength", K::ClockProperties>(d);
    if (length > 0 && length <= ~begin)
      return Interval{begin, begin + length};
  }

  return std::nullopt;
}

// Takes what the members of kept processes did in the slices of the run. Different processes at the
// same time.
class SliceRecorder {
 public:
  SliceRecorder(const SeriesPass& pass, const TimeSlices& slices, const ProgramProfiles& program)
      : pass_(pass), slices_(slices), program_(program), open_(program.processes.size()) {}

  void add_kept(const Representative& representative) {
    auto& kept = kept_[representative.process];
    kept = std::make_unique<Kept>(slices_.count);
    for (auto member : representative.members)
      stands_for_[member] = kept.get();
  }
  std::vector<std::size_t> list_members() const {
    std::vector<std::size_t> members;
    for (const auto& [member, kept] : stands_for_)
      members.push_back(member);
    return members;
  }

  // Call for each member and slice, ascending.
  void add(std::size_t process, std::size_t slice, const WideSums& sums) {
    auto& open = open_[process];
    if (slice == 0)
      open = std::make_unique<Times>();

    std::vector<std::uint64_t> values(sums.low().begin(), sums.low().end());
    const auto& columns = pass_.columns();
    replace_time_by_rest(columns, values);
    open->computation.push_back(values[*columns.find(Metric::execution_time)]);
    open->waiting.push_back(0);
    for (auto wait : columns.list_waits())
      open->waiting.back() += values[*columns.find(wait)];
    if (slice + 1 == slices_.count)
      close(process);
  }

  // What the members of a team have added is known to all of them then.
  void share(Team* team) {
    if (!team)
      return;
    SumsByProcess own;
    for (const auto& [process, kept] : kept_)
      own.emplace(process, std::move(kept->sums));
    auto all =
        share_merged(team, std::move(own), [](SumsByProcess lower, const SumsByProcess& higher) {
          for (auto& [process, sums] : lower)
            sums.add(higher.at(process));
          return lower;
        });
    for (auto& [process, sums] : all)
      kept_.at(process)->sums = std::move(sums);
  }

  // The records of a kept process, while it has events.
  std::vector<MemberTimes> take(std::size_t process) const {
    const auto& sums = kept_.at(process)->sums;
    const auto [first, end] = find_lived(process);
    std::vector<MemberTimes> times;
    for (auto slice = first; slice < end; ++slice) {
      times.push_back(sums.find(pass_.trace().plan(), slice));
      times.back().time = std::max(slices_.begin(slice), program_.processes[process].first_time);
    }

    return times;
  }

 private:
  struct Kept {
    explicit Kept(std::size_t slices) : sums(slices) {}
    std::mutex mutex;
    MemberSums sums;
  };
  struct Times {
    std::vector<std::uint64_t> computation, waiting;
  };
  using SumsByProcess = std::map<std::size_t, MemberSums>;

  // The first slice in which a process has events, and the one behind the last.
  std::pair<std::size_t, std::size_t> find_lived(std::size_t process) const {
    const auto& told = program_.processes[process];
    std::size_t first = 0;
    while (first + 1 < slices_.count && slices_.interval(first).end <= told.first_time)
      ++first;
    auto end = first + 1;
    while (end < slices_.count && slices_.begin(end) <= told.last_time)
      ++end;
    return {first, end};
  }

  void close(std::size_t process) {
    const auto times = std::move(open_[process]);
    const auto [first, end] = find_lived(process);
    auto& kept = *stands_for_.at(process);
    const std::lock_guard lock(kept.mutex);
    kept.sums.add(first, std::span(times->computation).subspan(first, end - first),
                  std::span(times->waiting).subspan(first, end - first));
  }

  const SeriesPass& pass_;
  const TimeSlices& slices_;
  const ProgramProfiles& program_;
  std::map<std::size_t, std::unique_ptr<Kept>> kept_;  // by process
  std::map<std::size_t, Kept*> stands_for_;            // by member
  std::vector<std::unique_ptr<Times>> open_;           // by process, while it is read
};

bool makes_calls(const ProgramProfiles& program, std::size_t process) {
  return program.calls.profiles.shape(process).paths.size() > 1;  // the first is no call
}

void record_begins(const Representative& representative, const std::vector<Loop>& loops,
                   ProgramProfiles& program) {
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (const auto& iteration : loops[l].iterations)
      program.loops[l].begins[representative.process].push_back(iteration.begin);
}

// For representatives whose processes are measured in these slices.
void record_slices(const SeriesPass& pass, const TimeSlices& slices,
                   const std::vector<const Representative*>& representatives,
                   ProgramProfiles& program) {
  SliceRecorder recorder(pass, slices, program);
  for (const auto* representative : representatives)
    recorder.add_kept(*representative);
  pass.read_own_slices(recorder.list_members(), slices,
                       [&](std::size_t process, std::size_t slice, const WideSums& sums) {
                         recorder.add(process, slice, sums);
                       });
  recorder.share(pass.trace().options().team);
  for (const auto* representative : representatives)
    program.member_times.emplace(representative->process, recorder.take(representative->process));
}

}  // namespace

void record_members(const SeriesPass& pass, const std::vector<ProcessLoops>& loops,
                    ProgramProfiles& program) {
  const auto& plan = pass.trace().plan();
  const auto run = find_run(pass.trace().definitions());
  if (!plan.representatives)
    return;

  // By number of slices: a process with few events does not get more records than it has, and no
  // slice is shorter than a tick.
  std::map<std::size_t, std::vector<const Representative*>> sliced;
  for (const auto& representative : *plan.representatives) {
    const auto process = representative.process;
    if (representative.members.size() < 2 || !makes_calls(program, process))
      continue;

    const auto& own = loops[process].loops;
    record_begins(representative, own, program);
    const auto events = static_cast<std::size_t>(plan.processes[process].events);
    if (own.empty() && run && events > 0)
      sliced[std::min({events, most_slices, run->end - run->begin})].push_back(&representative);
  }

  for (const auto& [count, representatives] : sliced)
    record_slices(pass, {*run, count}, representatives, program);
  if (auto* team = pass.trace().options().team)
    share_member_times(plan, *team, program);
}

}  // namespace tracefold
