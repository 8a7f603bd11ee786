#include "base/number_list.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <system_error>

namespace tracefold {

namespace {

[[noreturn]] void throw_no_number() {
  throw Error(ErrorKind::input, "a list has a value that is no number");
}

std::uint64_t parse_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc())
    throw_no_number();
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));

  return value;
}

}  // namespace

std::string write_numbers(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
    while (end < numbers.size() && numbers[end] == numbers[begin])
      ++end;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{}{}", begin == 0 ? "" : " ", numbers[begin]);
    if (end - begin > 1)
      fmt::format_to(out, "*{}", end - begin);
  }

  return text;
}

std::vector<std::uint64_t> parse_numbers(std::string_view text, std::size_t most) {
  std::vector<std::uint64_t> numbers;
  while (!text.empty()) {
    const auto number = parse_number(text);
    std::uint64_t times = 1;
    if (text.starts_with('*')) {
      text.remove_prefix(1);
      times = parse_number(text);
    }
    if (times > most - numbers.size())
      throw Error(ErrorKind::input, "a list has more values than it should");
    numbers.insert(numbers.end(), times, number);

    if (text.empty())
      break;
    if (!text.starts_with(' ') || text.size() == 1)
      throw_no_number();
    text.remove_prefix(1);
  }

  return numbers;
}

}  // namespace tracefold
