#include "model/program/profiles_writer.hpp"

#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "base/team.hpp"
#include "base/varints.hpp"
#include "base/zstd_frame.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t numbers_at_once = 1 << 20;

[[noreturn]] void refuse_to_write(std::string_view what) {
  throw Error(ErrorKind::output,
              fmt::format("there are more {} than a file of profiles can hold", what));
}

// The end of a file, which says where its parts are.
void put_footer(std::string& out, std::initializer_list<std::uint64_t> numbers) {
  for (auto number : numbers)
    for (unsigned k = 0; k < 8; ++k)
      out += static_cast<char>(number >> (8 * k) & 0xff);
  out += profiles_last_word;
}

Json write_table(const ProfilesTable& table) {
  Json entry{{"name", table.name}, {"rows", table.rows}, {"columns", table.columns}};
  if (table.percent > 0)
    entry["percent"] = table.percent;
  if (!table.labels.empty())
    entry["labels"] = to_ranges({table.labels.begin(), table.labels.end()});
  return entry;
}

// A block of a table, cut out of whole rows of values.
class BlockOfRows {
 public:
  BlockOfRows(std::span<const std::uint64_t> values, std::uint64_t columns, NumberBlock block,
              std::uint64_t first_row) {
    numbers_.reserve(static_cast<std::size_t>(block.rows * block.columns));
    for (std::uint64_t row = block.first_row; row < block.first_row + block.rows; ++row) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>((row - first_row) * columns +
                                                                      block.first_column);
      numbers_.insert(numbers_.end(), begin, begin + static_cast<std::ptrdiff_t>(block.columns));
    }
  }

  void turn_into_steps(const ValueSteps& steps) {
    if (steps.percent() == 0)
      return;
    if (are_equal())
      std::fill(numbers_.begin(), numbers_.end(), steps.find_step(numbers_.front()));
    else
      std::transform(numbers_.begin(), numbers_.end(), numbers_.begin(),
                     [&](std::uint64_t value) { return steps.find_step(value); });
  }

  bool are_equal() const {
    return std::equal(numbers_.begin() + 1, numbers_.end(), numbers_.begin());
  }
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }

 private:
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

ProfilesWriter::ProfilesWriter(std::vector<std::uint32_t> groups, Team* team)
    : group_numbers_(std::move(groups)),
      groups_(group_numbers_),
      team_(team),
      rows_to_(team ? team->size() : 0) {
  if (group_numbers_.size() > most_profiles_groups)
    refuse_to_write("processes");
}

std::pair<ProfilesWriter::PartNumber, ProfilesWriter::PartNumber> ProfilesWriter::begin_table(
    ProfilesTable table) {
  assert(table.labels.empty() || table.labels.size() == table.columns);
  [[maybe_unused]] const bool is_new = names_.insert(table.name).second;
  assert(is_new);
  if (table.rows > most_profiles_rows)
    refuse_to_write("rows");
  if (table.columns > most_profiles_columns)
    refuse_to_write("columns");

  const BlockGrid grid(table.rows, table.columns);
  blocks_ += grid.count();
  labels_ += table.labels.size();
  if (blocks_ > most_profiles_blocks || labels_ > most_profiles_labels)
    refuse_to_write("numbers");

  const auto numbers_of_band = std::max<std::uint64_t>(1, grid.rows_of_band() * table.columns);
  const auto bands_at_once = std::max<std::uint64_t>(1, numbers_at_once / numbers_of_band);
  const auto rows_at_once = std::min(table.rows, bands_at_once * grid.rows_of_band());
  const auto first = parts_.size();
  for (std::uint64_t row = 0, block = 0; block < grid.count(); row += rows_at_once) {
    parts_.push_back({tables_.size(), row, std::min(rows_at_once, table.rows - row), block});
    block += bands_at_once * grid.blocks_of_band();
  }
  steps_.try_emplace(table.percent, table.percent);
  tables_.push_back(std::move(table));

  return {first, parts_.size()};
}

