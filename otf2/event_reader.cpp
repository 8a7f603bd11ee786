#include "otf2/event_reader.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

EventReader::EventReader(const Archive& archive, std::span<const std::uint64_t> batch,
                         const ReadOptions& options, Diagnostics& diagnostics)
    : archive_(archive),
      batch_(batch.begin(), batch.end()),
      options_(options),
      diagnostics_(diagnostics) {}

EventReader::Source EventReader::open(std::uint64_t location) {
  const auto& paths = archive_.paths();
  if (ahead_ && ahead_location_ == location)
    file_ = std::exchange(ahead_, std::nullopt);
  else
    file_ = ChunkFile::open(paths.events(location), event_chunk());

  if (!file_)
    return missing(location);

  fetch_next(location);
  read_local_definitions_of(location);
  if (uses_decoder())
    return Source::chunks;
  if (!is_plain())
    diagnostics_.detail("locations that libotf2 reads, since their files are not plain chunks",
                        std::to_string(location));

  return Source::library;
}

EventReader::Source EventReader::missing(std::uint64_t location) {
  const auto file = archive_.paths().events(location);
  const auto* definition = archive_.definitions().find(Ref::location, location);
  if (definition && definition->fields[3] == 0) {
    diagnostics_.warn("locations without events have no event file", file.filename().string());
    return Source::empty;
  }

  if (!options_.partial)
    throw Error(ErrorKind::input, "the event file is missing")
        .in(file.string())
        .hint("copy the whole archive, or use --partial to go on without");

  diagnostics_.warn("event files are missing", file.filename().string());

  return Source::missing;
}

void EventReader::read_local_definitions_of(std::uint64_t location) {
  local_.clear();
  const auto path = archive_.paths().local_definitions(location);
  const auto file = ChunkFile::open(
      path, archive_.definition_chunk() ? archive_.definition_chunk() : wire::smallest_chunk);
  if (!file)
    diagnostics_.warn("local definition files are missing", path.filename().string());
  if (file && is_plain() && read_local_definitions(*file, buffer_, local_) == LocalFile::damaged)
    throw Error(ErrorKind::input, "the local definitions are damaged")
        .in(path.string())
        .hint("copy the archive again");
}

bool EventReader::is_safe_for_library() {
  if (!is_plain())
    return true;

  struct {
    void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) {}
    void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) {}
    void other(const Event&) {}
    void unknown(std::uint64_t) {}
  } nothing;

  DecodeState state;

  return read_chunks(state, nothing) == ChunkEnd::file;
}

void EventReader::fetch_next(std::uint64_t location) {
  const auto at = std::find(batch_.begin(), batch_.end(), location);
  if (at == batch_.end() || std::next(at) == batch_.end())
    return;

  ahead_location_ = *std::next(at);
  try {
    ahead_ = ChunkFile::open(archive_.paths().events(ahead_location_), event_chunk());
    if (ahead_)
      ahead_->fetch_ahead();
  } catch (const Error&) {
    ahead_.reset();  // its own turn will tell
  }
}

LibraryReader& EventReader::library() {
  if (!library_)
    library_.emplace(archive_, batch_);
  return *library_;
}

bool EventReader::damaged(std::uint64_t location) {
  const auto file = archive_.paths().events(location);
  if (!options_.partial)
    throw Error(ErrorKind::input, "the event file ends early or is damaged")
        .in(file.string())
        .hint("copy it again, or use --partial to go on with what it holds");

  diagnostics_.warn("event files end early or are damaged, and were used up to there",
                    file.filename().string());

  return false;
}

}  // namespace tracefold
