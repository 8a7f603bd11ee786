// Writes a small OTF2 archive, FOLDER/traces.otf2, as an MPI+OpenMP program would leave it: a ring
// of ranks that compute with threads, exchange messages with both neighbours and reduce, over and
// over. Higher ranks compute longer; rank 0 also reads the input and writes the output. Times are
// made up: the same options always give the same events and definitions (the archive's id in the
// anchor file is libotf2's and differs). With streams, each rank computes on an accelerator, too.
// With --archives each rank writes one of its own, FOLDER/rankN/traces.otf2, as tools do that know
// of one process only: its ids are its own, and its times are those of the timer of its node.
// Usage: make_trace FOLDER [--ranks N] [--threads T] [--iterations I] [--streams S] [--archives]
// (16 ranks, 4 threads, 20 iterations, no streams)

#include <otf2/otf2.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Shape {
  std::string folder;
  std::uint32_t ranks = 16, threads = 4, iterations = 20, streams = 0;
  bool has_archives = false;
};

enum Region : std::uint32_t {
  main_region,
  mpi_init,
  setup,
  read_input,
  solve,
  iteration,
  compute,
  exchange,
  mpi_isend,
  mpi_irecv,
  mpi_waitall,
  mpi_allreduce,
  write_output,
  mpi_finalize,
  omp_parallel,
  omp_barrier,
  kernel,
  copy_back,
};