void ProfilesWriter::add(ProfilesTable table, const ReadRow& read) {
  const auto [first, end] = begin_table(std::move(table));
  if (!is_first(team_))
    return;

  const auto columns = static_cast<std::size_t>(tables_.back().columns);
  std::vector<std::uint64_t> values;
  for (auto number = first; number < end; ++number) {
    const auto& part = parts_[number];
    values.resize(static_cast<std::size_t>(part.rows) * columns);
    for (std::size_t row = 0; row < part.rows; ++row)
      read(static_cast<std::size_t>(part.first_row) + row,
           std::span(values).subspan(row * columns, columns));
    packed_.emplace(number, pack_part(part, values));
  }
}

void ProfilesWriter::add_dealt(ProfilesTable table, const HasRow& has_row, const ReadRow& read) {
  if (!team_) {
    add(std::move(table), read);
    return;
  }

  const auto [first, end] = begin_table(std::move(table));
  std::vector<std::uint64_t> values(static_cast<std::size_t>(tables_.back().columns));
  for (auto number = first; number < end; ++number) {
    const auto& part = parts_[number];
    const auto packer = std::exchange(next_, (next_ + 1) % team_->size());
    if (packer == team_->rank())
      own_parts_.push_back(number);
    for (auto row = part.first_row; row < part.first_row + part.rows; ++row) {
      if (!has_row(static_cast<std::size_t>(row)))
        continue;
      read(static_cast<std::size_t>(row), values);
      auto& to = rows_to_[packer];
      put_varint(to, number);
      put_varint(to, row - part.first_row);
      for (auto value : values)
        put_varint(to, value);
    }
    waiting_ += part.rows * values.size();
    if (waiting_ >= team_->size() * numbers_at_once)
      bring_together();
  }
}

void ProfilesWriter::add_sums(ProfilesTable table, std::vector<std::uint64_t> own) {
  if (!team_) {
    add(std::move(table), [&](std::size_t, std::span<std::uint64_t> out) {
      std::copy(own.begin(), own.end(), out.begin());
    });
    return;
  }

  waiting_ += own.size();
  const auto [first, end] = begin_table(std::move(table));
  // A table of one row has one part, or none.
  if (first < end)
    sums_.emplace_back(first, std::move(own));
}

ProfilesWriter::PackedPart ProfilesWriter::pack_part(const BandRange& part,
                                                     std::span<const std::uint64_t> values) const {
  const auto& table = tables_[part.table];
  const BlockGrid grid(table.rows, table.columns);
  const auto& steps = steps_.at(table.percent);
  const auto bands = (part.rows - 1) / grid.rows_of_band() + 1;

  struct Packed {
    std::uint64_t number = 0;
    std::string bytes;
  };
  std::vector<Packed> packed(static_cast<std::size_t>(bands * grid.blocks_of_band()));
  for_each_index(packed.size(), [&](std::size_t k) {
    const auto block = grid.find(part.first_block + k);
    BlockOfRows cut(values, table.columns, block, part.first_row);
    cut.turn_into_steps(steps);
    packed[k].number = cut.numbers().front();
    if (!cut.are_equal())
      packed[k].bytes = pack_block(cut.numbers(), static_cast<std::size_t>(block.columns),
                                   {static_cast<std::size_t>(block.first_row),
                                    table.rows == groups_.size() ? &groups_ : nullptr});
  });

  PackedPart out;
  for (const auto& [number, bytes] : packed) {
    put_varint(out.index, bytes.size());
    if (bytes.empty())
      put_varint(out.index, number);
    out.blocks += bytes;
  }
  return out;
}

void ProfilesWriter::bring_together() {
  bring_rows_together();
  bring_sums_together();
  waiting_ = 0;
}

