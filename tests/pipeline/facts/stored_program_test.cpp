// Files of profiles whose document or tables do not fit together.
#include "pipeline/facts/stored_program.hpp"

#include "base/error.hpp"
#include "model/program/profiles_writer.hpp"
#include "pipeline/facts/cut_program.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "tests/support/made_program.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <utility>

namespace tracefold::stored_program_test {

using Json = nlohmann::ordered_json;
using Values = std::vector<std::uint64_t>;
using ::testing::HasSubstr;

// What a file of profiles holds, to be changed.
struct Content {
  struct Table {
    ProfilesTable head;
    Values values;
  };
  Json about;
  std::vector<Table> tables;

  Table& find(const std::string& name) {
    const auto at = std::find_if(tables.begin(), tables.end(),
                                 [&](const Table& table) { return table.head.name == name; });
    if (at == tables.end())
      throw std::out_of_range(name);
    return *at;
  }
  Values& values(const std::string& name) { return find(name).values; }
  void remove(const std::string& name) {
    find(name);
    std::erase_if(tables, [&](const Table& table) { return table.head.name == name; });
  }
  void resize(const std::string& name, std::uint64_t rows, std::uint64_t columns) {
    auto& table = find(name);
    table.head.rows = rows;
    table.head.columns = columns;
    table.head.labels.clear();
    table.values.resize(rows * columns);
  }
};

Content read_content(const std::string& bytes) {
  const ProfilesFile file(bytes);
  Content out{file.about(), {}};
  for (const auto& table : file.tables())
    out.tables.push_back({table, file.read(table)});
  return out;
}

std::string write_content(const Content& content) {
  ProfilesWriter writer({});
  for (const auto& [head, values] : content.tables)
    writer.add(head, [&](std::size_t row, std::span<std::uint64_t> out) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * out.size()), out.size(),
                  out.begin());
    });
  return *writer.finish(content.about);
}

// Four processes; the first has two loops, the second one, the third none.
class StoredProgramOf : public ::testing::Test {
 protected:
  using Change = std::function<void(Content&)>;

  using Lengths = std::vector<std::vector<std::size_t>>;  // of loops, by process

  static std::string make_bytes(const Change& change,
                                const Lengths& lengths = {{5, 2}, {3}, {}, {5}}) {
    auto content =
        read_content(pack_program(testing::make_program(lengths), ~std::uint64_t{0})->bytes);
    change(content);
    return write_content(content);
  }

  // Why it is refused, by what reads all of it; and by whoever reads series.
  static std::string find_refusal(const Change& change) {
    const auto bytes = make_bytes(change);
    return find_error([&] { StoredProgram(bytes).check(); });
  }
  static std::string find_refusal_of_series(const Change& change) {
    const auto bytes = make_bytes(change);
    return find_error([&] {
      const StoredProgram stored(bytes);
      for (std::size_t l = 0; l < stored.loops(); ++l)
        for (std::size_t c = 0; c < stored.columns().size(); ++c)
          stored.read_series(l, c);
    });
  }
  static std::string find_refusal_of(const Lengths& lengths, const Change& change) {
    const auto bytes = make_bytes(change, lengths);
    return find_error([&] { StoredProgram(bytes).check(); });
  }
  // By whoever cuts it to the first and the third process.
  static std::string find_refusal_of_cut(const Change& change) {
    const auto bytes = make_bytes(change);
    return find_error([&] { StoredProgram(cut_program(StoredProgram(bytes), {4, 10})).check(); });
  }

 private:
  static std::string find_error(const std::function<void()>& read) try {
    read();
    return "it was taken";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input) << problem.what();
    return problem.what();
  }
};

TEST_F(StoredProgramOf, WhatFitsIsTaken) {
  EXPECT_EQ(find_refusal([](auto&) {}), "it was taken");
  EXPECT_EQ(find_refusal_of_series([](auto&) {}), "it was taken");
}

TEST_F(StoredProgramOf, AnotherVersion) {
  EXPECT_THAT(find_refusal([](auto& of) { of.about["version"] = 2; }),
              HasSubstr("it is of another version"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about.erase("version"); }), HasSubstr("version"));
}

