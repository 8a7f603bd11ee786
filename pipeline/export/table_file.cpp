#include "pipeline/export/table_file.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "base/output_error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>

namespace tracefold {

namespace {

constexpr std::size_t rows_of_page = 16'384;
constexpr std::uint64_t most_rows_of_group = std::uint64_t{1} << 20;
constexpr std::uint64_t most_text_bytes_of_group = std::uint64_t{1} << 26;  // of different texts
// Large writes take twice the time of pieces that stay in the cache.
constexpr std::size_t bytes_of_write = std::size_t{1} << 20;
constexpr std::size_t most_waiting_of_thread = std::size_t{16} << 20;

// Room for a number, or for a copy of a whole cell of the cache.
constexpr std::size_t longest_number = 32;

char* put_number(char* at, parquet::Type type, std::uint64_t value) {
  switch (type) {
    case parquet::Type::uint64: return std::to_chars(at, at + longest_number, value).ptr;
    case parquet::Type::float64:
      return std::to_chars(at, at + longest_number, std::bit_cast<double>(value)).ptr;
    default: return std::to_chars(at, at + longest_number, static_cast<std::int64_t>(value)).ptr;
  }
}

}  // namespace

namespace detail {

// Writes numbers of a column in decimal. Those of ids are found again as text, as a rule.
class CsvNumbers {
 public:
  explicit CsvNumbers(const parquet::Column& column)
      : type_(column.type),
        cells_(column.encoding == parquet::Encoding::dictionary && type_ != parquet::Type::text
                   ? number_of_cells
                   : 0) {}

  char* put(char* at, std::uint64_t value) {
    if (cells_.empty())
      return put_number(at, type_, value);
    auto& cell = cells_[(value ^ value >> 32) % number_of_cells];
    if (cell.size == 0 || cell.value != value) {
      cell.value = value;
      cell.size =
          static_cast<std::size_t>(put_number(cell.text.data(), type_, value) - cell.text.data());
    }
    std::memcpy(at, cell.text.data(), cell.text.size());
    return at + cell.size;
  }

 private:
  static constexpr std::size_t number_of_cells = 256;
  struct Cell {
    std::uint64_t value = 0;
    std::size_t size = 0;  // 0: none yet
    std::array<char, longest_number> text{};
  };

  parquet::Type type_;
  std::vector<Cell> cells_;
};

}  // namespace detail

// The columns of CSV rows, from page to page.
struct TablePart::Csv {
  explicit Csv(const std::vector<parquet::Column>& columns) {
    for (const auto& column : columns)
      numbers.emplace_back(column);
  }

  std::vector<detail::CsvNumbers> numbers;  // by column
  std::vector<std::string> quoted;          // texts, as CSV has them
  std::string text;                         // that is not in the file yet
  std::uint64_t rows = 0;
};

std::string name_table_file(const TableSchema& schema, TableFormat format) {
  return schema.name + (format == TableFormat::csv ? ".csv" : ".parquet");
}

std::string make_csv_heading(const TableSchema& schema) {
  std::string heading;
  for (const auto& column : schema.columns)
    heading += (heading.empty() ? "" : ",") + column.name;
  return heading + "\r\n";
}

TableFile::TableFile(ExportTable table, const std::filesystem::path& folder, TableFormat format,
                     std::size_t parts, TableMetadata metadata)
    : table_(table),
      schema_(get_schema(table)),
      format_(format),
      metadata_(std::move(metadata)),
      path_(folder / name_table_file(schema_, format)),
      file_(::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666)),
      most_waiting_(most_waiting_of_thread * count_threads()),
      parts_(parts),
      footer_(schema_.columns, schema_.sorted_by) {
  if (file_ < 0)
    throw output_error("cannot be written", errno);
  const auto begin =
      format == TableFormat::csv ? make_csv_heading(schema_) : std::string(parquet::magic);
  write(begin, 0);
  end_ = begin.size();
}

TableFile::~TableFile() {
  ::close(file_);
}

TableFile::Placed TableFile::place(parquet::RowGroup group) {
  const auto at = end_;
  end_ += group.count_bytes();
  rows_ += group.rows;
  if (format_ == TableFormat::parquet)
    footer_.add(group);
  return {std::move(group), at};
}

void TableFile::put(std::size_t part, parquet::RowGroup group) {
  std::unique_lock lock(mutex_);
  const auto bytes = group.count_bytes();
  while (!stopped_ && part != next_ && waiting_ + bytes > most_waiting_) {
    changed_.wait_for(lock, std::chrono::milliseconds(100));
    check_stop();
  }
  if (stopped_)
    std::rethrow_exception(stopped_);

  if (part != next_) {
    waiting_ += bytes;
    parts_[part].waiting.push_back(std::move(group));
    return;
  }
  const auto placed = place(std::move(group));
  lock.unlock();
  write(placed);
}

