#include "filters/profile/group_functions.hpp"

#include <gmock/gmock.h>

namespace tracefold::group_functions_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ClassName, IsWhatStandsBeforeTheLastColons) {
  EXPECT_EQ(find_class_name("Domain::resize(int)"), "Domain");
  EXPECT_EQ(find_class_name("void Domain<std::pair<A, B> >::resize<C::D>(E::F)"), "Domain");
  EXPECT_EQ(find_class_name("const ns::Grid& ns::Grid::get() const"), "ns::Grid");
  EXPECT_EQ(find_class_name("(anonymous namespace)::Mesh::fill()"), "anonymous::Mesh");
  EXPECT_EQ(find_class_name("a::B::operator()(int)"), "a::B");
  EXPECT_EQ(find_class_name("numpy.linalg:solve"), "numpy.linalg");
}

TEST(ClassName, IsOfNamesThatHaveOne) {
  for (const auto* name : {"main", "int main(int, char**)", "std_copy(std::string)", "",
                           "!$omp parallel @solver.c:88", "lines 3:4", "::", ":", "MPI_Send"})
    EXPECT_EQ(find_class_name(name), "") << name;
}

struct Made {
  std::vector<Function> functions;
  std::vector<FunctionKind> kinds;

  void add(const char* name, const char* file, FunctionKind kind) {
    functions.emplace_back().name = name;
    functions.back().file = file;
    kinds.push_back(std::move(kind));
  }
};

Made make_functions() {
  Made made;
  made.add("main", "/src/main.c", {"user", "FUNCTION", true});
  made.add("MPI_Send", "MPI", {"MPI", "POINT2POINT", false});
  made.add("Kokkos::fence()", "", {"compiler", "FUNCTION", true});
  made.add("dgemm_", "blas", {"user", "WRAPPER", true});
  made.add("gone", "", {"", "", true});
  return made;
}

std::vector<std::string> list_names(FunctionGrouping by,
                                    const std::vector<ListedFunctions>& listed = {}) {
  const auto made = make_functions();
  const auto groups = group_functions(made.functions, made.kinds, by, listed);
  std::vector<std::string> names;
  for (auto group : groups.group_of)
    names.push_back(groups.names[group]);
  return names;
}

TEST(FunctionGroups, AreOfWhatATraceDefines) {
  EXPECT_THAT(list_names(FunctionGrouping::paradigm),
              ElementsAre("user", "MPI", "compiler", "user", "unknown"));
  EXPECT_THAT(list_names(FunctionGrouping::role),
              ElementsAre("FUNCTION", "POINT2POINT", "FUNCTION", "WRAPPER", "unknown"));
}

TEST(FunctionGroups, AreLibrariesAndClasses) {
  EXPECT_THAT(list_names(FunctionGrouping::library),
              ElementsAre("program", "MPI", "Kokkos", "blas", "program"));
  EXPECT_THAT(list_names(FunctionGrouping::class_name),
              ElementsAre("no class", "no class", "Kokkos", "no class", "no class"));
}

TEST(FunctionGroups, OfAListAreTheFirstThatMatch) {
  const std::vector<ListedFunctions> listed{{"sending", {"MPI_S*"}, 1},
                                            {"libraries", {"MPI_*", "file:blas"}, 3}};
  EXPECT_THAT(list_names(FunctionGrouping::listed, listed),
              ElementsAre("others", "sending", "others", "libraries", "others"));
  EXPECT_THAT(find_idle_patterns(make_functions().functions, listed), IsEmpty());
  EXPECT_THAT(find_idle_patterns(make_functions().functions, {{"x", {"main", "MPI_R*"}, 1}}),
              ElementsAre("MPI_R*"));
}

}  // namespace tracefold::group_functions_test
