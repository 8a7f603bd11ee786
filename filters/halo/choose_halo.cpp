#include "filters/halo/choose_halo.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// By partner, of one kept process.
using PartnersOfKept = std::map<std::uint64_t, PeerTraffic>;

std::vector<std::uint64_t> list_largest(const PartnersOfKept& partners, std::size_t most) {
  std::vector<PeerTraffic> sorted;
  for (const auto& [partner, traffic] : partners)
    sorted.push_back(traffic);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.bytes, a.messages) > std::tuple(b.bytes, b.messages);
  });
  if (sorted.size() > most)
    sorted.resize(most);

  std::vector<std::uint64_t> processes;
  for (const auto& traffic : sorted)
    processes.push_back(traffic.partner);
  return processes;
}

}  // namespace

std::vector<HaloCandidate> choose_candidates(const std::vector<PeerTraffic>& traffic,
                                             std::size_t most_per_process) {
  std::map<std::uint64_t, PartnersOfKept> by_kept;
  for (const auto& one : traffic) {
    auto& sum = by_kept[one.kept][one.partner];
    sum.kept = one.kept;
    sum.partner = one.partner;
    sum.messages += one.messages;
    sum.bytes += one.bytes;
  }

  std::set<std::uint64_t> chosen;
  for (const auto& [kept, partners] : by_kept)
    for (const auto process : list_largest(partners, most_per_process))
      chosen.insert(process);

  std::map<std::uint64_t, HaloCandidate> candidates;
  for (const auto& [kept, partners] : by_kept)
    for (const auto& [partner, sum] : partners)
      if (chosen.contains(partner)) {
        auto& candidate = candidates[partner];
        candidate.process = partner;
        candidate.kept.push_back(kept);
        candidate.messages += sum.messages;
        candidate.bytes += sum.bytes;
      }

  std::vector<HaloCandidate> sorted;
  for (auto& [process, candidate] : candidates)
    sorted.push_back(std::move(candidate));
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.kept.size(), a.bytes, a.messages) >
           std::tuple(b.kept.size(), b.bytes, b.messages);
  });

  return sorted;
}

std::vector<std::size_t> take_fitting(const std::vector<std::uint64_t>& sizes, std::uint64_t room) {
  std::vector<std::size_t> taken;
  for (std::size_t place = 0; place < sizes.size(); ++place)
    if (sizes[place] <= room) {
      room -= sizes[place];
      taken.push_back(place);
    }

  return taken;
}

}  // namespace tracefold