TEST_F(StoredProgramOf, AnotherNumberOfProcesses) {
  for (const auto& number : {Json(3), Json(5), Json(0), Json(~std::uint64_t{0})})
    EXPECT_THAT(find_refusal([&](auto& of) { of.about["processes"] = number; }),
                HasSubstr("another number of processes than it says"))
        << number;
  for (const auto& none : {Json(-4), Json("4"), Json(4.5), Json()})
    EXPECT_THAT(find_refusal([&](auto& of) { of.about["processes"] = none; }),
                HasSubstr("a number that counts should be"))
        << none;
  EXPECT_THAT(find_refusal([](auto& of) { of.remove("process/location"); }),
              HasSubstr("another number of processes than it says"));
}

TEST_F(StoredProgramOf, MoreProcessesThanTheTraceStandsFor) {
  const auto bytes = make_bytes([](auto&) {});
  EXPECT_EQ(StoredProgram(bytes, 4).size(), 4u);
  try {
    const StoredProgram stored(bytes, 3);
    ADD_FAILURE() << "they were taken";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
    EXPECT_THAT(problem.what(), HasSubstr("it has 4 processes, and the trace stands for 3"));
  }
}

TEST_F(StoredProgramOf, AnotherErrorThanItsTablesHave) {
  for (auto percent : {0, 2, 50})
    EXPECT_THAT(find_refusal([&](auto& of) { of.about["percent"] = percent; }),
                HasSubstr("tables have another error than it says"));
}

TEST_F(StoredProgramOf, DocumentsThatLackParts) {
  for (const auto* part : {"processes", "percent", "calls", "named", "recorded_metrics"})
    EXPECT_THAT(find_refusal([&](auto& of) { of.about.erase(part); }), HasSubstr(part)) << part;
  EXPECT_THAT(find_refusal([](auto& of) { of.about["calls"].erase("paths"); }), HasSubstr("paths"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about = Json::array(); }),
              HasSubstr("is no file of profiles"));
}

TEST_F(StoredProgramOf, NamesOfOtherProcesses) {
  const auto name = [](const char* ids) {
    return [=](Content& of) { of.about["named"]["ids"] = ids; };
  };
  EXPECT_THAT(find_refusal(name("4,7,10,14")), HasSubstr("it names other processes"));
  EXPECT_THAT(find_refusal(name("4,7,10")), HasSubstr("do not fit together"));
  EXPECT_THAT(find_refusal(name("four")), HasSubstr("is no file of profiles"));
  EXPECT_THAT(find_refusal([](Content& of) {
                of.about["named"] = {{"ids", "4"},
                                     {"talks", ""},
                                     {"damaged", ""},
                                     {"location_groups", {{1, 0, 0}}},
                                     {"names", {{1, "", false}}},
                                     {"location_group_names", {{1, "", false}}}};
              }),
              HasSubstr("it names another number of processes"));
}

TEST_F(StoredProgramOf, ProcessesThatDoNotAscend) {
  EXPECT_THAT(find_refusal([](auto& of) {
                std::swap(of.values("process/location")[1], of.values("process/location")[2]);
              }),
              HasSubstr("names other processes"));
  const auto bytes = make_bytes([](auto& of) { of.values("process/location") = {4, 10, 7, 13}; });
  try {
    StoredProgram(bytes).read_calls(StoredColumns::all);
    ADD_FAILURE() << "they were taken";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
    EXPECT_THAT(problem.what(), HasSubstr("not in ascending order"));
  }
  EXPECT_THAT(find_refusal_of_cut([](auto& of) { of.values("process/location")[1] = 4; }),
              HasSubstr("not in ascending order"));
}

TEST_F(StoredProgramOf, FieldsThatAreMissingOrOfAnotherSize) {
  for (const auto* name :
       {"process/rank", "process/thread", "process/creator", "process/type",
        "process/is MPI endpoint", "process/events", "process/metrics", "process/call paths"}) {
    const auto words = HasSubstr(std::string("table '") + name + "' is missing, or has another");
    EXPECT_THAT(find_refusal([&](auto& of) { of.remove(name); }), words);
    EXPECT_THAT(find_refusal([&](auto& of) { of.resize(name, 3, 1); }), words);
    EXPECT_THAT(find_refusal([&](auto& of) { of.resize(name, 4, 2); }), words);
  }
  for (const auto* name : {"loop 0/iterations", "outside/bytes sent"})
    EXPECT_THAT(find_refusal([&](auto& of) { of.resize(name, 5, 1); }), HasSubstr(name));
}

