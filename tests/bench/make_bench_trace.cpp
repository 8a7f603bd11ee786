// Writes FOLDER/traces.otf2, an archive of the size that is asked for, as an MPI program under
// Score-P would leave it: ranks that compute in a deep call tree, send around a ring and reduce,
// over and over. Location r behaves as r mod B, so that there are B groups of equal call pairs, or
// N where that is less. Region ids are local to each location, and clocks drift. The same options
// always give the same events and definitions. Usage: make_bench_trace FOLDER --locations N
// --events E --functions F [--behaviours B]      (5 behaviours)
//
// An iteration has 200 events: 4 sends, 4 receives, 1 Allreduce, and the rest Enter and Leave, in
// one of 4 orders, as loops repeat their calls. E counts one location's events; an odd E is one
// less.

#include "tests/support/trace_tool.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace tracefold::testing;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum Region : std::uint32_t {
  main_region,
  mpi_init,
  mpi_finalize,
  mpi_send,
  mpi_recv,
  mpi_allreduce,
  time_step,
  exchange_halo,
  apply_boundary,
  write_output,
  first_phase,
};
constexpr std::uint32_t phases = 4, first_condition = first_phase + phases, levels = 9,
                        ways = 4;  // main, time_step, phase, 9 levels of kernels: a depth of 12
constexpr std::uint32_t iteration_events = 200,
                        frame_events = 8;  // the frame: main, MPI_Init, write_output, MPI_Finalize
constexpr std::uint32_t first_tag = 1, ranks_per_node = 64;
constexpr std::uint64_t start = 3'600'000'000'000, ticks_per_second = 1'000'000'000,
                        message_bytes = 8192;
constexpr OTF2_CommRef comm_world = 0;

struct Shape {
  std::string folder;
  std::uint32_t locations = 0, events = 0, functions = 0, behaviours = 5;

  // Each behaviour is a number of this many bits; apply_boundary calls one of two functions for
  // each.
  std::uint32_t bits() const { return static_cast<std::uint32_t>(std::bit_width(behaviours - 1)); }
  std::uint32_t first_kernel() const { return first_condition + 2 * bits(); }
  std::uint32_t kernels() const { return functions - first_kernel(); }
  std::uint32_t kernels_at(std::uint32_t level) const {
    return (kernels() - level + levels - 1) / levels;
  }
  std::uint32_t kernel(std::uint32_t level, std::uint32_t i) const {
    return first_kernel() + i % kernels_at(level) * levels + level;
  }
};

class Random {
 public:
  explicit Random(std::uint64_t seed = 1) : state_(seed * 0x9e3779b97f4a7c15) {}
  std::uint32_t next() {  // xorshift64*
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>(state_ * 0x2545f4914f6cdd1d >> 32);
  }

 private:
  std::uint64_t state_;
};

// The time at one location. All draw the same gaps, but each stretches them by up to an eighth;
// they meet wherever they wait for one another, which lasts as long as the slowest could take. So a
// message is never received before it was sent.
class Clock {
 public:
  explicit Clock(std::uint32_t rank)
      : stretch_(rank * 2'654'435'761u >> 27), offset_(rank % 1'000 * 37), drift_(rank % 61 * 37) {}

  std::uint64_t tick(std::uint32_t random) {
    std::uint64_t gap = random % 16 == 0 ? 0 : 20 + (random >> 8) % 256;
    if (random % 64 == 1)
      gap *= 30;
    nominal_ += gap;
    mine_ += gap + (gap * stretch_ >> 8);

    return local();
  }
  std::uint64_t meet() {
    met_ += nominal_ + nominal_ / 8 + 1'000;
    nominal_ = 0;
    mine_ = stretch_;
    return local();
  }
  std::uint64_t global() const { return met_ + mine_; }
  std::uint64_t local() const { return global() - offset(); }
  std::uint64_t offset() const {
    return offset_ + ((global() - start) * drift_ >> 30);
  }  // to the global clock; up to 2 us per s

