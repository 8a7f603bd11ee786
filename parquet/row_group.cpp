#include "parquet/row_group.hpp"

#include "parquet/compact_protocol.hpp"
#include "parquet/encodings.hpp"
#include "parquet/format.hpp"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tracefold::parquet {

namespace {

using Word = std::uint64_t;

constexpr Word sign_bit = Word{1} << 63;
constexpr Word infinity = Word{0x7ff} << 52;

bool is_nan(Word bits) {
  return (bits & ~sign_bit) > infinity;
}

// Doubles as numbers of the same order, without a sign; and back.
Word order_double(Word bits) {
  return bits & sign_bit ? ~bits : bits | sign_bit;
}
Word restore_double(Word ordered) {
  return ordered & sign_bit ? ordered & ~sign_bit : ~ordered;
}

std::string_view view_bytes(const Word& word, std::size_t bytes) {
  return {reinterpret_cast<const char*>(&word), bytes};
}

std::size_t count_value_bytes(Type type) {
  return type == Type::int32 ? 4 : 8;
}

void append_text(std::string& bytes, const std::string& text) {
  const Word size = text.size();
  bytes += view_bytes(size, 4);
  bytes += text;
}

}  // namespace

namespace detail {

// The least and greatest of numbers that come page by page.
class Range {
 public:
  void add(Type type, std::span<const Word> values) {
    if (values.empty())
      return;
    if (type == Type::float64) {
      for (auto value : values)
        has_nan_ |= is_nan(value);
      widen(values, order_double);
    } else if (type == Type::uint64) {
      widen(values, [](Word value) { return value; });
    } else {
      widen(values, [](Word value) { return value ^ sign_bit; });
    }
  }

  std::optional<Bounds> find_bounds(Type type) const {
    if (least_ > greatest_ || has_nan_)
      return std::nullopt;
    auto least = restore(type, least_);
    auto greatest = restore(type, greatest_);
    // Readers may take either zero for the other one.
    if (type == Type::float64 && (least & ~sign_bit) == 0)
      least = sign_bit;
    if (type == Type::float64 && (greatest & ~sign_bit) == 0)
      greatest = 0;
    const auto bytes = count_value_bytes(type);
    return Bounds{std::string(view_bytes(least, bytes)), std::string(view_bytes(greatest, bytes))};
  }

 private:
  template <class Order>
  void widen(std::span<const Word> values, Order order) {
    auto least = least_, greatest = greatest_;
    for (auto value : values) {
      least = std::min(least, order(value));
      greatest = std::max(greatest, order(value));
    }
    least_ = least;
    greatest_ = greatest;
  }
  static Word restore(Type type, Word ordered) {
    if (type == Type::float64)
      return restore_double(ordered);
    return type == Type::uint64 ? ordered : ordered ^ sign_bit;
  }

  Word least_ = std::numeric_limits<Word>::max(), greatest_ = 0;
  bool has_nan_ = false;
};

// The different values of a column, numbered as they come.
class Dictionary {
 public:
  // Small values, such as ids, are found without hashing.
  std::uint32_t find_or_add(Word value) {
    if (value < most_small) {
      if (value >= small_.size())
        small_.resize(std::max<std::size_t>(value + 1, small_.size() * 2));
      auto& place = small_[value];
      if (place == 0) {
        values_.push_back(value);
        place = static_cast<std::uint32_t>(values_.size());
      }
      return place - 1;
    }

    const auto number = static_cast<std::uint32_t>(values_.size());
    const auto [at, is_new] = large_.try_emplace(value, number);
    if (is_new)
      values_.push_back(value);
    return at->second;
  }

  // Readers know widths of whole bytes best, and zstd finds repetitions in these; one of 32 bits
  // some read wrongly.
  unsigned index_width() const {
    assert(values_.size() <= 1 << 24);
    return values_.size() <= 1 << 8 ? 8 : values_.size() <= 1 << 16 ? 16 : 24;
  }

  const std::vector<Word>& values() const { return values_; }

 private:
  static constexpr Word most_small = 1 << 16;

  std::vector<Word> values_;
  std::vector<std::uint32_t> small_;  // by value: its number + 1
  std::unordered_map<Word, std::uint32_t> large_;
};

}  // namespace detail

// What all columns use, one after the other.
struct RowGroupWriter::Buffers {
  ~Buffers() { ZSTD_freeCCtx(zstd); }

  // Appends them as one frame of zstd, and says how many bytes that has.
  std::size_t compress(std::string_view bytes, std::string& to) {
    if (!zstd && !(zstd = ZSTD_createCCtx()))
      throw std::bad_alloc();
    packed.resize(std::max(packed.size(), ZSTD_compressBound(bytes.size())));
    constexpr int level = 1;
    const auto size =
        ZSTD_compressCCtx(zstd, packed.data(), packed.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(size))
      throw std::bad_alloc();  // there is room enough, and nothing else goes wrong
    to.append(packed.data(), size);
    return size;
  }

