#include "pipeline/messages/receivers.hpp"

#include "base/sort_and_unite.hpp"
#include "filters/correlation/propose_grid.hpp"
#include "pipeline/messages/communicator_ranks.hpp"

namespace tracefold {

namespace {

// More take long to look through, and much memory.
constexpr std::size_t most_pairs = std::size_t{1} << 21;

}  // namespace

void ReceiverSet::add(const Receiver& receiver) {
  if (receivers_.size() < most_receivers && known_.insert(receiver).second)
    receivers_.push_back(receiver);
}

std::vector<ReceiverSet::Receiver> ReceiverSet::take() {
  if (receivers_.empty())
    return {};
  last_.fill(nobody);
  known_.clear();
  return std::exchange(receivers_, {});
}

std::vector<std::uint32_t> find_receivers(const Definitions& definitions, std::uint64_t location,
                                          const std::vector<ReceiverSet::Receiver>& receivers) {
  std::vector<std::uint32_t> ranks;
  const auto own = definitions.mpi_rank(definitions.endpoint(location));
  for (const auto& [communicator, receiver] : receivers) {
    const auto partner = definitions.partner(location, communicator, receiver);
    const auto rank = partner ? definitions.mpi_rank(definitions.endpoint(*partner)) : std::nullopt;
    if (rank && rank != own)
      ranks.push_back(static_cast<std::uint32_t>(*rank));
  }
  sort_and_unite(ranks);

  return ranks;
}

std::vector<GridAxis> propose_rank_grid(const Definitions& definitions,
                                        const std::vector<LocationReceivers>& receivers) {
  std::size_t pairs = 0;
  for (const auto& one : receivers)
    pairs += one.ranks.size();
  if (pairs == 0 || pairs > most_pairs)
    return {};

  correlation::Neighbours neighbours;
  for (const auto& one : receivers)
    if (const auto sender = definitions.mpi_rank(definitions.endpoint(one.location)))
      for (auto receiver : one.ranks)
        neighbours.emplace(*sender, receiver);

  auto axes = correlation::propose_grid(list_endpoints(definitions).size(), neighbours);
  if (axes.size() == 1 && !axes.front().periodic)
    return {};

  return axes;
}

}  // namespace tracefold
