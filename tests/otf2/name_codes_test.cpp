#include "otf2/name_codes.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace tracefold::name_codes_test {

using K = DefinitionKind;

namespace {

// Facts of an archive whose strings are numbered in their order.
class NamedThings {
 public:
  std::uint64_t string(const std::string& text) {
    Definition made;
    made.kind = K::String;
    made.fields[0] = ++strings_;
    made.text = text;
    facts_.definitions.add(made);
    return strings_;
  }
  void define(K kind, std::initializer_list<std::uint64_t> fields) {
    Definition made;
    made.kind = kind;
    std::copy(fields.begin(), fields.end(), made.fields.begin());
    facts_.definitions.add(made);
  }
  std::uint64_t region(const std::string& name, const std::string& file = "") {
    const auto number = string(name);
    define(K::Region, {number, number, number, string(""), 0, 0, 0, string(file), 1, 2});
    return number;
  }
  ArchiveFacts& facts() { return facts_; }
  const ArchiveFacts& facts() const { return facts_; }
  std::string text(std::uint64_t string) const { return facts_.definitions.text(string); }

 private:
  ArchiveFacts facts_;
  std::uint64_t strings_ = 0;
};

constexpr std::uint64_t nobody = 0xffffffff;

}  // namespace

TEST(NameCodes, ReplacesNamesByTheirKind) {
  NamedThings made;
  const auto solve = made.region("solve", "/home/me/solver.c"), send = made.region("MPI_Send"),
             loop = made.region("!$omp parallel @/home/me/solver.c:88");
  const auto host = made.string("node17.site"), word = made.string("node");
  made.define(K::SystemTreeNode, {0, host, word, nobody});
  const auto counter = made.string("SECRET_CYCLES"), unit = made.string("#");
  made.define(K::MetricMember, {0, counter, made.string(""), 0, 0, 0, 0, 0, unit});
  const auto rank = made.string("MPI Rank 3"), group = made.string("solver threads");
  made.facts().properties = {{"Site", "Somewhere"}, {"OTF2::MPI_COMMUNICATION_COMPLETE", "true"}};
  made.facts().machine = "bigiron";
  made.facts().definitions.finish();

  NameCodes codes;
  codes.apply(made.facts());
  EXPECT_EQ(made.text(solve), "f1");
  EXPECT_EQ(made.text(solve + 2), "file1");
  EXPECT_EQ(made.text(send), "MPI_Send");
  EXPECT_EQ(made.text(loop), "!$omp parallel @file1:88");
  EXPECT_EQ(made.text(host), "host1");
  EXPECT_EQ(made.text(word), "node");
  EXPECT_EQ(made.text(counter), "counter1");
  EXPECT_EQ(made.text(unit), "#");
  EXPECT_EQ(made.text(rank), "MPI Rank 3");
  EXPECT_EQ(made.text(group), "name1");
  EXPECT_EQ(made.facts().properties["Site"], "name2");
  EXPECT_EQ(made.facts().properties["OTF2::MPI_COMMUNICATION_COMPLETE"], "true");
  EXPECT_EQ(made.facts().machine, "host2");
}

TEST(NameCodes, KnowInterfacesByHowTheirNamesBegin) {
  NamedThings made;
  const auto probe = made.region("PMPI_Iprobe"), copy = made.region("cudaMemcpyAsync"),
             own = made.region("mpi_exchange"), word = made.region("cluster"),
             thread = made.region("CPU thread 0:1"), part = made.region("thread of mine"),
             kernel = made.region("cuSolve<Secret>(double*)");
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  EXPECT_EQ(made.text(probe), "PMPI_Iprobe");
  EXPECT_EQ(made.text(copy), "cudaMemcpyAsync");
  EXPECT_EQ(made.text(own), "f1");
  EXPECT_EQ(made.text(word), "f2");
  EXPECT_EQ(made.text(thread), "CPU thread 0:1");
  EXPECT_EQ(made.text(part), "f3");
  EXPECT_EQ(made.text(kernel), "f4");
}