 private:
  std::uint64_t stretch_, offset_, drift_;
  std::uint64_t met_ = start, nominal_ = 0, mine_ = 0;
};

struct ClockOffset {
  std::uint64_t local, offset;
};

// What is known of a location once its events are written.
struct Written {
  std::uint64_t events, end;
  ClockOffset first, last;
};

// Local region ids are the global ones, turned by as many as the rank says.
std::uint32_t turn(const Shape& shape, std::uint32_t rank) {
  return 1 + rank % (shape.functions - 1);
}

// The events of one location.
class Events {
 public:
  Events(OTF2_Archive* archive, const Shape& shape, std::uint32_t rank)
      : archive_(archive),
        writer_(need(OTF2_Archive_GetEvtWriter(archive, rank), "event writer")),
        shape_(shape),
        rank_(rank),
        turn_(turn(shape, rank)),
        clock_(rank) {}

  Written write() {
    const ClockOffset first{clock_.local(), clock_.offset()};
    enter(main_region);
    enter(mpi_init);
    clock_.meet();
    leave(mpi_init);
    const std::uint32_t iterations = (shape_.events - frame_events) / iteration_events;
    for (std::uint32_t i = 0; i < iterations; ++i)
      iteration(i);

    enter(write_output);
    walk((shape_.events - frame_events - iterations * iteration_events) / 2, write_output);
    leave(write_output);
    enter(mpi_finalize);
    clock_.meet();
    leave(mpi_finalize);
    leave(main_region);
    clock_.meet();
    Written done{0, clock_.global(), first, {clock_.local(), clock_.offset()}};
    check(OTF2_EvtWriter_GetNumberOfEvents(writer_, &done.events), "counting events");
    check(OTF2_Archive_CloseEvtWriter(archive_, writer_), "closing an event file");

    return done;
  }

 private:
  std::uint64_t tick() { return clock_.tick(random_.next()); }
  std::uint32_t local(std::uint32_t region) const {
    const auto id = region + turn_;
    return id < shape_.functions ? id : id - shape_.functions;
  }
  void enter(std::uint32_t region) {
    check(OTF2_EvtWriter_Enter(writer_, nullptr, tick(), local(region)), "Enter");
  }
  void leave(std::uint32_t region) {
    check(OTF2_EvtWriter_Leave(writer_, nullptr, tick(), local(region)), "Leave");
  }

