#include "model/program/profiles_file.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/sha256.hpp"
#include "base/varints.hpp"
#include "base/zstd_frame.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view first_words = "tracefold profiles ";
constexpr int deepest_document = 100;              // objects and lists inside each other
constexpr std::size_t footer_numbers = 6;          // of 8 bytes each
constexpr std::uint64_t largest_index_entry = 12;  // bytes: the mark 0, and a number of 64 bits

// The end of a file: where its parts are.
struct Footer {
  std::uint64_t document_begin = 0;
  std::uint64_t document_packed = 0, document_size = 0;
  std::uint64_t index_packed = 0, index_size = 0;
};

[[noreturn]] void refuse_profiles(std::string_view why) {
  throw Error(ErrorKind::input, fmt::format("is no file of profiles: {}", why));
}

Footer read_footer(std::string_view file) {
  const auto bytes = file.substr(file.size() - footer_numbers * 8);
  std::array<std::uint64_t, footer_numbers - 1> numbers{};
  for (std::size_t k = 0; k < numbers.size() * 8; ++k)
    numbers[k / 8] |= std::uint64_t{static_cast<unsigned char>(bytes[k])} << (8 * (k % 8));
  if (!bytes.ends_with(profiles_last_word))
    refuse_profiles("its end is not there");
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

void check_first_line(std::string_view file) {
  if (file.starts_with(profiles_first_line))
    return;
  const auto end = file.find('\n');
  if (!file.starts_with(first_words) || end == std::string_view::npos || end > 40)
    refuse_profiles("it does not begin as one");
  throw Error(ErrorKind::input,
              fmt::format("is a file of profiles of version {}, and version 1 is read",
                          file.substr(first_words.size(), end - first_words.size())));
}

std::vector<std::uint32_t> read_labels(const std::string& text, std::uint64_t columns) {
  std::vector<std::uint64_t> labels;
  try {
    labels = parse_ranges(text, static_cast<std::size_t>(columns));
  } catch (const Error&) {
    refuse_profiles("labels of columns are no list of numbers");
  }
  if (labels.size() != columns || (columns > 0 && labels.back() > 0xffff'ffff))
    refuse_profiles("labels do not fit the columns");
  return {labels.begin(), labels.end()};
}

std::uint64_t read_count(const Json& entry, const char* key, std::uint64_t most) {
  const auto& value = entry.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    refuse_profiles(fmt::format("a table's number of {} is none, or too large", key));
  return value.get<std::uint64_t>();
}

// Throws Error(input) where objects and lists are too deep inside each other.
Json parse_document(const std::string& text) {
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest_document)
      refuse_profiles("its document is too deep");
    return true;
  });
}

}  // namespace

ProfilesFile::ProfilesFile(std::string bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
  const std::string_view file = bytes_;
  check_first_line(file);
  if (file.size() < profiles_first_line.size() + footer_numbers * 8)
    refuse_profiles("it is cut");

  const auto footer = read_footer(file);
  const auto end = file.size() - footer_numbers * 8;
  if (footer.document_begin < profiles_first_line.size() || footer.document_begin > end ||
      footer.document_packed > end - footer.document_begin ||
      footer.index_packed != end - footer.document_begin - footer.document_packed)
    refuse_profiles("its parts do not fit");

  const auto begin = static_cast<std::size_t>(footer.document_begin);
  const auto packed = static_cast<std::size_t>(footer.document_packed);
  read_document(file.substr(begin, packed), footer.document_size);
  read_index(file.substr(begin + packed, end - begin - packed), footer.index_size,
             footer.document_begin);
}

void ProfilesFile::read_document(std::string_view frame, std::uint64_t size) {
  if (size > most_profiles_document_bytes)
    refuse_profiles("its document is too large");
  try {
    const auto text = unpack_frame(frame, size);
    document_sha256_ = hash_text(text);
    auto document = parse_document(text);
    first_blocks_.push_back(0);
    for (const auto& entry : document.at("tables"))
      add_table(entry);
    about_ = std::make_shared<const Json>(std::move(document.at("about")));
  } catch (const Json::exception&) {
    refuse_profiles("its document is damaged");
  }
}

void ProfilesFile::add_table(const Json& entry) {
  ProfilesTable table{.name = entry.at("name").get<std::string>(),
                      .rows = read_count(entry, "rows", most_profiles_rows),
                      .columns = read_count(entry, "columns", most_profiles_columns)};
  if (entry.contains("percent"))
    table.percent = static_cast<unsigned>(read_count(entry, "percent", ValueSteps::most_percent));
  steps_.try_emplace(table.percent, table.percent);
  if (entry.contains("labels")) {
    labels_ += table.columns;
    if (labels_ > most_profiles_labels)
      refuse_profiles("its tables have too many columns");
    table.labels = read_labels(entry.at("labels").get<std::string>(), table.columns);
  }

  const auto blocks = first_blocks_.back() + BlockGrid(table.rows, table.columns).count();
  if (blocks > most_profiles_blocks)
    refuse_profiles("its tables are too large");
  first_blocks_.push_back(blocks);
  if (!by_name_.emplace(table.name, tables_.size()).second)
    refuse_profiles(fmt::format("it has two tables '{}'", table.name.substr(0, 80)));
  tables_.push_back(std::move(table));
}

