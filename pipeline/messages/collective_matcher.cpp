#include "pipeline/messages/collective_matcher.hpp"

#include "base/team.hpp"
#include "pipeline/messages/channel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

// So many parts of a location are handed on together.
constexpr std::size_t parts_together = 4096;

// The processes of a communicator, ascending; none where it has two groups of them or is not
// defined.
std::optional<Members> find_members(const Definitions& definitions, std::uint64_t communicator) {
  using enum DefinitionKind;

  const auto* comm = definitions.find(Ref::comm, communicator);
  if (!comm || comm->kind != Comm)
    return std::nullopt;
  const auto* group = definitions.find(Ref::group, get_field<"group", Comm>(*comm));
  if (!group)
    return std::nullopt;

  auto members = definitions.members(*group);
  std::sort(members.begin(), members.end());
  return members;
}

bool has_one_process(const Definitions& definitions, std::uint64_t communicator) {
  using enum DefinitionKind;

  const auto* comm = definitions.find(Ref::comm, communicator);
  if (!comm || comm->kind != Comm)
    return false;
  const auto* group = definitions.find(Ref::group, get_field<"group", Comm>(*comm));
  return definitions.is_self(*comm) || (group && group->list.size() == 1);
}

std::string name_communicator(const Definitions& definitions, std::uint64_t id) {
  using enum DefinitionKind;

  const auto* comm = definitions.find(Ref::comm, id);
  const auto& name =
      comm && comm->kind == Comm ? definitions.text(get_field<"name", Comm>(*comm)) : std::string();
  return name.empty() ? fmt::format("communicator {}", id) : name;
}

// Who waits for whom, as in the operations that block.
Metric find_waiting(std::uint64_t operation) {
  return find_waiting_metric(operation % does_not_block);
}

}  // namespace

Metric find_waiting_metric(std::uint64_t operation) {
  using namespace otf2_value;
  if (operation >= on_window)
    return find_waiting(operation) == Metric::none ? Metric::none : Metric::mpi_wait_at_fence_time;
  switch (operation) {
    case collective_barrier: return Metric::mpi_wait_at_barrier_time;
    case collective_bcast:
    case collective_scatter:
    case collective_scatterv: return Metric::mpi_late_broadcast_time;
    case collective_gather:
    case collective_gatherv:
    case collective_reduce: return Metric::mpi_early_reduce_time;
    case collective_reduce_scatter:
    case collective_reduce_scatter_block: return Metric::mpi_wait_at_nxn_time;
    default:
      return operation >= collective_allgather && operation <= collective_allreduce
                 ? Metric::mpi_wait_at_nxn_time
                 : Metric::none;
  }
}

std::optional<CollectivePart> find_collective_part(const Definitions& definitions,
                                                   const Event& event) {
  using enum EventKind;
  if (event.kind == RmaCollectiveEnd) {
    const auto* window = definitions.find(Ref::rma_win, get_field<"win", RmaCollectiveEnd>(event));
    if ((get_field<"syncLevel", RmaCollectiveEnd>(event) & otf2_value::sync_process) == 0)
      return std::nullopt;
    return CollectivePart{
        on_window + get_field<"collectiveOp", RmaCollectiveEnd>(event),
        window ? get_field<"comm", DefinitionKind::RmaWin>(*window) : undefined_id(Ref::comm),
        get_field<"root", RmaCollectiveEnd>(event), get_field<"bytesSent", RmaCollectiveEnd>(event),
        get_field<"bytesReceived", RmaCollectiveEnd>(event)};
  }
  const auto find_part = [&]<EventKind kind>(std::uint64_t operations) {
    return CollectivePart{operations + get_field<"collectiveOp", kind>(event),
                          get_field<"communicator", kind>(event), get_field<"root", kind>(event),
                          get_field<"sizeSent", kind>(event),
                          get_field<"sizeReceived", kind>(event)};
  };
  if (event.kind == NonBlockingCollectiveComplete)
    return find_part.template operator()<NonBlockingCollectiveComplete>(does_not_block);
  if (event.kind == MpiCollectiveEnd)
    return find_part.template operator()<MpiCollectiveEnd>(0);
  return std::nullopt;
}

