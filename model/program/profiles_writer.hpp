// Writes `tracefold.profiles` (profiles_file.hpp), in one process or in a team whose members have
// some of the rows each. In a team, each block is packed by one member, which gets the rows from
// the others; the first member puts the packed blocks together.
//
// Equal input gives equal bytes for any number of threads and members, with one version of zstd.
#pragma once

#include "base/packed_values.hpp"
#include "model/program/profiles_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

class Team;

// Used by one thread, and packs with others. Memory: the packed blocks of this member, at the first
// member the file, and some million numbers, or one band of blocks where a table has larger ones.
//
// All members add the same tables in the same order; an exception is thrown at all of them.
class ProfilesWriter {
 public:
  using HasRow = std::function<bool(std::size_t row)>;
  using ReadRow = std::function<void(std::size_t row, std::span<std::uint64_t> out)>;

  // `groups` has the group of each row, for the tables with this number of rows; other tables have
  // no groups. Throws Error(output) where there are too many.
  explicit ProfilesWriter(std::vector<std::uint32_t> groups, Team* team = nullptr);

  // read(row, out) fills the values of a row. It is called once for each row, ascending, by this
  // thread, and only at the first member of a team; it is not called for a table without columns.
  // Throws Error(output) where the file would exceed a limit. Names of tables are unique; either
  // each column has a label or none.
  void add(ProfilesTable table, const ReadRow& read);
  // The same where each row is read at the single member for which has_row(row) is true.
  void add_dealt(ProfilesTable table, const HasRow& has_row, const ReadRow& read);
  // Adds a table of one row: the sums over what all members give.
  void add_sums(ProfilesTable table, std::vector<std::uint64_t> own);

  // Returns the whole file at the first member, the only one that uses `about`, and an empty text
  // at the others. None where the blocks alone take more than `most_bytes`. Call it last. Only the
  // first member throws Error(output) where the document exceeds its limit.
  std::optional<std::string> finish(const nlohmann::ordered_json& about,
                                    std::uint64_t most_bytes = ~std::uint64_t{0});

 private:
  // Whole bands of a table that are packed together.
  struct BandRange {
    std::size_t table = 0;
    std::uint64_t first_row = 0, rows = 0, first_block = 0;
  };
  struct PackedPart {
    std::string blocks, index;
  };
  friend auto list_members(Like<PackedPart> auto& part) {
    return std::tie(part.blocks, part.index);
  }
  using PartNumber = std::size_t;

  // The number of the first part of the table, and the one behind its last.
  std::pair<PartNumber, PartNumber> begin_table(ProfilesTable table);
  PackedPart pack_part(const BandRange& part, std::span<const std::uint64_t> values) const;
  void bring_together();
  void bring_rows_together();
  void bring_sums_together();
  // The sum over all members of the team.
  std::uint64_t count_packed_bytes() const;
  void gather_parts();

  std::vector<std::uint32_t> group_numbers_;
  RowGroups groups_;
  Team* team_;
  std::map<unsigned, ValueSteps> steps_;  // by percent
  std::vector<ProfilesTable> tables_;
  std::set<std::string> names_;
  std::uint64_t blocks_ = 0, labels_ = 0;
  std::vector<BandRange> parts_;
  std::map<PartNumber, PackedPart> packed_;  // at this member

  // What this member has not sent or summed up yet.
  std::vector<std::string> rows_to_;   // by receiver: numbers of part and row, and the row's values
  std::vector<PartNumber> own_parts_;  // to be packed by this member
  std::vector<std::pair<PartNumber, std::vector<std::uint64_t>>> sums_;
  std::uint64_t waiting_ = 0;  // numbers, of all members
  std::size_t next_ = 0;       // the member that packs the next part
};

}  // namespace tracefold