  std::vector<Word> values;          // those of a column that are there
  std::vector<Word> indexes;         // into its dictionary; before that, whether values are there
  std::vector<std::uint8_t> levels;  // that, encoded
  std::vector<std::uint8_t> body;    // the values, encoded
  std::string page;
  std::string packed;
  ZSTD_CCtx* zstd = nullptr;
};

class RowGroupWriter::ColumnWriter {
 public:
  explicit ColumnWriter(const Column& column) : column_(&column) {}

  void add_page(const Rows& rows, std::size_t column, const std::vector<std::string>& texts,
                Buffers& buffers) {
    auto values = rows.values(column);
    std::size_t level_bytes = 0;
    if (const auto present = rows.present(column); !present.empty()) {
      level_bytes = encode_levels(present, buffers);
      values = pick_present(values, present, buffers);
    }

    if (column_->encoding != Encoding::dictionary)
      range_.add(column_->type, values);
    const auto body_bytes = encode(values, buffers);
    const std::string_view body(reinterpret_cast<const char*>(buffers.body.data()), body_bytes);

    auto& page = buffers.page;
    page.assign(reinterpret_cast<const char*>(buffers.levels.data()), level_bytes);
    const bool is_compressed = try_to_compress(body, page, buffers);
    if (!is_compressed)
      page += body;

    append_page_header(rows.size(), values.size(), level_bytes, body_bytes, is_compressed, page);
    if (column_->type == Type::text)
      for (const auto& known = dictionary_.values(); counted_ < known.size(); ++counted_)
        text_bytes_ += texts[known[counted_]].size();
    chunk_.rows += rows.size();
    chunk_.missing += rows.size() - values.size();
  }

  std::uint64_t text_bytes() const { return text_bytes_; }

  // Appends the dictionary and the pages to the pieces.
  ColumnChunk finish(const std::vector<std::string>& texts, Buffers& buffers,
                     std::vector<std::string>& pieces) {
    if (column_->encoding == Encoding::dictionary)
      pieces.push_back(make_dictionary(texts, buffers));
    chunk_.bytes = chunk_.dictionary_bytes + pages_.size();
    pieces.push_back(std::move(pages_));
    if (column_->encoding == Encoding::dictionary && column_->type != Type::text)
      range_.add(column_->type, dictionary_.values());
    chunk_.bounds =
        column_->type == Type::text ? find_text_bounds(texts) : range_.find_bounds(column_->type);

    auto chunk = std::move(chunk_);
    *this = ColumnWriter(*column_);
    pages_.reserve(chunk.bytes + chunk.bytes / 8);  // the next group may be about as large

    return chunk;
  }

 private:
  static std::size_t encode_levels(std::span<const std::uint8_t> present, Buffers& buffers) {
    buffers.indexes.assign(present.begin(), present.end());
    return encode_runs(buffers.indexes, 1, buffers.levels);
  }

  static std::span<const Word> pick_present(std::span<const Word> values,
                                            std::span<const std::uint8_t> present,
                                            Buffers& buffers) {
    buffers.values.resize(values.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      buffers.values[count] = values[i];
      count += present[i];
    }
    return std::span(buffers.values).first(count);
  }

  // Writes them to buffers.body; returns how many bytes that are.
  std::size_t encode(std::span<const Word> values, Buffers& buffers) {
    auto& body = buffers.body;
    switch (column_->encoding) {
      case Encoding::dictionary: return encode_indexes(values, buffers);
      case Encoding::differences:
        return column_->type == Type::int32 ? encode_differences_32(values, body)
                                            : encode_differences_64(values, body);
      case Encoding::plain: break;
    }

    assert(column_->type != Type::text);
    const auto width = count_value_bytes(column_->type);
    body.resize(std::max(body.size(), values.size() * width));
    if (width == 8 && !values.empty())
      std::memcpy(body.data(), values.data(), values.size() * width);
    if (width == 4)
      for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(body.data() + width * i, &values[i], width);

    return values.size() * width;
  }

