#include "model/messages/column.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace tracefold {

namespace {

[[noreturn]] void refuse_column(std::string_view text) {
  constexpr std::size_t longest = 60;
  throw Error(ErrorKind::input,
              fmt::format("'{}' is no column of a parameter", text.substr(0, longest)));
}

std::uint64_t find_in_table(const ColumnView& column, std::uint32_t rank) {
  const auto at = std::lower_bound(column.table.begin(), column.table.end(), rank,
                                   [](const auto& line, auto r) { return line.rank < r; });
  if (at == column.table.end() || at->rank != rank) {
    throw Error(ErrorKind::input, fmt::format("a column of a parameter leaves out rank {}", rank));
  }
  return at->value;
}

std::uint64_t move_on_torus(const ColumnView& column, std::uint64_t rank) {
  const auto dimensions = column.numbers.size() / 2;
  std::uint64_t moved = 0, weight = 1;

  for (auto d = dimensions; d-- > 0;) {  // the last dimension is the fastest
    const auto length = static_cast<std::uint64_t>(column.numbers[d]);
    const auto offset = static_cast<std::uint64_t>(column.numbers[dimensions + d]);
    moved += (rank % length + offset) % length * weight;
    rank /= length;
    weight *= length;
  }
  return moved;
}

std::uint64_t exchange_rows(const ColumnView& column, std::uint64_t rank, std::uint64_t size) {
  const auto columns = static_cast<std::uint64_t>(column.numbers[0]);
  const auto block = static_cast<std::uint64_t>(column.numbers[1]);
  const auto rows = size / block / columns;
  const auto place = rank / block;
  return (place % columns * rows + place / columns) * block + rank % block;
}

bool is_grid_of(const ColumnView& column, std::uint32_t size) {
  const auto dimensions = column.numbers.size() / 2;
  if (column.numbers.size() % 2 || dimensions < 2 || dimensions > 3)
    return false;

  std::uint64_t ranks = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto length = column.numbers[d], offset = column.numbers[dimensions + d];
    if (length < 1 || length > size || offset < 0 || offset >= length)
      return false;
    ranks *= static_cast<std::uint64_t>(length);
    if (ranks > size)
      return false;
  }
  return ranks == size;
}

bool makes_sense(const ColumnView& column, std::uint32_t size) {
  const auto& numbers = column.numbers;
  const auto is_below_size = [&](std::int64_t n) { return n >= 0 && n < std::int64_t{size}; };

  switch (column.form) {
    case ColumnForm::constant: return numbers.size() == 1;
    case ColumnForm::shift:
    case ColumnForm::exclusive_or: return numbers.size() == 1 && is_below_size(numbers[0]);
    case ColumnForm::torus: return is_grid_of(column, size);
    case ColumnForm::transpose:
      return numbers.size() == 2 && numbers[0] >= 1 && numbers[1] >= 1 && numbers[0] <= size &&
             numbers[1] <= size && size % (numbers[0] * numbers[1]) == 0;
    case ColumnForm::linear: return numbers.size() == 2;
    case ColumnForm::table: break;
  }
  return numbers.empty() && !column.table.empty() && column.table.back().rank < size;
}

std::vector<std::int64_t> parse_column_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const auto* end = text.data() + text.size();
  for (const auto* at = text.data(); at != end;) {
    // Above 2^63 a value is written as it is stored, without its sign.
    std::int64_t number = 0;
    auto [after, code] = std::from_chars(at, end, number);
    if (code == std::errc::result_out_of_range) {
      std::uint64_t large = 0;
      const auto read = std::from_chars(at, end, large);
      after = read.ptr;
      code = read.ec;
      number = static_cast<std::int64_t>(large);
    }
    if (code != std::errc{} || (after != end && *after != ' '))
      refuse_column(text);
    numbers.push_back(number);
    at = after == end ? end : after + 1;
  }
  return numbers;
}

Column parse_table(std::string_view text, std::uint32_t size) {
  Column column{ColumnForm::table, {}, {}};
  while (!text.empty()) {
    const auto end = text.find("; ");
    const auto line = text.substr(0, end);
    const auto middle = line.find(" @ ");
    if (middle == std::string_view::npos)
      refuse_column(line);

    const auto value = parse_column_numbers(line.substr(0, middle));
    if (value.size() != 1)
      refuse_column(line);
    for (auto rank : list_ranks(parse_rank_list(line.substr(middle + 3)), size)) {
      column.table.push_back({rank, static_cast<std::uint64_t>(value[0])});
    }
    if (column.table.size() > size)
      refuse_column(line);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }

  const auto by_rank = [](const auto& a, const auto& b) { return a.rank < b.rank; };
  std::sort(column.table.begin(), column.table.end(), by_rank);
  const auto same_rank = [](const auto& a, const auto& b) { return a.rank == b.rank; };
  if (std::adjacent_find(column.table.begin(), column.table.end(), same_rank) !=
      column.table.end()) {
    throw Error(ErrorKind::input, "a column of a parameter has two values for one rank");
  }
  return column;
}

