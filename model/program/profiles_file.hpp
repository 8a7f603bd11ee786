// Reads `tracefold.profiles` beside a reduced trace: a JSON document, and tables of whole numbers
// with a row for each process and a column for each call path or iteration. Values are stored as
// steps (value_steps.hpp) in blocks that are read one by one (number_blocks.hpp).
// docs/profiles-format.md describes the bytes; profiles_writer.hpp writes the file.
#pragma once

#include "model/program/number_blocks.hpp"
#include "model/program/value_steps.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

inline constexpr std::string_view profiles_first_line = "tracefold profiles 1\n";
inline constexpr std::string_view profiles_last_word = "profiles";

// The limits of a file, and of a single read.
inline constexpr std::uint64_t most_profiles_rows = 0xffff'ffff;
inline constexpr std::uint64_t most_profiles_columns = 1 << 24;
inline constexpr std::uint64_t most_profiles_groups = 1 << 24;  // rows with a group
inline constexpr std::uint64_t most_profiles_labels = 1 << 25;  // of all tables
inline constexpr std::uint64_t most_profiles_blocks = 1 << 22;  // of all tables
inline constexpr std::uint64_t most_profiles_document_bytes = 1 << 26;
inline constexpr std::uint64_t most_profiles_numbers_read = 1 << 28;

struct ProfilesTable {
  std::string name;  // "calls/visits", "loop 0/execution time", "process/rank", ...
  std::uint64_t rows = 0, columns = 0;
  unsigned percent = 0;                    // largest error of values; 0: exact
  std::vector<std::uint32_t> labels = {};  // of columns, ascending; empty: 0, 1, 2, …

  bool operator==(const ProfilesTable&) const = default;
};

// Immutable and thread-safe. Memory: the file, the document, and 16 bytes for each block.
class ProfilesFile {
 public:
  // The bytes are not trusted. Throws Error(input) where the file is of another kind or version, is
  // damaged, or exceeds the limits. Damage that is found later is reported with `name`, if given.
  explicit ProfilesFile(std::string bytes, std::string name = {});

  const nlohmann::ordered_json& about() const { return *about_; }
  const std::vector<ProfilesTable>& tables() const { return tables_; }
  // Of the whole JSON document, with what no reader looks at.
  const std::string& document_sha256() const { return document_sha256_; }
  const ProfilesTable* find(std::string_view name) const;
  // By row, for all tables with this number of rows: groups of rows that are likely to be similar.
  const std::vector<std::uint32_t>& groups() const { return group_numbers_; }

  // The values of a table, or of some of its rows, row by row; only the necessary blocks are read.
  // Throws Error(input) where a block is damaged, where there are more than
  // `most_profiles_numbers_read` values, or where rows do not exist.
  std::vector<std::uint64_t> read(const ProfilesTable& table) const;
  std::vector<std::uint64_t> read_rows(const ProfilesTable& table, std::size_t first,
                                       std::size_t count) const;

 private:
  struct Block {
    std::uint64_t number = 0;  // the value of all numbers of the block, or the offset of its bytes
    std::uint64_t size = 0;    // of its bytes; 0: all numbers are equal
  };

  void read_document(std::string_view frame, std::uint64_t size);
  void add_table(const nlohmann::ordered_json& entry);
  void read_index(std::string_view frame, std::uint64_t size, std::uint64_t end_of_blocks);
  std::size_t find_table(const ProfilesTable& table) const;
  void read_block(std::size_t table, std::uint64_t k, std::size_t first,
                  std::span<std::uint64_t> values) const;

  std::string bytes_, name_, document_sha256_;
  std::shared_ptr<const nlohmann::ordered_json> about_;
  std::vector<ProfilesTable> tables_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::vector<std::uint64_t> first_blocks_;  // by table, and one behind the last
  std::vector<Block> blocks_;
  std::uint64_t labels_ = 0;
  std::vector<std::uint32_t> group_numbers_;
  RowGroups groups_;
  std::map<unsigned, ValueSteps> steps_;  // by percent
};

}  // namespace tracefold