  std::size_t encode_indexes(std::span<const Word> values, Buffers& buffers) {
    auto& indexes = buffers.indexes;
    indexes.resize(values.size());
    std::uint32_t index = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == 0 || values[i] != values[i - 1])
        index = dictionary_.find_or_add(values[i]);
      indexes[i] = index;
    }

    auto& body = buffers.body;
    body.resize(std::max<std::size_t>(body.size(), 1));
    const auto width = dictionary_.index_width();
    body[0] = static_cast<std::uint8_t>(width);
    return encode_runs(indexes, width, body, 1);
  }

  // False, and nothing appended, where it does not get smaller by that. Then other pages of the
  // column will not, either.
  bool try_to_compress(std::string_view body, std::string& page, Buffers& buffers) {
    constexpr std::size_t enough_to_tell = 4096;
    if (column_->encoding == Encoding::differences || is_incompressible_)
      return false;
    const auto before = page.size();
    if (buffers.compress(body, page) < body.size())
      return true;
    page.resize(before);
    is_incompressible_ = body.size() >= enough_to_tell;
    return false;
  }

  void append_page_header(std::size_t rows, std::size_t values, std::size_t level_bytes,
                          std::size_t body_bytes, bool is_compressed, const std::string& page) {
    const auto number = [](std::size_t n) { return static_cast<std::int32_t>(n); };
    CompactProtocol header;
    header.structure_element([&] {
      header.number(1, format::data_page_v2);
      header.number(2, number(level_bytes + body_bytes));
      header.number(3, number(page.size()));
      header.structure(8, [&] {
        header.number(1, number(rows));
        header.number(2, number(rows - values));
        header.number(3, number(rows));
        header.number(4, find_encoding());
        header.number(5, number(level_bytes));
        header.number(6, 0);
        header.flag(7, is_compressed);
      });
    });
    const auto bytes = std::move(header).take();
    pages_ += bytes;
    pages_ += page;
    chunk_.unpacked_bytes += bytes.size() + level_bytes + body_bytes;
  }

  format::Number find_encoding() const {
    switch (column_->encoding) {
      case Encoding::plain: return format::plain;
      case Encoding::differences: return format::differences;
      case Encoding::dictionary: return format::dictionary_indexes;
    }
    return format::plain;
  }

  std::string make_dictionary(const std::vector<std::string>& texts, Buffers& buffers) {
    std::string body;
    for (auto value : dictionary_.values()) {
      if (column_->type == Type::text)
        append_text(body, texts[value]);
      else
        body += view_bytes(value, count_value_bytes(column_->type));
    }

    std::string packed;
    const auto size = buffers.compress(body, packed);
    CompactProtocol header;
    header.structure_element([&] {
      header.number(1, format::dictionary_page);
      header.number(2, static_cast<std::int32_t>(body.size()));
      header.number(3, static_cast<std::int32_t>(size));
      header.structure(7, [&] {
        header.number(1, static_cast<std::int32_t>(dictionary_.values().size()));
        header.number(2, format::plain);
      });
    });
    auto page = std::move(header).take();
    chunk_.unpacked_bytes += page.size() + body.size();
    page += packed;
    chunk_.dictionary_bytes = page.size();

    return page;
  }

  std::optional<Bounds> find_text_bounds(const std::vector<std::string>& texts) const {
    constexpr std::size_t longest = 256;
    const auto& values = dictionary_.values();
    const auto [least, greatest] =
        std::minmax_element(values.begin(), values.end(),
                            [&](Word one, Word other) { return texts[one] < texts[other]; });
    if (values.empty() || texts[*least].size() > longest || texts[*greatest].size() > longest)
      return std::nullopt;
    return Bounds{texts[*least], texts[*greatest]};
  }

  const Column* column_;
  std::string pages_;
  ColumnChunk chunk_;
  detail::Range range_;
  detail::Dictionary dictionary_;
  std::size_t counted_ = 0;  // values of the dictionary whose texts are in text_bytes_
  std::uint64_t text_bytes_ = 0;
  bool is_incompressible_ = false;
};

std::uint64_t RowGroup::count_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& piece : pieces)
    bytes += piece.size();
  return bytes;
}

RowGroupWriter::RowGroupWriter(const std::vector<Column>& columns,
                               const std::vector<std::string>& texts)
    : texts_(texts), buffers_(std::make_unique<Buffers>()) {
  for (const auto& column : columns) {
    assert(column.type != Type::text || column.encoding == Encoding::dictionary);
    assert(column.type != Type::float64 || column.encoding != Encoding::differences);
    writers_.emplace_back(column);
  }
}

RowGroupWriter::~RowGroupWriter() = default;

void RowGroupWriter::add(const Rows& page) {
  if (page.size() == 0)
    return;
  for (std::size_t c = 0; c < writers_.size(); ++c)
    writers_[c].add_page(page, c, texts_, *buffers_);
  rows_ += page.size();
}

std::uint64_t RowGroupWriter::count_text_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& writer : writers_)
    bytes += writer.text_bytes();
  return bytes;
}

RowGroup RowGroupWriter::finish() {
  RowGroup group;
  group.rows = std::exchange(rows_, 0);
  for (auto& writer : writers_)
    group.columns.push_back(writer.finish(texts_, *buffers_, group.pieces));
  return group;
}

}  // namespace tracefold::parquet
