// Reads unsigned numbers from JSON. The JSON library would convert a negative number or a fraction;
// these functions throw Error(input).
#pragma once

#include "base/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace tracefold {

template <class Number = std::uint64_t>
Number read_whole(const nlohmann::ordered_json& value) {
  const auto number = value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
  if (!value.is_number_unsigned() || number > std::numeric_limits<Number>::max())
    throw Error(ErrorKind::input,
                fmt::format("the plan has {} where a number that counts should be",
                            value.is_number() ? value.dump() : value.type_name()));

  return static_cast<Number>(number);
}

template <class Number = std::uint64_t>
std::vector<Number> read_all_whole(const nlohmann::ordered_json& in) {
  std::vector<Number> numbers;
  numbers.reserve(in.size());
  for (const auto& value : in)
    numbers.push_back(read_whole<Number>(value));
  return numbers;
}

}  // namespace tracefold