TEST(NameCodes, TakeConstructsApart) {
  NamedThings made;
  const auto no_line = made.region("!$omp for @a.c"), colon = made.region("!$omp for @C:/a.c:7"),
             no_file = made.region("!$omp for @"), no_place = made.region("!$omp barrier"),
             wait = made.region("acc_wait@solver.f90:51"), own = made.region("solve@solver.f90:9");
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  EXPECT_EQ(made.text(no_line), "!$omp for @file1");
  EXPECT_EQ(made.text(colon), "!$omp for @file2:7");
  EXPECT_EQ(made.text(no_file), "f1");
  EXPECT_EQ(made.text(no_place), "f2");
  EXPECT_EQ(made.text(wait), "acc_wait@file3:51");
  EXPECT_EQ(made.text(own), "f3");
}

TEST(NameCodes, TakeNamesOfAnyLength) {
  const std::string rest(1 << 20, 'a'), digits(1 << 20, '1');
  NamedThings made;
  const auto call = made.region("cuA" + rest), thread = made.region("thread " + digits),
             construct = made.region("!$omp " + rest + "@" + rest + ":" + digits);
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  EXPECT_EQ(made.text(call), "cuA" + rest);
  EXPECT_EQ(made.text(thread), "thread " + digits);
  EXPECT_EQ(made.text(construct), "!$omp " + rest + "@file1:" + digits);
}

TEST(NameCodes, KeepCodesOfATable) {
  NamedThings first;
  first.region("solve");
  first.region(std::string("\xff\xfe odd", 6));
  first.facts().definitions.finish();
  NameCodes codes;
  codes.apply(first.facts());

  NamedThings second;
  const auto setup = second.region("setup"), solve = second.region("solve"),
             odd = second.region(std::string("\xff\xfe odd", 6));
  second.facts().definitions.finish();
  NameCodes again(codes.to_json());
  again.apply(second.facts());
  EXPECT_EQ(second.text(solve), "f1");
  EXPECT_EQ(second.text(odd), "f2");
  EXPECT_EQ(second.text(setup), "f3");
  EXPECT_THAT(again.to_json(), ::testing::HasSubstr("\"f3\": \"setup\""));
}

TEST(NameCodes, AreToldFromNamesThatTheOriginalHas) {
  const auto make = [](const std::string& function, const std::string& file) {
    NamedThings made;
    made.region(function, file);
    made.facts().definitions.finish();
    return made;
  };
  const auto named = make("solve", "solver.c"), f1 = make("f1", "solver.c");
  EXPECT_EQ(find_other_code(make("f1", "file1").facts().definitions, named.facts().definitions),
            "f1");
  EXPECT_EQ(
      find_other_code(make("MPI_Send", "file1").facts().definitions, named.facts().definitions),
      "file1");
  EXPECT_FALSE(find_other_code(f1.facts().definitions, f1.facts().definitions));
  for (const auto* name : {"solve", "f", "f1a", "fun1", "name1"})
    EXPECT_FALSE(
        find_other_code(make(name, "solver.c").facts().definitions, f1.facts().definitions))
        << name;
}

TEST(NameCodes, RefuseWhatIsNoTable) {
  for (const auto* text : {"", "[]", "{}", R"({"tracefold_names": 2, "names": {}})",
                           R"({"tracefold_names": 1, "names": {"solve": "f1"}})",
                           R"({"tracefold_names": 1, "names": {"f1": "a", "f2": "a"}})",
                           R"({"tracefold_names": 1, "names": {"f1": "a", "f01": "b"}})",
                           R"({"tracefold_names": 1, "names": {"f99999999999999999999": "a"}})",
                           R"({"tracefold_names": 1, "names": {"f1": 5}})"})
    EXPECT_THROW(NameCodes{text}, Error) << text;
}

}  // namespace tracefold::name_codes_test
