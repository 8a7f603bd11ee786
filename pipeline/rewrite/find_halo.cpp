#include "pipeline/rewrite/find_halo.hpp"

#include "base/error.hpp"
#include "base/team.hpp"
#include "filters/halo/choose_halo.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/rewrite/event_cut.hpp"
#include "pipeline/rewrite/filtered_out_pass.hpp"
#include "pipeline/rewrite/kept_trace.hpp"
#include "pipeline/rewrite/scan_pass.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// The locations that have to stay where a process that is not kept becomes halo, by its endpoint.
using HaloLocations = std::map<std::uint64_t, std::vector<std::uint64_t>>;

HaloLocations list_locations(const Definitions& definitions, const Plan& plan) {
  std::set<std::uint64_t> kept;
  for (const auto p : kept_processes(plan))
    kept.insert(plan.processes[p].id);

  HaloLocations found;
  const auto add = [&](std::uint64_t location, bool has_messages) {
    const auto endpoint = definitions.endpoint(location);
    if (kept.contains(location) || !definitions.mpi_rank(endpoint))
      return;
    auto& locations = found[endpoint];
    if (has_messages || location == endpoint)
      locations.push_back(location);
  };
  for (const auto& process : plan.processes)
    add(process.id, process.has_messages);
  for (const auto& [location, source] : find_halo_locations(definitions))
    add(location, true);

  // Without its endpoint nothing of a process can be halo; a kept one is none.
  std::erase_if(found, [](const auto& one) {
    const auto& [endpoint, locations] = one;
    return std::find(locations.begin(), locations.end(), endpoint) == locations.end();
  });
  for (auto& [endpoint, locations] : found)
    std::sort(locations.begin(), locations.end());

  return found;
}

// The other locations with messages of ranks that are kept: while one of them is missing, nobody
// knows which messages of its rank are complete.
std::vector<HaloRank> list_own_threads(const Definitions& definitions, const Plan& plan) {
  std::set<std::uint64_t> kept;
  for (const auto p : kept_processes(plan))
    kept.insert(plan.processes[p].id);

  std::map<std::uint64_t, HaloRank> found;  // by endpoint
  for (const auto& process : plan.processes) {
    const auto endpoint = definitions.endpoint(process.id);
    if (process.has_messages && !kept.contains(process.id) && kept.contains(endpoint))
      found[endpoint].locations.push_back(process.id);
  }

  std::vector<HaloRank> ranks;
  for (auto& one : found)
    ranks.push_back(std::move(one.second));
  return ranks;
}

// Takes the events of a kept location, its iterations collapsed: whom it exchanges messages with,
// and how many events stay whoever is halo.
class TrafficSink {
 public:
  void enter(const CallBegin&, std::span<const Attribute>) { ++events_; }
  void leave(const CallEnd&, std::span<const Attribute>) { ++events_; }
  void collapsed_call(EventKind, std::uint64_t, const CollapsedCall&) { ++events_; }
  void left_out(Event&) {}
  void unknown(std::uint64_t) {}
  void other(Event& event) {
    using enum EventKind;

    switch (event.kind) {
      case MpiSend:
      case MpiIsend:
        add(get_field<"communicator", MpiSend, MpiIsend>(event),
            get_field<"receiver", MpiSend, MpiIsend>(event),
            get_field<"msgLength", MpiSend, MpiIsend>(event));
        break;
      case MpiRecv:
      case MpiIrecv:
        add(get_field<"communicator", MpiRecv, MpiIrecv>(event),
            get_field<"sender", MpiRecv, MpiIrecv>(event),
            get_field<"msgLength", MpiRecv, MpiIrecv>(event));
        break;
      default:
        events_ += get_operation_record(event.kind).family != OperationFamily::request;
        break;
    }
  }

