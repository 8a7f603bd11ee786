#include "pipeline/rewrite/member_metrics.hpp"

#include "base/ranges.hpp"
#include "base/team.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/facts/member_times.hpp"
#include "pipeline/facts/stored_program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// The representative that each process of the plan is; null: it is none.
std::vector<const Representative*> find_representatives(const Plan& plan) {
  std::vector<const Representative*> found(plan.processes.size());
  if (plan.representatives)
    for (const auto& representative : *plan.representatives)
      found[representative.process] = &representative;
  return found;
}

// Takes the records of such metrics of one location that was written by a reduction.
class MemberSink {
 public:
  explicit MemberSink(const Partners& partners) : partners_(partners) {}

  void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) {}
  void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) {}
  void unknown(std::uint64_t) {}
  bool wants(EventKind kind) const { return kind == EventKind::Metric; }
  void other(const Event& event) {
    if (event.kind != EventKind::Metric ||
        !partners_.is_of_members(get_field<"metric", EventKind::Metric>(event)))
      return;
    if (const auto values = read_values(event)) {
      const auto& v = *values;
      times_.push_back({event.time, {v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    }
  }

  // None where a record is not what a reduction writes.
  std::vector<MemberTimes> take() {
    return is_sound_ ? std::move(times_) : std::vector<MemberTimes>{};
  }
  bool has_waiting() const { return has_waiting_; }

 private:
  // The list holds the type of each value, then the values.
  std::optional<std::array<double, 6>> read_values(const Event& event) {
    const auto count = event.list.size() / 2;
    is_sound_ &=
        (count == 3 || count == 6) && event.list.size() == 2 * count &&
        (times_.empty() || (times_.back().time <= event.time && has_waiting_ == (count == 6)));
    if (!is_sound_)
      return std::nullopt;

    has_waiting_ = count == 6;
    std::array<double, 6> values{};
    for (std::size_t k = 0; k < count; ++k) {
      values[k] = std::bit_cast<double>(event.list[count + k]);
      is_sound_ &= event.list[k] == otf2_value::type_double && std::isfinite(values[k]);
    }

    return values;
  }

  const Partners& partners_;
  std::vector<MemberTimes> times_;
  bool has_waiting_ = false;
  bool is_sound_ = true;
};

// The processes of the first original that some kept locations stand for, and what they did.
class StoredMembers {
 public:
  StoredMembers(const StoredProgram& stored, const KeptLocations& kept,
                const std::vector<std::size_t>& numbers)
      : stored_(stored) {
    const auto originals = stored.read_processes();
    std::unordered_map<std::uint64_t, std::size_t> processes;
    for (std::size_t p = 0; p < originals.size(); ++p)
      processes.emplace(originals[p].id, p);

    stands_for_.resize(originals.size(), nobody);
    for (auto i : numbers) {
      const auto& location = kept.all()[i];
      if (const auto source = processes.find(location.source); source != processes.end())
        sources_.emplace(i, source->second);
      for (auto member : parse_ranges(location.members, originals.size()))
        if (const auto at = processes.find(member); at != processes.end())
          stands_for_[at->second] = i;
    }
  }

  // By number of a kept location: of each iteration that its source has. Nothing where the
  // iterations of processes are not kept one by one.
  std::unordered_map<std::size_t, std::vector<MemberTimes>> sum(const Plan& plan) const {
    std::unordered_map<std::size_t, std::vector<MemberTimes>> out;
    if (!stored_.has_iterations() || stored_.detail().iterations_per_column != 1)
      return out;

    for (std::size_t l = 0; l < stored_.loops(); ++l)
      for (const auto& [i, sums] : sum_loop(l))
        for (std::size_t k = 0; k < sums.size(); ++k)
          out[i].push_back(sums.find(plan, k));

    return out;
  }

 private:
  static constexpr auto nobody = static_cast<std::size_t>(-1);

  std::unordered_map<std::size_t, MemberSums> sum_loop(std::size_t loop) const {
    std::unordered_map<std::size_t, MemberSums> sums;
    for (const auto& [i, source] : sources_)
      sums.emplace(i, static_cast<std::size_t>(stored_.iterations(loop)[source]));
    stored_.visit_times(loop,
                        [&](std::size_t process, const auto& computation, const auto& waiting) {
                          if (const auto at = sums.find(stands_for_[process]); at != sums.end())
                            at->second.add(0, computation, waiting);
                        });

    return sums;
  }

  const StoredProgram& stored_;
  std::vector<std::size_t> stands_for_;                   // by process: the number of the kept one
  std::unordered_map<std::size_t, std::size_t> sources_;  // by that number: the process that it was
};

}  // namespace

MemberMetrics::MemberMetrics(const KeptTrace& kept, const ReadOptions& options,
                             Diagnostics& diagnostics)
    : kept_(kept) {
  if (!kept.plan().write->member_metrics)
    return;
  if (kept.plan().program)
    take_program();
  else if (kept.partners().has_member_metrics() && !leave_out_functions(kept.plan().filters))
    take_earlier(options, diagnostics);
}

void MemberMetrics::take_program() {
  const auto& plan = kept_.plan();
  know_waiting_ = knows_waiting(kept_.definitions(), plan.program->calls.profiles.columns);
  const auto representatives = find_representatives(plan);
  for (std::size_t i = 0; i < kept_.locations().all().size(); ++i) {
    if (kept_.is_halo(i))
      continue;

    const auto process = kept_.locations().all()[i].process;
    const auto* representative = representatives[process];
    if (representative && representative->members.size() > 1 &&
        has_member_times(*plan.program, process))
      members_.emplace(i, representative->members);
  }
}

void MemberMetrics::take_earlier(const ReadOptions& options, Diagnostics& diagnostics) {
  const auto& plan = kept_.plan();
  const auto representatives = find_representatives(plan);
  for (std::size_t i = 0; i < kept_.locations().all().size(); ++i) {
    if (kept_.is_halo(i))
      continue;

    const auto& location = kept_.locations().all()[i];
    const auto* representative = representatives[location.process];
    const auto members =
        representative ? representative->members : std::vector<std::size_t>{location.process};
    if (location.count > 1 && (members.size() == 1 || plan.carried_program))
      members_.emplace(i, members);
  }

  read_earlier(options, diagnostics);
  if (plan.carried_program)
    replace_values(*plan.carried_program);
  std::erase_if(members_, [&](const auto& one) { return !earlier_.contains(one.first); });
}

void MemberMetrics::read_earlier(const ReadOptions& options, Diagnostics& diagnostics) {
  std::vector<std::size_t> numbers;
  for (const auto& [i, members] : members_)
    numbers.push_back(i);
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::uint64_t> ids;
  for (auto i : numbers)
    ids.push_back(kept_.ids()[i]);

  std::vector<std::pair<std::vector<MemberTimes>, bool>> found(ids.size());  // and has_waiting()
  auto quietly = options;
  quietly.progress = {};
  const auto own = for_each_own_location(kept_.archive(), ids, kept_.shares(), quietly, diagnostics,
                                         [&](EventReader& reader, std::size_t k) {
                                           MemberSink sink(kept_.partners());
                                           reader.read(ids[k], sink);
                                           auto times = sink.take();
                                           found[k] = {std::move(times), sink.has_waiting()};
                                         });
  share_found(options.team, found, own);

  for (std::size_t k = 0; k < ids.size(); ++k) {
    auto& [times, has_waiting] = found[k];
    if (times.empty())
      continue;
    know_waiting_ |= has_waiting;
    earlier_.emplace(numbers[k], std::move(times));
  }
}

void MemberMetrics::replace_values(const PackedProgram& carried) {
  std::vector<std::size_t> merged;  // stand for several of the trace that is read
  for (const auto& [i, members] : members_)
    if (members.size() > 1 && earlier_.contains(i))
      merged.push_back(i);
  if (merged.empty())
    return;

  const StoredProgram stored(carried.bytes);
  const StoredMembers all(stored, kept_.locations(), merged);
  auto made = all.sum(kept_.plan());
  for (auto i : merged) {
    auto& times = made[i];
    auto& earlier = earlier_.at(i);
    // Iterations that begin behind the last event of a location have no record.
    if (times.size() < earlier.size()) {
      earlier_.erase(i);
      continue;
    }

    times.resize(earlier.size());
    for (std::size_t k = 0; k < times.size(); ++k)
      times[k].time = earlier[k].time;
    earlier = std::move(times);
  }
}

std::vector<MemberTimes> MemberMetrics::list(std::size_t i) const {
  const auto members = members_.find(i);
  if (members == members_.end())
    return {};
  if (const auto earlier = earlier_.find(i); earlier != earlier_.end())
    return earlier->second;
  return list_member_times(kept_.plan(), kept_.locations().all()[i].process, members->second);
}

}  // namespace tracefold
