#include "otf2/name_codes.hpp"

#include "base/error.hpp"
#include "otf2/otf2_values.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <utility>
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
  std::uint64_t region(const std::string& name, const std::string& file = "",
                       std::uint64_t paradigm = otf2_value::paradigm_unknown,
                       std::uint64_t role = otf2_value::region_role_function) {
    const auto number = string(name);
    define(K::Region, {number, number, number, string(""), role, paradigm, 0, string(file), 1, 2});
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
constexpr std::uint64_t role_wrapper = 2, paradigm_cuda = 5, paradigm_opencl = 19,
                        paradigm_openacc = 18, paradigm_hip = 23;

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
  EXPECT_EQ(made.facts().properties["NAME::P1"], "name2");
  EXPECT_FALSE(made.facts().properties.contains("Site"));
  EXPECT_EQ(made.facts().properties["OTF2::MPI_COMMUNICATION_COMPLETE"], "true");
  EXPECT_EQ(made.facts().machine, "host2");
}

TEST(NameCodes, KeepFunctionsOfInterfaces) {
  using namespace otf2_value;
  NamedThings made;
  const std::vector<std::uint64_t> stay{
      made.region("PMPI_Iprobe", "MPI", paradigm_mpi),
      made.region("MPI_Odd_extension", "MPI", paradigm_mpi),
      made.region("MPI_Send", "hpcc", paradigm_user),
      made.region("MPI_Allreduce_c", "", paradigm_user),
      made.region("omp_set_lock", "OMP", paradigm_openmp, role_wrapper),
      made.region("pthread_create", "PTHREAD", paradigm_pthread, role_wrapper),
      made.region("pthread_join"),
      made.region("cudaMemcpyAsync", "CUDART", paradigm_cuda, role_wrapper),
      made.region("clFinish", "OpenCL", paradigm_opencl, role_wrapper),
      made.region("hipFree", "HIP", paradigm_hip, role_wrapper),
      made.region("CPU thread 0:1")};
  std::vector<std::string> before;
  for (const auto string : stay)
    before.push_back(made.text(string));
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  for (std::size_t k = 0; k < stay.size(); ++k)
    EXPECT_EQ(made.text(stay[k]), before[k]);
}

TEST(NameCodes, ReplaceFunctionsThatOnlyBeginAsAnInterface) {
  using namespace otf2_value;
  const std::string file = "/home/x/secret.c";
  NamedThings made;
  std::vector<std::uint64_t> coded;
  constexpr std::uint64_t sampling = 21, none = 22;
  for (const auto paradigm : {paradigm_user, paradigm_compiler, sampling, none})
    for (const auto* name : {"cuSecretSolver", "acc_force_of_neutron", "clBeamSecret",
                             "hipSecretThing", "MPI_MyWrapper_secret", "omp_secret_phase"})
      coded.push_back(made.region(name + std::to_string(paradigm), file, paradigm));
  for (const auto& [name, of, paradigm] :
       std::vector<std::tuple<std::string, std::string, std::uint64_t>>{
           {"mpi_exchange", "", paradigm_mpi},
           {"cluster", "", paradigm_unknown},
           {"thread of mine", "", paradigm_unknown},
           {"omp_solve", file, paradigm_unknown},
           {"cuSolve", "", paradigm_unknown},
           {"cuSolve<Secret>(double*)", "CUDA_KERNEL", paradigm_cuda},
           {"cuSecretKernel", "CUDA_KERNEL", paradigm_cuda},
           {"acc_force@secret.c:12", file, paradigm_compiler},
           {"!$omp critical secretname @secret.c:3", file, paradigm_openmp},
           {"!$omp critical secretname", file, paradigm_openmp}})
    coded.push_back(made.region(name, of, paradigm));
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  for (std::size_t k = 0; k < coded.size(); ++k)
    EXPECT_EQ(made.text(coded[k]), "f" + std::to_string(k + 1));
}

TEST(NameCodes, KeepANameThatAnInterfaceHasAsWell) {
  NamedThings made;
  const auto own = made.region("omp_both", "/home/x/own.c", otf2_value::paradigm_user),
             of_openmp = made.region("omp_both", "OMP", otf2_value::paradigm_openmp);
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  EXPECT_EQ(made.text(own), "omp_both");
  EXPECT_EQ(made.text(of_openmp), "omp_both");
}

