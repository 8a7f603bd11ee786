// The footer of a Parquet file. A file is
//
//   "PAR1", the pieces of all row groups, the footer
//
// so groups can be written as they are made, and the footer when all have their place. One thread.
//
// Source: parquet-format 2.10, parquet.thrift.
#pragma once

#include "parquet/row_group.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold::parquet {

inline constexpr std::string_view magic = "PAR1";

class Footer {
 public:
  // `sorted_by` are indexes of the columns by which the rows ascend.
  Footer(const std::vector<Column>& columns, std::vector<std::size_t> sorted_by = {})
      : columns_(columns), sorted_by_(std::move(sorted_by)) {}

  // A group that stands behind the ones before; its pieces are not needed any more.
  void add(const RowGroup& group);
  // Where the next group, or the footer, begins in the file.
  std::uint64_t end() const { return end_; }

  // All that stands behind the last group. `writer` is the program, as in "name version 1.2.3".
  std::string make(const std::map<std::string, std::string>& metadata,
                   const std::string& writer) const;

 private:
  struct Group {
    std::uint64_t rows;
    std::vector<ColumnChunk> columns;
  };

  const std::vector<Column>& columns_;
  std::vector<std::size_t> sorted_by_;
  std::vector<Group> groups_;
  std::uint64_t rows_ = 0;
  std::uint64_t end_ = magic.size();
};

}  // namespace tracefold::parquet
