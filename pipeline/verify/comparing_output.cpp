#include "pipeline/verify/comparing_output.hpp"

#include "base/text.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/event_writer.hpp"
#include "pipeline/rewrite/otf2_output.hpp"
#include "pipeline/verify/rule_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace tracefold {

namespace {

// The values of the first field that differs in two records of one shape, in words.
struct FieldDifference {
  std::string what, found, expected;

  std::string describe() const {
    return fmt::format("{} is {}, and should be {}", what, found, expected);
  }
};

template <class Record>
std::optional<FieldDifference> compare_fields(std::span<const Field> shape, const Record& expected,
                                              const Definitions& of_expected, const Record& found,
                                              const Definitions& of_found) {
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (expected.fields[i] != found.fields[i])
      return FieldDifference{std::string(shape[i].name),
                             describe_value(of_found, shape[i], found.fields[i]),
                             describe_value(of_expected, shape[i], expected.fields[i])};

  for (std::size_t k = 0; k < std::min(expected.list.size(), found.list.size()); ++k)
    if (expected.list[k] != found.list[k])
      return FieldDifference{fmt::format("entry {} of its list", k), std::to_string(found.list[k]),
                             std::to_string(expected.list[k])};
  if (expected.list.size() != found.list.size())
    return FieldDifference{"the length of its list", std::to_string(found.list.size()),
                           std::to_string(expected.list.size())};

  return std::nullopt;
}

std::optional<FieldDifference> compare_attributes(std::span<const Attribute> expected,
                                                  std::span<const Attribute> found) {
  if (expected.size() != found.size())
    return FieldDifference{"the number of its attributes", std::to_string(found.size()),
                           std::to_string(expected.size())};

  const auto describe = [](const Attribute& one) {
    return fmt::format("{} of type {} with value {}", one.id, one.type, one.value);
  };
  for (std::size_t k = 0; k < expected.size(); ++k)
    if (expected[k] != found[k])
      return FieldDifference{"an attribute", describe(found[k]), describe(expected[k])};

  return std::nullopt;
}

bool is_same(const Event& expected, const EventCursor::Record* found) {
  if (!found || !found->is_known || found->kind != expected.kind || found->time != expected.time ||
      !std::ranges::equal(found->attributes, expected.attributes))
    return false;
  if (!found->event)
    return found->region == expected.fields[0];

  const auto fields = get_row(expected.kind).shape().size();
  return std::equal(expected.fields.begin(), expected.fields.begin() + fields,
                    found->event->fields.begin()) &&
         expected.list == found->event->list;
}

// How a record is another one than this, as in "is Leave of 'exch' at 1.204 s, and should be at
// 1.203 s". Both have the ids of the archive's definitions.
std::string compare_records(const Event& expected, const EventCursor::Record* found,
                            const Definitions& definitions, const TraceWords& words) {
  const auto should_be =
      fmt::format("{} at {}", words.describe_event(expected.kind, expected.fields[0]),
                  words.describe_time(expected.time));
  if (!found)
    return fmt::format("is missing: {}", should_be);
  if (!found->is_known)
    return fmt::format("is a record of an unknown kind, and should be {}", should_be);

  const auto event = words.describe_event(found->kind, found->region);
  const auto time = words.describe_time(found->time);
  if (found->kind != expected.kind || (!found->event && found->region != expected.fields[0]))
    return fmt::format("is {} at {}, and should be {}", event, time, should_be);
  if (found->time != expected.time)
    return fmt::format("is {} at {}, and should be at {}", event, time,
                       words.describe_time(expected.time));

  auto difference = found->event ? compare_fields(get_row(expected.kind).shape(), expected,
                                                  definitions, *found->event, definitions)
                                 : std::nullopt;
  if (!difference)
    difference = compare_attributes(expected.attributes, found->attributes);

  return fmt::format("is {} at {}: {}", event, time, difference.value().describe());
}

std::string quote(const std::string& text) {
  return fmt::format("'{}'", text);
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

ComparingLocationOutput::ComparingLocationOutput(const Archive& archive, const TraceWords& words,
                                                 std::uint64_t location, bool is_there,
                                                 const ReadOptions& options,
                                                 Diagnostics& diagnostics, std::string& difference,
                                                 std::size_t& largest_record)
    : cursor_(archive, location, options, diagnostics),
      definitions_(archive.definitions()),
      words_(words),
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

  const auto* found = cursor_.next();
  if (!is_same(expected, found)) [[unlikely]]
    difference_ = fmt::format("event {} {}", group_digits(records_),
                              compare_records(expected, found, definitions_, words_));
}

std::uint64_t ComparingLocationOutput::close() {
  largest_record_ = largest_;
  if (!difference_.empty())
    return records_;

  if (const auto* more = cursor_.next())
    difference_ = fmt::format("event {} should not be there: {} at {}", group_digits(records_ + 1),
                              more->is_known ? words_.describe_event(more->kind, more->region)
                                             : "a record of an unknown kind",
                              words_.describe_time(more->time));

  return records_;
}

ComparingOutput::ComparingOutput(RuleBook& rules, const Archive& archive, const TraceWords& words,
                                 const ReadOptions& options)
    : rules_(rules), archive_(archive), words_(words), options_(options) {
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
          words_,
          id,
          location.is_there,
          options_,
          ignored_,
          location.difference,
          location.largest_record};
}

void ComparingOutput::write(const TraceMetadata& metadata) {
  rules_.add_rule(rule_words::events);
  for (const auto& [id, location] : locations_) {
    if (!location.is_made)
      rules_.add_violation(fmt::format("{} should not be there", words_.describe_location(id)));
    else if (!location.difference.empty())
      rules_.add_violation(
          fmt::format("{}: {}", words_.describe_location(id), location.difference));
    largest_record_ = std::max(largest_record_, location.largest_record);
  }

  rules_.add_rule(rule_words::definitions);
  compare_definitions(metadata.definitions);
  rules_.add_rule(rule_words::rest);
  compare_markers(metadata);
  compare_properties(metadata);
  compare_anchor(metadata);
  compare_files();
}

