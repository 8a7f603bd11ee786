// `tracefold.profiles`, which stands beside a reduced trace: tables of whole numbers (a row for
// each process, a column for each call path or iteration), and a JSON document about them. Values
// go in and come out as such; in the file they are steps (value_steps.hpp) in blocks that are read
// one by one (number_blocks.hpp). docs/profiles-format.md has the bytes.
//
// Here it is read; profiles_writer.hpp makes it.
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

// What a file may hold, and what is read of one at a time.
inline constexpr std::uint64_t most_profiles_rows = 0xffff'ffff;
inline constexpr std::uint64_t most_profiles_columns = 1 << 24;
inline constexpr std::uint64_t most_profiles_groups = 1 << 24;  // rows that have a group
inline constexpr std::uint64_t most_profiles_labels = 1 << 25;  // of all tables
inline constexpr std::uint64_t most_profiles_blocks = 1 << 22;  // of all tables
inline constexpr std::uint64_t most_profiles_document_bytes = 1 << 26;
inline constexpr std::uint64_t most_profiles_numbers_read = 1 << 28;

struct ProfilesTable {
  std::string name;  // "calls/visits", "loop 0/execution time", "process/rank", ...
  std::uint64_t rows = 0, columns = 0;
  unsigned percent = 0;                    // error of its values; 0: exact
  std::vector<std::uint32_t> labels = {};  // of the columns, ascending; empty: 0, 1, 2, ...

  bool operator==(const ProfilesTable&) const = default;
};

// Thread-safe once made. Memory: the file, the document, and 16 bytes for each block.
class ProfilesFile {
 public:
  // The bytes are not trusted. Throws Error(input) where they are no such file, one of another
  // version, damaged, or hold tables that claim more than the limits allow. What is found damaged
  // later names the file, where that is given.
  explicit ProfilesFile(std::string bytes, std::string name = {});

  const nlohmann::ordered_json& about() const { return *about_; }
  const std::vector<ProfilesTable>& tables() const { return tables_; }
  const ProfilesTable* find(std::string_view name) const;
  // By row of the tables that have so many rows: rows that are likely to be alike.
  const std::vector<std::uint32_t>& groups() const { return group_numbers_; }

  // The values of all or of some rows of one of the tables, row by row; reads only the blocks that
  // hold them. Throws Error(input) where a block is damaged, and where more numbers are asked for
  // than `most_profiles_numbers_read`, or rows that are not there.
  std::vector<std::uint64_t> read(const ProfilesTable& table) const;
  std::vector<std::uint64_t> read_rows(const ProfilesTable& table, std::size_t first,
                                       std::size_t count) const;

 private:
  struct Block {
    std::uint64_t number = 0;  // which all of the block are, or where its bytes begin
    std::uint64_t size = 0;    // of its bytes; 0: none
  };

  void read_document(std::string_view frame, std::uint64_t size);
  void add_table(const nlohmann::ordered_json& entry);
  void read_index(std::string_view frame, std::uint64_t size, std::uint64_t end_of_blocks);
  std::size_t find_table(const ProfilesTable& table) const;
  void read_block(std::size_t table, std::uint64_t k, std::size_t first,
                  std::span<std::uint64_t> values) const;

  std::string bytes_, name_;
  std::shared_ptr<const nlohmann::ordered_json> about_;
  std::vector<ProfilesTable> tables_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::vector<std::uint64_t> first_blocks_;  // by table, and behind the last
  std::vector<Block> blocks_;
  std::uint64_t labels_ = 0;
  std::vector<std::uint32_t> group_numbers_;
  RowGroups groups_;
  std::map<unsigned, ValueSteps> steps_;  // by percent
};

}  // namespace tracefold
