// Writes FOLDER/traces.otf2: two ranks, of which the first sends messages of random tags and sizes
// to the second. Nothing repeats, so that they take as much room as messages can when they are
// folded. With RANKS, each of so many sends messages of random sizes below 1 MiB to the next one.
// The same numbers always give the same trace.
// Usage: make_random_messages FOLDER MESSAGES [RANKS]
#include "tests/support/trace_tool.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tracefold::testing;

constexpr std::uint32_t calls = 2;  // main, and one of MPI
constexpr OTF2_CommRef comm_world = 0;

struct Shape {
  std::uint32_t ranks = 2;
  bool is_ring = false;
};

// One rank sends, or receives, messages of random tags and sizes.
void write_pair(OTF2_EvtWriter* writer, std::uint32_t rank, std::uint64_t messages,
                std::uint64_t now) {
  std::mt19937_64 random(1);
  for (std::uint64_t k = 0; k < messages; ++k) {
    const auto tag = static_cast<std::uint32_t>(random());
    const auto bytes = random();
    now += 20;
    check(rank == 0 ? OTF2_EvtWriter_MpiSend(writer, nullptr, now, 1, comm_world, tag, bytes)
                    : OTF2_EvtWriter_MpiRecv(writer, nullptr, now, 0, comm_world, tag, bytes),
          "a message");
  }
}

void write_ring(OTF2_EvtWriter* writer, std::uint32_t rank, std::uint32_t ranks,
                std::uint64_t messages, std::uint64_t now) {
  constexpr std::uint64_t most_bytes = 1 << 20;
  const auto before = (rank + ranks - 1) % ranks;
  std::mt19937_64 sent(rank), received(before);
  for (std::uint64_t k = 0; k < messages; ++k) {
    check(OTF2_EvtWriter_MpiSend(writer, nullptr, now += 10, (rank + 1) % ranks, comm_world, 0,
                                 sent() % most_bytes),
          "a send");
    check(OTF2_EvtWriter_MpiRecv(writer, nullptr, now += 10, before, comm_world, 0,
                                 received() % most_bytes),
          "a receive");
  }
}

std::uint64_t write_events(OTF2_Archive* archive, std::uint32_t rank, const Shape& shape,
                           std::uint64_t messages) {
  auto* writer = need(OTF2_Archive_GetEvtWriter(archive, rank), "event writer");
  std::uint64_t now = 10 * (rank % 2);  // what is received was sent before
  for (std::uint32_t region = 0; region < calls; ++region)
    check(OTF2_EvtWriter_Enter(writer, nullptr, ++now, region == 0 ? 0 : 1 + rank % 2), "Enter");

  if (shape.is_ring)
    write_ring(writer, rank, shape.ranks, messages, now);
  else
    write_pair(writer, rank, messages, now);

  now += 20 * messages;
  for (std::uint32_t region = calls; region-- > 0;)
    check(OTF2_EvtWriter_Leave(writer, nullptr, ++now, region == 0 ? 0 : 1 + rank % 2), "Leave");
  check(OTF2_Archive_CloseEvtWriter(archive, writer), "closing an event file");
  return 2 * calls + messages * (shape.is_ring ? 2 : 1);
}

void write_definitions(OTF2_Archive* archive, std::uint32_t ranks, std::uint64_t events,
                       std::uint64_t end) {
  auto* writer = need(OTF2_Archive_GetGlobalDefWriter(archive), "definition writer");
  check(OTF2_GlobalDefWriter_WriteClockProperties(writer, 1'000'000'000, 0, end, 0), "clock");
  std::vector<std::string> texts{"",         "machine",  "MPI",           "main",
                                 "MPI_Send", "MPI_Recv", "Master thread", "MPI_COMM_WORLD"};
  const auto first_name = static_cast<std::uint32_t>(texts.size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    texts.push_back("MPI Rank " + std::to_string(rank));
  for (std::uint32_t id = 0; id < texts.size(); ++id)
    check(OTF2_GlobalDefWriter_WriteString(writer, id, texts[id].c_str()), "string");

  check(
      OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_MPI, 2, OTF2_PARADIGM_CLASS_PROCESS),
      "paradigm");
  check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE),
        "system tree");
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, rank, first_name + rank,
                                                  OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                  OTF2_UNDEFINED_LOCATION_GROUP),
          "location group");
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    check(OTF2_GlobalDefWriter_WriteLocation(writer, rank, 6, OTF2_LOCATION_TYPE_CPU_THREAD, events,
                                             rank),
          "location");
  for (std::uint32_t region = 0; region < 3; ++region)
    check(OTF2_GlobalDefWriter_WriteRegion(writer, region, 3 + region, 3 + region, 0,
                                           OTF2_REGION_ROLE_FUNCTION,
                                           region == 0 ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI,
                                           OTF2_REGION_FLAG_NONE, 0, 0, 0),
          "region");

  std::vector<std::uint64_t> members(ranks);
  std::iota(members.begin(), members.end(), 0);
  for (auto type : {OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_GROUP_TYPE_COMM_GROUP})
    check(OTF2_GlobalDefWriter_WriteGroup(writer, type == OTF2_GROUP_TYPE_COMM_GROUP, 0, type,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks,
                                          members.data()),
          "group");
  check(OTF2_GlobalDefWriter_WriteComm(writer, comm_world, 7, 1, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE),
        "communicator");
  check(OTF2_Archive_CloseGlobalDefWriter(archive, writer), "closing the definitions");
}

void write_trace(const std::string& folder, std::uint64_t messages, const Shape& shape) {
  auto* archive = open_archive(folder, 1 << 20, 1 << 20, "make_random_messages");
  std::uint64_t events = 0;
  for (std::uint32_t rank = 0; rank < shape.ranks; ++rank)
    events = write_events(archive, rank, shape, messages);
  check(OTF2_Archive_CloseEvtFiles(archive), "closing the event files");

  check(OTF2_Archive_OpenDefFiles(archive), "opening the local definitions");
  for (std::uint64_t rank = 0; rank < shape.ranks; ++rank) {
    auto* writer = need(OTF2_Archive_GetDefWriter(archive, rank), "definition writer");
    check(OTF2_Archive_CloseDefWriter(archive, writer), "closing local definitions");
  }
  check(OTF2_Archive_CloseDefFiles(archive), "closing the local definitions");
  write_definitions(archive, shape.ranks, events, 100 + 20 * messages);
  check(OTF2_Archive_Close(archive), "closing the archive");
  check_files(folder);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: make_random_messages FOLDER MESSAGES [RANKS]\n");
    return 2;
  }
  try {
    silence_library();
    Shape shape;
    if (argc == 4)
      shape = {static_cast<std::uint32_t>(std::stoul(argv[3])), true};
    write_trace(argv[1], std::stoull(argv[2]), shape);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "make_random_messages: %s: %s\n", argv[1], problem.what());
    return 1;
  }
}
