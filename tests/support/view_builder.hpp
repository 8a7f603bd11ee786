// A small view with one of everything, for tests of formats for viewers.
#pragma once

#include "model/viewers/view_writer.hpp"

#include <string>

namespace tracefold::testing {

// Two ranks on one node, the second with two threads; MPI and a function of the user; a counter of
// the first rank and of the last thread; three markers.
inline View make_small_view() {
  View view;
  view.title = "3 processes for 12";
  view.nodes = {{"machine", std::nullopt}, {"node 1", 0}};
  view.processes = {{"MPI Rank 0", 1}, {"11× MPI Rank 1", 1}};
  view.threads = {{"Master thread", 0, ""},
                  {"Master thread", 1, "stands for 11 processes: 1-11 (group 1)"},
                  {"OMP thread 1", 1, ""}};
  view.functions = {{"main", "USER"}, {"MPI_Send", "MPI"}, {"MPI_Recv", "MPI"}};
  view.communicators = {"MPI_COMM_WORLD"};
  view.counters = {{"cycles", "", "", 0}, {"energy", "10^-3 J", "of the node", 2}};
  view.markers = {{1'000, 500, "iteration", "iteration 0", {}, {}, ""},
                  {2'000, 0, "hint", "look", 2, {}, "OMP thread 1"},
                  {3'001, 0, "phase", "", {}, 1, "11× MPI Rank 1"}};
  view.properties = {{"TRACEFOLD::VERSION", "1"}, {"machine", "a \"big\" one"}};

  return view;
}

// The whole file, with parts as `fill(part, thread)` makes them.
template <class Fill>
std::string write_all(const ViewWriter& writer, const View& view, Fill&& fill) {
  auto file = writer.begin();
  for (std::size_t t = 0; t < view.threads.size(); ++t) {
    const auto part = writer.open(t);
    fill(*part, t);
    file += part->bytes();
  }

  return file + writer.end();
}

}  // namespace tracefold::testing