void ComparingOutput::compare_definitions(const std::vector<Definition>& definitions) {
  const auto made = read_as_definitions(definitions);
  const auto& there = archive_.definitions();
  const auto& expected = made.all();
  const auto& found = there.all();

  if (there.duplicates() != made.duplicates() || there.unusable() != made.unusable())
    rules_.add_violation("there are definitions that no reader can use");

  const auto both = std::min(expected.size(), found.size());
  for (std::size_t k = 0; k < both; ++k) {
    const auto& a = expected[k];
    const auto& b = found[k];
    if (a == b)
      continue;

    const bool has_id = get_row(a.kind).fields[0].role == FieldRole::self;
    if (a.kind != b.kind || (has_id && a.id() != b.id())) {
      // Whatever follows is in another place.
      rules_.add_violation(fmt::format("definition {} is {}, and should be {}", group_digits(k + 1),
                                       describe_definition(there, b),
                                       describe_definition(made, a)));
      return;
    }

    const auto difference = compare_fields(get_row(a.kind).shape(), a, made, b, there);
    rules_.add_violation(
        difference
            ? fmt::format("{}: {}", describe_definition(made, a), difference->describe())
            : fmt::format("{} is {}, and should be {}", describe(a), quote(b.text), quote(a.text)));
  }

  for (std::size_t k = both; k < expected.size(); ++k)
    rules_.add_violation(fmt::format("{} is missing", describe_definition(made, expected[k])));
  for (std::size_t k = both; k < found.size(); ++k)
    rules_.add_violation(
        fmt::format("{} should not be there", describe_definition(there, found[k])));
}

void ComparingOutput::compare_markers(const TraceMetadata& metadata) {
  const auto& facts = archive_.facts();
  // A file of markers is only written where there are kinds.
  if (facts.marker_kinds != metadata.marker_kinds)
    rules_.add_violation("the kinds of markers are not those of the original");

  const std::vector<Marker> none;
  const auto& expected = facts.marker_kinds.empty() ? none : metadata.markers;
  const auto describe = [&](const Marker& marker) {
    return fmt::format("{} at {}, {} ticks long, of scope {} ({})", quote(marker.text),
                       words_.describe_time(marker.time), marker.duration, marker.scope,
                       marker.scope_id);
  };
  for (std::size_t k = 0; k < std::min(facts.markers.size(), expected.size()); ++k)
    if (facts.markers[k] != expected[k]) {
      rules_.add_violation(fmt::format("marker {} is {}, and should be {}", k + 1,
                                       describe(facts.markers[k]), describe(expected[k])));
      break;  // where one is missing, all behind it are in another place
    }
  if (facts.markers.size() != expected.size())
    rules_.add_violation(fmt::format("there are {} markers, and should be {}", facts.markers.size(),
                                     expected.size()));
}

void ComparingOutput::compare_properties(const TraceMetadata& metadata) {
  std::map<std::string, std::string> expected;
  for (const auto& [name, value] : metadata.properties)
    expected[to_upper(name)] = value;  // as libotf2 writes it

  const auto& found = archive_.facts().properties;
  for (const auto& [name, value] : expected) {
    const auto at = found.find(name);
    if (at == found.end())
      rules_.add_violation(fmt::format("traces.otf2: the property {} is missing", name));
    else
      compare_anchor(fmt::format("the property {}", name), quote(at->second), quote(value));
  }

  for (const auto& [name, value] : found)
    if (!expected.contains(name))
      rules_.add_violation(fmt::format("traces.otf2: the property {} should not be there", name));
}

void ComparingOutput::compare_anchor(const TraceMetadata& metadata) {
  const auto& facts = archive_.facts();
  compare_anchor("the name of the machine", quote(facts.machine), quote(metadata.machine));
  compare_anchor("the creator", quote(facts.creator), quote(metadata.creator));
  compare_anchor("the description", quote(facts.description), quote(metadata.description));
  compare_anchor("the identifier of the trace", facts.trace_id, metadata.trace_id);
  compare_anchor("the number of locations", facts.stated_locations, locations_.size());
  compare_anchor("the number of definitions", facts.stated_definitions,
                 metadata.definitions.size());
  compare_anchor("the size of chunks of events", archive_.event_chunk(),
                 choose_event_chunk(largest_record_));
  compare_anchor("the size of chunks of definitions", archive_.definition_chunk(),
                 choose_definition_chunk(metadata.definitions));
  if (facts.has_snapshots)
    rules_.add_violation("there are snapshots or thumbnails");
}

// Each location has an event file, and a file of local definitions that holds none. The latter
// would change ids and times, and a reader may look at more of it than we do.
void ComparingOutput::compare_files() {
  std::set<std::string> expected;
  for (const auto& [id, location] : locations_) {
    expected.insert(fmt::format("{}.evt", id));
    expected.insert(fmt::format("{}.def", id));
    if (!has_no_local_definitions(archive_.paths().local_definitions(id)))
      rules_.add_violation(fmt::format("traces/{}.def should hold no definitions", id));
  }

  std::error_code problem;
  for (std::filesystem::directory_iterator at(archive_.paths().folder(), problem), end;
       !problem && at != end; at.increment(problem))
    if (!expected.contains(at->path().filename().string()))
      rules_.add_violation(
          fmt::format("the file traces/{} belongs to no location", at->path().filename().string()));
}

}  // namespace tracefold
