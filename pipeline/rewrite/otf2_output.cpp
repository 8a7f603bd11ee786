#include "pipeline/rewrite/otf2_output.hpp"

#include "base/error.hpp"
#include "base/publish.hpp"
#include "base/team.hpp"
#include "model/plan.hpp"
#include "otf2/archive_writer.hpp"
#include "pipeline/rewrite/output_check.hpp"

#include <algorithm>
#include <bit>
#include <system_error>

namespace tracefold {

std::uint64_t choose_event_chunk(std::size_t largest_record) {
  const auto needed = std::bit_ceil(std::uint64_t{EventWriter::chunk_size_for(largest_record)});
  if (needed > wire::largest_chunk)
    throw Error(ErrorKind::input, "a record is larger than OTF2 can write")
        .hint("tell who made the trace");

  return std::max(needed, wire::smallest_chunk);
}

std::uint64_t Otf2LocationOutput::close() {
  const auto records = writer_.close();
  write_empty_local_definitions(folder_, id_);
  return records;
}

Otf2Output::Otf2Output(const std::filesystem::path& folder, Team* team)
    : folder_(folder), locations_folder_(location_folder(folder)), team_(team) {}

void Otf2Output::begin(std::size_t largest_record) {
  chunk_size_ = choose_event_chunk(largest_record);
  decide_once(team_, [&] { make_locations_folder(); });
}

void Otf2Output::make_locations_folder() const {
  std::error_code problem;
  std::filesystem::remove_all(locations_folder_, problem);
  if (problem)
    throw Error(ErrorKind::output, "a folder cannot be removed: " + problem.message());
  if (!std::filesystem::create_directory(locations_folder_, problem))
    throw Error(ErrorKind::output, "a folder cannot be made: " + problem.message());
}

Otf2LocationOutput Otf2Output::open_location(std::uint64_t id) const {
  return {locations_folder_, id, chunk_size_};
}

void Otf2Output::write(const TraceMetadata& metadata) const {
  ArchiveWriter archive(folder_, chunk_size_, metadata.definitions);

  ArchiveFacts about;
  about.machine = metadata.machine;
  about.creator = metadata.creator;
  about.description = metadata.description;
  archive.describe(about);

  for (const auto& [name, value] : metadata.properties)
    archive.set_property(name, value);

  archive.write_markers(metadata.marker_kinds, metadata.markers);
  archive.close();
  set_trace_id(anchor(), metadata.trace_id);
  if (!metadata.plan.plan.empty())
    write_file(folder_ / plan_name, metadata.plan.plan);
  if (!metadata.plan.messages.empty())
    write_file(folder_ / messages_name, metadata.plan.messages);
  if (!metadata.plan.profiles.empty())
    write_file(folder_ / profiles_name, metadata.plan.profiles);
}

void Otf2Output::check_metadata(const TraceMetadata& metadata) const {
  check_definitions(anchor(), metadata.definitions.size());
}

void Otf2Output::check_events(const std::vector<WrittenLocation>& written,
                              const ReadOptions& options) const {
  tracefold::check_events(anchor(), written, options);
}

}  // namespace tracefold
