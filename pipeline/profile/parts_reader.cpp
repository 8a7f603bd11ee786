#include "pipeline/profile/parts_reader.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

namespace {

constexpr std::size_t parts_per_thread = 4;
constexpr std::size_t most_functions = 2048;  // each part has a table of their pairs

}  // namespace

PartsReader::PartsReader(const FunctionTable& functions, std::size_t threads,
                         Diagnostics& diagnostics)
    : functions_(functions),
      threads_(threads),
      diagnostics_(diagnostics),
      parts_to_begin_(static_cast<std::ptrdiff_t>(2 * parts_per_thread * threads)) {}

bool PartsReader::can_read() const {
  return !functions_.drops_any() && functions_.functions().size() <= most_functions &&
         functions_.contexts().empty() && !functions_.window();
}

void PartsReader::tell(std::uint64_t location) const {
  diagnostics_.detail("locations that were read in parts", std::to_string(location));
}

std::optional<LocationStretch> PartsReader::read_stretch(EventReader& reader,
                                                         std::uint64_t location,
                                                         ChunkRange chunks) {
  const auto size = std::max(smallest_part, chunks.size() / (parts_per_thread * threads_) + 1);
  std::vector<std::unique_ptr<LocationPart>> parts((chunks.size() + size - 1) / size);
  const auto count = static_cast<std::ptrdiff_t>(parts.size());
  const bool may_begin = (parts_to_begin_ -= count) >= 0 && !functions_.is_stream(location);

  const auto make_part = [&](std::size_t k) -> LocationPart& {
    parts[k] = std::make_unique<LocationPart>(functions_);
    return *parts[k];
  };
  const auto append_part = [&](std::size_t k) {
    const auto part = k > 0 ? std::exchange(parts[k], nullptr) : nullptr;
    return !part || parts[0]->append(*part);
  };
  const auto read =
      may_begin ? reader.read_parts(location, chunks, size, make_part, append_part) : std::nullopt;

  parts_to_begin_ += count;
  if (!read)
    return std::nullopt;

  return LocationStretch{*read, std::move(parts[0])};
}

std::unique_ptr<LocationPart> PartsReader::read(EventReader& reader, std::uint64_t location) {
  if (!can_read())
    return nullptr;

  const auto chunks = reader.count_chunks(location);
  if (chunks < fewest_parts * smallest_part)
    return nullptr;

  auto stretch = read_stretch(reader, location, {0, chunks});
  if (!stretch || !stretch->finish())
    return nullptr;

  tell(location);

  return std::move(stretch->part);
}

}  // namespace tracefold