TEST_F(StoredProgramOf, ListsThatAreNotThere) {
  for (const std::uint64_t number : {std::uint64_t{3}, ~std::uint64_t{0}}) {
    EXPECT_THAT(find_refusal([&](auto& of) { of.values("process/call paths")[1] = number; }),
                HasSubstr("a set of call paths that it does not have"));
    EXPECT_THAT(find_refusal([&](auto& of) { of.values("process/metrics")[1] = number; }),
                HasSubstr("a list of metrics that it does not have"));
  }
}

TEST_F(StoredProgramOf, TopologiesThatDoNotFit) {
  EXPECT_THAT(find_refusal([](auto& of) { of.remove("process/topology 0"); }),
              HasSubstr("'process/topology 0' is missing"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("process/topology 0", 4, 3); }),
              HasSubstr("'process/topology 0' is missing, or has another size"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["topologies"][0]["axes"].erase(1); }),
              HasSubstr("'process/topology 0' is missing, or has another size"));
  EXPECT_THAT(find_refusal([](auto& of) { of.values("process/topology 0")[1] = 4; }),
              HasSubstr("outside of the topology 'grid'"));
  for (std::size_t axis : {0, 1})
    EXPECT_THAT(find_refusal([&](auto& of) { of.values("process/topology 0")[axis] = 0; }),
                HasSubstr("outside of the topology 'grid'"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["topologies"][0].erase("name"); }),
              HasSubstr("name"));
}

TEST_F(StoredProgramOf, ScopesThatDoNotFit) {
  EXPECT_THAT(find_refusal([](auto& of) { of.about["scopes"][0]["inside"] = "0-3"; }),
              HasSubstr("is no file of profiles"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["scopes"][0]["inside"] = "3"; }),
              HasSubstr("lists what is not there"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["scopes"][0].erase("name"); }),
              HasSubstr("name"));
  EXPECT_THAT(find_refusal([](auto& of) { of.remove("scope 0/begin"); }),
              HasSubstr("'scope 0/begin' is missing"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("scope 0/visits", 3, 1); }),
              HasSubstr("'scope 0/visits' is of other processes"));
  EXPECT_THAT(find_refusal([](auto& of) {
                for (int k = 0; k < 1'000; ++k)
                  of.about["scopes"].push_back(of.about["scopes"][0]);
              }),
              HasSubstr("too many scopes"));
}

TEST_F(StoredProgramOf, UnsureLoopsThatAreNotThere) {
  EXPECT_THAT(find_refusal([](auto& of) { of.about["unsure_loops"] = "2"; }),
              HasSubstr("is no file of profiles"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["unsure_loops"] = true; }),
              HasSubstr("is no file of profiles"));
}

TEST_F(StoredProgramOf, SeriesOfCallPathsThatDoNotFit) {
  EXPECT_THAT(find_refusal([](auto& of) { of.about["series_of_call_paths"][1] = "3"; }),
              HasSubstr("lists what is not there"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["series_of_call_paths"].push_back(""); }),
              HasSubstr("of loops that it does not have"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["iterations_per_column"] = 0; }),
              HasSubstr("and no iterations"));
  EXPECT_THAT(find_refusal([](auto& of) { of.about["series_of_call_paths"][0] = "0-1000"; }),
              HasSubstr("names too many ids"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("loop 0/path 2/execution time", 4, 6); }),
              HasSubstr("has another number of iterations"));
}