  // Loops of programs repeat their calls: iterations go one of a few ways.
  void iteration(std::uint32_t number) {
    path_ = Random(number % ways + 1);
    enter(time_step);
    std::uint32_t calls = (iteration_events - 2 - phases * (2 + 8) - 2 - 2 * shape_.bits() - 4) / 2;

    for (std::uint32_t p = 0; p < phases; ++p) {
      const auto share = calls / (phases - p);
      calls -= share;
      enter(first_phase + p);
      walk(share, first_phase + p);
      leave(first_phase + p);
      exchange(p);
    }

    enter(apply_boundary);
    for (std::uint32_t bit = 0; bit < shape_.bits(); ++bit) {
      const auto condition = first_condition + 2 * bit + (rank_ % shape_.behaviours >> bit & 1);
      enter(condition);
      leave(condition);
    }

    leave(apply_boundary);
    enter(mpi_allreduce);
    check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, tick()), "MpiCollectiveBegin");
    check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, clock_.meet(),
                                          OTF2_COLLECTIVE_OP_ALLREDUCE, comm_world,
                                          OTF2_UNDEFINED_UINT32, 8, 8),
          "MpiCollectiveEnd");

    leave(mpi_allreduce);
    leave(time_step);
  }

  void exchange(std::uint32_t phase) {
    const auto right = rank_ + 1 == shape_.locations ? 0 : rank_ + 1,
               left = rank_ == 0 ? shape_.locations - 1 : rank_ - 1;
    const auto bytes = message_bytes << phase;
    enter(exchange_halo);
    enter(mpi_send);
    check(OTF2_EvtWriter_MpiSend(writer_, nullptr, tick(), right, comm_world, first_tag + phase,
                                 bytes),
          "MpiSend");
    leave(mpi_send);
    enter(mpi_recv);
    check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, clock_.meet(), left, comm_world,
                                 first_tag + phase, bytes),
          "MpiRecv");
    leave(mpi_recv);
    leave(exchange_halo);
  }

  // A random walk through the kernels below `root`, of so many calls.
  void walk(std::uint32_t calls, std::uint32_t root) {
    stack_.clear();

    while (calls > 0) {
      const auto random = path_.next();
      const auto level = static_cast<std::uint32_t>(stack_.size());
      if (level == levels || (level > 0 && random % 2)) {
        leave_top();
      } else {
        stack_.push_back(level == 0 ? top_kernel(root, random >> 1)
                                    : callee(level, stack_.back(), random >> 1 & 3));
        enter(stack_.back());
        --calls;
      }
    }

    while (!stack_.empty())
      leave_top();
  }
  void leave_top() {
    leave(stack_.back());
    stack_.pop_back();
  }
  // Each phase has a quarter of the first level to itself.
  std::uint32_t top_kernel(std::uint32_t root, std::uint32_t random) const {
    const auto share = (shape_.kernels_at(0) + phases - 1) / phases;
    return shape_.kernel(0, root % phases * share + random % share);
  }
  // A kernel calls three of the next level and one of the last.
  std::uint32_t callee(std::uint32_t level, std::uint32_t caller, std::uint32_t which) const {
    const auto i = (caller - shape_.first_kernel()) / levels;
    return which < 3 ? shape_.kernel(level, 3 * i + which)
                     : shape_.kernel(levels - 1, 5 * i + level);
  }

  OTF2_Archive* archive_;
  OTF2_EvtWriter* writer_;
  const Shape& shape_;
  std::uint32_t rank_, turn_;
  Clock clock_;
  Random random_;  // of times
  Random path_;    // of calls
  std::vector<std::uint32_t> stack_;
};

void write_empty_local_definitions(OTF2_Archive* archive, const Shape& shape, std::uint32_t rank,
                                   const Written& written) {
  auto* writer = need(OTF2_Archive_GetDefWriter(archive, rank), "definition writer");
  std::vector<std::uint32_t> global_ids(shape.functions);
  for (std::uint32_t id = 0; id < shape.functions; ++id)
    global_ids[(id + turn(shape, rank)) % shape.functions] = id;

  auto* map =
      need(OTF2_IdMap_CreateFromUint32Array(global_ids.size(), global_ids.data(), false), "id map");
  check(OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_REGION, map), "MappingTable");
  OTF2_IdMap_Free(map);
  for (auto [local, offset] : {written.first, written.last})
    check(OTF2_DefWriter_WriteClockOffset(writer, local, static_cast<std::int64_t>(offset), 0),
          "ClockOffset");

  check(OTF2_Archive_CloseDefWriter(archive, writer), "closing a definition file");
}

// The global definitions; strings get their ids as they come.
class Definitions {
 public:
  Definitions(OTF2_Archive* archive, const Shape& shape)
      : writer_(need(OTF2_Archive_GetGlobalDefWriter(archive), "definition writer")),
        shape_(shape) {}

  void write(const std::vector<Written>& written) {
    check(OTF2_GlobalDefWriter_WriteClockProperties(
              writer_, ticks_per_second, start, written[0].end - start, OTF2_UNDEFINED_TIMESTAMP),
          "ClockProperties");
    check(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, string("MPI"),
                                             OTF2_PARADIGM_CLASS_PROCESS),
          "Paradigm");
    regions();
    tree();
    const auto master = string("Master thread");
    for (std::uint32_t r = 0; r < shape_.locations; ++r)
      check(OTF2_GlobalDefWriter_WriteLocation(writer_, r, master, OTF2_LOCATION_TYPE_CPU_THREAD,
                                               written[r].events, r),
            "Location");

