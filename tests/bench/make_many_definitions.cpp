// Writes FOLDER/traces.otf2, an archive with many definitions: R regions of which P pairs call one
// another, and C communicators of two neighbouring ranks each, with a message and a collective
// operation on each of them. Every rank leaves out some of the pairs, another 17th than its
// neighbours. Usage: make_many_definitions FOLDER --locations N --regions R --pairs P
// --communicators C

#include "tests/support/trace_tool.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace tracefold::testing;

constexpr std::uint32_t main_region = 0, mpi_send = 1, mpi_recv = 2, mpi_allreduce = 3,
                        first_function = 4, left_out = 17, exchange = 20;
constexpr std::uint64_t ticks_per_second = 1'000'000'000, bytes = 512;

struct Shape {
  std::string folder;
  std::uint32_t locations = 4, regions = 1000, pairs = 10'000, communicators = 1000;

  std::uint32_t functions() const { return regions - first_function; }
};

// Rank 0 and 1 of communicator c.
std::uint32_t member(const Shape& shape, std::uint32_t c, std::uint32_t rank) {
  return (c + rank) % shape.locations;
}

class Events {
 public:
  Events(OTF2_Archive* archive, const Shape& shape, std::uint32_t rank)
      : writer_(need(OTF2_Archive_GetEvtWriter(archive, rank), "event writer")),
        shape_(shape),
        rank_(rank) {}

  std::uint64_t write(OTF2_Archive* archive) {
    enter(main_region);
    for (std::uint32_t p = 0; p < shape_.pairs; ++p)
      if (p % left_out != rank_ % left_out)
        pair(p);

    for (std::uint32_t c = 0; c < shape_.communicators; ++c)
      for (std::uint32_t own = 0; own < 2; ++own)
        if (member(shape_, c, own) == rank_)
          communicate(c, own);

    leave(main_region);
    std::uint64_t events = 0;
    check(OTF2_EvtWriter_GetNumberOfEvents(writer_, &events), "counting events");
    check(OTF2_Archive_CloseEvtWriter(archive, writer_), "closing an event file");

    return events;
  }

 private:
  void enter(std::uint32_t region) {
    check(OTF2_EvtWriter_Enter(writer_, nullptr, ++time_, region), "Enter");
  }
  void leave(std::uint32_t region) {
    check(OTF2_EvtWriter_Leave(writer_, nullptr, ++time_, region), "Leave");
  }
  // Each function calls as many others.
  void pair(std::uint32_t p) {
    const auto caller = p % shape_.functions(),
               callee = (caller + 1 + p / shape_.functions()) % shape_.functions();
    enter(first_function + caller);
    enter(first_function + callee);
    leave(first_function + callee);
    leave(first_function + caller);
  }
  void communicate(std::uint32_t comm, std::uint32_t own) {
    time_ = 4 * std::uint64_t{shape_.pairs} + comm * std::uint64_t{exchange} + own * exchange / 2;
    enter(own == 0 ? mpi_send : mpi_recv);
    if (own == 0)
      check(OTF2_EvtWriter_MpiSend(writer_, nullptr, ++time_, 1, comm, 0, bytes), "MpiSend");
    else
      check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, ++time_, 0, comm, 0, bytes), "MpiRecv");

    leave(own == 0 ? mpi_send : mpi_recv);
    enter(mpi_allreduce);
    check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, ++time_), "MpiCollectiveBegin");
    check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, ++time_, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                          comm, OTF2_UNDEFINED_UINT32, 8, 8),
          "MpiCollectiveEnd");
    leave(mpi_allreduce);
  }

  OTF2_EvtWriter* writer_;
  const Shape& shape_;
  std::uint32_t rank_;
  std::uint64_t time_ = 0;
};

class Definitions {
 public:
  Definitions(OTF2_Archive* archive, const Shape& shape)
      : writer_(need(OTF2_Archive_GetGlobalDefWriter(archive), "definition writer")),
        shape_(shape) {}

