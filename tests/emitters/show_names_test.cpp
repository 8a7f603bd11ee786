#include "emitters/show_names.hpp"

#include "emitters/layout.hpp"
#include "model/profile/intent.hpp"

#include <gmock/gmock.h>

namespace tracefold::show_names_test {

void know(const std::vector<std::string>& names) {
  std::vector<Function> functions;
  for (const auto& name : names)
    functions.emplace_back().name = name;
  know_functions(functions);
}

TEST(ShortNames, HaveNeitherParametersNorTemplatesNorNamespaces) {
  know({"void miniFE::cg_solve<miniFE::CSRMatrix<double, int>, Vector<int> >(Matrix&, double*)",
        "std::vector<int> (anonymous namespace)::list_all(int) const",
        "double Solver<3>::operator()(int)", "YAML_Element::generateYAML[abi:cxx11](std::string)",
        "MPI_Recv", "!$omp parallel @solver.c:88"});
  EXPECT_EQ(shorten_functions("void miniFE::cg_solve<miniFE::CSRMatrix<double, int>, "
                              "Vector<int> >(Matrix&, double*)"),
            "cg_solve");
  EXPECT_EQ(shorten_functions("std::vector<int> (anonymous namespace)::list_all(int) const"),
            "list_all");
  EXPECT_EQ(shorten_functions("double Solver<3>::operator()(int)"), "operator()");
  EXPECT_EQ(shorten_functions("YAML_Element::generateYAML[abi:cxx11](std::string)"),
            "generateYAML");
  EXPECT_EQ(shorten_functions("MPI_Recv"), "MPI_Recv");
  EXPECT_EQ(shorten_functions("!$omp parallel @solver.c:88"), "!$omp parallel @solver.c:88");
}

TEST(ShortNames, KeepWhatTellsThemApart) {
  know({"void a::run(int)", "void b::run(int)", "void twice(int)", "void twice(double)", "one",
        "c::one", "T get<1>(T)", "T get<2>(T)"});
  EXPECT_EQ(shorten_functions("void a::run(int)"), "a::run");
  EXPECT_EQ(shorten_functions("void b::run(int)"), "b::run");
  EXPECT_EQ(shorten_functions("void twice(double)"), "twice(double)");
  EXPECT_EQ(shorten_functions("one"), "one");
  EXPECT_EQ(shorten_functions("c::one"), "c::one");
  EXPECT_EQ(shorten_functions("T get<2>(T)"), "get<2>");
}

TEST(ShortNames, AreThoseOfEachFunctionOfACallPath) {
  know({"int main(int, char**)", "void x::step<A<int>>(A<int>)", "MPI_Wait"});
  EXPECT_EQ(shorten_functions("int main(int, char**) > MPI_Wait"), "main > MPI_Wait");
  EXPECT_EQ(shorten_functions("void x::step<A<int>>(A<int>) → MPI_Wait"), "step → MPI_Wait");
}

TEST(ShortNames, StayAsTheyAreWhereTheyAreNotKnown) {
  EXPECT_EQ(shorten_functions("void unknown(int)"), "void unknown(int)");
  EXPECT_EQ(shorten_functions("all ranks but 0"), "all ranks but 0");
  know({"operator<(int)", "", "(", "a(b"});
  EXPECT_EQ(shorten_functions("operator<(int)"), "operator<(int)");
  EXPECT_EQ(shorten_functions("a(b"), "a(b");
  EXPECT_EQ(shorten_functions(""), "");
}

TEST(ShortNames, AreWholeWhereLinesMayBeOfAnyWidth) {
  know({"void whole(int)"});
  EXPECT_EQ(fit_name("void whole(int)", 5), "void whole(int)");
  {
    const TextLayoutScope pipe({.is_wide = false});
    EXPECT_EQ(fit_name("void whole(int)", 3), "whole");
  }
  const TextLayoutScope terminal({.columns = 80});
  EXPECT_EQ(fit_name("void whole(int)", 5), "whole");
}

}  // namespace tracefold::show_names_test