// Values, of which those that ascend or descend in equal steps may be one word: first*count+step.
std::vector<std::int64_t> parse_steps(std::string_view text, std::size_t most) {
  if (text.find('*') == std::string_view::npos)
    return parse_column_numbers(text);

  std::vector<std::int64_t> values;
  while (!text.empty()) {
    const auto end = text.find(' ');
    const auto word = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const auto times = word.find('*');
    if (times == std::string_view::npos) {
      const auto value = parse_column_numbers(word);
      values.insert(values.end(), value.begin(), value.end());
      continue;
    }

    const auto sign = word.find_first_of("+-", times);
    if (sign == std::string_view::npos)
      refuse_column(word);
    const auto first = parse_column_numbers(word.substr(0, times));
    const auto count = parse_column_numbers(word.substr(times + 1, sign - times - 1));
    const auto step = parse_column_numbers(word.substr(word[sign] == '+' ? sign + 1 : sign));
    if (first.size() != 1 || count.size() != 1 || step.size() != 1 || count[0] < 1 ||
        static_cast<std::uint64_t>(count[0]) > most - std::min(most, values.size()))
      refuse_column(word);
    auto value = static_cast<std::uint64_t>(first[0]);
    for (std::int64_t k = 0; k < count[0]; ++k, value += static_cast<std::uint64_t>(step[0]))
      values.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

// The list of a number: "#0".
const std::vector<std::uint32_t>& parse_list(std::string_view text, const RankLists& lists) {
  if (!text.starts_with('#'))
    refuse_column(text);
  const auto number = parse_column_numbers(text.substr(1));
  if (number.size() != 1 || number[0] < 0 || static_cast<std::size_t>(number[0]) >= lists.size())
    refuse_column(text);
  return lists[static_cast<std::size_t>(number[0])];
}

template <class Values>
Column make_table(const std::vector<std::uint32_t>& ranks, const Values& values) {
  Column column{ColumnForm::table, {}, {}};
  column.table.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    column.table.push_back({ranks[i], static_cast<std::uint64_t>(values[i])});
  return column;
}

// All ranks, and then their values in the order of ranks.
Column parse_values(std::string_view text, std::uint32_t size, const RankLists& lists) {
  const auto middle = text.find(": ");
  if (middle == std::string_view::npos)
    refuse_column(text);

  auto list = text.substr(0, middle);
  std::vector<std::uint32_t> own;
  const auto* shared = &own;
  if (list.starts_with('#')) {
    shared = &parse_list(list, lists);
  } else {
    own = list_ranks(parse_rank_list(list), size);
  }
  const auto& ranks = *shared;
  const auto values = parse_steps(text.substr(middle + 2), ranks.size());
  if (ranks.size() != values.size())
    refuse_column(text);
  return make_table(ranks, values);
}

// The ranks as the number of a list.
std::string ranks_text(const std::vector<std::uint32_t>& ranks, RankLists& lists) {
  // Mostly one of the last is asked for.
  const auto at = std::find(lists.rbegin(), lists.rend(), ranks);
  if (at != lists.rend())
    return fmt::format("#{}", lists.rend() - at - 1);

  lists.push_back(ranks);
  return fmt::format("#{}", lists.size() - 1);
}

std::string values_text(const ColumnView& column) {
  constexpr std::size_t least_steps = 4;
  const auto& table = column.table;
  std::string values;
  values.reserve(8 * table.size());
  for (std::size_t i = 0; i < table.size();) {
    const auto step = i + 1 < table.size() ? table[i + 1].value - table[i].value : 0;
    auto end = i + 1;
    while (end < table.size() && table[end].value - table[end - 1].value == step)
      ++end;

    if (end - i >= least_steps) {
      fmt::format_to(std::back_inserter(values), " {}*{}{:+}", table[i].value, end - i,
                     static_cast<std::int64_t>(step));
      i = end;
    } else {
      fmt::format_to(std::back_inserter(values), " {}", table[i++].value);
    }
  }
  return values;
}

std::vector<std::uint32_t> list_table_ranks(const ColumnView& column) {
  std::vector<std::uint32_t> ranks;
  for (const auto& [rank, value] : column.table)
    ranks.push_back(rank);
  return ranks;
}

// The table as lines of values and ranks; empty where that takes more than so many letters.
std::string lines_text(const ColumnView& column, std::size_t most) {
  std::vector<RankValue> lines(column.table.begin(), column.table.end());
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.value < b.value; });

  std::string text;
  for (std::size_t k = 0; k < lines.size() && text.size() <= most;) {
    const auto value = lines[k].value;
    std::vector<std::uint32_t> ranks;
    for (; k < lines.size() && lines[k].value == value; ++k)
      ranks.push_back(lines[k].rank);
    text += fmt::format("{}{} @ {}", text.empty() ? "" : "; ", value,
                        rank_list_text(make_rank_list(ranks)));
  }

  return text.size() <= most ? text : std::string();
}

}  // namespace

