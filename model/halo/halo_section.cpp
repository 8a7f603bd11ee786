#include "model/halo/halo_section.hpp"

#include "base/error.hpp"
#include "base/json_fields.hpp"
#include "base/ranges.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace tracefold {

namespace {

constexpr HaloOptions all_partners{HaloOptions::no_limit, false};
constexpr HaloOptions no_partners{0, false};

std::uint64_t read_number(const std::string& text) {
  const auto numbers = parse_ranges(text, 1);
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

void list_fields(JsonFields& fields, HaloRank& rank) {
  fields.ranges("locations", rank.locations);
  fields.ranges("partners", rank.partners);
  fields.text("exchanged", rank.messages, write_id, read_number);
  fields.text("bytes", rank.bytes, write_id, read_number);
}

void list_fields(JsonFields& fields, HaloSection& section) {
  const auto write = [](const HaloOptions& options) { return to_text(options); };
  fields.text("asked", section.asked, write, parse_halo);
  fields.field("ranks", section.ranks);
}

}  // namespace tracefold