  std::uint64_t events() const { return events_; }
  // What `self` exchanges with ranks that are kept, or with others; `kept`: its own one.
  std::vector<PeerTraffic> list(std::uint64_t self, const KeptTrace& kept, bool with_kept) const {
    std::vector<PeerTraffic> traffic;
    const auto own = kept.definitions().endpoint(self);
    if (!kept.partners().is_whole(own))
      return traffic;

    for (const auto& [peer, amount] : peers_)
      if (const auto partner = kept.partners().find_partner(self, peer.first, peer.second);
          partner && kept.locations().has(*partner) == with_kept)
        traffic.push_back({own, *partner, amount.first, amount.second});

    return traffic;
  }

 private:
  void add(std::uint64_t comm, std::uint64_t rank, std::uint64_t bytes) {
    auto& [messages, sum] = peers_[{comm, rank}];
    ++messages;
    sum += bytes;
  }

  std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>> peers_;
  std::uint64_t events_ = 0;
};

// What all kept processes exchange with others, what their own threads in the halo exchange with
// kept ones, and how many events stay at least.
struct KeptTraffic {
  std::vector<PeerTraffic> messages, of_own_threads;
  std::uint64_t events = 0;
};

auto list_members(Like<KeptTraffic> auto& traffic) {
  return std::tie(traffic.messages, traffic.of_own_threads, traffic.events);
}

KeptTraffic read_traffic(const KeptTrace& kept, const ReadOptions& options,
                         Diagnostics& diagnostics) {
  std::vector<KeptTraffic> found(kept.ids().size());
  const auto own = for_each_own_location(kept.archive(), kept.ids(), kept.shares(), options,
                                         diagnostics, [&](EventReader& reader, std::size_t i) {
                                           TrafficSink sink;
                                           kept.read(reader, i, sink);
                                           const auto id = kept.ids()[i];
                                           found[i].messages = sink.list(id, kept, false);
                                           if (kept.is_halo(i))
                                             found[i].of_own_threads = sink.list(id, kept, true);
                                           else
                                             found[i].events = sink.events();
                                         });
  share_found(options.team, found, own);

  KeptTraffic all;
  for (const auto& one : found) {
    all.messages.insert(all.messages.end(), one.messages.begin(), one.messages.end());
    all.of_own_threads.insert(all.of_own_threads.end(), one.of_own_threads.begin(),
                              one.of_own_threads.end());
    all.events += one.events;
  }

  return all;
}

// Counts what stays of a location in the halo.
class CountingSink {
 public:
  explicit CountingSink(EventCut& cut) : cut_(cut) {}

  void enter(const CallBegin&, std::span<const Attribute>) { ++events_; }
  void leave(const CallEnd&, std::span<const Attribute>) { ++events_; }
  bool keep(Event& event) { return cut_.keep(event, true); }
  void put(const Event&) { ++events_; }

  std::uint64_t events() const { return events_; }

 private:
  EventCut& cut_;
  std::uint64_t events_ = 0;
};

// Finds which operations of a location in the halo stay.
class ScanningSink {
 public:
  explicit ScanningSink(EventScan& scan) : scan_(scan) {}

  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd&, std::span<const Attribute>) {}
  bool keep(const Event& event) { return scan_.scan(event, true); }
  void put(const Event&) {}

 private:
  EventScan& scan_;
};

// Where iterations are collapsed, the kept processes decide, too.
std::vector<bool> find_staying_operations(const KeptTrace& kept, const KeptScan& scan,
                                          EventReader& reader, std::size_t i) {
  if (kept.collapse().any())
    return scan.operations[i].stays;

  EventScan of_location(kept.partners(), kept.definitions(), kept.ids()[i], false);
  ScanningSink sink(of_location);
  kept.read_halo(reader, i, sink);

  return of_location.take().stays;
}