bool may_wait_for_others(const Definitions& definitions, std::uint64_t location,
                         const CollectivePart& part) {
  const auto root = [&] {
    return is_root(definitions, location, part.communicator, part.root).value_or(false);
  };
  switch (find_waiting(part.operation)) {
    case Metric::mpi_wait_at_barrier_time: return true;
    case Metric::mpi_wait_at_nxn_time: return part.sent > 0 || part.received > 0;
    case Metric::mpi_late_broadcast_time: return part.received > 0 && !root();
    case Metric::mpi_early_reduce_time: return part.received > 0 && root();
    default: return false;
  }
}

bool is_waited_for(const Definitions& definitions, std::uint64_t location,
                   const CollectivePart& part) {
  const auto root = [&] { return is_root(definitions, location, part.communicator, part.root); };
  switch (find_waiting(part.operation)) {
    case Metric::mpi_wait_at_barrier_time:
    case Metric::mpi_wait_at_nxn_time: return true;
    case Metric::mpi_late_broadcast_time: return root().value_or(false);
    case Metric::mpi_early_reduce_time: return part.sent > 0 && !root().value_or(true);
    default: return false;
  }
}

void CollectiveRequests::begin(const Event& event, std::uint64_t known) {
  open_[get_field<"requestID", EventKind::NonBlockingCollectiveRequest>(event)] = known;
}

std::optional<std::uint64_t> CollectiveRequests::end(const Event& event) {
  const auto found =
      open_.find(get_field<"requestID", EventKind::NonBlockingCollectiveComplete>(event));
  if (found == open_.end())
    return std::nullopt;
  const auto known = found->second;
  open_.erase(found);
  return known;
}

bool CollectiveMatcher::matches(const CollectivePart& part) const {
  return find_waiting(part.operation) != Metric::none &&
         !has_one_process(definitions_, part.communicator);
}

void CollectiveMatcher::Location::add(const CollectivePart& part, std::uint64_t entered) {
  const Key key{part.operation, part.communicator};
  const auto [at, is_new] = parts_.try_emplace(key);
  auto& parts = at->second;
  if (is_new)
    parts.are_matched = matcher_.matches(part);
  if (!parts.are_matched)
    return;

  parts.times.push_back(matcher_.find_own_time(location_, part, entered));
  if (parts.times.size() == parts_together)
    pass_on(key, parts);
}

void CollectiveMatcher::Location::end(const Event& event) {
  const auto part = find_collective_part(matcher_.definitions_, event).value();
  const auto begun = requests_.end(event);
  add(part, begun.value_or(0));
  auto& parts = parts_.at({part.operation, part.communicator});
  parts.are_in_order = parts.are_in_order && begun && *begun >= parts.last;
  parts.last = begun.value_or(0);
}

// What others wait for: as Operations has it.
std::uint64_t CollectiveMatcher::find_own_time(std::uint64_t location, const CollectivePart& part,
                                               std::uint64_t entered) {
  const auto metric = find_waiting(part.operation);
  const bool has_root =
      metric != Metric::mpi_wait_at_barrier_time && metric != Metric::mpi_wait_at_nxn_time;
  if (has_root && !is_root(definitions_, location, part.communicator, part.root)) {
    std::lock_guard lock(mutex_);
    operations_[{part.operation, part.communicator}].has_unknown_roots = true;
    return 0;
  }
  return is_waited_for(definitions_, location, part) ? entered + 1 : 0;
}

void CollectiveMatcher::Location::pass_on(const Key& key, Parts& parts) {
  std::lock_guard lock(matcher_.mutex_);
  auto& operations = matcher_.operations_[key];
  operations.grow(parts.added + parts.times.size());
  for (std::size_t k = 0; k < parts.times.size(); ++k)
    operations.add(key, parts.added + k, parts.times[k], place_);

  parts.added += parts.times.size();
  parts.times.clear();
}

void CollectiveMatcher::Operations::grow(std::size_t size) {
  times.resize(std::max(times.size(), size));
  last.resize(times.size());
}