// In the order of Region.
constexpr struct {
  const char* name;
  OTF2_RegionRole role;
  OTF2_Paradigm paradigm;
  const char* file;
  std::uint32_t begin_line, end_line;
} region_table[] = {
    {"main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "main.c", 12, 60},
    {"MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, "MPI", 0, 0},
    {"setup", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "setup.c", 20, 48},
    {"read_input", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "setup.c", 5, 18},
    {"solve", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "solver.c", 120, 160},
    {"ITERATION", OTF2_REGION_ROLE_LOOP, OTF2_PARADIGM_USER, "solver.c", 130, 155},
    {"compute", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "solver.c", 80, 110},
    {"exchange", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "solver.c", 50, 76},
    {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0, 0},
    {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0, 0},
    {"MPI_Waitall", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0, 0},
    {"MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI, "MPI", 0, 0},
    {"write_output", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "output.c", 9, 31},
    {"MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, "MPI", 0, 0},
    {"!$omp parallel @solver.c:88", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP, "solver.c", 88,
     104},
    {"!$omp barrier @solver.c:102", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_OPENMP, "solver.c", 102,
     102},
    {"spmv<double>", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA, "solver.cu", 31, 44},
    {"cudaMemcpyDtoH", OTF2_REGION_ROLE_DATA_TRANSFER, OTF2_PARADIGM_CUDA, "CUDA", 0, 0},
};

constexpr OTF2_CommRef comm_world = 0;
constexpr std::uint32_t ranks_per_node = 8, to_right = 1,
                        to_left = 2;  // the last two are message tags
constexpr std::uint64_t message_bytes = 8192, ticks_per_second = 1'000'000'000;

// What one archive holds, and how its numbers differ from those of the whole.
struct Piece {
  std::uint32_t first_rank = 0, ranks = 0;
  std::uint32_t shift = 0;  // of the ids of regions
  std::uint64_t timer = 0;  // ns that its timer is before others
  bool is_alone = false;    // it knows of its own processes only

  std::uint32_t end() const { return first_rank + ranks; }
  OTF2_RegionRef id_of(Region region) const {
    return static_cast<OTF2_RegionRef>((region + shift) % std::size(region_table));
  }
  OTF2_CommRef team_of(std::uint32_t rank) const { return 1 + rank - first_rank; }
};

OTF2_LocationRef location_of(std::uint32_t rank, std::uint32_t thread) {
  return (OTF2_LocationRef{thread} << 32) + rank;
}

void check(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS)
    throw std::runtime_error(OTF2_Error_GetDescription(code));
}

template <class T>
T* need(T* pointer, const char* what) {
  if (!pointer)
    throw std::runtime_error(std::string("no ") + what + " from libotf2");
  return pointer;
}

// When what happens, in ns. All ranks enter an iteration together, because each ends in an
// Allreduce.
class Schedule {
 public:
  static constexpr std::uint64_t start = 1'000'000, init_end = 3'000'000, input_end = 7'000'000,
                                 setup_end = 8'000'000;

  explicit Schedule(const Shape& shape) : shape_(shape), starts_{setup_end + 1'000} {
    for (std::uint32_t i = 0; i < shape.iterations; ++i) {
      std::uint64_t last = 0;
      for (std::uint32_t rank = 0; rank < shape.ranks; ++rank)
        last = std::max(last, exchanged(rank, i));
      starts_.push_back(last + 10'000);
    }
  }
  std::uint64_t iteration_start(std::uint32_t i) const { return starts_[i]; }
  std::uint64_t iteration_end(std::uint32_t i) const { return starts_[i + 1] - 1'000; }
  std::uint64_t solved() const { return starts_.back(); }
  std::uint64_t end() const { return solved() + 5'000'000; }

  // The threads of a rank start 2 us after the iteration.
  std::uint64_t worked(std::uint32_t rank, std::uint32_t i, std::uint32_t thread) const {
    const std::uint64_t imbalance = 1'000'000ull * rank / shape_.ranks;
    const std::uint64_t noise =
        (rank * 2'654'435'761ull + i * 40'503ull + thread * 97'003ull) % 50'000;
    return starts_[i] + 2'000 + 2'000'000 + imbalance + noise;
  }
  std::uint64_t joined(std::uint32_t rank, std::uint32_t i) const {
    std::uint64_t last = 0;
    for (std::uint32_t thread = 0; thread < shape_.threads; ++thread)
      last = std::max(last, worked(rank, i, thread));
    return last + 1'000;
  }
  // A rank's messages have come when both neighbours have sent theirs, which takes each less than 5
  // us after it joined its threads.
  std::uint64_t exchanged(std::uint32_t rank, std::uint32_t i) const {
    return std::max({joined(rank, i), joined(left(rank), i), joined(right(rank), i)}) + 10'000;
  }
  std::uint32_t left(std::uint32_t rank) const { return rank == 0 ? shape_.ranks - 1 : rank - 1; }
  std::uint32_t right(std::uint32_t rank) const { return rank + 1 == shape_.ranks ? 0 : rank + 1; }

 private:
  const Shape& shape_;
  std::vector<std::uint64_t> starts_;
};

// The events of one location.
class Events {
 public:
  Events(OTF2_Archive* archive, const Piece& piece, OTF2_LocationRef location)
      : archive_(archive),
        piece_(piece),
        writer_(need(OTF2_Archive_GetEvtWriter(archive, location), "event writer")) {}

  // A record, by the function of libotf2 that writes it.
  template <class... Fields, class... Values>
  void add(OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Fields...),
           std::uint64_t time, Values... values) {
    check(write(writer_, nullptr, time + piece_.timer, values...));
  }
  void enter(std::uint64_t time, Region region) {
    add(OTF2_EvtWriter_Enter, time, piece_.id_of(region));
  }
  void leave(std::uint64_t time, Region region) {
    add(OTF2_EvtWriter_Leave, time, piece_.id_of(region));
  }
  OTF2_CommRef team_of(std::uint32_t rank) const { return piece_.team_of(rank); }

  // One non-blocking call each; 500 ns long.
  void irecv(std::uint64_t time, std::uint64_t request) {
    enter(time, mpi_irecv);
    add(OTF2_EvtWriter_MpiIrecvRequest, time + 200, request);
    leave(time + 500, mpi_irecv);
  }
  void isend(std::uint64_t time, std::uint32_t receiver, std::uint32_t tag, std::uint64_t request) {
    enter(time, mpi_isend);
    add(OTF2_EvtWriter_MpiIsend, time + 200, receiver, comm_world, tag, message_bytes, request);
    leave(time + 500, mpi_isend);
  }
  void received(std::uint64_t time, std::uint32_t sender, std::uint32_t tag,
                std::uint64_t request) {
    add(OTF2_EvtWriter_MpiIrecv, time, sender, comm_world, tag, message_bytes, request);
  }
  void allreduce(std::uint64_t begin, std::uint64_t end) {
    enter(begin, mpi_allreduce);
    add(OTF2_EvtWriter_MpiCollectiveBegin, begin);
    add(OTF2_EvtWriter_MpiCollectiveEnd, end, OTF2_COLLECTIVE_OP_ALLREDUCE, comm_world,
        OTF2_UNDEFINED_UINT32, 8u, 8u);
    leave(end, mpi_allreduce);
  }

  // Nothing may follow. Returns how many events were written.
  std::uint64_t close() {
    std::uint64_t events = 0;
    check(OTF2_EvtWriter_GetNumberOfEvents(writer_, &events));
    check(OTF2_Archive_CloseEvtWriter(archive_, writer_));
    return events;
  }

 private:
  OTF2_Archive* archive_;
  const Piece& piece_;
  OTF2_EvtWriter* writer_;
};

// What each thread of a rank does in the parallel region.
void write_parallel(Events& events, const Schedule& at, std::uint32_t rank, std::uint32_t thread,
                    std::uint32_t i) {
  const auto begin = at.iteration_start(i) + 1'000, end = at.joined(rank, i) - 300;
  events.add(OTF2_EvtWriter_ThreadTeamBegin, begin, events.team_of(rank));
  events.enter(begin + 500, omp_parallel);
  events.enter(at.worked(rank, i, thread), omp_barrier);
  events.leave(end - 200, omp_barrier);
  events.leave(end - 100, omp_parallel);
  events.add(OTF2_EvtWriter_ThreadTeamEnd, end, events.team_of(rank));
}

void write_exchange(Events& events, const Schedule& at, std::uint32_t rank, std::uint32_t i) {
  const auto begin = at.joined(rank, i) + 1'000, done = at.exchanged(rank, i);
  const std::uint64_t request = 4ull * i;
  events.enter(begin, exchange);
  events.irecv(begin + 500, request);
  events.irecv(begin + 1'100, request + 1);
  events.isend(begin + 1'700, at.right(rank), to_right, request + 2);
  events.isend(begin + 2'300, at.left(rank), to_left, request + 3);
  events.enter(begin + 3'000, mpi_waitall);
  events.received(done - 900, at.left(rank), to_right, request);
  events.received(done - 800, at.right(rank), to_left, request + 1);
  events.add(OTF2_EvtWriter_MpiIsendComplete, done - 700, request + 2);
  events.add(OTF2_EvtWriter_MpiIsendComplete, done - 600, request + 3);
  events.leave(done - 500, mpi_waitall);
  events.leave(done, exchange);
}

void write_iteration(Events& events, const Schedule& at, const Shape& shape, std::uint32_t rank,
                     std::uint32_t i) {
  const auto begin = at.iteration_start(i);
  events.enter(begin, iteration);
  events.enter(begin + 500, compute);
  events.add(OTF2_EvtWriter_ThreadFork, begin + 800, OTF2_PARADIGM_OPENMP, shape.threads);
  write_parallel(events, at, rank, 0, i);
  events.add(OTF2_EvtWriter_ThreadJoin, at.joined(rank, i), OTF2_PARADIGM_OPENMP);
  events.leave(at.joined(rank, i) + 500, compute);
  write_exchange(events, at, rank, i);
  events.allreduce(at.exchanged(rank, i) + 1'000, at.iteration_end(i) - 500);
  events.leave(at.iteration_end(i), iteration);
}

void write_master(Events& events, const Schedule& at, const Shape& shape, std::uint32_t rank) {
  events.enter(at.start, main_region);
  events.enter(at.start + 1'000, mpi_init);
  events.leave(at.init_end, mpi_init);
  events.enter(at.init_end + 1'000, setup);
  if (rank == 0) {
    events.enter(at.init_end + 2'000, read_input);
    events.leave(at.input_end, read_input);
  }

  events.leave(at.setup_end, setup);
  events.enter(at.setup_end + 500, solve);
  for (std::uint32_t i = 0; i < shape.iterations; ++i)
    write_iteration(events, at, shape, rank, i);

  events.leave(at.solved(), solve);
  if (rank == 0) {
    events.enter(at.solved() + 1'000, write_output);
    events.leave(at.end() - 1'000'000, write_output);
  }

  events.enter(rank == 0 ? at.end() - 900'000 : at.solved() + 1'000, mpi_finalize);
  events.leave(at.end() - 1'000, mpi_finalize);
  events.leave(at.end(), main_region);
}

// One kernel in each iteration, and a copy behind it.
void write_stream(Events& events, const Schedule& at, const Shape& shape, std::uint32_t rank,
                  std::uint32_t stream) {
  for (std::uint32_t i = 0; i < shape.iterations; ++i) {
    const auto begin = at.iteration_start(i) + 5'000 + 1'000 * stream, end = at.joined(rank, i);
    events.enter(begin, kernel);
    events.leave(end - 200'000, kernel);
    events.enter(end - 150'000, copy_back);
    events.leave(end - 50'000, copy_back);
  }
}

// Returns how many events there are. Streams are behind the threads.
std::uint64_t write_location(Events events, const Schedule& at, const Shape& shape,
                             std::uint32_t rank, std::uint32_t thread) {
  if (thread >= shape.threads) {
    write_stream(events, at, shape, rank, thread - shape.threads);
    return events.close();
  }
  if (thread == 0)
    write_master(events, at, shape, rank);
  for (std::uint32_t i = 0; thread != 0 && i < shape.iterations; ++i)
    write_parallel(events, at, rank, thread, i);
  return events.close();
}

// The global definitions; strings get their ids as they come.
class Definitions {
 public:
  explicit Definitions(OTF2_Archive* archive)
      : writer_(need(OTF2_Archive_GetGlobalDefWriter(archive), "definition writer")) {}

  // A definition, by the function of libotf2 that writes it.
  template <class... Fields, class... Values>
  void add(OTF2_ErrorCode (*write)(OTF2_GlobalDefWriter*, Fields...), Values... values) {
    check(write(writer_, values...));
  }
  OTF2_StringRef string(const std::string& text) {
    add(OTF2_GlobalDefWriter_WriteString, strings_, text.c_str());
    return strings_++;
  }
  void clock(const Schedule& at, const Piece& piece) {
    constexpr std::uint64_t that_day = 1'760'000'000'000'000'000;
    add(OTF2_GlobalDefWriter_WriteClockProperties, ticks_per_second, at.start + piece.timer,
        at.end() - at.start, piece.is_alone ? that_day + at.start : OTF2_UNDEFINED_TIMESTAMP);
  }
  void regions(const Shape& shape, const Piece& piece) {
    const auto regions = std::size(region_table);
    for (std::uint32_t id = 0; id < regions; ++id) {
      const auto region = (id + regions - piece.shift) % regions;
      const auto& r = region_table[region];
      if (r.paradigm == OTF2_PARADIGM_CUDA && shape.streams == 0)
        continue;
      const auto flags = region == iteration ? OTF2_REGION_FLAG_PHASE | OTF2_REGION_FLAG_DYNAMIC
                                             : OTF2_REGION_FLAG_NONE;
      const auto name = string(r.name);
      add(OTF2_GlobalDefWriter_WriteRegion, id, name, name, none_, r.role, r.paradigm, flags,
          string(r.file), r.begin_line, r.end_line);
    }
  }
  // From node to node.
  void tree(std::uint32_t first, std::uint32_t end) {
    const auto node_class = string("node");
    add(OTF2_GlobalDefWriter_WriteSystemTreeNode, 0u, string("example machine"), string("machine"),
        OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t n = first; n < end; ++n)
      add(OTF2_GlobalDefWriter_WriteSystemTreeNode, n - first + 1,
          string("node" + std::to_string(n)), node_class, 0u);

    add(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain, 0u, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    for (std::uint32_t n = first; n < end; ++n)
      add(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain, n - first + 1,
          OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
  }
  void process(const Piece& piece, std::uint32_t rank) {
    const auto node = rank / ranks_per_node - piece.first_rank / ranks_per_node;
    add(OTF2_GlobalDefWriter_WriteLocationGroup, rank - piece.first_rank,
        string("MPI Rank " + std::to_string(rank)), OTF2_LOCATION_GROUP_TYPE_PROCESS, 1 + node,
        OTF2_UNDEFINED_LOCATION_GROUP);
  }
  void accelerator(const Piece& piece, std::uint32_t rank) {
    const auto process = rank - piece.first_rank,
               node = rank / ranks_per_node - piece.first_rank / ranks_per_node;
    add(OTF2_GlobalDefWriter_WriteLocationGroup, piece.ranks + process, string("CUDA Context"),
        OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 1 + node, process);
  }
  void location(const Piece& piece, std::uint32_t rank, OTF2_StringRef name, std::uint32_t thread,
                std::uint64_t events, bool is_stream) {
    add(OTF2_GlobalDefWriter_WriteLocation, location_of(rank, thread), name,
        is_stream ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_CPU_THREAD, events,
        rank - piece.first_rank + (is_stream ? piece.ranks : 0));
  }
  OTF2_GroupRef group(OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
                      const std::vector<std::uint64_t>& members) {
    add(OTF2_GlobalDefWriter_WriteGroup, groups_, name, type, paradigm, OTF2_GROUP_FLAG_NONE,
        static_cast<std::uint32_t>(members.size()), members.data());
    return groups_++;
  }
  void comm(OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef group) {
    add(OTF2_GlobalDefWriter_WriteComm, id, name, group, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }

 private:
  OTF2_GlobalDefWriter* writer_;
  OTF2_StringRef strings_ = 0;
  OTF2_GroupRef groups_ = 0;
  OTF2_StringRef none_ = string("");
};

// Communicators: their groups hold indexes into the COMM_LOCATIONS group of the same paradigm,
// which has to come first.
void write_communicators(Definitions& definitions, const Shape& shape, const Piece& piece) {
  std::vector<std::uint64_t> all, masters, world;
  for (std::uint32_t thread = 0; thread < shape.threads; ++thread)
    for (auto rank = piece.first_rank; rank < piece.end(); ++rank)
      all.push_back(location_of(rank, thread));

  for (std::uint32_t rank = 0; rank < shape.ranks; ++rank) {
    masters.push_back(location_of(rank, 0));
    world.push_back(rank);
  }

  const auto world_name = definitions.string("MPI_COMM_WORLD");
  const auto team_name = definitions.string("OpenMP team");
  definitions.group(definitions.string("MPI locations"), OTF2_GROUP_TYPE_COMM_LOCATIONS,
                    OTF2_PARADIGM_MPI, masters);
  definitions.group(definitions.string("OpenMP locations"), OTF2_GROUP_TYPE_COMM_LOCATIONS,
                    OTF2_PARADIGM_OPENMP, all);
  const auto first =
      definitions.group(world_name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, world);

  for (std::uint32_t process = 0; process < piece.ranks; ++process) {
    std::vector<std::uint64_t> team;
    for (std::uint32_t thread = 0; thread < shape.threads; ++thread)
      team.push_back(std::uint64_t{thread} * piece.ranks + process);
    definitions.group(team_name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, team);
  }

  definitions.comm(comm_world, world_name, first);
  for (std::uint32_t process = 0; process < piece.ranks; ++process)
    definitions.comm(1 + process, team_name, first + 1 + process);
}

// Events per location, in the order of the location ids.
void write_definitions(OTF2_Archive* archive, const Schedule& at, const Shape& shape,
                       const Piece& piece, const std::vector<std::uint64_t>& events) {
  Definitions definitions(archive);
  definitions.clock(at, piece);
  definitions.regions(shape, piece);
  definitions.tree(piece.first_rank / ranks_per_node,
                   (piece.end() + ranks_per_node - 1) / ranks_per_node);
  for (auto rank = piece.first_rank; rank < piece.end(); ++rank)
    definitions.process(piece, rank);
  for (auto rank = piece.first_rank; shape.streams > 0 && rank < piece.end(); ++rank)
    definitions.accelerator(piece, rank);

  auto count = events.begin();

  for (std::uint32_t thread = 0; thread < shape.threads + shape.streams; ++thread) {
    const bool is_stream = thread >= shape.threads;
    const auto name = definitions.string(
        is_stream ? "CUDA stream " + std::to_string(thread - shape.threads)
                  : (thread == 0 ? "Master thread" : "OMP thread " + std::to_string(thread)));
    for (auto rank = piece.first_rank; rank < piece.end(); ++rank)
      definitions.location(piece, rank, name, thread, *count++, is_stream);
  }

  write_communicators(definitions, shape, piece);
}

OTF2_FlushType always_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

// libotf2 does not say that a disk was full. A whole file ends in the mark 1.
void check_files(const std::string& folder) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".evt" && file.path().extension() != ".def")
      continue;
    std::ifstream in(file.path(), std::ios::binary);
    if (!in.seekg(-1, std::ios::end) || in.get() != 1)
      throw std::runtime_error("could not be written whole; is the disk full?");
  }
}

void write_archive(const std::string& folder, const Shape& shape, const Schedule& at,
                   const Piece& piece) {
  constexpr std::uint64_t event_chunk = 1 << 20, definition_chunk = 4 << 20;
  auto* archive =
      need(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk,
                             definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
           "archive");

  const OTF2_FlushCallbacks flush{always_flush, nullptr};
  check(OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr));
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
  check(OTF2_Archive_SetCreator(archive, "tracefold make_trace"));
  check(OTF2_Archive_OpenEvtFiles(archive));
  std::vector<std::uint64_t> counts;
  for (std::uint32_t thread = 0; thread < shape.threads + shape.streams; ++thread)
    for (auto rank = piece.first_rank; rank < piece.end(); ++rank)
      counts.push_back(write_location(Events(archive, piece, location_of(rank, thread)), at, shape,
                                      rank, thread));

  check(OTF2_Archive_CloseEvtFiles(archive));
  check(OTF2_Archive_OpenDefFiles(archive));

  for (std::uint32_t thread = 0; thread < shape.threads + shape.streams; ++thread)
    for (auto rank = piece.first_rank; rank < piece.end(); ++rank)
      check(OTF2_Archive_CloseDefWriter(
          archive, need(OTF2_Archive_GetDefWriter(archive, location_of(rank, thread)),
                        "definition writer")));

  check(OTF2_Archive_CloseDefFiles(archive));
  write_definitions(archive, at, shape, piece, counts);
  check(OTF2_Archive_Close(archive));
  check_files(folder);
}

void write_trace(const Shape& shape) {
  const Schedule at(shape);
  if (!shape.has_archives) {
    write_archive(shape.folder, shape, at, {0, shape.ranks});
    return;
  }

  std::filesystem::create_directories(shape.folder);
  for (std::uint32_t rank = 0; rank < shape.ranks; ++rank) {
    constexpr std::uint64_t between_nodes = 5'000'000'000;  // when they were switched on
    const auto shift = rank % static_cast<std::uint32_t>(std::size(region_table));
    write_archive(shape.folder + "/rank" + std::to_string(rank), shape, at,
                  {rank, 1, shift, between_nodes * (1 + rank / ranks_per_node), true});
  }
}

std::uint32_t number(std::string_view option, const char* text, unsigned long most) {
  char* end = nullptr;
  const unsigned long value = text ? std::strtoul(text, &end, 10) : 0;
  if (!text || *text < '0' || *text > '9' || *end != '\0' || value < 1 || value > most)
    throw UsageError(std::string(option) + " wants a number from 1 to " + std::to_string(most));
  return static_cast<std::uint32_t>(value);
}

Shape parse(char** words) {
  Shape shape;

  for (; *words; ++words) {
    const std::string_view word = *words;

    if (word == "--archives") {
      shape.has_archives = true;
    } else if (word == "--ranks" || word == "--threads" || word == "--iterations" ||
               word == "--streams") {
      auto& value = word == "--ranks"     ? shape.ranks
                    : word == "--threads" ? shape.threads
                    : word == "--streams" ? shape.streams
                                          : shape.iterations;
      value = number(word, words[1],
                     word == "--ranks"                            ? 65'536
                     : word == "--threads" || word == "--streams" ? 1'024
                                                                  : 1'000'000);

      ++words;
    } else if (word.empty() || word.starts_with("-") || !shape.folder.empty()) {
      throw UsageError("unexpected '" + std::string(word) + "'");
    } else {
      shape.folder = word;
    }
  }

  if (shape.folder.empty())
    throw UsageError("no folder is given");

  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* usage =
      "usage: make_trace FOLDER [--ranks N] [--threads T] [--iterations I]\n"
      "                  [--streams S] [--archives]\n";
  if (argc == 2 && std::string_view(argv[1]) == "--help")
    return std::fputs(usage, stdout) < 0 ? 4 : 0;

  Shape shape;

  try {
    shape = parse(argv + std::min(argc, 1));

    // libotf2 would overwrite parts of an archive that is there, and print what check() says again.
    if (std::filesystem::exists(shape.folder) && !std::filesystem::is_empty(shape.folder))
      throw std::runtime_error("already exists and is not empty");

    OTF2_Error_RegisterCallback([](void*, const char*, std::uint64_t, const char*,
                                   OTF2_ErrorCode code, const char*, va_list) { return code; },
                                nullptr);
    write_trace(shape);

    return 0;
  } catch (const UsageError& problem) {
    std::fprintf(stderr, "make_trace: %s\n%s", problem.what(), usage);
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "make_trace: %s: %s\n", shape.folder.c_str(), problem.what());
    return 4;
  }
}