void TableFile::finish_part(std::size_t part) {
  std::vector<Placed> placed;
  {
    const std::lock_guard lock(mutex_);
    parts_[part].is_finished = true;
    while (next_ < parts_.size() && parts_[next_].is_finished) {
      if (++next_ == parts_.size())
        break;
      for (auto& group : std::exchange(parts_[next_].waiting, {})) {
        waiting_ -= group.count_bytes();
        placed.push_back(place(std::move(group)));
      }
    }
  }
  changed_.notify_all();

  for (auto& group : placed) {
    write(group);
    group = {};
  }
}

void TableFile::stop(std::exception_ptr reason) {
  {
    const std::lock_guard lock(mutex_);
    if (!stopped_)
      stopped_ = std::move(reason);
  }
  changed_.notify_all();
}

void TableFile::finish() {
  assert(next_ == parts_.size());
  if (format_ == TableFormat::csv)
    return;
  const auto footer = footer_.make(metadata_, std::string("tracefold version ") + version);
  write(footer, end_);
  end_ += footer.size();
}

void TableFile::write(const Placed& placed) {
  auto at = placed.at;
  for (const auto& piece : placed.group.pieces) {
    write(piece, at);
    at += piece.size();
  }
}

void TableFile::write(std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const auto written = ::pwrite(file_, bytes.data(), std::min(bytes.size(), bytes_of_write),
                                  static_cast<off_t>(at));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      throw output_error("cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
}

TablePart::TablePart(TableFile& file, std::size_t part, const std::vector<std::string>* names)
    : file_(file), part_(part), names_(names), rows_(file.schema().columns, rows_of_page) {
  if (file.format() == TableFormat::parquet)
    writer_.emplace(file.schema().columns, texts());
  else
    csv_ = std::make_unique<Csv>(file.schema().columns);
}

TablePart::~TablePart() = default;

std::uint64_t TablePart::find_text(std::string_view text) {
  assert(!names_);
  const auto [at, is_new] = numbers_.try_emplace(std::string(text), texts_.size());
  if (is_new) {
    texts_.push_back(make_utf8(text));
    new_text_bytes_ += text.size();
  }
  return at->second;
}

void TablePart::end_page() {
  new_text_bytes_ = 0;
  if (writer_) {
    writer_->add(rows_);
    rows_.clear();
    if (writer_->rows() >= most_rows_of_group ||
        writer_->count_text_bytes() >= most_text_bytes_of_group)
      put_group();
    return;
  }

  append_csv();
  rows_.clear();
  if (csv_->text.size() >= bytes_of_write)
    put_group();
}

void TablePart::put_group() {
  if (writer_) {
    file_.put(part_, writer_->finish());
    return;
  }
  parquet::RowGroup group;
  group.rows = std::exchange(csv_->rows, 0);
  group.pieces.push_back(std::exchange(csv_->text, {}));
  file_.put(part_, std::move(group));
}

void TablePart::append_csv() {
  auto& [numbers, quoted, out, rows] = *csv_;
  for (auto k = quoted.size(); k < texts().size(); ++k)
    quoted.push_back(quote_csv(texts()[k]));

  const auto& columns = file_.schema().columns;
  struct View {
    const std::uint64_t* values;
    const std::uint8_t* present;  // null: all are
    bool is_text;
  };
  std::vector<View> views;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto present = rows_.present(c);
    views.push_back({rows_.values(c).data(), present.empty() ? nullptr : present.data(),
                     columns[c].type == parquet::Type::text});
  }

  const auto most_of_numbers = columns.size() * (longest_number + 1) + 2;
  auto used = out.size();
  const auto make_room = [&](std::size_t more) {
    if (out.size() < used + more)
      out.resize(out.size() + out.size() / 2 + more + (std::size_t{1} << 20));
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    make_room(most_of_numbers);
    auto* at = out.data() + used;
    for (std::size_t c = 0; c < views.size(); ++c) {
      const auto& view = views[c];
      if (c > 0)
        *at++ = ',';
      if (view.present && !view.present[i])
        continue;
      if (!view.is_text) {
        at = numbers[c].put(at, view.values[i]);
        continue;
      }
      const auto& text = quoted[view.values[i]];
      used = static_cast<std::size_t>(at - out.data());
      make_room(text.size() + most_of_numbers);
      at = out.data() + used;
      std::memcpy(at, text.data(), text.size());
      at += text.size();
    }
    *at++ = '\r';
    *at++ = '\n';
    used = static_cast<std::size_t>(at - out.data());
  }
  out.resize(used);
  rows += rows_.size();
}

void TablePart::finish() {
  if (rows_.size() > 0)
    end_page();
  if (writer_ ? writer_->rows() > 0 : csv_->rows > 0)
    put_group();
  file_.finish_part(part_);
}

}  // namespace tracefold
