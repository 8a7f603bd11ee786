#include "filters/comparison/function_names.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tracefold::function_names_test {

namespace {

Function name(const std::string& text, const std::string& file = "", std::uint64_t line = 0) {
  Function made;
  made.name = text;
  made.file = file;
  made.line = line;
  return made;
}

// Whether the n-th function of one run is the n-th of the other one.
std::vector<bool> match(const std::vector<Function>& a, const std::vector<Function>& b) {
  const auto found = match_functions(
      {{&a, std::vector<bool>(a.size(), true)}, {&b, std::vector<bool>(b.size(), true)}});
  std::vector<bool> same;
  for (std::size_t f = 0; f < std::min(a.size(), b.size()); ++f)
    same.push_back(found.class_of[0][f] == found.class_of[1][f]);
  return same;
}

const std::vector<bool> all_three{true, true, true};

}  // namespace

TEST(FunctionNames, MatchesNamesOfFortranAndMpi) {
  EXPECT_EQ(match({name("solve"), name("MPI_Send"), name("__grid_MOD_update")},
                  {name("solve_"), name("mpi_send_"), name("grid_mp_update_")}),
            all_three);
}

TEST(FunctionNames, MatchesMangledNamesOfCpp) {
  EXPECT_EQ(match({name("_ZN6solver4stepEi"), name("solver::scale(double*)"), name("main")},
                  {name("solver::step(int)"), name("_ZN6solver5scaleEPd"), name("main")}),
            all_three);
}

TEST(FunctionNames, MatchesFunctionsWhoseLinesHaveMoved) {
  EXPECT_EQ(
      match(
          {name("step", "a.c", 10), name("step", "b.c", 20), name("!$omp parallel @solver.c:88")},
          {name("step", "a.c", 12), name("step", "b.c", 29), name("!$omp parallel @solver.c:91")}),
      all_three);
}

TEST(FunctionNames, CountsClonesForTheirFunction) {
  const std::vector<Function> a{name("kernel"), name("kernel.part.0")},
      b{name("kernel.constprop.0")};
  const auto found = match_functions({{&a, {true, true}}, {&b, {true}}});
  EXPECT_EQ(found.class_of[0][0], found.class_of[1][0]);
  EXPECT_EQ(found.class_of[0][1], found.class_of[1][0]);
}

TEST(FunctionNames, KeepsOverloadsApart) {
  EXPECT_EQ(match({name("f(int)"), name("f(double)")}, {name("f(int)"), name("f(double)")}),
            (std::vector<bool>{true, true}));
  const std::vector<Function> a{name("f(int)"), name("f(double)")};
  const auto found = match_functions({{&a, {true, true}}});
  EXPECT_NE(found.class_of[0][0], found.class_of[0][1]);
}

TEST(FunctionNames, TellsKernelsFromWhatLaunchesThem) {
  auto plain = name("jacobi_kernel"), mangled = name("_Z13jacobi_kernelPKfPfiiS1_");
  auto host = name("jacobi_kernel(float const*, float*, int, int, float*)");
  plain.paradigm = mangled.paradigm = otf2_value::paradigm_cuda;
  host.paradigm = otf2_value::paradigm_compiler;
  for (const auto& a : {std::vector<Function>{host, plain}, std::vector<Function>{plain, host}}) {
    const std::vector<Function> b{mangled};
    const auto found = match_functions({{&a, {true, true}}, {&b, {true}}});
    const std::size_t of_plain = a[0] == plain ? 0 : 1;
    EXPECT_EQ(found.class_of[0][of_plain], found.class_of[1][0]);
    EXPECT_NE(found.class_of[0][1 - of_plain], found.class_of[1][0]);
  }
}

TEST(FunctionNames, LeavesOutWhatIsNotCalled) {
  const std::vector<Function> a{name("f")};
  EXPECT_EQ(match_functions({{&a, {false}}}).class_of[0][0], no_class);
}

}  // namespace tracefold::function_names_test