bool operator==(const ColumnView& a, const ColumnView& b) {
  return a.form == b.form &&
         std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end()) &&
         std::equal(a.table.begin(), a.table.end(), b.table.begin(), b.table.end());
}

ColumnView ColumnList::operator[](std::size_t at) const {
  const auto& entry = entries_[at];
  if (entry.form == ColumnForm::constant)
    return {entry.form, {&entry.number, 1}, {}};

  const auto place = static_cast<std::size_t>(entry.number);
  if (entry.form == ColumnForm::table)
    return {entry.form, {}, std::span(lines_).subspan(place, entry.size)};
  return {entry.form, std::span(numbers_).subspan(place, entry.size), {}};
}

void ColumnList::push_back(const ColumnView& column) {
  if (column.form == ColumnForm::constant) {
    entries_.push_back({column.numbers[0], 0, column.form});
  } else if (column.form == ColumnForm::table) {
    entries_.push_back({static_cast<std::int64_t>(lines_.size()),
                        static_cast<std::uint32_t>(column.table.size()), column.form});
    lines_.insert(lines_.end(), column.table.begin(), column.table.end());
  } else {
    entries_.push_back({static_cast<std::int64_t>(numbers_.size()),
                        static_cast<std::uint32_t>(column.numbers.size()), column.form});
    numbers_.insert(numbers_.end(), column.numbers.begin(), column.numbers.end());
  }
}

std::uint64_t find_value(const ColumnView& column, std::uint32_t rank, std::uint32_t size) {
  const auto& numbers = column.numbers;
  const auto number = [&](std::size_t k) { return static_cast<std::uint64_t>(numbers[k]); };

  switch (column.form) {
    case ColumnForm::constant: return number(0);
    case ColumnForm::shift: return (rank + number(0)) % size;
    case ColumnForm::exclusive_or: return rank ^ number(0);
    case ColumnForm::torus: return move_on_torus(column, rank);
    case ColumnForm::transpose: return exchange_rows(column, rank, size);
    case ColumnForm::linear: return number(0) + number(1) * rank;
    case ColumnForm::table: break;
  }
  return find_in_table(column, rank);
}

std::string column_text(const ColumnView& column, RankLists& lists, ColumnPacker* packer) {
  const auto numbers = [&] { return fmt::format("{}", fmt::join(column.numbers, " ")); };

  switch (column.form) {
    case ColumnForm::constant:
      return column.numbers.empty() ? std::string()
                                    : std::to_string(static_cast<std::uint64_t>(column.numbers[0]));
    case ColumnForm::shift: return "+" + numbers();
    case ColumnForm::exclusive_or: return "^" + numbers();
    case ColumnForm::torus: return "torus " + numbers();
    case ColumnForm::transpose: return "transpose " + numbers();
    case ColumnForm::linear: return "linear " + numbers();
    case ColumnForm::table: break;
  }

  // The list of ranks counts as its number only.
  constexpr std::size_t around_values = 10;
  constexpr std::size_t most_letters_each = 2;
  const auto values = values_text(column);
  if (packer && values.size() > most_letters_each * column.table.size()) {
    packer->add(column.table);
    return "packed " + ranks_text(list_table_ranks(column), lists);
  }
  if (auto lines = lines_text(column, values.size() + around_values); !lines.empty())
    return lines;
  return "values " + ranks_text(list_table_ranks(column), lists) + ":" + values;
}

Column parse_column(std::string_view text, std::uint32_t size, const RankLists& lists,
                    ColumnUnpacker* unpacker) {
  struct Word {
    std::string_view word;
    ColumnForm form;
  };
  static constexpr Word words[] = {{"+", ColumnForm::shift},
                                   {"^", ColumnForm::exclusive_or},
                                   {"torus ", ColumnForm::torus},
                                   {"transpose ", ColumnForm::transpose},
                                   {"linear ", ColumnForm::linear}};

  const auto whole = text;
  Column column;
  if (text.find('@') != std::string_view::npos) {
    column = parse_table(text, size);
  } else if (text.starts_with("packed ") && unpacker) {
    const auto& ranks = parse_list(text.substr(7), lists);
    column = make_table(ranks, unpacker->take(ranks.size()));
  } else if (text.starts_with("values ")) {
    column = parse_values(text.substr(7), size, lists);
  } else {
    for (const auto& [word, form] : words) {
      if (!text.starts_with(word))
        continue;
      column.form = form;
      text.remove_prefix(word.size());
      break;
    }
    column.numbers = parse_column_numbers(text);
  }
  if (!makes_sense(column, size))
    refuse_column(whole);
  return column;
}

}  // namespace tracefold
