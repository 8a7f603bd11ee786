#include "pipeline/events/earlier_reduction.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace tracefold {

namespace {

Error make_error(std::uint64_t location, const std::string& why) {
  return Error(ErrorKind::input,
               fmt::format("the property tracefold::members of location {} is wrong: {}", location,
                           why))
      .hint("reduce the original again");
}

std::vector<std::uint64_t> parse_members(const std::string& members, std::uint64_t location,
                                         std::size_t most) {
  try {
    return parse_ranges(members, most);
  } catch (const Error& problem) {
    throw make_error(location, problem.what());
  }
}

// Throws where two locations stand for the same one.
void check_once(const std::unordered_map<std::uint64_t, EarlierReduction>& found,
                const Definitions& definitions) {
  std::vector<std::uint64_t> all;
  for (auto location : list_process_locations(definitions))
    if (!found.contains(location))
      all.push_back(location);

  for (const auto& [location, r] : found)
    all.insert(all.end(), r.members.begin(), r.members.end());

  std::sort(all.begin(), all.end());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice == all.end())
    return;

  auto first = ~std::uint64_t{0};
  for (const auto& [location, r] : found)
    if (std::binary_search(r.members.begin(), r.members.end(), *twice))
      first = std::min(first, location);

  throw make_error(first, fmt::format("location {} is stood for twice", *twice));
}

}  // namespace

namespace {

// 0 where there is no such property.
std::uint64_t read_number(const ArchiveFacts& facts, const std::string& property) {
  const auto at = facts.properties.find(property);
  std::uint64_t number = 0;
  if (at != facts.properties.end())
    std::from_chars(at->second.data(), at->second.data() + at->second.size(), number);

  return number;
}

}  // namespace

std::uint64_t count_reductions(const ArchiveFacts& facts) {
  return read_number(facts, reductions_property);
}

std::uint64_t count_filtered_reductions(const ArchiveFacts& facts) {
  return read_number(facts, filtered_property);
}

bool is_whole(const ArchiveFacts& facts) {
  return count_reductions(facts) == 0 || facts.properties.contains(whole_property);
}

bool was_written_by_us(const ArchiveFacts& facts) {
  return facts.properties.contains(version_property);
}

bool draws_messages(const ArchiveFacts& facts) {
  const auto said = facts.properties.find(messages_property);
  return said == facts.properties.end() || said->second != messages_are_not_drawn;
}

bool is_communication(EventKind kind) {
  const auto name = get_row(kind).name;
  return name.starts_with("Mpi") || name.starts_with("Rma") ||
         name.starts_with("NonBlockingCollective");
}

std::string name_cut_property(EventKind kind) {
  return fmt::format("tracefold::cut::{}", get_row(kind).name);
}

RecordCounts count_cut_records(const ArchiveFacts& facts) {
  RecordCounts counts{};
  for (std::size_t k = 0; k < event_kinds; ++k)  // names are in upper case there
    counts[k] = read_number(facts, to_upper(name_cut_property(static_cast<EventKind>(k))));

  return counts;
}

std::uint64_t count_cut_definitions(const ArchiveFacts& facts, const std::string& property) {
  return read_number(facts, to_upper(property));
}

std::uint64_t count_cut_markers(const ArchiveFacts& facts) {
  return read_number(facts, "TRACEFOLD::CUT::MARKER");
}

std::vector<Metric> find_cut_metrics(const ArchiveFacts& facts) {
  using enum Metric;
  constexpr std::array of_messages{
      send_synchronizations, receive_synchronizations, sends, receives, bytes_sent, bytes_received};
  constexpr std::array of_collectives{collective_synchronizations, collectives,
                                      collectives_as_source,       collectives_as_destination,
                                      collective_bytes_outgoing,   collective_bytes_incoming};
  constexpr std::array of_windows{one_sided_synchronizations, puts, gets, one_sided_bytes_sent,
                                  one_sided_bytes_received};
  constexpr std::array of_files{individual_file_reads, individual_file_writes,
                                collective_file_reads, collective_file_writes};

  const auto counts = count_cut_records(facts);
  std::set<Metric> metrics;
  for (std::size_t k = 0; k < event_kinds; ++k) {
    if (counts[k] == 0)
      continue;

    const auto kind = static_cast<EventKind>(k);
    const auto name = get_row(kind).name;
    if (name.find("Collective") != std::string_view::npos)
      metrics.insert(of_collectives.begin(), of_collectives.end());
    else if (name.starts_with("Mpi"))
      metrics.insert(of_messages.begin(), of_messages.end());
    else if (name.starts_with("Rma"))
      metrics.insert(of_windows.begin(), of_windows.end());
    else if (name.starts_with("Io"))
      metrics.insert(of_files.begin(), of_files.end());
  }

  return {metrics.begin(), metrics.end()};
}

