#include "pipeline/verify/comparing_output.hpp"

#include "base/text.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/event_writer.hpp"
#include "pipeline/rewrite/otf2_output.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_lines = 1000;  // of one kind of difference; the rest only says the same

// "receiver is 2, not 1": the first field that differs in two records of the same shape.
template <class Record>
std::string compare_fields(std::span<const Field> shape, const Record& expected,
                           const Record& found) {
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (expected.fields[i] != found.fields[i])
      return fmt::format("{} is {}, not {}", shape[i].name, found.fields[i], expected.fields[i]);
  if (expected.list == found.list)
    return {};

  for (std::size_t k = 0; k < std::min(expected.list.size(), found.list.size()); ++k)
    if (expected.list[k] != found.list[k])
      return fmt::format("entry {} of its list is {}, not {}", k, found.list[k], expected.list[k]);

  return fmt::format("its list has {} entries, not {}", found.list.size(), expected.list.size());
}

std::string compare_attributes(std::span<const Attribute> expected,
                               std::span<const Attribute> found) {
  if (expected.size() != found.size())
    return fmt::format("it has {} attributes, not {}", found.size(), expected.size());

  for (std::size_t k = 0; k < expected.size(); ++k) {
    const auto& a = expected[k];
    const auto& b = found[k];
    if (a != b)
      return fmt::format("an attribute is {} of type {} with value {}, not {} of type {} with {}",
                         b.id, b.type, b.value, a.id, a.type, a.value);
  }

  return {};
}

std::string_view name_kind(const EventCursor::Record& record) {
  return record.is_known ? get_row(record.kind).name : "a record of an unknown kind";
}

// What is the matter with the record at this place; empty where nothing is.
std::string compare_records(const Event& expected, const EventCursor::Record* found) {
  if (!found)
    return fmt::format("{} at {} is missing", get_row(expected.kind).name, expected.time);
  if (!found->is_known || found->kind != expected.kind)
    return fmt::format("it is {}, not {}", name_kind(*found), get_row(expected.kind).name);
  if (found->time != expected.time)
    return fmt::format("{} is at {}, not at {}", name_kind(*found), found->time, expected.time);

  std::string words;
  if (found->event)
    words = compare_fields(get_row(expected.kind).shape(), expected, *found->event);
  else if (found->region != expected.region())
    words = fmt::format("region is {}, not {}", found->region, expected.region());
  if (words.empty())
    words = compare_attributes(expected.attributes, found->attributes);

  return words.empty() ? words : fmt::format("{} at {}: {}", name_kind(*found), found->time, words);
}

// As a reader sees them, which leaves out what it cannot use.
Definitions read_as_definitions(const std::vector<Definition>& list) {
  Definitions definitions;
  for (const auto& definition : list)
    definitions.add(definition);
  definitions.finish();

  return definitions;
}

}  // namespace

ComparingLocationOutput::ComparingLocationOutput(const Archive& archive, std::uint64_t location,
                                                 bool is_there, const ReadOptions& options,
                                                 Diagnostics& diagnostics, std::string& difference,
                                                 std::size_t& largest_record)
    : cursor_(archive, location, options, diagnostics),
      difference_(difference),
      largest_record_(largest_record) {
  if (!is_there)
    difference_ = "it is missing";
}

void ComparingLocationOutput::call(EventKind kind, std::uint64_t time, std::uint64_t region,
                                   std::span<const Attribute> attributes) {
  if (!attributes.empty())
    largest_ = std::max(largest_, encoded_size_of_call(attributes));

  Event expected;
  expected.kind = kind;
  expected.time = time;
  expected.fields[0] = region;
  expected.attributes.assign(attributes.begin(), attributes.end());
  compare(expected);
}

void ComparingLocationOutput::write(const Event& event) {
  if (!event.list.empty() || !event.attributes.empty())
    largest_ = std::max(largest_, encoded_size(event));
  compare(event);
}

void ComparingLocationOutput::compare(const Event& expected) {
  ++records_;
  if (!difference_.empty())
    return;

  if (const auto words = compare_records(expected, cursor_.next()); !words.empty())
    difference_ = fmt::format("record {}: {}", records_, words);
}

std::uint64_t ComparingLocationOutput::close() {
  largest_record_ = largest_;
  if (!difference_.empty())
    return records_;

  if (const auto* more = cursor_.next())
    difference_ = fmt::format("{} at {} behind its last record", name_kind(*more), more->time);

  return records_;
}

ComparingOutput::ComparingOutput(const Archive& archive, const ReadOptions& options)
    : archive_(archive), options_(options) {
  options_.progress = {};
  options_.partial = false;
}

void ComparingOutput::begin(std::size_t largest_record) {
  largest_record_ = largest_record;
  locations_.clear();
  for (auto id : archive_.definitions().locations())
    locations_[id].is_there = true;
}

ComparingLocationOutput ComparingOutput::open_location(std::uint64_t id) {
  const std::lock_guard lock(adding_);
  auto& location = locations_[id];
  location.is_made = true;

  return {archive_,
          id,
          location.is_there,
          options_,
          ignored_,
          location.difference,
          location.largest_record};
}

