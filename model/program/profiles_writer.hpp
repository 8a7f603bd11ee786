// Makes `tracefold.profiles` (profiles_file.hpp): by one process, or by a team whose members have
// some of the rows each. Then each block is packed by one member, which gets its rows from those
// that have them; and the first member puts the packed blocks together.
//
// Equal input gives equal bytes, whatever the number of threads and members, with one version of
// zstd.
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

// One thread makes a file, and uses others to pack it. Memory: the packed blocks that a member has
// made, and at the first one the file; and as values some million numbers, or one band of blocks of
// a table that has more in it.
//
// All members of a team add the same tables in the same order; what throws, throws at all of them.
class ProfilesWriter {
 public:
  using HasRow = std::function<bool(std::size_t row)>;
  using ReadRow = std::function<void(std::size_t row, std::span<std::uint64_t> out)>;

  // `groups`: by row of the tables that have a row for each process, its group. Tables with another
  // number of rows have no groups. Throws Error(output) for more than the limit.
  explicit ProfilesWriter(std::vector<std::uint32_t> groups, Team* team = nullptr);

  // read(row, out) fills the values of a row, one for each column. It is called once for each row,
  // ascending, from this thread (for a table without columns: never), at the first member of a team
  // only. Throws Error(output) where the file would go beyond a limit. Names are of one table each;
  // there is a label for each column or for none.
  void add(ProfilesTable table, const ReadRow& read);
  // The same where each row is read at the one member for which has_row(row) is true.
  void add_dealt(ProfilesTable table, const HasRow& has_row, const ReadRow& read);
  // A table of one row: the sums of what the members give.
  void add_sums(ProfilesTable table, std::vector<std::uint64_t> own);

  // The whole file, which only the first member gets, and whose `about` is written; the others get
  // nothing in it. None where the blocks alone take more bytes. The writer is of no use after that.
  // The first member alone throws Error(output) where the document goes beyond its limit.
  std::optional<std::string> finish(const nlohmann::ordered_json& about,
                                    std::uint64_t most_bytes = ~std::uint64_t{0});

 private:
  // Whole bands of a table, which are packed together.
  struct Part {
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

  // The numbers of the first part of the table, and behind its last.
  std::pair<PartNumber, PartNumber> begin_table(ProfilesTable table);
  PackedPart pack_part(const Part& part, std::span<const std::uint64_t> values) const;
  void bring_together();
  void bring_rows_together();
  void bring_sums_together();
  // Of all members.
  std::uint64_t count_packed_bytes() const;
  void gather_parts();

  std::vector<std::uint32_t> group_numbers_;
  RowGroups groups_;
  Team* team_;
  std::map<unsigned, ValueSteps> steps_;  // by percent
  std::vector<ProfilesTable> tables_;
  std::set<std::string> names_;
  std::uint64_t blocks_ = 0, labels_ = 0;
  std::vector<Part> parts_;
  std::map<PartNumber, PackedPart> packed_;  // at this member

  // What members have not brought together yet.
  std::vector<std::string> rows_to_;   // by member: a part's number, a row's, and its values
  std::vector<PartNumber> own_parts_;  // which this member packs
  std::vector<std::pair<PartNumber, std::vector<std::uint64_t>>> sums_;
  std::uint64_t waiting_ = 0;  // numbers, of all members together
  std::size_t next_ = 0;       // the member that packs the next part
};

}  // namespace tracefold
