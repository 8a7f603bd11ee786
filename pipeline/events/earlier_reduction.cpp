#include "pipeline/events/earlier_reduction.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tracefold {

namespace {

constexpr std::size_t most_members = std::size_t{1} << 24;  // of all locations

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
  for (auto location : definitions.locations())
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

std::uint64_t count_reductions(const ArchiveFacts& facts) {
  const auto at = facts.properties.find("TRACEFOLD::REDUCTIONS");
  if (at == facts.properties.end())
    return 0;

  std::uint64_t number = 0;
  std::from_chars(at->second.data(), at->second.data() + at->second.size(), number);

  return number;
}

bool is_stand_in(std::string_view name) {
  return name.starts_with(stand_in_name);
}

bool is_collapsed(const Definitions& definitions) {
  using enum DefinitionKind;
  return std::any_of(definitions.all().begin(), definitions.all().end(), [&](const Definition& d) {
    return d.kind == Region &&
           get_field<"regionRole", Region>(d) == otf2_value::region_role_artificial &&
           is_stand_in(definitions.text(get_field<"name", Region>(d)));
  });
}

std::unordered_map<std::uint64_t, StandInProperties> read_stand_in_properties(
    const Definitions& definitions) {
  using enum DefinitionKind;
  std::unordered_map<std::uint64_t, StandInProperties> found;

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
    if (type == otf2_value::type_uint32 && name == "tracefold::group")
      found[location].group = value;
    if (type == otf2_value::type_string && name == "tracefold::members")
      found[location].members = definitions.text(value);
  }

  return found;
}

std::unordered_map<std::uint64_t, EarlierReduction> find_earlier_reductions(
    const Definitions& definitions) {
  std::unordered_map<std::uint64_t, EarlierReduction> found;
  std::size_t rest = most_members;

  for (const auto& [location, s] : read_stand_in_properties(definitions)) {
    if (!s.source || !s.count || !s.members)
      continue;

    EarlierReduction r{*s.source, *s.count, s.rank, parse_members(*s.members, location, rest)};
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

}  // namespace tracefold
