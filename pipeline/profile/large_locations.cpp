#include "pipeline/profile/large_locations.hpp"

#include "base/team.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// A stretch on its way to another member.
struct SentStretch {
  ReadStretch read;
  LocationPart::Content part;
};
auto list_members(Like<SentStretch> auto& sent) {
  return std::tie(sent.read, sent.part);
}

// What a member has found of a location.
struct StretchOfMember {
  bool is_usable = true;             // false: the location has to be read as a whole
  std::vector<SentStretch> stretch;  // one, or none where all chunks went to others
};
auto list_members(Like<StretchOfMember> auto& found) {
  return std::tie(found.is_usable, found.stretch);
}

StretchOfMember send(const std::optional<LocationStretch>& stretch) {
  if (!stretch)
    return {false, {}};
  return {true, {{stretch->read, stretch->part->copy()}}};
}

LocationStretch receive(const FunctionTable& functions, SentStretch sent) {
  return {sent.read, std::make_unique<LocationPart>(functions, std::move(sent.part))};
}

StretchOfMember merge(const FunctionTable& functions, StretchOfMember lower,
                      StretchOfMember higher) {
  if (!lower.is_usable || !higher.is_usable)
    return {false, {}};
  if (higher.stretch.empty())
    return lower;

  auto all = receive(functions, std::move(lower.stretch.front()));
  return all.append(receive(functions, std::move(higher.stretch.front())))
             ? send(std::move(all))
             : StretchOfMember{false, {}};
}

}  // namespace

std::vector<std::size_t> find_large_locations(const std::vector<std::uint64_t>& events,
                                              std::size_t members) {
  std::vector<std::size_t> large;
  if (members == 1)
    return large;

  const auto all = std::accumulate(events.begin(), events.end(), 0.0L);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i] > 0 &&
        2.0L * static_cast<long double>(events[i]) * static_cast<long double>(members) >= 3 * all)
      large.push_back(i);
  return large;
}

ChunkRange find_stretch(std::size_t chunks, std::size_t rank, std::size_t members) {
  const auto readers = std::clamp<std::size_t>(chunks / PartsReader::smallest_part, 1, members);
  const auto border = [&](std::size_t k) {
    return chunks / readers * k + std::min(chunks % readers, k);
  };
  return rank < readers ? ChunkRange{border(rank), border(rank + 1)} : ChunkRange{chunks, chunks};
}

std::vector<std::size_t> read_large_locations(const Archive& archive,
                                              const std::vector<std::uint64_t>& locations,
                                              const std::vector<std::uint64_t>& events,
                                              const FunctionTable& functions, PartsReader& parts,
                                              const ReadOptions& options, Diagnostics& diagnostics,
                                              const TakeLocation& take) {
  std::vector<std::size_t> others(locations.size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  auto* team = options.team;
  if (!team || !parts.can_read())
    return others;

  const auto merge_packed = [&](const std::string& lower, const std::string& higher) {
    return pack(merge(functions, unpack<StretchOfMember>(lower), unpack<StretchOfMember>(higher)));
  };
  for (const auto i : find_large_locations(events, team->size())) {
    const auto id = locations[i];
    EventReader reader(archive, std::span(&id, 1), options, diagnostics);
    // It is counted by one, so that all read stretches of the same chunks.
    const auto chunks = compute_once<std::size_t>(team, [&] { return reader.count_chunks(id); });
    if (chunks < PartsReader::fewest_parts * PartsReader::smallest_part)
      continue;

    const auto own = find_stretch(chunks, team->rank(), team->size());
    const auto found =
        own.size() > 0 ? send(parts.read_stretch(reader, id, own)) : StretchOfMember();
    const auto merged = team->reduce(pack(found), merge_packed);

    const bool is_read = compute_once<bool>(team, [&] {
      auto all = unpack<StretchOfMember>(merged);
      if (!all.is_usable)
        return false;
      auto location = receive(functions, std::move(all.stretch.front()));
      if (!location.finish())
        return false;
      parts.tell(id);
      take(i, *location.part, location.read.records);
      return true;
    });
    if (is_read)
      std::erase(others, i);
  }

  return others;
}

}  // namespace tracefold