TEST_F(StoredProgramOf, PairsThatDoNotFit) {
  EXPECT_THAT(find_refusal([](auto& of) { of.values("pairs/sender")[1] = 4; }),
              HasSubstr("pairs of processes that are not there"));
  EXPECT_THAT(find_refusal([](auto& of) {
                std::swap(of.values("pairs/sender"), of.values("pairs/receiver"));
              }),
              HasSubstr("pairs of processes do not ascend"));
  EXPECT_THAT(find_refusal([](auto& of) {
                of.values("pairs/sender") = of.values("pairs/receiver") = {1, 1};
              }),
              HasSubstr("pairs of processes do not ascend"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("pairs/sender", 17, 1); }),
              HasSubstr("too many pairs of processes"));
  EXPECT_THAT(find_refusal([](auto& of) { of.remove("pairs/bytes"); }),
              HasSubstr("'pairs/bytes' is missing"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("pairs/messages", 3, 1); }),
              HasSubstr("'pairs/messages' is missing, or has another size"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("caused/MPI late-sender time", 3, 1); }),
              HasSubstr("'caused/MPI late-sender time' is missing, or has another size"));
}

TEST_F(StoredProgramOf, DelaysThatDoNotFit) {
  EXPECT_THAT(find_refusal([](auto& of) { of.values("delays/process")[1] = 4; }),
              HasSubstr("delays of processes or call paths that are not there"));
  EXPECT_THAT(find_refusal([](auto& of) { of.values("delays/call path")[1] = 5; }),
              HasSubstr("delays of processes or call paths that are not there"));
  EXPECT_THAT(find_refusal([](auto& of) { of.values("delays/call path")[1] = 0; }),
              HasSubstr("delays do not ascend"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("delays/process", 21, 1); }),
              HasSubstr("too many delays"));
  EXPECT_THAT(find_refusal([](auto& of) { of.remove("delays/call path"); }),
              HasSubstr("'delays/call path' is missing"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("delays/late sender", 3, 1); }),
              HasSubstr("'delays/late sender' is missing, or has another size"));
}

TEST_F(StoredProgramOf, CallPathsThatAreNotThere) {
  EXPECT_THAT(find_refusal([](auto& of) {
                of.find("calls/visits").head.labels = {0, 1, 3};
              }),
              HasSubstr("'calls/visits' is of call paths that are not there"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("calls/visits", 4, 4); }),
              HasSubstr("'calls/visits' is of call paths that are not there"));
  EXPECT_THAT(find_refusal([](auto& of) { of.resize("calls/visits", 3, 3); }),
              HasSubstr("'calls/visits' is of other processes"));
}

TEST_F(StoredProgramOf, CallPathsOfProcessesThatStandElsewhere) {
  const auto put = [](Content& of) { of.about["calls"]["processes"].push_back(Json::object()); };
  EXPECT_THAT(find_refusal(put), HasSubstr("values of processes, which are tables"));
}

TEST_F(StoredProgramOf, SeriesOfAnotherSize) {
  for (const auto& [name, rows, columns] :
       {std::tuple<const char*, std::uint64_t, std::uint64_t>{"loop 0/visits", 4, 6},
        {"loop 0/visits", 3, 5},
        {"loop 1/visits", 4, 5},
        {"loop 0/computation time", 4, 1},
        {"loop 0/computation time/by process", 3, 1},
        {"loop 0/computation time/by iteration", 1, 4}}) {
    const auto change = [&](Content& of) { of.resize(name, rows, columns); };
    EXPECT_THAT(find_refusal_of_series(change), HasSubstr(name));
    EXPECT_THAT(find_refusal(change), HasSubstr(name));
  }
  const auto lacks_sums = [](Content& of) { of.remove("loop 0/computation time/by process"); };
  EXPECT_THAT(find_refusal_of_series(lacks_sums), HasSubstr("by process"));
  EXPECT_THAT(find_refusal(lacks_sums), HasSubstr("by process"));
}

TEST_F(StoredProgramOf, SeriesThatCannotBeCut) {
  EXPECT_EQ(find_refusal_of_cut([](auto&) {}), "it was taken");
  for (const auto* name : {"loop 0/visits", "loop 0/path 2/execution time"})
    EXPECT_THAT(find_refusal_of_cut([&](auto& of) { of.resize(name, 4, 1); }),
                HasSubstr("has another number of iterations"));
  EXPECT_THAT(
      find_refusal_of_cut([](auto& of) { of.find("loop 1/visits").head.name = "loop 2/x"; }),
      HasSubstr("'loop 2/x' is of a loop that is not there"));
  EXPECT_THAT(find_refusal_of_cut([](auto& of) {
                of.about["iterations_per_column"] = 0;
                of.about.erase("series_of_call_paths");
              }),
              HasSubstr("no iterations"));
}

