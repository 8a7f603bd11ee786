#include "pipeline/profile/parts_reader.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

namespace {

constexpr std::size_t smallest_part = 4;  // in chunks
constexpr std::size_t fewest_parts = 4;
constexpr std::size_t parts_per_thread = 4;
constexpr std::size_t most_functions = 2048;  // each part has a table of their pairs

}  // namespace

PartsReader::PartsReader(const FunctionTable& functions, std::size_t threads,
                         Diagnostics& diagnostics)
    : functions_(functions),
      threads_(threads),
      diagnostics_(diagnostics),
      parts_to_begin_(static_cast<std::ptrdiff_t>(2 * parts_per_thread * threads)) {}

std::unique_ptr<LocationPart> PartsReader::read(EventReader& reader, std::uint64_t location) {
  if (functions_.drops_any() || functions_.functions().size() > most_functions)
    return nullptr;

  const auto chunks = reader.count_chunks(location);
  if (chunks < fewest_parts * smallest_part)
    return nullptr;

  const auto size = std::max(smallest_part, chunks / (parts_per_thread * threads_) + 1);
  std::vector<std::unique_ptr<LocationPart>> parts((chunks + size - 1) / size);
  const auto count = static_cast<std::ptrdiff_t>(parts.size());
  const bool may_begin = (parts_to_begin_ -= count) >= 0;

  const auto make_part = [&](std::size_t k) -> LocationPart& {
    parts[k] = std::make_unique<LocationPart>(functions_);
    return *parts[k];
  };
  const auto append_part = [&](std::size_t k) {
    const auto part = k > 0 ? std::exchange(parts[k], nullptr) : nullptr;
    return !part || parts[0]->append(*part);
  };
  const bool is_read = may_begin && reader.read_parts(location, size, make_part, append_part);

  parts_to_begin_ += count;
  if (!is_read || !parts[0]->finish())
    return nullptr;

  diagnostics_.detail("locations that were read in parts", std::to_string(location));

  return std::move(parts[0]);
}

}  // namespace tracefold
