// Encodes the rows of one row group of a Parquet file, page by page.
//
// Rows that are added together are one page of each column: data pages of version 2, those of plain
// and dictionary columns compressed by zstd. The bytes depend on the rows, on how they are divided
// into pages and groups, and on zstd's version only, so groups can be made in any order by any
// thread. footer.hpp says how they become a file.
//
// One thread for each writer. Memory: the group as it is encoded, and the different values of its
// dictionaries.
//
// Source: parquet-format 2.10.
#pragma once

#include "parquet/rows.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold::parquet {

// The least and the greatest value of a column, as the bytes that stand in statistics.
struct Bounds {
  std::string least, greatest;
};

// What the footer says of a column of a row group.
struct ColumnChunk {
  std::uint64_t rows = 0;
  std::uint64_t missing = 0;           // rows without a value
  std::uint64_t bytes = 0;             // in the file
  std::uint64_t dictionary_bytes = 0;  // of these, the first ones; 0 where there is none
  std::uint64_t unpacked_bytes = 0;
  std::optional<Bounds> bounds;  // none without values, where one is NaN, or where they are long
};

struct RowGroup {
  std::vector<std::string> pieces;  // its bytes, one piece behind the other
  std::uint64_t rows = 0;
  std::vector<ColumnChunk> columns;

  std::uint64_t count_bytes() const;
};

class RowGroupWriter {
 public:
  // Both have to stay. `texts` may become longer meanwhile; they are valid UTF-8.
  RowGroupWriter(const std::vector<Column>& columns, const std::vector<std::string>& texts);
  ~RowGroupWriter();
  RowGroupWriter(const RowGroupWriter&) = delete;
  RowGroupWriter& operator=(const RowGroupWriter&) = delete;

  // One page; nothing where there are no rows.
  void add(const Rows& page);
  std::uint64_t rows() const { return rows_; }
  // The bytes of texts in the dictionaries so far. A dictionary has to stay below 2 GiB.
  std::uint64_t count_text_bytes() const;
  // The group of all rows so far. The next one begins then.
  RowGroup finish();

 private:
  class ColumnWriter;
  struct Buffers;

  const std::vector<std::string>& texts_;
  std::uint64_t rows_ = 0;
  std::unique_ptr<Buffers> buffers_;
  std::vector<ColumnWriter> writers_;  // by column
};

}  // namespace tracefold::parquet
