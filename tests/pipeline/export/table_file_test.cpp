#include "pipeline/export/table_file.hpp"

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tracefold::table_file_test {

using ::testing::HasSubstr;
using testing::TestFolder;

// Parts of `matrix`: in each row its part and its place there, twice that, and what may be missing.
void write_part(TableFile& file, std::size_t part, std::size_t rows) {
  TablePart out(file, part);
  for (std::size_t i = 0; i < rows; ++i)
    out.add(part)
        .add_optional(i % 3 == 0 ? std::nullopt : std::optional<std::uint64_t>(i))
        .add(i)
        .add(2 * i)
        .add_optional(i)
        .add_optional(std::nullopt)
        .end_row();
  out.finish();
}

std::string write_matrix(TableFormat format, const std::vector<std::size_t>& rows_of_parts,
                         std::size_t threads) {
  const TestFolder folder;
  TableFile file(ExportTable::matrix, folder.path(), format, rows_of_parts.size(), {});
  std::atomic<std::size_t> next{0};
  {
    std::vector<std::jthread> team;
    for (std::size_t t = 0; t < threads; ++t)
      team.emplace_back([&] {
        for (std::size_t p; (p = next++) < rows_of_parts.size();)
          write_part(file, p, rows_of_parts[p]);
      });
  }
  file.finish();
  return *read_file(folder.path() / name_table_file(file.schema(), format));
}

TEST(TableFile, HasPartsInTheirOrder) {
  EXPECT_EQ(write_matrix(TableFormat::csv, {2, 0, 1}, 1),
            "sender,receiver,messages,bytes,late_sender_ns,late_receiver_ns\r\n"
            "0,,0,0,0,\r\n0,1,1,2,1,\r\n2,,0,0,0,\r\n");
}

TEST(TableFile, IsTheSameWithAnyNumberOfThreads) {
  const std::vector<std::size_t> rows{50'000, 3, 0, 40'000, 17'000, 1, 60'000, 20'000};
  for (const auto format : {TableFormat::csv, TableFormat::parquet}) {
    const auto alone = write_matrix(format, rows, 1);
    for (const std::size_t threads : {2, 3, 8})
      EXPECT_EQ(write_matrix(format, rows, threads), alone);
  }
}

TEST(TableFile, QuotesTextAndWritesDoublesExactly) {
  const TestFolder folder;
  TableFile file(ExportTable::metrics, folder.path(), TableFormat::csv, 1, {});
  TablePart part(file, 0);
  part.add(~std::uint64_t{0})
      .add_text("a, \"b\"")
      .add_text("\xff")
      .add(static_cast<std::uint64_t>(-5));
  part.add_double(0.1).add_optional(std::nullopt).end_row();
  part.finish();
  file.finish();
  EXPECT_THAT(*read_file(folder.path() / "metrics.csv"),
              HasSubstr("18446744073709551615,\"a, \"\"b\"\"\",\uFFFD,-5,0.1,\r\n"));
}

TEST(TableFile, ThrowsInAllThreadsOnceOneHasFailed) {
  const TestFolder folder;
  TableFile file(ExportTable::matrix, folder.path(), TableFormat::csv, 2, {});
  file.stop(std::make_exception_ptr(std::runtime_error("failed elsewhere")));
  EXPECT_THROW(write_part(file, 1, 1), std::runtime_error);
}

TEST(TableFile, SaysWhatCannotBeWritten) {
  try {
    TableFile(ExportTable::matrix, "/nowhere", TableFormat::csv, 1, {});
    FAIL();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::output);
  }
}

}  // namespace tracefold::table_file_test
