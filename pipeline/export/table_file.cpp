#include "pipeline/export/table_file.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "base/output_error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <chrono>

namespace tracefold {

namespace {

constexpr std::size_t rows_of_page = 16'384;
constexpr std::uint64_t most_rows_of_group = std::uint64_t{1} << 20;
// Large writes take twice the time of pieces that stay in the cache.
constexpr std::size_t bytes_of_write = std::size_t{1} << 20;
constexpr std::size_t most_waiting_of_thread = std::size_t{16} << 20;

char* put_number(char* at, parquet::Type type, std::uint64_t value) {
  constexpr std::size_t longest = 32;
  switch (type) {
    case parquet::Type::uint64: return std::to_chars(at, at + longest, value).ptr;
    case parquet::Type::float64:
      return std::to_chars(at, at + longest, std::bit_cast<double>(value)).ptr;
    default: return std::to_chars(at, at + longest, static_cast<std::int64_t>(value)).ptr;
  }
}

}  // namespace

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
}

std::uint64_t TablePart::find_text(std::string_view text) {
  assert(!names_);
  const auto [at, is_new] = numbers_.try_emplace(std::string(text), texts_.size());
  if (is_new)
    texts_.push_back(make_utf8(text));
  return at->second;
}

void TablePart::end_page() {
  if (writer_) {
    writer_->add(rows_);
    rows_.clear();
    if (writer_->rows() >= most_rows_of_group)
      put_group();
    return;
  }

  append_csv();
  rows_.clear();
  if (csv_.size() >= bytes_of_write)
    put_group();
}

void TablePart::put_group() {
  if (writer_) {
    file_.put(part_, writer_->finish());
    return;
  }
  parquet::RowGroup group;
  group.rows = std::exchange(csv_rows_, 0);
  group.pieces.push_back(std::exchange(csv_, {}));
  csv_.reserve(group.pieces[0].size() + group.pieces[0].size() / 8);
  file_.put(part_, std::move(group));
}

void TablePart::append_csv() {
  for (auto k = quoted_.size(); k < texts().size(); ++k)
    quoted_.push_back(quote_csv(texts()[k]));

  const auto& columns = file_.schema().columns;
  constexpr std::size_t most_of_number = 33;  // with what separates it
  const auto most_of_numbers = columns.size() * most_of_number + 2;
  auto used = csv_.size();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (csv_.size() < used + most_of_numbers)
      csv_.resize(2 * csv_.size() + 4 * bytes_of_write / 64 + most_of_numbers);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0)
        csv_[used++] = ',';
      const auto present = rows_.present(c);
      if (!present.empty() && !present[i])
        continue;
      const auto value = rows_.values(c)[i];
      if (columns[c].type != parquet::Type::text) {
        auto* const begin = csv_.data() + used;
        used += static_cast<std::size_t>(put_number(begin, columns[c].type, value) - begin);
        continue;
      }
      const auto& text = quoted_[value];
      if (csv_.size() < used + text.size() + most_of_numbers)
        csv_.resize(2 * csv_.size() + text.size() + most_of_numbers);
      text.copy(csv_.data() + used, text.size());
      used += text.size();
    }
    csv_[used++] = '\r';
    csv_[used++] = '\n';
  }
  csv_.resize(used);
  csv_rows_ += rows_.size();
}

void TablePart::finish() {
  if (rows_.size() > 0)
    end_page();
  if (writer_ ? writer_->rows() > 0 : csv_rows_ > 0)
    put_group();
  file_.finish_part(part_);
}

}  // namespace tracefold