  void write(const std::vector<std::uint64_t>& events) {
    const auto longest =
        4 * std::uint64_t{shape_.pairs} + exchange * std::uint64_t{shape_.communicators} + 2;
    check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, ticks_per_second, 0, longest,
                                                    OTF2_UNDEFINED_TIMESTAMP),
          "ClockProperties");
    const auto none = string("");

    for (std::uint32_t r = 0; r < shape_.regions; ++r) {
      const bool mpi = r == mpi_send || r == mpi_recv || r == mpi_allreduce;
      const auto name = string(r == main_region     ? "main"
                               : r == mpi_send      ? "MPI_Send"
                               : r == mpi_recv      ? "MPI_Recv"
                               : r == mpi_allreduce ? "MPI_Allreduce"
                                                    : "function_" + std::to_string(r));

      check(
          OTF2_GlobalDefWriter_WriteRegion(writer_, r, name, name, none, OTF2_REGION_ROLE_FUNCTION,
                                           mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_COMPILER,
                                           OTF2_REGION_FLAG_NONE, none, 0, 0),
          "Region");
    }

    const auto machine = string("machine");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, 0, machine, machine,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          "SystemTreeNode");

    for (std::uint32_t r = 0; r < shape_.locations; ++r) {
      check(OTF2_GlobalDefWriter_WriteLocationGroup(
                writer_, r, string("MPI Rank " + std::to_string(r)),
                OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP),
            "LocationGroup");
      check(OTF2_GlobalDefWriter_WriteLocation(writer_, r, none, OTF2_LOCATION_TYPE_CPU_THREAD,
                                               events[r], r),
            "Location");
    }

    communicators(none);
  }

 private:
  OTF2_StringRef string(const std::string& text) {
    check(OTF2_GlobalDefWriter_WriteString(writer_, strings_, text.c_str()), "String");
    return strings_++;
  }
  void group(OTF2_GroupRef id, OTF2_GroupType type, OTF2_StringRef name,
             const std::vector<std::uint64_t>& members) {
    check(OTF2_GlobalDefWriter_WriteGroup(
              writer_, id, name, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
              static_cast<std::uint32_t>(members.size()), members.data()),
          "Group");
  }
  void communicators(OTF2_StringRef none) {
    std::vector<std::uint64_t> all(shape_.locations);
    for (std::uint32_t r = 0; r < shape_.locations; ++r)
      all[r] = r;

    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, none, all);
    for (std::uint32_t c = 0; c < shape_.communicators; ++c) {
      group(1 + c, OTF2_GROUP_TYPE_COMM_GROUP, none, {member(shape_, c, 0), member(shape_, c, 1)});
      check(OTF2_GlobalDefWriter_WriteComm(writer_, c, string("communicator " + std::to_string(c)),
                                           1 + c, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
            "Comm");
    }
  }

  OTF2_GlobalDefWriter* writer_;
  const Shape& shape_;
  OTF2_StringRef strings_ = 0;
};

void write_trace(const Shape& shape) {
  auto* archive = open_archive(shape.folder, 1 << 20, 1 << 20, "tracefold make_many_definitions");
  std::vector<std::uint64_t> events;
  for (std::uint32_t rank = 0; rank < shape.locations; ++rank)
    events.push_back(Events(archive, shape, rank).write(archive));

  check(OTF2_Archive_CloseEvtFiles(archive), "closing the event files");
  check(OTF2_Archive_OpenDefFiles(archive), "opening the definition files");
  for (std::uint32_t rank = 0; rank < shape.locations; ++rank)
    check(OTF2_Archive_CloseDefWriter(
              archive, need(OTF2_Archive_GetDefWriter(archive, rank), "definition writer")),
          "closing a definition file");

  check(OTF2_Archive_CloseDefFiles(archive), "closing the definition files");
  Definitions(archive, shape).write(events);
  check(OTF2_Archive_Close(archive), "closing the archive");
  check_files(shape.folder);
}

Shape parse(int argc, char** argv) {
  Shape shape;
  const std::map<std::string, std::uint32_t*> options{{"--locations", &shape.locations},
                                                      {"--regions", &shape.regions},
                                                      {"--pairs", &shape.pairs},
                                                      {"--communicators", &shape.communicators}};

  if (argc < 2 || argc % 2 != 0)
    throw std::runtime_error(
        "usage: make_many_definitions FOLDER [--locations N] [--regions R] [--pairs P] "
        "[--communicators C]");

  shape.folder = argv[1];

  for (int k = 2; k + 1 < argc; k += 2) {
    const auto option = options.find(argv[k]);
    if (option == options.end())
      throw std::runtime_error(std::string("unexpected ") + argv[k]);
    *option->second = static_cast<std::uint32_t>(std::strtoul(argv[k + 1], nullptr, 10));
  }

  if (shape.locations < 2 || shape.regions < first_function + 2)
    throw std::runtime_error("at least 2 locations and 6 regions are needed");
  if (shape.pairs > std::uint64_t{shape.functions()} * (shape.functions() - 1))
    throw std::runtime_error("so few functions have fewer pairs");

  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  silence_library();
  try {
    write_trace(parse(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_many_definitions: %s\n", error.what());
    return 1;
  }
}
