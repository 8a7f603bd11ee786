#include "otf2/event_reader.hpp"

#include "otf2/library_reader.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

bool ReadStretch::append(const ReadStretch& next) {
  if (end != ChunkEnd::chunk || leaves_attributes || !next.begins_with_stamp ||
      next.first_interval < last_interval)
    return false;

  last_interval = next.last_interval;
  leaves_attributes = next.leaves_attributes;
  end = next.end;
  records += next.records;
  return true;
}

EventReader::EventReader(const Archive& archive, std::span<const std::uint64_t> batch,
                         const ReadOptions& options, Diagnostics& diagnostics)
    : archive_(archive),
      batch_(batch.begin(), batch.end()),
      options_(options),
      diagnostics_(diagnostics) {}

EventReader::~EventReader() = default;

EventReader::Source EventReader::open_files(std::uint64_t location) {
  const auto files = archive_.find_files(location);
  if (next_file_ && next_location_ == location)
    file_ = std::exchange(next_file_, std::nullopt);
  else
    file_ = open_events(files);

  if (!file_)
    return report_missing(location);

  fetch_next(location);
  open_local_definitions(files);
  if (uses_decoder())
    return Source::chunks;

  if (!is_plain())
    diagnostics_.detail("locations that libotf2 reads, since their files are not plain chunks",
                        std::to_string(location));

  return Source::library;
}

EventReader::Source EventReader::report_missing(std::uint64_t location) {
  const auto files = archive_.find_files(location);
  const auto& file = files.events;
  const auto* definition = archive_.definitions().find(Ref::location, location);
  if (definition && get_field<"numberOfEvents", DefinitionKind::Location>(*definition) == 0) {
    diagnostics_.warn("locations without events have no event file", files.name(file));
    return Source::empty;
  }

  if (!options_.partial)
    throw Error(ErrorKind::input, "the event file is missing")
        .in(file.string())
        .hint("copy the whole archive, or use `partial` to go on without");

  diagnostics_.warn("event files are missing", files.name(file));

  return Source::missing;
}

void EventReader::open_local_definitions(const LocationFiles& files) {
  local_.clear();
  const auto& path = files.local_definitions;
  const auto file =
      ChunkFile::open(path, files.definition_chunk ? files.definition_chunk : wire::smallest_chunk);
  if (!file)
    diagnostics_.warn("local definition files are missing", files.name(path));
  if (file && is_plain() && read_local_definitions(*file, buffer_, local_) == LocalFile::damaged)
    throw Error(ErrorKind::input, "the local definitions are damaged")
        .in(path.string())
        .hint("copy the archive again");

  if (!files.part)
    return;
  for (std::size_t kind = 0; kind < ref_kinds; ++kind)
    local_.maps[kind].append(files.part->ids[kind]);
  files.part->clock.apply(local_.clock);
}

bool EventReader::is_safe_for_library() {
  if (!is_plain())
    return true;

  struct {
    void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) {}
    void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) {}
    void other(const Event&) {}
    void unknown(std::uint64_t) {}
  } sink;

  DecodeState state;

  return read_chunks(state, sink) == ChunkEnd::file;
}

void EventReader::fetch_next(std::uint64_t location) {
  const auto at = std::find(batch_.begin(), batch_.end(), location);
  if (at == batch_.end() || std::next(at) == batch_.end())
    return;

  next_location_ = *std::next(at);
  try {
    next_file_ = open_events(archive_.find_files(next_location_));
    if (next_file_)
      next_file_->fetch_ahead();
  } catch (const Error&) {
    next_file_.reset();  // the error is reported when the location is read
  }
}

bool EventReader::read_by_library(std::uint64_t location, EventReceiver& receiver) {
  if (archive_.find_files(location).part)
    throw Error(ErrorKind::usage, "libotf2 reads one archive, and this run has several")
        .in(archive_.source())
        .hint("leave `reader` out");
  if (!library_)
    library_ = std::make_unique<LibraryReader>(archive_, batch_);
  return library_->read(location, receiver, records_) || report_damage(location);
}

bool EventReader::report_damage(std::uint64_t location) {
  const auto files = archive_.find_files(location);
  const auto& file = files.events;
  if (!options_.partial)
    throw Error(ErrorKind::input, "the event file ends early or is damaged")
        .in(file.string())
        .hint("copy it again, or use `partial` to go on with what it holds");

  diagnostics_.warn("event files end early or are damaged, and were used up to there",
                    files.name(file));

  return false;
}

}  // namespace tracefold