void ComparingOutput::write(const TraceMetadata& metadata) {
  for (const auto& [id, location] : locations_) {
    if (!location.is_made)
      differences_.events.push_back(fmt::format("location {}: nothing of the original", id));
    else if (!location.difference.empty())
      differences_.events.push_back(fmt::format("location {}, {}", id, location.difference));
    largest_record_ = std::max(largest_record_, location.largest_record);
  }

  compare_definitions(metadata.definitions);
  compare_markers(metadata);
  compare_properties(metadata);
  compare_anchor(metadata);
  compare_files();
}

void ComparingOutput::compare_definitions(const std::vector<Definition>& definitions) {
  const auto made = read_as_definitions(definitions);
  const auto& expected = made.all();
  const auto& found = archive_.definitions().all();
  auto& lines = differences_.definitions;

  if (archive_.definitions().duplicates() != made.duplicates() ||
      archive_.definitions().unusable() != made.unusable())
    lines.push_back("there are definitions that no reader can use");
  if (expected.size() != found.size())
    lines.push_back(fmt::format("there are {} definitions, not {}", found.size(), expected.size()));

  for (std::size_t k = 0; k < std::min(expected.size(), found.size()); ++k) {
    const auto& a = expected[k];
    const auto& b = found[k];
    if (lines.size() == most_lines)
      return;
    if (a == b)
      continue;

    if (a.kind != b.kind) {  // whatever follows is in another place
      lines.push_back(fmt::format("{} stands where {} should", describe(b), describe(a)));
      return;
    }

    const auto words = compare_fields(get_row(a.kind).shape(), a, b);
    lines.push_back(
        fmt::format("{}: {}", describe(b), words.empty() ? "its text is another" : words));
  }
}

void ComparingOutput::compare_markers(const TraceMetadata& metadata) {
  const auto& kinds = archive_.facts().marker_kinds;
  // A file of markers is only written where there are kinds.
  if (kinds != metadata.marker_kinds)
    add_rest("the kinds of markers are others");

  const auto& markers = archive_.facts().markers;
  const auto expected = kinds.empty() ? 0 : metadata.markers.size();
  if (markers.size() != expected) {
    add_rest(fmt::format("there are {} markers, not {}", markers.size(), expected));
    return;
  }

  for (std::size_t k = 0; k < expected && differences_.rest.size() < most_lines; ++k)
    if (markers[k] != metadata.markers[k])
      add_rest(fmt::format("marker {} is another", k));
}

void ComparingOutput::compare_properties(const TraceMetadata& metadata) {
  std::map<std::string, std::string> expected;
  for (const auto& [name, value] : metadata.properties)
    expected[to_upper(name)] = value;  // as libotf2 writes it

  const auto& found = archive_.facts().properties;
  for (const auto& [name, value] : expected) {
    const auto at = found.find(name);
    if (at == found.end())
      add_rest(fmt::format("the property {} is missing", name));
    else if (at->second != value)
      add_rest(fmt::format("the property {} is '{}', not '{}'", name, at->second, value));
  }

  for (const auto& [name, value] : found)
    if (!expected.contains(name))
      add_rest(fmt::format("the property {} is not made from the original", name));
}

void ComparingOutput::compare_anchor(const TraceMetadata& metadata) {
  const auto& facts = archive_.facts();
  const auto compare = [&](const char* what, const auto& found, const auto& expected) {
    if (found != expected)
      add_rest(fmt::format("{} is '{}', not '{}'", what, found, expected));
  };

  compare("the name of the machine", facts.machine, metadata.machine);
  compare("the creator", facts.creator, metadata.creator);
  compare("the description", facts.description, metadata.description);
  compare("the identifier of the trace", facts.trace_id, metadata.trace_id);
  compare("the anchor's number of locations", facts.stated_locations, locations_.size());
  compare("the anchor's number of definitions", facts.stated_definitions,
          metadata.definitions.size());
  compare("the size of chunks of events", archive_.event_chunk(),
          choose_event_chunk(largest_record_));
  compare("the size of chunks of definitions", archive_.definition_chunk(),
          choose_definition_chunk(metadata.definitions));
  if (facts.has_snapshots)
    add_rest("there are snapshots or thumbnails");
}

// Each location has an event file, and a file of local definitions that holds none. The latter
// would change ids and times, and a reader may look at more of it than we do.
void ComparingOutput::compare_files() {
  std::set<std::string> expected;
  for (const auto& [id, location] : locations_) {
    expected.insert(fmt::format("{}.evt", id));
    expected.insert(fmt::format("{}.def", id));
    if (!has_no_local_definitions(archive_.paths().local_definitions(id)))
      add_rest(fmt::format("there are local definitions of location {}", id));
  }

  std::error_code problem;
  for (std::filesystem::directory_iterator at(archive_.paths().folder(), problem), end;
       !problem && at != end; at.increment(problem))
    if (!expected.contains(at->path().filename().string()))
      add_rest(fmt::format("the file {} belongs to no location", at->path().filename().string()));
}

ArchiveDifferences ComparingOutput::take_differences() {
  return std::move(differences_);
}

}  // namespace tracefold