void ProfilesFile::read_index(std::string_view frame, std::uint64_t size,
                              std::uint64_t end_of_blocks) {
  const auto blocks = first_blocks_.back();
  if (size > (most_profiles_groups + blocks + 1) * largest_index_entry)
    refuse_profiles("its index is too large");
  const auto bytes = unpack_frame(frame, size);
  VarintReader reader(bytes);

  const auto count = reader.take();
  if (count > std::min<std::uint64_t>(most_profiles_groups, bytes.size()))
    refuse_profiles("it has too many groups");
  group_numbers_.resize(static_cast<std::size_t>(count));
  std::uint64_t last = 0;
  for (auto& group : group_numbers_) {
    last += from_zigzag(reader.take());
    if (last > 0xffff'ffff)
      refuse_profiles("there is no such group");
    group = static_cast<std::uint32_t>(last);
  }
  groups_ = RowGroups(group_numbers_);

  if (blocks > bytes.size())
    refuse_profiles("its index is cut");
  blocks_.resize(static_cast<std::size_t>(blocks));
  std::uint64_t at = profiles_first_line.size();
  for (auto& block : blocks_) {
    block.size = reader.take();
    if (block.size > end_of_blocks - at)
      refuse_profiles("its blocks do not fit");
    block.number = block.size == 0 ? reader.take() : at;
    at += block.size;
  }
  if (at != end_of_blocks || !reader.at_end())
    refuse_profiles("its index does not fit");
}

const ProfilesTable* ProfilesFile::find(std::string_view name) const {
  const auto known = by_name_.find(name);
  return known == by_name_.end() ? nullptr : &tables_[known->second];
}

std::size_t ProfilesFile::find_table(const ProfilesTable& table) const {
  const auto known = by_name_.find(table.name);
  if (known == by_name_.end())
    throw Error(ErrorKind::input, fmt::format("has no table '{}'", table.name));
  return known->second;
}

std::vector<std::uint64_t> ProfilesFile::read(const ProfilesTable& table) const {
  return read_rows(table, 0, static_cast<std::size_t>(table.rows));
}

std::vector<std::uint64_t> ProfilesFile::read_rows(const ProfilesTable& asked, std::size_t first,
                                                   std::size_t count) const {
  const auto number = find_table(asked);
  const auto& table = tables_[number];
  if (first > table.rows || count > table.rows - first)
    throw Error(ErrorKind::input,
                fmt::format("table '{}' has only {} rows", table.name, table.rows));
  if (count > 0 && table.columns > most_profiles_numbers_read / count)
    throw Error(ErrorKind::input,
                fmt::format("table '{}' is too large to be read at a time", table.name));

  const auto columns = static_cast<std::size_t>(table.columns);
  std::vector<std::uint64_t> values(count * columns);
  if (values.empty())
    return values;

  const BlockGrid grid(table.rows, table.columns);
  const auto begin = first / grid.rows_of_band() * grid.blocks_of_band();
  const auto end = ((first + count - 1) / grid.rows_of_band() + 1) * grid.blocks_of_band();
  try {
    for (auto k = begin; k < end; ++k)
      read_block(number, k, first, values);
  } catch (Error& problem) {
    throw problem.in(name_);
  }
  return values;
}

// Puts those values of a block into place that are of the rows from `first` on of which `values`
// has room.
void ProfilesFile::read_block(std::size_t table, std::uint64_t k, std::size_t first,
                              std::span<std::uint64_t> values) const {
  const auto& [name, rows, columns, percent, labels] = tables_[table];
  const auto block = BlockGrid(rows, columns).find(k);
  const auto& packed = blocks_[static_cast<std::size_t>(first_blocks_[table] + k)];
  const auto& steps = steps_.at(percent);

  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(block.rows * block.columns));
  if (packed.size == 0) {
    std::fill(numbers.begin(), numbers.end(), steps.find_value(packed.number));
  } else {
    unpack_block(
        std::string_view(bytes_).substr(static_cast<std::size_t>(packed.number),
                                        static_cast<std::size_t>(packed.size)),
        static_cast<std::size_t>(block.columns),
        {static_cast<std::size_t>(block.first_row), rows == groups_.size() ? &groups_ : nullptr},
        numbers);
    if (percent > 0)
      for (auto& value : numbers)
        value = steps.find_value(value);
  }

  const auto asked = values.size() / columns;
  const auto begin = std::max<std::uint64_t>(first, block.first_row);
  const auto end = std::min<std::uint64_t>(first + asked, block.first_row + block.rows);
  for (auto row = begin; row < end; ++row)
    std::copy_n(
        numbers.begin() + static_cast<std::ptrdiff_t>((row - block.first_row) * block.columns),
        block.columns,
        values.begin() + static_cast<std::ptrdiff_t>((row - first) * columns + block.first_column));
}

}  // namespace tracefold
