// Writes FOLDER/traces.otf2: two ranks, of which the first sends messages of random tags and sizes
// to the second. Nothing repeats, so that they take as much room as messages can when they are
// folded. The same number always gives the same trace. Usage: make_random_messages FOLDER MESSAGES
#include "tests/support/trace_tool.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tracefold::testing;

constexpr std::uint32_t ranks = 2, calls = 2;  // main, and one of MPI
constexpr OTF2_CommRef comm_world = 0;

std::uint64_t write_events(OTF2_Archive* archive, std::uint32_t rank, std::uint64_t messages) {
  auto* writer = need(OTF2_Archive_GetEvtWriter(archive, rank), "event writer");
  std::mt19937_64 random(1);
  std::uint64_t now = 10 * rank;  // what is received was sent before
  for (std::uint32_t region = 0; region < calls; ++region)
    check(OTF2_EvtWriter_Enter(writer, nullptr, ++now, region == 0 ? 0 : 1 + rank), "Enter");

  for (std::uint64_t k = 0; k < messages; ++k) {
    const auto tag = static_cast<std::uint32_t>(random());
    const auto bytes = random();
    now += 20;
    check(rank == 0 ? OTF2_EvtWriter_MpiSend(writer, nullptr, now, 1, comm_world, tag, bytes)
                    : OTF2_EvtWriter_MpiRecv(writer, nullptr, now, 0, comm_world, tag, bytes),
          "a message");
  }

  for (std::uint32_t region = calls; region-- > 0;)
    check(OTF2_EvtWriter_Leave(writer, nullptr, ++now, region == 0 ? 0 : 1 + rank), "Leave");
  check(OTF2_Archive_CloseEvtWriter(archive, writer), "closing an event file");
  return 2 * calls + messages;
}

void write_definitions(OTF2_Archive* archive, std::uint64_t events, std::uint64_t end) {
  auto* writer = need(OTF2_Archive_GetGlobalDefWriter(archive), "definition writer");
  check(OTF2_GlobalDefWriter_WriteClockProperties(writer, 1'000'000'000, 0, end, 0), "clock");
  const std::vector<std::string> texts{"",           "machine",       "MPI",           "main",
                                       "MPI_Send",   "MPI_Recv",      "Master thread", "MPI Rank 0",
                                       "MPI Rank 1", "MPI_COMM_WORLD"};
  for (std::uint32_t id = 0; id < texts.size(); ++id)
    check(OTF2_GlobalDefWriter_WriteString(writer, id, texts[id].c_str()), "string");

  check(
      OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_MPI, 2, OTF2_PARADIGM_CLASS_PROCESS),
      "paradigm");
  check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE),
        "system tree");
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, rank, 7 + rank,
                                                  OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                  OTF2_UNDEFINED_LOCATION_GROUP),
          "location group");
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    check(OTF2_GlobalDefWriter_WriteLocation(writer, rank, 6, OTF2_LOCATION_TYPE_CPU_THREAD, events,
                                             rank),
          "location");
  for (std::uint32_t region = 0; region < 1 + ranks; ++region)
    check(OTF2_GlobalDefWriter_WriteRegion(writer, region, 3 + region, 3 + region, 0,
                                           OTF2_REGION_ROLE_FUNCTION,
                                           region == 0 ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI,
                                           OTF2_REGION_FLAG_NONE, 0, 0, 0),
          "region");

  const std::uint64_t members[ranks]{0, 1};
  for (auto type : {OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_GROUP_TYPE_COMM_GROUP})
    check(OTF2_GlobalDefWriter_WriteGroup(writer, type == OTF2_GROUP_TYPE_COMM_GROUP, 0, type,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members),
          "group");
  check(OTF2_GlobalDefWriter_WriteComm(writer, comm_world, 9, 1, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE),
        "communicator");
  check(OTF2_Archive_CloseGlobalDefWriter(archive, writer), "closing the definitions");
}

void write_trace(const std::string& folder, std::uint64_t messages) {
  auto* archive = open_archive(folder, 1 << 20, 1 << 20, "make_random_messages");
  std::uint64_t events = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    events = write_events(archive, rank, messages);
  check(OTF2_Archive_CloseEvtFiles(archive), "closing the event files");

  check(OTF2_Archive_OpenDefFiles(archive), "opening the local definitions");
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    auto* writer = need(OTF2_Archive_GetDefWriter(archive, rank), "definition writer");
    check(OTF2_Archive_CloseDefWriter(archive, writer), "closing local definitions");
  }
  check(OTF2_Archive_CloseDefFiles(archive), "closing the local definitions");
  write_definitions(archive, events, 100 + 20 * messages);
  check(OTF2_Archive_Close(archive), "closing the archive");
  check_files(folder);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: make_random_messages FOLDER MESSAGES\n");
    return 2;
  }
  try {
    silence_library();
    write_trace(argv[1], std::stoull(argv[2]));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "make_random_messages: %s: %s\n", argv[1], problem.what());
    return 1;
  }
}