TEST(NameCodes, KeepOnlyObjectsOfMpiBesideFunctions) {
  NamedThings made;
  const auto world = made.string("MPI_COMM_WORLD"), third = made.string("MPI_COMM_3"),
             own = made.string("MPI_COMM_SECRET"), counter = made.string("cuSecret"),
             library = made.string("OpenMP");
  made.facts().properties = {{"ACME::SECRETPROJECT", "yes"}, {"TRACEFOLD::X", "no"}};
  made.facts().definitions.finish();

  NameCodes codes;
  codes.apply(made.facts());
  EXPECT_EQ(made.text(world), "MPI_COMM_WORLD");
  EXPECT_EQ(made.text(third), "MPI_COMM_3");
  EXPECT_EQ(made.text(own), "name1");
  EXPECT_EQ(made.text(counter), "name2");
  EXPECT_EQ(made.text(library), "OpenMP");
  using Properties = std::map<std::string, std::string>;
  EXPECT_EQ(made.facts().properties, (Properties{{"NAME::P1", "name3"}, {"TRACEFOLD::X", "no"}}));
  EXPECT_THAT(codes.to_json(), ::testing::HasSubstr("\"P1\": \"ACME::SECRETPROJECT\""));
}

TEST(NameCodes, KeepOnlyUsualWordsOfTools) {
  NamedThings made;
  const auto machine = made.string("machine"), rack = made.string("acmerack"),
             unit = made.string("MiB/s"), joule = made.string("10^-6 J"),
             orders = made.string("orders"), posix = made.string("POSIX I/O"),
             own = made.string("ACME-IO"), openmp = made.string("OpenMP"),
             tasks = made.string("acmetasks"), none = made.string("");
  made.define(K::SystemTreeNode, {0, none, machine, nobody});
  made.define(K::SystemTreeNode, {1, none, rack, 0});
  std::uint64_t id = 0;
  for (const auto text : {unit, joule, orders})
    made.define(K::MetricMember, {id++, none, none, 0, 0, 0, 0, 0, text});
  made.define(K::IoParadigm, {0, posix, posix});
  made.define(K::IoParadigm, {1, own, own});
  made.define(K::Paradigm, {3, openmp});
  made.define(K::Paradigm, {100, tasks});
  made.facts().definitions.finish();
  NameCodes codes;
  codes.apply(made.facts());
  for (const auto& [string, name] :
       std::vector<std::pair<std::uint64_t, std::string>>{{machine, "machine"},
                                                          {unit, "MiB/s"},
                                                          {joule, "10^-6 J"},
                                                          {posix, "POSIX I/O"},
                                                          {openmp, "OpenMP"},
                                                          {none, ""}})
    EXPECT_EQ(made.text(string), name);
  for (const auto string : {rack, orders, own, tasks})
    EXPECT_THAT(made.text(string), ::testing::StartsWith("name"));
}

TEST(NameCodes, TakeConstructsApart) {
  NamedThings made;
  const auto no_line = made.region("!$omp for @a.c"), colon = made.region("!$omp for @C:/a.c:7"),
             no_file = made.region("!$omp for @"), no_place = made.region("!$omp barrier"),
             wait = made.region("acc_wait@solver.f90:51", "", paradigm_openacc),
             own = made.region("solve@solver.f90:9");
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  EXPECT_EQ(made.text(no_line), "!$omp for @file1");
  EXPECT_EQ(made.text(colon), "!$omp for @file2:7");
  EXPECT_EQ(made.text(no_file), "!$omp for @");
  EXPECT_EQ(made.text(no_place), "!$omp barrier");
  EXPECT_EQ(made.text(wait), "acc_wait@file3:51");
  EXPECT_EQ(made.text(own), "f1");
}

TEST(NameCodes, TakeNamesOfAnyLength) {
  const std::string rest(1 << 20, 'a'), digits(1 << 20, '1');
  NamedThings made;
  const auto call = made.region("cuA" + rest, "", paradigm_cuda, role_wrapper),
             thread = made.region("thread " + digits),
             construct = made.region("!$omp for @" + rest + ":" + digits);
  made.facts().definitions.finish();

  NameCodes().apply(made.facts());
  EXPECT_EQ(made.text(call), "cuA" + rest);
  EXPECT_EQ(made.text(thread), "thread " + digits);
  EXPECT_EQ(made.text(construct), "!$omp for @file1:" + digits);
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