bool is_collapsed(const Definitions& definitions) {
  using enum DefinitionKind;
  return std::any_of(definitions.all().begin(), definitions.all().end(), [&](const Definition& d) {
    return d.kind == Region &&
           get_field<"regionRole", Region>(d) == otf2_value::region_role_artificial &&
           is_collapsed_iteration(definitions.text(get_field<"name", Region>(d)));
  });
}

std::unordered_map<std::uint64_t, LocationProperties> read_location_properties(
    const Definitions& definitions) {
  using enum DefinitionKind;
  std::unordered_map<std::uint64_t, LocationProperties> found;

  for (const auto& d : definitions.all()) {
    if (d.kind != LocationProperty)
      continue;

    const auto location = get_field<"location", LocationProperty>(d);
    const auto type = get_field<"type", LocationProperty>(d);
    const auto value = get_field<"value", LocationProperty>(d);
    const auto& name = definitions.text(get_field<"name", LocationProperty>(d));

    if (type == otf2_value::type_uint64 && name == "tracefold::source")
      found[location].source = value;
    if (type == otf2_value::type_uint64 && name == "tracefold::count")
      found[location].count = value;
    if (type == otf2_value::type_uint64 && name == "tracefold::rank")
      found[location].rank = value;
    if (type == otf2_value::type_uint64 && name == "tracefold::thread")
      found[location].thread = value;
    if (type == otf2_value::type_uint64 && name == "tracefold::halo")
      found[location].halo = value;
    if (type == otf2_value::type_uint32 && name == "tracefold::group")
      found[location].group = value;
    if (type == otf2_value::type_string && name == "tracefold::members")
      found[location].members = definitions.text(value);
  }

  return found;
}

EarlierReductions find_earlier_reductions(const Definitions& definitions) {
  std::unordered_map<std::uint64_t, EarlierReduction> found;
  std::size_t rest = most_members;

  for (const auto& [location, s] : read_location_properties(definitions)) {
    if (!s.source || !s.count || !s.members)
      continue;

    EarlierReduction r{*s.source, *s.count, s.rank, s.thread,
                       parse_members(*s.members, location, rest)};
    if (r.members.size() != r.count)
      throw make_error(
          location, fmt::format("it names {} locations instead of {}", r.members.size(), r.count));

    if (!std::binary_search(r.members.begin(), r.members.end(), r.source))
      throw make_error(location, fmt::format("it does not name location {}, its source", r.source));

    rest -= r.members.size();
    found.emplace(location, std::move(r));
  }

  if (!found.empty())
    check_once(found, definitions);

  return found;
}

std::vector<std::uint64_t> list_originals(const Definitions& definitions,
                                          const std::vector<std::uint64_t>& locations) {
  const auto earlier = find_earlier_reductions(definitions);
  std::vector<std::uint64_t> originals;
  for (auto location : locations)
    if (const auto found = earlier.find(location); found != earlier.end())
      originals.insert(originals.end(), found->second.members.begin(), found->second.members.end());
    else
      originals.push_back(location);
  std::sort(originals.begin(), originals.end());

  return originals;
}

std::map<std::uint64_t, std::uint64_t> find_halo_locations(const Definitions& definitions) {
  std::map<std::uint64_t, std::uint64_t> halo;
  for (const auto& [location, properties] : read_location_properties(definitions))
    if (properties.is_halo())
      halo.emplace(location, properties.source.value_or(location));
  return halo;
}

std::uint64_t count_halo_events(const Definitions& definitions) {
  std::uint64_t events = 0;
  for (const auto& [location, source] : find_halo_locations(definitions))
    events += get_field<"numberOfEvents", DefinitionKind::Location>(
        *definitions.find(Ref::location, location));
  return events;
}

std::vector<std::uint64_t> list_process_locations(const Definitions& definitions) {
  const auto halo = find_halo_locations(definitions);
  auto locations = definitions.locations();
  std::erase_if(locations, [&](auto location) { return halo.contains(location); });
  return locations;
}

}  // namespace tracefold
