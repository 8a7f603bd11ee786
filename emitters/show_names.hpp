// Names and lists of ranks in lines of text for people.
//
// Names of functions are told without what they return, parameters, arguments of templates and
// enclosing namespaces, as far as no other function of the traces is then called so:
//
//   void miniFE::cg_solve<Matrix>(Matrix&)   cg_solve
//   void a::run(int), void b::run(int)       a::run, b::run
//   void run(int), void run(double)          run(int), run(double)
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Function;
struct Plan;

// The functions of a trace that is read, before anything of it is shown; those of further traces
// come to them. Names that are not known here stay whole. One thread at a time.
void know_functions(const std::vector<Function>& functions);
// Printable. Each function of a call path "main > solve > MPI_Wait", or "solve → MPI_Wait", is
// shortened by itself.
std::string shorten_functions(const std::string& name);

// A group in a line of text: with whole names of functions where lines may be of any width.
std::string show_group(const Plan& plan, std::size_t group);

// A name in a line of text: whole with --wide; else shortened as above, and of at most so many
// characters where lines may not be of any width.
std::string fit_name(const std::string& name, std::size_t most);

// Ranks in MPI of processes, each once, as "0-6:2,9"; empty where they have none.
std::string list_ranks(const Plan& plan, const std::vector<std::size_t>& processes);

}  // namespace tracefold
