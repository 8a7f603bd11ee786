#include "pipeline/archives/order_ranks.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

using K = DefinitionKind;

namespace {

using KnownRank = std::optional<std::uint64_t>;
constexpr std::string_view of_property = "property:", of_path = "path:", of_order = "order";
constexpr std::string_view place_of_rank = "{N}";
constexpr const char* by_name = "the order of their names";

KnownRank read_rank(std::string_view text) {
  std::uint32_t rank = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
  return problem == std::errc() && end == text.data() + text.size() ? KnownRank(rank)
                                                                    : std::nullopt;
}

// A pattern with one {N} as an expression.
std::regex make_expression(const std::string& pattern) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (pattern.compare(at, place_of_rank.size(), place_of_rank) == 0) {
      out += "([0-9]+)";
      at += place_of_rank.size() - 1;
    } else if (c == '*') {
      out += ".*?";
    } else if (c == '?') {
      out += '.';
    } else if (std::string_view("\\^$.|+()[]{}").find(c) != std::string_view::npos) {
      out += {'\\', c};
    } else {
      out += c;
    }
  }
  return std::regex(out);
}

KnownRank match_name(const std::string& name, const std::regex& expression) {
  std::smatch found;
  return std::regex_match(name, found, expression) ? read_rank(found[1].str()) : std::nullopt;
}

// A property of the first process, or of the archive.
KnownRank find_property(const Archive& archive, const std::string& name) {
  const auto& definitions = archive.definitions();
  const auto is_that = [&](std::string_view other) { return to_lower(other) == to_lower(name); };
  for (const auto& d : definitions.all())
    if (d.kind == K::LocationGroupProperty &&
        is_that(definitions.text(get_field<"name", K::LocationGroupProperty>(d)))) {
      const auto value = get_field<"value", K::LocationGroupProperty>(d);
      return get_field<"type", K::LocationGroupProperty>(d) == otf2_value::type_string
                 ? read_rank(definitions.text(value))
                 : KnownRank(value);
    }
  for (const auto& [property, value] : archive.facts().properties) {
    const auto colon = property.rfind(':');
    if (is_that(property) || (colon != property.npos && is_that(property.substr(colon + 1))))
      return read_rank(value);
  }
  return std::nullopt;
}

// The rank of the first location that MPI's list has.
KnownRank find_mpi_rank(const Archive& archive) {
  const auto& definitions = archive.definitions();
  KnownRank rank;
  for (const auto location : definitions.locations())
    if (const auto found = definitions.mpi_rank(location))
      rank = std::min(rank.value_or(*found), *found);
  return rank;
}

void sort(FoundArchives& archives) {
  std::stable_sort(archives.begin(), archives.end(),
                   [](const auto& a, const auto& b) { return a.name.rank < b.name.rank; });
}

// Sets all ranks where find(archive) tells them all, and all differ.
template <class Find>
bool try_ranks(FoundArchives& archives, Find&& find) {
  std::map<std::uint64_t, std::size_t> found;
  for (std::size_t k = 0; k < archives.size(); ++k) {
    const auto rank = find(archives[k]);
    if (!rank || !found.emplace(*rank, k).second)
      return false;
  }
  for (const auto& [rank, k] : found)
    archives[k].name.rank = rank;
  sort(archives);
  return true;
}

// The same, and says which archive does not fit.
template <class Find>
void require_ranks(FoundArchives& archives, const std::string& words, Find&& find) {
  std::map<std::uint64_t, std::string> found;
  for (const auto& one : archives) {
    const auto rank = find(one);
    if (!rank)
      throw Error(ErrorKind::input, fmt::format("`rank_from` {} does not tell its rank", words))
          .in(one.name.anchor)
          .hint("`rank_from` order takes the order of the names");
    if (const auto [at, is_new] = found.emplace(*rank, one.name.anchor); !is_new)
      throw Error(ErrorKind::input, fmt::format("`rank_from` {} takes it and {} for rank {}", words,
                                                at->second, *rank))
          .in(one.name.anchor)
          .hint("`rank_from` order takes the order of the names");
  }
  try_ranks(archives, find);
}

void number_by_name(FoundArchives& archives) {
  std::stable_sort(archives.begin(), archives.end(), [](const auto& a, const auto& b) {
    return is_named_before(a.name.anchor, b.name.anchor);
  });
  for (std::size_t k = 0; k < archives.size(); ++k)
    archives[k].name.rank = k;
}

bool have_mpi_ranks(const FoundArchives& archives) {
  std::vector<const Definitions*> all;
  for (const auto& one : archives)
    all.push_back(&one.archive->definitions());
  return share_ranks(all, otf2_value::paradigm_mpi);
}

