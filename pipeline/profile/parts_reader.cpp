#include "pipeline/profile/parts_reader.hpp"

#include "pipeline/events/segment_calls.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t smallest_part = 4;  // in chunks
constexpr std::size_t fewest_parts = 4, parts_per_thread = 4;
constexpr std::size_t most_functions = 2048;  // each part has a table of their pairs

}  // namespace

PartsReader::PartsReader(const FunctionTable& functions, std::size_t threads,
                         Diagnostics& diagnostics)
    : functions_(functions),
      threads_(threads),
      diagnostics_(diagnostics),
      parts_to_begin_(static_cast<std::ptrdiff_t>(2 * parts_per_thread * threads)) {}

bool PartsReader::read(EventReader& reader, std::uint64_t location,
                       CleanEvents<ProfileSink>& events) {
  if (functions_.drops_any() || functions_.functions().size() > most_functions)
    return false;

  const auto chunks = reader.count_chunks(location);
  if (chunks < fewest_parts * smallest_part)
    return false;

  const auto size = std::max(smallest_part, chunks / (parts_per_thread * threads_) + 1);
  std::vector<std::unique_ptr<SegmentCalls>> parts((chunks + size - 1) / size);
  const auto count = static_cast<std::ptrdiff_t>(parts.size());
  const bool may_begin = (parts_to_begin_ -= count) >= 0;

  const bool joined =
      may_begin && reader.read_parts(
                       location, size,
                       [&](std::size_t k) -> SegmentCalls& {
                         return *(parts[k] = std::make_unique<SegmentCalls>(functions_));
                       },
                       [&](std::size_t k) {
                         const auto part = std::exchange(parts[k], nullptr);
                         part->finish();
                         return events.join(*part);
                       });

  parts_to_begin_ += count;
  if (joined)
    diagnostics_.detail("locations that were read in parts", std::to_string(location));

  return joined;
}

}  // namespace tracefold
