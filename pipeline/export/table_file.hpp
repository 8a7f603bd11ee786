// Writes a table, in parts that several threads make at the same time and that stand one after the
// other in the file.
//
//   TableFile file(schema, folder, format, parts, metadata);
//   in any thread, for each part:   TablePart part(file, k); part.add_…(…); part.end_row(); …
//   part.finish(); at the end:                     file.finish();
//
// A part that is before all unfinished ones goes to the file at once. Others wait in memory up to
// a limit, and then for their turn; so whoever makes several parts makes them in ascending order.
// The bytes do not depend on threads.
//
// Where a part is not finished since its thread throws, that has to call stop(), or others would
// wait for ever; they throw the same then.
#pragma once

#include "parquet/footer.hpp"
#include "parquet/row_group.hpp"
#include "parquet/rows.hpp"
#include "pipeline/export/table_schema.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

enum class TableFormat : std::uint8_t { parquet, csv };

using TableMetadata = std::map<std::string, std::string>;

// calls.parquet
std::string name_table_file(const TableSchema& schema, TableFormat format);
// "process,rank,…": the first line of CSV.
std::string make_csv_heading(const TableSchema& schema);

class TableFile {
 public:
  // Throws Error(output), here and in all other functions.
  TableFile(ExportTable table, const std::filesystem::path& folder, TableFormat format,
            std::size_t parts, TableMetadata metadata);
  ~TableFile();
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  ExportTable table() const { return table_; }
  const TableSchema& schema() const { return schema_; }
  TableFormat format() const { return format_; }

  // Thread-safe. Bytes of CSV are a group without columns.
  void put(std::size_t part, parquet::RowGroup group);
  void finish_part(std::size_t part);
  void stop(std::exception_ptr reason);

  // Call once, when all parts are finished.
  void finish();
  std::uint64_t rows() const { return rows_; }
  std::uint64_t bytes() const { return end_; }

 private:
  struct Part {
    std::vector<parquet::RowGroup> waiting;
    bool is_finished = false;
  };
  // A group that has its place in the file.
  struct Placed {
    parquet::RowGroup group;
    std::uint64_t at;
  };

  Placed place(parquet::RowGroup group);
  void write(const Placed& placed);
  void write(std::string_view bytes, std::uint64_t at);

  ExportTable table_;
  const TableSchema& schema_;
  TableFormat format_;
  TableMetadata metadata_;
  std::filesystem::path path_;
  int file_;
  std::size_t most_waiting_;  // bytes

  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::vector<Part> parts_;
  std::size_t next_ = 0;  // the first part that is not finished
  std::size_t waiting_ = 0;
  std::exception_ptr stopped_;
  parquet::Footer footer_;
  std::uint64_t rows_ = 0;
  std::uint64_t end_ = 0;
};

// The rows of a part, column after column. One thread.
class TablePart {
 public:
  // `names`: what add_name() takes as indexes; they are valid UTF-8, and have to stay.
  TablePart(TableFile& file, std::size_t part, const std::vector<std::string>* names = nullptr);
  ~TablePart();
  TablePart(const TablePart&) = delete;
  TablePart& operator=(const TablePart&) = delete;

  // The next column of the row. Signed numbers are given as what they are modulo 2^64.
  [[gnu::always_inline]] TablePart& add(std::uint64_t value) {
    rows_.put(column_++, value);
    return *this;
  }
  TablePart& add_optional(std::optional<std::uint64_t> value) {
    rows_.put(column_++, value);
    return *this;
  }
  TablePart& add_double(double value) {
    rows_.put_double(column_++, value);
    return *this;
  }
  // Of a part without names; where the text is not UTF-8, what is wrong becomes U+FFFD. find_text()
  // gives what add() takes for it.
  std::uint64_t find_text(std::string_view text);
  TablePart& add_text(std::string_view text) { return add(find_text(text)); }
  TablePart& add_optional_text(std::optional<std::string_view> text) {
    return add_optional(text ? std::optional<std::uint64_t>(find_text(*text)) : std::nullopt);
  }
  [[gnu::always_inline]] void end_row() {
    column_ = 0;
    rows_.end_row();
    if (rows_.is_full() || new_text_bytes_ >= most_text_bytes_of_page) [[unlikely]]
      end_page();
  }
  void finish();

 private:
  struct Csv;
  static constexpr std::uint64_t most_text_bytes_of_page = std::uint64_t{1} << 24;  // of new ones

  void end_page();
  void put_group();
  void append_csv();

  const std::vector<std::string>& texts() const { return names_ ? *names_ : texts_; }

  TableFile& file_;
  std::size_t part_;
  const std::vector<std::string>* names_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint64_t> numbers_;  // of texts
  std::uint64_t new_text_bytes_ = 0;                        // since the last page
  parquet::Rows rows_;
  std::size_t column_ = 0;
  std::optional<parquet::RowGroupWriter> writer_;  // none for CSV
  std::unique_ptr<Csv> csv_;                       // none for Parquet
};

}  // namespace tracefold
