#include "model/program/profiles_file.hpp"
#include "model/program/profiles_writer.hpp"

#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "base/zstd_frame.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

namespace tracefold::profiles_file_test {

using Json = nlohmann::ordered_json;
using Values = std::vector<std::uint64_t>;
using ::testing::AnyOf;
using ::testing::HasSubstr;

using Value = std::function<std::uint64_t(std::size_t row, std::size_t column)>;

void add_table(ProfilesWriter& writer, const ProfilesTable& table, const Value& value) {
  writer.add(table, [&](std::size_t row, std::span<std::uint64_t> out) {
    ASSERT_EQ(out.size(), table.columns);
    for (std::size_t column = 0; column < out.size(); ++column)
      out[column] = value(row, column);
  });
}

Values make_values(const ProfilesTable& table, const Value& value) {
  Values values;
  for (std::size_t row = 0; row < table.rows; ++row)
    for (std::size_t column = 0; column < table.columns; ++column)
      values.push_back(value(row, column));
  return values;
}

// Chance that does not depend on the order of calls.
std::uint64_t draw(std::uint64_t row, std::uint64_t column) {
  auto number = (row * 1'000'003 + column + 1) * 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 29)) * 0xbf58476d1ce4e5b9;
  return number ^ (number >> 32);
}

std::uint64_t draw_smooth(std::size_t row, std::size_t column) {
  const auto x = static_cast<double>(column) / 40 + static_cast<double>(row % 3);
  return static_cast<std::uint64_t>(1e6 * (2 + std::sin(x))) + draw(row, column) % 1'000;
}

std::vector<std::uint32_t> make_groups(std::size_t count) {
  std::vector<std::uint32_t> groups;
  for (std::size_t row = 0; row < count; ++row)
    groups.push_back(static_cast<std::uint32_t>(row % 3));
  return groups;
}

std::string make_file(const std::vector<ProfilesTable>& tables, const Value& value,
                      std::size_t processes = 64) {
  ProfilesWriter writer(make_groups(processes));
  for (const auto& table : tables)
    add_table(writer, table, value);
  return *writer.finish({{"version", "1"}, {"paths", {"main", "main/MPI_Send"}}});
}