void CollectiveMatcher::Operations::add(const Key& key, std::size_t n, std::uint64_t entered,
                                        std::uint32_t process) {
  const bool has_one = find_waiting(key.first) == Metric::mpi_late_broadcast_time;
  auto& time = times[n];
  has_unknown_roots |= has_one && time != 0 && entered != 0;
  if (entered > time || (entered == time && process < last[n])) {
    time = entered;
    last[n] = process;
  }
}

void CollectiveMatcher::Operations::add(const Key& key, const Operations& others) {
  grow(others.times.size());
  for (std::size_t n = 0; n < others.times.size(); ++n)
    add(key, n, others.times[n], others.last.at(n));
  for (const auto& one : others.counts)
    is_in_several_locations |= !counts.insert(one).second;
  has_unknown_roots |= others.has_unknown_roots;
  is_in_several_locations |= others.is_in_several_locations;
  are_in_order &= others.are_in_order;
}

void CollectiveMatcher::share(Team* team) {
  operations_ = share_merged(team, std::move(operations_),
                             [](OperationsByKey lower, const OperationsByKey& higher) {
                               for (const auto& [key, operations] : higher)
                                 lower[key].add(key, operations);
                               return lower;
                             });
}

void CollectiveMatcher::Location::finish() {
  for (auto& [key, parts] : parts_) {
    if (!parts.are_matched)
      continue;
    pass_on(key, parts);

    std::lock_guard lock(matcher_.mutex_);
    auto& operations = matcher_.operations_[key];
    const auto process = matcher_.definitions_.endpoint(location_);
    operations.is_in_several_locations |=
        !operations.counts.try_emplace(process, parts.added).second;
    const bool lacks_ends = key.first / does_not_block == 1 && !requests_.empty();
    operations.are_in_order &= parts.are_in_order && !lacks_ends;
  }
}

std::string CollectiveMatcher::check(const Key& key, const Operations& operations) const {
  const auto name = name_communicator(definitions_, key.second);
  const auto members = find_members(definitions_, key.second);
  if (!members)
    return fmt::format("the processes of {} cannot be told", name);
  if (operations.is_in_several_locations)
    return fmt::format("several threads of a process take part in operations on {}", name);

  if (!operations.are_in_order)
    return fmt::format("operations on {} do not end, or in another order than they were begun",
                       name);

  const auto is_same = [&](const auto& count, std::uint64_t member) {
    return count.first == member && count.second == operations.counts.begin()->second;
  };
  if (!std::equal(operations.counts.begin(), operations.counts.end(), members->begin(),
                  members->end(), is_same))
    return fmt::format("the processes of {} recorded different numbers of operations", name);

  const bool needs_root = find_waiting(key.first) == Metric::mpi_late_broadcast_time;
  const bool lacks_root = needs_root && std::find(operations.times.begin(), operations.times.end(),
                                                  0u) != operations.times.end();
  if (operations.has_unknown_roots || lacks_root)
    return fmt::format("the roots of operations on {} cannot be told", name);

  return {};
}

void CollectiveMatcher::finish() {
  for (auto& [key, operations] : operations_) {
    auto reason = check(key, operations);
    if (!reason.empty())
      reasons_.try_emplace(find_waiting_metric(key.first), std::move(reason));
    operations.counts.clear();
  }
}

const std::string* CollectiveMatcher::find_reason(Metric metric) const {
  const auto found = reasons_.find(metric);
  return found == reasons_.end() ? nullptr : &found->second;
}

bool CollectiveMatcher::has_any_on_windows() const {
  return operations_.lower_bound({on_window, 0}) != operations_.end();
}

std::optional<std::uint64_t> CollectiveMatcher::find_time(const Key& key, std::uint64_t n) const {
  const auto operations = operations_.find(key);
  if (operations == operations_.end() || reasons_.contains(find_waiting_metric(key.first)) ||
      n >= operations->second.times.size() || operations->second.times[n] == 0)
    return std::nullopt;
  return operations->second.times[n] - 1;
}

std::uint32_t CollectiveMatcher::find_place(std::uint64_t location) const {
  const auto& all = definitions_.locations();
  return static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), location) -
                                    all.begin());
}

std::uint64_t CollectiveMatcher::find_last(const Key& key, std::uint64_t n) const {
  return definitions_.locations()[operations_.at(key).last[n]];
}

}  // namespace tracefold