TEST_F(StoredProgramOf, NamesThatAreNearlyThoseOfSeries) {
  for (const auto* name : {"loop 0/path 2", "loop 0/path 02/visits", "loop 0/path 2x/visits",
                           "loop 0/path /visits", "loop 0/path 99999999999999999999/visits"})
    EXPECT_EQ(find_refusal_of_cut([&](auto& of) {
                auto table = of.find("loop 0/visits");
                table.head.name = name;
                of.tables.push_back(table);
              }),
              "it was taken")
        << name;
}

TEST_F(StoredProgramOf, ObjectsWhereListsShouldBe) {
  for (const auto* part : {"scopes", "series_of_call_paths"})
    EXPECT_THAT(find_refusal_of_cut([&](auto& of) {
                  of.about[part] = Json{{"first", of.about[part][0]}};
                }),
                HasSubstr("where a list should be"))
        << part;
}

TEST_F(StoredProgramOf, MoreIterationsThanThereMayBe) {
  const auto many = [](Content& of) { of.values("loop 1/iterations")[0] = std::uint64_t{1} << 40; };
  EXPECT_THAT(find_refusal(many), HasSubstr("too many iterations"));
}

TEST_F(StoredProgramOf, MoreIterationsOfAllProcessesThanAreRead) {
  const auto many = [](Content& of) { of.values("loop 0/iterations")[0] = std::uint64_t{1} << 26; };
  EXPECT_THAT(find_refusal_of({{5}, {3}, {}, {5}}, many),
              HasSubstr("another number of iterations"));
  EXPECT_THAT(find_refusal_of({{5}, {3}, {}, {5}, {5}}, many),
              HasSubstr("too many iterations of all processes"));
}

// The document has each of them once.
TEST_F(StoredProgramOf, LongNamesOfManyProcesses) {
  const std::string name(1 << 20, 'x');
  const Lengths lengths(2'100);
  const auto put_names = [&](Content& of) {
    of.about["named"]["names"] = Json::array({Json::array({2'100, name, false})});
  };
  const auto put_metrics = [&](Content& of) {
    of.about["recorded_metrics"][0] = Json::array({name, name});
  };
  EXPECT_THAT(find_refusal_of(lengths, put_names), HasSubstr("do not fit together"));
  EXPECT_THAT(find_refusal_of(lengths, put_metrics), HasSubstr("record too many metrics"));
}

TEST_F(StoredProgramOf, IterationsTogetherThatDoNotFit) {
  const auto put = [](const Json& together) {
    return [=](Content& of) { of.about["iterations_per_column"] = together; };
  };
  EXPECT_THAT(find_refusal_of_series(put(2)), HasSubstr("another number of iterations"));
  EXPECT_THAT(find_refusal_of_series(put(0)), HasSubstr("no iterations"));
  EXPECT_THAT(find_refusal_of_series(put(~std::uint64_t{0})), HasSubstr("number of iterations"));
  EXPECT_THAT(find_refusal(put("1")), HasSubstr("a number that counts should be"));
}

TEST_F(StoredProgramOf, DamagedBytes) {
  const auto bytes = make_bytes([](auto&) {});
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_THROW(StoredProgram(bytes.substr(0, size)), Error) << size;

  const auto read_all = [](const std::string& of) {
    const ProfilesFile file(of);
    std::vector<std::vector<std::uint64_t>> all;
    for (const auto& table : file.tables())
      all.push_back(file.read(table));
    return all;
  };
  const auto whole = read_all(bytes);
  std::size_t refused = 0, same = 0;
  for (std::size_t at = profiles_first_line.size(); at < bytes.size(); at += 5) {
    auto damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);  // lower ones are unused in places
    try {
      StoredProgram(damaged).check();
      // A block of one number is the same by several predictions.
      EXPECT_EQ(read_all(damaged), whole) << at;
      ++same;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100 * same);
}

}  // namespace tracefold::stored_program_test