    communicators();
  }

 private:
  OTF2_StringRef string(const std::string& text) {
    check(OTF2_GlobalDefWriter_WriteString(writer_, strings_, text.c_str()), "String");
    return strings_++;
  }
  void region(const std::string& name, OTF2_RegionRole role, OTF2_Paradigm paradigm) {
    const auto words = string(name), file = paradigm == OTF2_PARADIGM_MPI ? mpi_ : source_;
    const auto line = paradigm == OTF2_PARADIGM_MPI ? 0 : 10 * regions_ + 1;
    check(OTF2_GlobalDefWriter_WriteRegion(writer_, regions_++, words, words, none_, role, paradigm,
                                           OTF2_REGION_FLAG_NONE, file, line, line ? line + 8 : 0),
          "Region");
  }
  void user(const std::string& name) {
    region(name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER);
  }
  void regions() {  // in the order of Region
    user("main");
    region("MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI);
    region("MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI);
    region("MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI);
    region("MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI);
    region("MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI);
    for (const char* name : {"time_step", "exchange_halo", "apply_boundary", "write_output"})
      user(name);
    for (std::uint32_t p = 0; p < phases; ++p)
      user("phase_" + std::to_string(p));
    for (std::uint32_t c = 0; c < 2 * shape_.bits(); ++c)
      user((c % 2 ? "open_face_" : "wall_face_") + std::to_string(c / 2));
    for (std::uint32_t k = 0; k < shape_.kernels(); ++k)
      user("kernel_" + std::to_string(k % levels) + "_" + std::to_string(k / levels));
  }
  void tree() {
    const auto node_class = string("node");
    const auto machine = string("benchmark machine"), machine_class = string("machine");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, 0, machine, machine_class,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          "SystemTreeNode");
    for (std::uint32_t n = 0; n * ranks_per_node < shape_.locations; ++n)
      check(OTF2_GlobalDefWriter_WriteSystemTreeNode(
                writer_, n + 1, string("node" + std::to_string(n)), node_class, 0),
            "SystemTreeNode");

    for (std::uint32_t r = 0; r < shape_.locations; ++r)
      check(
          OTF2_GlobalDefWriter_WriteLocationGroup(
              writer_, r, string("MPI Rank " + std::to_string(r)), OTF2_LOCATION_GROUP_TYPE_PROCESS,
              1 + r / ranks_per_node, OTF2_UNDEFINED_LOCATION_GROUP),
          "LocationGroup");
  }
  // A rank is both the id of its location and its index in the first group.
  void communicators() {
    std::vector<std::uint64_t> all(shape_.locations);
    for (std::uint32_t r = 0; r < shape_.locations; ++r)
      all[r] = r;

    const auto world = string("MPI_COMM_WORLD");
    const auto group = [&](OTF2_GroupRef id, OTF2_GroupType type, OTF2_GroupFlag flag) {
      check(OTF2_GlobalDefWriter_WriteGroup(writer_, id, none_, type, OTF2_PARADIGM_MPI, flag,
                                            shape_.locations, all.data()),
            "Group");
    };

    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_GROUP_FLAG_NONE);
    group(1, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
    check(OTF2_GlobalDefWriter_WriteComm(writer_, comm_world, world, 1, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE),
          "Comm");
  }

  OTF2_GlobalDefWriter* writer_;
  const Shape& shape_;
  OTF2_StringRef strings_ = 0;
  OTF2_RegionRef regions_ = 0;
  OTF2_StringRef none_ = string(""), mpi_ = string("MPI"), source_ = string("solver.c");
};

// Writes the event files of some locations, and their local definitions, into an archive of its
// own, which is left: libotf2 searches all locations of an archive for each one.
void write_locations(const Shape& shape, std::uint32_t first, std::uint32_t end,
                     std::vector<Written>& written) {
  constexpr std::uint64_t event_chunk = 1 << 20, definition_chunk = 256 << 10;
  const auto folder = shape.folder + "/some";
  auto* archive = open_archive(folder, event_chunk, definition_chunk, "tracefold make_bench_trace");
  for (auto rank = first; rank < end; ++rank)
    written.push_back(Events(archive, shape, rank).write());

  check(OTF2_Archive_CloseEvtFiles(archive), "closing the event files");
  check(OTF2_Archive_OpenDefFiles(archive), "opening the definition files");
  for (auto rank = first; rank < end; ++rank)
    write_empty_local_definitions(archive, shape, rank, written[rank]);
  check(OTF2_Archive_CloseDefFiles(archive), "closing the definition files");
  check(OTF2_Archive_Close(archive), "closing the archive");

  for (const auto& file : std::filesystem::directory_iterator(folder + "/traces"))
    std::filesystem::rename(file.path(),
                            shape.folder + "/traces/" + file.path().filename().string());
  std::filesystem::remove_all(folder);
}

void write_trace(const Shape& shape) {
  constexpr std::uint64_t least_chunk = 256 << 10;
  constexpr std::uint32_t locations_at_once = 4096;
  const auto definition_chunk = std::max(
      least_chunk,
      std::bit_ceil(std::uint64_t{12} * shape.locations));  // the group of all ranks has to fit
  auto* archive =
      open_archive(shape.folder, 1 << 20, definition_chunk, "tracefold make_bench_trace");
  std::filesystem::create_directories(shape.folder + "/traces");
  std::vector<Written> written;
  for (std::uint32_t first = 0; first < shape.locations; first += locations_at_once)
    write_locations(shape, first, std::min(first + locations_at_once, shape.locations), written);

  check(OTF2_Archive_CloseEvtFiles(archive), "closing the event files");
  Definitions(archive, shape).write(written);
  check(OTF2_Archive_Close(archive), "closing the archive");
  check_files(shape.folder);
}

std::uint32_t number(std::string_view option, const char* text, unsigned long least,
                     unsigned long most) {
  char* end = nullptr;
  const unsigned long value = text ? std::strtoul(text, &end, 10) : 0;
  if (!text || *text < '0' || *text > '9' || *end != '\0' || value < least || value > most)
    throw UsageError(std::string(option) + " wants a number from " + std::to_string(least) +
                     " to " + std::to_string(most));

  return static_cast<std::uint32_t>(value);
}

Shape parse(char** words) {
  Shape shape;

  for (; *words; ++words) {
    const std::string_view word = *words;
    if (word == "--locations")
      shape.locations = number(word, *++words, 1, 1 << 20);
    else if (word == "--events")
      shape.events = number(word, *++words, frame_events + iteration_events, 4'000'000'000);
    else if (word == "--functions")
      shape.functions = number(word, *++words, 1, 1'000'000);
    else if (word == "--behaviours")
      shape.behaviours = number(word, *++words, 1, 1 << 20);
    else if (word.empty() || word.starts_with("-") || !shape.folder.empty())
      throw UsageError("unexpected '" + std::string(word) + "'");
    else
      shape.folder = word;
  }

  if (shape.folder.empty() || !shape.locations || !shape.events || !shape.functions)
    throw UsageError("folder, --locations, --events and --functions are needed");

  const auto least = shape.first_kernel() + levels;
  if (shape.functions < least)
    throw UsageError("so many behaviours need " + std::to_string(least) + " functions");

  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* usage =
      "usage: make_bench_trace FOLDER --locations N --events E --functions F [--behaviours B]\n";
  Shape shape;

  try {
    shape = parse(argv + (argc > 0));
    silence_library();
    write_trace(shape);
    return 0;
  } catch (const UsageError& problem) {
    std::fprintf(stderr, "make_bench_trace: %s\n%s", problem.what(), usage);
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "make_bench_trace: %s: %s\n", shape.folder.c_str(), problem.what());
    return 4;
  }
}