// The events of each location in the halo, by id.
std::map<std::uint64_t, std::uint64_t> count_events(const KeptTrace& kept,
                                                    const ReadOptions& options,
                                                    Diagnostics& diagnostics) {
  const auto scan = kept.collapse().any() ? scan_pass(kept, options, diagnostics) : KeptScan{};
  std::vector<std::size_t> places;
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < kept.ids().size(); ++i)
    if (kept.is_halo(i)) {
      places.push_back(i);
      ids.push_back(kept.ids()[i]);
    }

  std::vector<std::uint64_t> events(ids.size());
  const auto own = for_each_own_location(kept.archive(), ids, kept.shares(), options, diagnostics,
                                         [&](EventReader& reader, std::size_t k) {
                                           const auto stays = find_staying_operations(
                                               kept, scan, reader, places[k]);
                                           EventCut cut(kept.partners(), ids[k], stays, false);
                                           CountingSink sink(cut);
                                           kept.read_halo(reader, places[k], sink);
                                           events[k] = sink.events();
                                         });
  share_found(options.team, events, own);

  std::map<std::uint64_t, std::uint64_t> by_id;
  for (std::size_t k = 0; k < ids.size(); ++k)
    by_id.emplace(ids[k], events[k]);
  return by_id;
}

void put_traffic(std::vector<HaloRank>& own_threads, const std::vector<PeerTraffic>& traffic,
                 const Definitions& definitions) {
  for (auto& rank : own_threads) {
    std::set<std::uint64_t> partners;
    for (const auto& one : traffic)
      if (one.kept == definitions.endpoint(rank.locations.front())) {
        partners.insert(one.partner);
        rank.messages += one.messages;
        rank.bytes += one.bytes;
      }
    rank.partners.assign(partners.begin(), partners.end());
  }
}

std::vector<HaloRank> choose_fitting(const std::vector<HaloRank>& ranks,
                                     const std::vector<std::uint64_t>& sizes, std::uint64_t room) {
  std::vector<HaloRank> chosen;
  for (const auto place : take_fitting(sizes, room))
    chosen.push_back(ranks[place]);
  return chosen;
}

}  // namespace

void find_halo(const Archive& archive, Plan& plan, const ReadOptions& options) {
  if (!plan.halo)
    return;
  auto& [asked, ranks] = *plan.halo;
  ranks.clear();
  const auto locations = list_locations(archive.definitions(), plan);
  if (asked.most_per_process == 0)
    return;
  if (!asked.is_bounded)
    ranks = list_own_threads(archive.definitions(), plan);
  if (locations.empty() && ranks.empty())
    return;

  Diagnostics ignored;
  const auto filtered_out = find_filtered_out_with_messages(archive, plan, options);
  const auto make_kept = [&] {
    return KeptTrace(archive, plan, filtered_out, false, options.team);
  };
  auto traffic = read_traffic(make_kept(), options, ignored);
  put_traffic(ranks, traffic.of_own_threads, archive.definitions());
  std::erase_if(traffic.messages,
                [&](const auto& one) { return !locations.contains(one.partner); });

  for (auto& candidate : choose_candidates(traffic.messages, asked.most_per_process))
    ranks.push_back({locations.at(candidate.process), std::move(candidate.kept), candidate.messages,
                     candidate.bytes});

  if (asked.is_bounded && !ranks.empty()) {
    std::vector<std::uint64_t> sizes;
    for (const auto& rank : ranks)
      sizes.push_back(rank.locations.size());
    ranks = choose_fitting(ranks, sizes, kept_processes(plan).size());

    const auto events = count_events(make_kept(), options, ignored);
    sizes.clear();
    for (const auto& rank : ranks)
      sizes.push_back(std::accumulate(rank.locations.begin(), rank.locations.end(),
                                      std::uint64_t{0},
                                      [&](auto sum, auto id) { return sum + events.at(id); }));
    ranks = choose_fitting(ranks, sizes, traffic.events);
  }

  std::sort(ranks.begin(), ranks.end(),
            [](const auto& a, const auto& b) { return a.locations < b.locations; });
}

}  // namespace tracefold
