#include "model/halo/halo_section.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

constexpr HaloOptions all_partners{HaloOptions::no_limit, false};
constexpr HaloOptions no_partners{0, false};

std::uint64_t read_number(const Json& in) {
  const auto numbers = parse_ranges(in.get_ref<const std::string&>(), 1);
  if (numbers.size() != 1)
    throw Error(ErrorKind::input, "a rank of the halo says how much it exchanges in no number");
  return numbers[0];
}

}  // namespace

HaloOptions parse_halo(std::string_view word) {
  if (word == "auto")
    return {};
  if (word == "all")
    return all_partners;
  if (word == "off")
    return no_partners;

  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code != std::errc{} || end != word.data() + word.size() || number == 0)
    throw Error(ErrorKind::usage, fmt::format("'{}' is no choice of halo processes", word))
        .hint("auto, all, off, or how many for each kept process");

  return {number, false};
}

std::string to_text(const HaloOptions& options) {
  if (options == HaloOptions{})
    return "auto";
  if (options == all_partners)
    return "all";
  if (options == no_partners)
    return "off";

  return std::to_string(options.most_per_process);
}

Json to_json(const HaloSection& section) {
  Json ranks = Json::array();
  for (const auto& rank : section.ranks)
    ranks.push_back({{"locations", to_ranges(rank.locations)},
                     {"partners", to_ranges(rank.partners)},
                     {"exchanged", std::to_string(rank.messages)},
                     {"bytes", std::to_string(rank.bytes)}});

  return {{"asked", to_text(section.asked)}, {"ranks", std::move(ranks)}};
}

HaloSection halo_section_from_json(const Json& in) {
  HaloSection section{parse_halo(in.at("asked").get_ref<const std::string&>()), {}};
  for (const auto& one : in.at("ranks"))
    section.ranks.push_back({parse_ranges(one.at("locations").get_ref<const std::string&>()),
                             parse_ranges(one.at("partners").get_ref<const std::string&>()),
                             read_number(one.at("exchanged")), read_number(one.at("bytes"))});

  return section;
}

}  // namespace tracefold