std::string make_small_file() {
  return make_file(
      {{.name = "process/rank", .rows = 4, .columns = 1},
       {.name = "calls/visits", .rows = 4, .columns = 3, .labels = {2, 5, 6}},
       {.name = "calls/time", .rows = 4, .columns = 3, .percent = 1},
       {.name = "zeros", .rows = 0, .columns = 3}},
      [](auto row, auto column) { return 1'000 * row * row + column; }, 4);
}

std::string find_refusal(const std::string& bytes) {
  try {
    const ProfilesFile file(bytes);
    for (const auto& table : file.tables())
      file.read(table);
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
    return problem.what();
  }
  return "it was taken";
}

TEST(ProfilesFile, HoldsTablesOfEveryShape) {
  const Value constant = [](auto...) { return 123'456'789u; };
  const Value zero = [](auto...) { return 0u; };
  const Value exact_large = [](auto row, auto column) { return draw(row, column); };
  const Value small = [](auto row, auto column) { return draw(row, column) % 100; };
  const std::vector<ProfilesTable> tables = {{.name = "0 x 0"},
                                             {.name = "0 x 5", .rows = 0, .columns = 5},
                                             {.name = "5 x 0", .rows = 5, .columns = 0},
                                             {.name = "1 x 1", .rows = 1, .columns = 1},
                                             {.name = "1 x N", .rows = 1, .columns = 70'000},
                                             {.name = "N x 1", .rows = 70'000, .columns = 1},
                                             {.name = "many blocks", .rows = 64, .columns = 9'000},
                                             {.name = "by process", .rows = 64, .columns = 149}};

  for (const auto& value : {constant, zero, exact_large, small, Value(draw_smooth)}) {
    const ProfilesFile file(make_file(tables, value));
    EXPECT_EQ(file.tables(), tables);
    for (const auto& table : tables)
      EXPECT_EQ(file.read(*file.find(table.name)), make_values(table, value)) << table.name;
  }
}

TEST(ProfilesFile, ReadsSomeRows) {
  const ProfilesTable table{.name = "many blocks", .rows = 200, .columns = 5'000};
  const ProfilesFile file(make_file({table}, draw_smooth, 200));
  const auto all = file.read(table);
  EXPECT_EQ(all, make_values(table, draw_smooth));
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 1},
                                     {25, 1},
                                     {20, 70},
                                     {199, 1},
                                     {200, 0},
                                     {0, 200}}) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * table.columns);
    EXPECT_EQ(file.read_rows(table, first, count),
              Values(begin, begin + static_cast<std::ptrdiff_t>(count * table.columns)));
  }
  EXPECT_THROW(file.read_rows(table, 200, 1), Error);
  EXPECT_THROW(file.read_rows(table, 1, ~std::size_t{0}), Error);
  EXPECT_THROW(file.read({.name = "another"}), Error);
}

TEST(ProfilesFile, ReadsOnlyTheBlocksOfThoseRows) {
  const ProfilesTable table{.name = "many blocks", .rows = 200, .columns = 5'000};
  auto bytes = make_file({table}, draw_smooth, 200);
  bytes[profiles_first_line.size() + 30] ^= 1;
  const ProfilesFile file(bytes);
  EXPECT_THROW(file.read_rows(table, 0, 1), Error);
  EXPECT_EQ(file.read_rows(table, 100, 1).size(), 5'000u);
}

TEST(ProfilesFile, KeepsValuesWithinTheirPercent) {
  for (const unsigned percent : {1u, 5u}) {
    const ProfilesTable table{.name = "times", .rows = 64, .columns = 1'000, .percent = percent};
    const auto draw_any = [](auto row, auto column) {
      return draw(row, column) >> (draw(column, row) % 64);
    };
    const auto values = make_values(table, draw_any);
    const auto read = ProfilesFile(make_file({table}, draw_any)).read(table);
    ASSERT_EQ(read.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto away = values[k] > read[k] ? values[k] - read[k] : read[k] - values[k];
      ASSERT_LE(static_cast<long double>(away) * 100,
                static_cast<long double>(values[k]) * percent);
    }
  }
}

TEST(ProfilesFile, HasWhatIsToldAboutIt) {
  const ProfilesFile file(make_small_file());
  EXPECT_EQ(file.about().dump(), R"({"version":"1","paths":["main","main/MPI_Send"]})");
  ASSERT_NE(file.find("calls/visits"), nullptr);
  EXPECT_EQ(file.find("calls/visits")->labels, (std::vector<std::uint32_t>{2, 5, 6}));
  EXPECT_EQ(file.find("calls/time")->percent, 1u);
  EXPECT_EQ(file.find("calls"), nullptr);
}

TEST(ProfilesFile, IsTheSameForEachNumberOfThreads) {
  const auto make = [](std::size_t threads) {
    const ThreadLimit limit(threads);
    return make_file({{.name = "a", .rows = 300, .columns = 9'000, .percent = 1},
                      {.name = "b", .rows = 64, .columns = 149}},
                     draw_smooth);
  };
  EXPECT_EQ(make(1), make(2));
}

TEST(ProfilesFile, TakesRowsInTheirOrder) {
  ProfilesWriter writer(make_groups(5));
  std::vector<std::size_t> rows;
  writer.add({.name = "wide", .rows = 5, .columns = 300'000},
             [&](std::size_t row, std::span<std::uint64_t> out) {
               rows.push_back(row);
               std::fill(out.begin(), out.end(), row);
             });
  EXPECT_THAT(rows, ::testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(ProfilesFile, IsSmallWhereThereIsLittleToTell) {
  std::vector<ProfilesTable> tiny, zeros;
  for (int k = 0; k < 100; ++k) {
    tiny.push_back({.name = "calls/metric " + std::to_string(k), .rows = 4, .columns = 3});
    zeros.push_back(
        {.name = "calls/metric " + std::to_string(k), .rows = 64, .columns = 5'000, .percent = 1});
  }
  EXPECT_LT(make_file(tiny, draw_smooth, 4).size(), 8'000u);
  EXPECT_LT(make_file(zeros, [](auto...) { return 0u; }).size(), 1'000u);
}

TEST(ProfilesFile, IsRefusedWithTheVersionWhereThatIsAnother) {
  auto bytes = make_small_file();
  bytes.replace(bytes.find('1'), 1, "27");
  EXPECT_THAT(find_refusal(bytes), HasSubstr("version 27, and version 1 is read"));
  EXPECT_THAT(find_refusal("hello"), HasSubstr("does not begin as one"));
  EXPECT_THAT(find_refusal(""), HasSubstr("does not begin as one"));
}

TEST(ProfilesFile, IsRefusedWhereItIsCut) {
  const auto bytes = make_small_file();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(find_refusal(bytes.substr(0, size)), "it was taken") << size;
  EXPECT_NE(find_refusal(bytes + 'x'), "it was taken");
}

// A bit that zstd does not look at may change nothing; no bit changes a value.
TEST(ProfilesFile, NeverHasOtherValuesWhereItIsDamaged) {
  const auto bytes = make_small_file();
  const ProfilesFile whole(bytes);
  std::size_t taken = 0;
  for (std::size_t k = 0; k < bytes.size() * 8; ++k) {
    auto damaged = bytes;
    damaged[k / 8] = static_cast<char>(damaged[k / 8] ^ (1 << (k % 8)));
    if (find_refusal(damaged) != "it was taken")
      continue;
    ++taken;

    const ProfilesFile file(damaged);
    EXPECT_EQ(file.about(), whole.about());
    ASSERT_EQ(file.tables(), whole.tables());
    for (const auto& table : file.tables())
      EXPECT_EQ(file.read(table), whole.read(table)) << k;
  }
  EXPECT_LT(taken, bytes.size() * 8 / 100);
}

// A file without blocks, with a document and an index that may be anything.
std::string make_foreign_file(const std::string& document, const std::string& index) {
  const auto packed_document = pack_frame(document, FrameContent::text),
             packed_index = pack_frame(index, FrameContent::text);
  auto bytes = std::string(profiles_first_line) + packed_document + packed_index;
  for (const auto number : {profiles_first_line.size(), packed_document.size(), document.size(),
                            packed_index.size(), index.size()})
    for (int k = 0; k < 8; ++k)
      bytes += static_cast<char>(number >> (8 * k) & 0xff);
  return bytes + "profiles";
}

std::string refuse_document(const std::string& document) {
  return find_refusal(make_foreign_file(document, std::string(1, '\0')));
}

std::string refuse_tables(const std::string& tables) {
  return refuse_document(R"({"about":{},"tables":[)" + tables + "]}");
}

TEST(ProfilesFile, IsRefusedWhereItsDocumentIsWrong) {
  EXPECT_EQ(refuse_tables(""), "it was taken");
  EXPECT_EQ(refuse_tables(R"({"name":"a","rows":0,"columns":2})"), "it was taken");
  EXPECT_THAT(refuse_document("{"), HasSubstr("document is damaged"));
  EXPECT_THAT(refuse_document("[]"), HasSubstr("document is damaged"));
  EXPECT_THAT(refuse_document(R"({"tables":[]})"), HasSubstr("document is damaged"));
  EXPECT_THAT(refuse_document(R"({"about":)" + std::string(500, '[')), HasSubstr("too deep"));
  EXPECT_THAT(refuse_tables("7"), HasSubstr("document is damaged"));
  EXPECT_THAT(refuse_tables(R"({"name":"a","rows":0})"), HasSubstr("document is damaged"));
  EXPECT_THAT(refuse_tables(R"({"name":7,"rows":0,"columns":0})"),
              HasSubstr("document is damaged"));
  for (const char* rows : {"-1", "1.5", "4294967296", "\"7\""})
    EXPECT_THAT(refuse_tables(R"({"name":"a","rows":)" + std::string(rows) + R"(,"columns":1})"),
                HasSubstr("number of rows"));
  EXPECT_THAT(
      refuse_tables(R"({"name":"a","rows":0,"columns":0},{"name":"a","rows":0,"columns":0})"),
      HasSubstr("two tables 'a'"));
  EXPECT_THAT(refuse_tables(R"({"name":"a","rows":0,"columns":0,"percent":51})"),
              HasSubstr("number of percent"));
}

TEST(ProfilesFile, IsRefusedWhereLabelsDoNotFit) {
  const auto refuse = [](const std::string& labels) {
    return refuse_tables(R"({"name":"a","rows":0,"columns":2,"labels":)" + labels + "}");
  };
  EXPECT_EQ(refuse(R"("3,9")"), "it was taken");
  EXPECT_THAT(refuse(R"("3")"), HasSubstr("labels do not fit"));
  EXPECT_THAT(refuse(R"("3,4294967296")"), HasSubstr("labels do not fit"));
  EXPECT_THAT(refuse(R"("3-9")"), HasSubstr("no list of numbers"));
  EXPECT_THAT(refuse(R"("x")"), HasSubstr("no list of numbers"));
  EXPECT_THAT(refuse("7"), HasSubstr("document is damaged"));
}

TEST(ProfilesFile, IsRefusedWhereItClaimsMoreThanTheLimits) {
  EXPECT_THAT(refuse_tables(R"({"name":"a","rows":4294967295,"columns":16777216})"),
              HasSubstr("tables are too large"));
  EXPECT_THAT(refuse_tables(R"({"name":"a","rows":65536,"columns":4096})"),
              HasSubstr("index is cut"));
  std::string many;
  for (int k = 0; k < 3; ++k)
    many += (k == 0 ? "" : ",") + std::string(R"({"name":")") + std::to_string(k) +
            R"(","rows":0,"columns":16777216,"labels":"0-16777215"})";
  EXPECT_THAT(refuse_tables(many), HasSubstr("too many columns"));
}

TEST(ProfilesFile, IsReadInPartsWhereItIsLarge) {
  // 2^32 numbers in 2^16 blocks, all of them 0.
  const std::string document =
      R"({"about":{},"tables":[{"name":"a","rows":1048576,"columns":4096}]})";
  const ProfilesFile file(make_foreign_file(document, std::string(1 + 2 * 65'536, '\0')));
  const auto& table = file.tables().front();
  EXPECT_THROW(file.read(table), Error);
  EXPECT_EQ(file.read_rows(table, 1'000'000, 2), Values(8'192, 0));
}

TEST(ProfilesFile, IsRefusedWhereItsIndexIsWrong) {
  const std::string document = R"({"about":{},"tables":[{"name":"a","rows":2,"columns":2}]})";
  const auto refuse = [&](const std::string& index) {
    return find_refusal(make_foreign_file(document, index));
  };
  const std::string zero(1, '\0');
  EXPECT_EQ(refuse(zero + zero + "\x05"), "it was taken");
  EXPECT_THAT(refuse(""), HasSubstr("damaged"));
  EXPECT_THAT(refuse(zero + zero), HasSubstr("damaged"));
  EXPECT_THAT(refuse(zero + "\x05"), HasSubstr("blocks do not fit"));
  EXPECT_THAT(refuse(zero + zero + "\x05\x05"), HasSubstr("index does not fit"));
  EXPECT_THAT(refuse("\x01\x01" + zero + "\x05"), HasSubstr("no such group"));
  EXPECT_THAT(refuse("\x7f" + zero + "\x05"), HasSubstr("too many groups"));
}

}  // namespace tracefold::profiles_file_test