// Messages are of MPI's ranks, whatever the names of archives are.
void check_mpi_ranks(const FoundArchives& archives, const std::string& words) {
  if (!have_mpi_ranks(archives))
    return;
  for (const auto& one : archives)
    if (const auto rank = find_mpi_rank(*one.archive); rank && *rank != one.name.rank)
      throw Error(ErrorKind::input,
                  fmt::format("`rank_from` {} takes it for rank {}, and it is MPI's rank {}", words,
                              one.name.rank, *rank))
          .in(one.name.anchor)
          .hint("leave `rank_from` out: where MPI's ranks are known, they count");
}

bool try_mpi(FoundArchives& archives) {
  return have_mpi_ranks(archives) &&
         try_ranks(archives, [](const auto& one) { return find_mpi_rank(*one.archive); });
}

std::optional<std::string> try_properties(FoundArchives& archives) {
  for (const auto* name : {"rank", "mpi_rank", "mpi rank", "process rank", "OMPI_COMM_WORLD_RANK",
                           "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (try_ranks(archives, [&](const auto& one) { return find_property(*one.archive, name); }))
      return fmt::format("the property '{}'", name);
  return std::nullopt;
}

// The number of a process gives the order, but is no rank.
void number_from_zero(FoundArchives& archives) {
  for (std::size_t k = 0; k < archives.size(); ++k)
    archives[k].name.rank = k;
}

bool may_be_ranks(const FoundArchives& archives) {
  return archives.back().name.rank < 4 * archives.size();
}

std::optional<std::string> try_known_names(FoundArchives& archives) {
  struct OfTool {
    const char *expression, *words;
    bool has_ranks;  // else the number is that of the process
  };
  constexpr OfTool known[] = {
      {"(?:.*[^a-zA-Z])?[rR][aA][nN][kK][-_.]?([0-9]+)(?:[^0-9].*)?", "rank{N} in their names",
       true},
      {"(?:.*[^0-9])?([0-9]+)_results\\.otf2",
       "the order of {N}_results.otf2, as rocprofv3 names them", false},
      {".*-([0-9]+)\\.otf2", "NAME-{N}.otf2, as omnitrace names them", true},
      {"(?:.*/)?OTF2_archive[-_.]?([0-9]+)/.*", "OTF2_archive_{N}, as APEX names them", true}};
  for (const auto& [expression, words, has_ranks] : known)
    if (const std::regex of_tool(expression); try_ranks(
            archives, [&](const auto& one) { return match_name(one.name.anchor, of_tool); })) {
      if (!has_ranks || !may_be_ranks(archives))
        number_from_zero(archives);
      return words;
    }
  return std::nullopt;
}

// By a property, by their paths or by their names.
std::string order_as_asked(FoundArchives& archives, const std::string& rank_from) {
  if (rank_from.starts_with(of_property)) {
    const auto name = rank_from.substr(of_property.size());
    require_ranks(archives, rank_from,
                  [&](const auto& one) { return find_property(*one.archive, name); });
    return fmt::format("the property '{}'", name);
  }
  if (rank_from.starts_with(of_path)) {
    const auto pattern = rank_from.substr(of_path.size());
    const auto expression = make_expression(pattern);
    require_ranks(archives, rank_from,
                  [&](const auto& one) { return match_name(one.name.anchor, expression); });
    return fmt::format("their paths, by '{}'", pattern);
  }
  return by_name;
}

}  // namespace

void check_rank_from(const std::string& words) {
  const auto pattern =
      words.starts_with(of_path) ? std::string_view(words).substr(of_path.size()) : "";
  const auto place = pattern.find(place_of_rank);
  const bool is_path =
      place != pattern.npos && pattern.find(place_of_rank, place + 1) == pattern.npos;
  const bool is_property = words.starts_with(of_property) && words.size() > of_property.size();
  if (!words.empty() && words != of_order && !is_property && !is_path)
    throw Error(ErrorKind::usage, fmt::format("`rank_from` {}: means nothing", words))
        .hint("give it order, property:NAME or path:PATTERN, as in 'path:*rank{N}*'");
}

std::string order_ranks(FoundArchives& archives, const std::string& rank_from) {
  check_rank_from(rank_from);
  number_by_name(archives);
  if (!rank_from.empty()) {
    const auto words = order_as_asked(archives, rank_from);
    check_mpi_ranks(archives, rank_from);
    return words;
  }
  if (try_mpi(archives))
    return "MPI";
  if (const auto words = try_properties(archives))
    return *words;
  return try_known_names(archives).value_or(by_name);
}

}  // namespace tracefold