void ProfilesWriter::bring_rows_together() {
  for (auto& rows : rows_to_)
    rows = pack(rows);
  const auto arrived = team_->exchange(std::exchange(rows_to_, {team_->size(), std::string()}));

  std::map<PartNumber, std::vector<std::uint64_t>> values;
  for (auto number : own_parts_)
    values[number].resize(
        static_cast<std::size_t>(parts_[number].rows * tables_[parts_[number].table].columns));
  for (const auto& packed : arrived) {
    const auto bytes = unpack<std::string>(packed);
    VarintReader reader(bytes);
    while (!reader.at_end()) {
      const auto number = static_cast<PartNumber>(reader.take());
      const auto columns = static_cast<std::size_t>(tables_.at(parts_.at(number).table).columns);
      const auto row = static_cast<std::size_t>(reader.take());
      for (auto& value : std::span(values.at(number)).subspan(row * columns, columns))
        value = reader.take();
    }
  }

  std::vector<PackedPart> packed(own_parts_.size());
  for_each_index(own_parts_.size(), [&](std::size_t k) {
    packed[k] = pack_part(parts_[own_parts_[k]], values.at(own_parts_[k]));
  });
  for (std::size_t k = 0; k < packed.size(); ++k)
    packed_.emplace(own_parts_[k], std::move(packed[k]));
  own_parts_.clear();
}

void ProfilesWriter::bring_sums_together() {
  using Sums = decltype(sums_);
  const auto bytes = team_->reduce(pack(sums_), [](const std::string& lower,
                                                   const std::string& higher) {
    auto sums = unpack<Sums>(lower);
    const auto others = unpack<Sums>(higher);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      auto& to = sums[k].second;
      std::transform(to.begin(), to.end(), others.at(k).second.begin(), to.begin(), std::plus<>());
    }
    return pack(sums);
  });
  sums_.clear();
  if (!is_first(team_))
    return;

  for (const auto& [number, sums] : unpack<Sums>(bytes))
    packed_.emplace(number, pack_part(parts_.at(number), sums));
}

std::uint64_t ProfilesWriter::count_packed_bytes() const {
  std::uint64_t own = 0;
  for (const auto& [number, part] : packed_)
    own += part.blocks.size();
  return share_merged(team_, own, std::plus<>());
}

void ProfilesWriter::gather_parts() {
  const auto gathered = team_->gather(is_first(team_) ? std::string() : pack(packed_));
  for (const auto& bytes : gathered)
    if (!bytes.empty())
      packed_.merge(unpack<std::map<PartNumber, PackedPart>>(bytes));
}

std::optional<std::string> ProfilesWriter::finish(const Json& about, std::uint64_t most_bytes) {
  if (team_)
    bring_together();
  if (count_packed_bytes() > most_bytes)
    return std::nullopt;
  if (team_)
    gather_parts();
  if (!is_first(team_))
    return std::string();

  auto tables = Json::array();
  for (const auto& table : tables_)
    tables.push_back(write_table(table));
  const auto document =
      write_json_text({{"about", about}, {"tables", std::move(tables)}}, JsonLines::one);
  if (document.size() > most_profiles_document_bytes)
    refuse_to_write("names");

  std::string file(profiles_first_line), index;
  put_varint(index, group_numbers_.size());
  std::uint64_t last = 0;
  for (const auto group : group_numbers_) {
    put_varint(index, to_zigzag(group - last));
    last = group;
  }
  for (auto part = packed_.begin(); part != packed_.end(); part = packed_.erase(part)) {
    file += part->second.blocks;
    index += part->second.index;
  }

  const auto packed_document = pack_frame(document, FrameContent::text);
  const auto packed_index = pack_frame(index, FrameContent::text);
  const auto begin = file.size();
  file += packed_document;
  file += packed_index;
  put_footer(file,
             {begin, packed_document.size(), document.size(), packed_index.size(), index.size()});
  return file;
}

}  // namespace tracefold
