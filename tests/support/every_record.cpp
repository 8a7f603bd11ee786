#include "tests/support/every_record.hpp"

#include "otf2/archive_writer.hpp"
#include "otf2/event_writer.hpp"

#include <otf2/otf2.h>

#include <bit>

namespace tracefold::testing {

namespace {

using Ids = std::vector<std::uint64_t>;
constexpr std::uint64_t none = OTF2_UNDEFINED_UINT32;

// Ids of definitions, with gaps and not in the order of the output.
constexpr std::uint64_t machine = 7, node = 4;
constexpr std::uint64_t process_0 = 8, process_1 = 5, gpu_0 = 3, gpu_1 = 12;
constexpr std::uint64_t main_region = 30, compute = 17, worker = 19, kernel = 40;
constexpr std::uint64_t mpi_locations = 2, world_group = 9, self_group = 6, left_group = 11,
                        right_group = 13, omp_locations = 15, team_group_0 = 16, team_group_1 = 18,
                        cuda_locations = 20, threads_group = 21, regions_group = 22,
                        metrics_group = 23;
constexpr std::uint64_t world = 3, self_comm = 5, between = 8, team_0 = 9, team_1 = 10;
constexpr std::uint64_t counters = 4, readings = 6, readings_of_node = 9;
constexpr std::uint64_t window = 14, posix = 2, io_file = 31, directory = 33, handle = 44,
                        handle_2 = 46;
constexpr std::uint64_t context = 51, inner_context = 55, sampler = 61, source_line = 71;
constexpr std::uint64_t parameter_text = 81, parameter_int = 83, parameter_unsigned = 85;

class Definer {
 public:
  // The id of a string; the same text has the same id.
  std::uint64_t text(const std::string& words) {
    return strings_.try_emplace(words, 100 + 3 * strings_.size()).first->second;
  }
  void add(DefinitionKind kind, const Ids& fields, Ids list = {}) {
    Definition d;
    d.kind = kind;
    for (std::size_t i = 0; i < fields.size(); ++i)
      d.fields.at(i) = fields[i];
    d.list = std::move(list);
    rest_.push_back(std::move(d));
  }
  std::vector<Definition> all() const {
    std::vector<Definition> found;
    for (const auto& [words, id] : strings_) {
      Definition d;
      d.kind = DefinitionKind::String;
      d.fields[0] = id;
      d.text = words;
      found.push_back(std::move(d));
    }

    found.insert(found.end(), rest_.begin(), rest_.end());

    return found;
  }

 private:
  std::map<std::string, std::uint64_t> strings_;
  std::vector<Definition> rest_;
};

// An attribute of each OTF2 type; its id is the type and 200.
std::vector<Attribute> attributes_of_every_type(Definer& define) {
  const std::pair<std::uint64_t, std::uint64_t> values[] = {
      {OTF2_TYPE_UINT8, 200},
      {OTF2_TYPE_UINT16, 60000},
      {OTF2_TYPE_UINT32, 0xfffffff0},
      {OTF2_TYPE_UINT64, ~std::uint64_t{0}},
      {OTF2_TYPE_INT8, 0xfe},
      {OTF2_TYPE_INT16, 0xfffd},
      {OTF2_TYPE_INT32, 0xfffffffc},
      {OTF2_TYPE_INT64, 0xfffffffffffffff0},
      {OTF2_TYPE_FLOAT, std::bit_cast<std::uint32_t>(1.5f)},
      {OTF2_TYPE_DOUBLE, std::bit_cast<std::uint64_t>(-2.25)},
      {OTF2_TYPE_STRING, define.text("an attribute's text")},
      {OTF2_TYPE_ATTRIBUTE, 200 + OTF2_TYPE_INT8},
      {OTF2_TYPE_LOCATION, thread_0},
      {OTF2_TYPE_REGION, worker},
      {OTF2_TYPE_GROUP, regions_group},
      {OTF2_TYPE_METRIC, readings},
      {OTF2_TYPE_COMM, world},
      {OTF2_TYPE_PARAMETER, parameter_int},
      {OTF2_TYPE_RMA_WIN, window},
      {OTF2_TYPE_SOURCE_CODE_LOCATION, source_line},
      {OTF2_TYPE_CALLING_CONTEXT, inner_context},
      {OTF2_TYPE_INTERRUPT_GENERATOR, sampler},
      {OTF2_TYPE_IO_FILE, directory},
      {OTF2_TYPE_IO_HANDLE, handle_2},
      {OTF2_TYPE_LOCATION_GROUP, process_0}};

  std::vector<Attribute> all;
  for (auto [type, value] : values)
    all.push_back({200 + type, type, value});

  return all;
}

void define_system(Definer& define) {
  using enum DefinitionKind;
  const auto text = [&](const char* words) { return define.text(words); };
  define.add(ClockProperties, {1'000'000, 1000, 100'000, 1'600'000'000'000'000'000});
  define.add(Paradigm, {OTF2_PARADIGM_MPI, text("MPI"), OTF2_PARADIGM_CLASS_PROCESS});
  define.add(Paradigm,
             {OTF2_PARADIGM_OPENMP, text("OpenMP"), OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN});
  define.add(Paradigm, {OTF2_PARADIGM_CUDA, text("CUDA"), OTF2_PARADIGM_CLASS_ACCELERATOR});
  define.add(Paradigm, {OTF2_PARADIGM_USER, text("user"), OTF2_PARADIGM_CLASS_PROCESS});
  define.add(ParadigmProperty, {OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
                                OTF2_TYPE_STRING, text("comm ${id}")});
  define.add(IoParadigm,
             {posix, text("POSIX"), text("POSIX I/O"), OTF2_IO_PARADIGM_CLASS_SERIAL,
              OTF2_IO_PARADIGM_FLAG_OS, 1, 0, 0, 0},
             {OTF2_IO_PARADIGM_PROPERTY_VERSION, OTF2_TYPE_STRING, text("2024")});

  for (const auto& a : attributes_of_every_type(define))
    define.add(DefinitionKind::Attribute,
               {a.id, define.text("attribute " + std::to_string(a.id)), text("of a type"), a.type});

  define.add(SystemTreeNode, {node, text("node 1"), text("node"), machine});  // the child first
  define.add(SystemTreeNode, {machine, text("cluster"), text("machine"), none});
  define.add(SystemTreeNodeProperty, {node, text("cores"), OTF2_TYPE_UINT32, 64});
  define.add(SystemTreeNodeDomain, {node, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY});
  define.add(LocationGroup,
             {gpu_0, text("GPU of 0"), OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, node, process_0});
  define.add(LocationGroup,
             {gpu_1, text("GPU of 1"), OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, node, process_1});
  define.add(LocationGroup,
             {process_0, text("MPI Rank 0"), OTF2_LOCATION_GROUP_TYPE_PROCESS, node, none});
  define.add(LocationGroup,
             {process_1, text("MPI Rank 1"), OTF2_LOCATION_GROUP_TYPE_PROCESS, node, none});
  define.add(LocationGroupProperty, {process_0, text("pid"), OTF2_TYPE_UINT64, 4711});
}

void define_locations(Definer& define, const std::map<std::uint64_t, std::vector<Event>>& events) {
  struct Place {
    std::uint64_t id;
    const char* name;
    std::uint64_t type, group;
  };

  const Place places[] = {{master_0, "master 0", OTF2_LOCATION_TYPE_CPU_THREAD, process_0},
                          {thread_0, "thread 0", OTF2_LOCATION_TYPE_CPU_THREAD, process_0},
                          {master_1, "master 1", OTF2_LOCATION_TYPE_CPU_THREAD, process_1},
                          {thread_1, "thread 1", OTF2_LOCATION_TYPE_CPU_THREAD, process_1},
                          {stream_0, "stream 0", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, gpu_0},
                          {stream_1, "stream 1", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, gpu_1},
                          {metric_0, "metrics 0", OTF2_LOCATION_TYPE_METRIC, process_0},
                          {metric_1, "metrics 1", OTF2_LOCATION_TYPE_METRIC, process_1}};

  for (const auto& p : places)
    define.add(DefinitionKind::Location,
               {p.id, define.text(p.name), p.type, events.at(p.id).size(), p.group});

  define.add(DefinitionKind::LocationProperty,
             {master_0, define.text("bound to"), OTF2_TYPE_STRING, define.text("core 3")});
}

void define_code(Definer& define) {
  using enum DefinitionKind;
  const auto text = [&](const char* words) { return define.text(words); };
  const auto region = [&](std::uint64_t id, const char* name, std::uint64_t role,
                          std::uint64_t paradigm, std::uint64_t line) {
    define.add(Region, {id, text(name), text(name), text("a region"), role, paradigm,
                        OTF2_REGION_FLAG_NONE, text("main.c"), line, line + 9});
  };

  region(main_region, "main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER, 10);
  region(compute, "compute", OTF2_REGION_ROLE_LOOP, OTF2_PARADIGM_OPENMP, 20);
  region(worker, "worker", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP, 30);
  region(kernel, "kernel", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA, 40);
  define.add(Callsite, {5, text("main.c"), 12, main_region, compute});
  define.add(Callpath, {9, 7, compute});  // the callee first
  define.add(Callpath, {7, none, main_region});
  define.add(Parameter, {parameter_text, text("file name"), OTF2_PARAMETER_TYPE_STRING});
  define.add(Parameter, {parameter_int, text("step"), OTF2_PARAMETER_TYPE_INT64});
  define.add(Parameter, {parameter_unsigned, text("size"), OTF2_PARAMETER_TYPE_UINT64});
  define.add(CallpathParameter, {9, parameter_int, OTF2_TYPE_INT64, 0xffffffffffffffff});
  define.add(SourceCodeLocation, {source_line, text("main.c"), 15});
  define.add(CallingContext, {inner_context, compute, source_line, context});
  define.add(CallingContext, {context, main_region, source_line, none});
  define.add(CallingContextProperty, {context, text("inlined"), OTF2_TYPE_STRING, text("no")});
  define.add(InterruptGenerator, {sampler, text("timer"), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
                                  OTF2_BASE_DECIMAL, std::uint64_t(-9), 1000});
}

void define_communicators(Definer& define) {
  using enum DefinitionKind;

  const auto group = [&](std::uint64_t id, const char* name, std::uint64_t type,
                         std::uint64_t paradigm, Ids members) {
    const auto size = members.size();
    define.add(Group, {id, define.text(name), type, paradigm, OTF2_GROUP_FLAG_NONE, size},
               std::move(members));
  };

  group(mpi_locations, "", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, {master_0, master_1});
  group(omp_locations, "", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
        {master_0, thread_0, master_1, thread_1});
  group(cuda_locations, "", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA,
        {stream_0, stream_1});
  group(world_group, "world", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {0, 1});
  group(self_group, "self", OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, {});
  group(left_group, "left", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {0});
  group(right_group, "right", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {1});
  group(team_group_0, "team 0", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, {0, 1});
  group(team_group_1, "team 1", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, {2, 3});
  group(threads_group, "all threads", OTF2_GROUP_TYPE_LOCATIONS, OTF2_PARADIGM_UNKNOWN,
        {thread_1, thread_0});
  group(regions_group, "solver", OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_UNKNOWN,
        {compute, main_region});
  group(metrics_group, "hardware", OTF2_GROUP_TYPE_METRIC, OTF2_PARADIGM_UNKNOWN, {counters});
  define.add(Comm, {world, define.text("MPI_COMM_WORLD"), world_group, none, OTF2_COMM_FLAG_NONE});
  define.add(Comm,
             {self_comm, define.text("MPI_COMM_SELF"), self_group, world, OTF2_COMM_FLAG_NONE});
  define.add(Comm, {team_0, define.text("team of 0"), team_group_0, none, OTF2_COMM_FLAG_NONE});
  define.add(Comm, {team_1, define.text("team of 1"), team_group_1, none, OTF2_COMM_FLAG_NONE});
  define.add(InterComm, {between, define.text("left and right"), left_group, right_group, world,
                         OTF2_COMM_FLAG_NONE});
  define.add(RmaWin, {window, define.text("a window"), world, OTF2_RMA_WIN_FLAG_NONE});
  define.add(CartDimension, {8, define.text("x"), 2, OTF2_CART_PERIODIC_TRUE});
  define.add(CartTopology, {6, define.text("line"), world, 1}, {8});
  define.add(CartCoordinate, {6, 0, 1}, {0});
  define.add(CartCoordinate, {6, 1, 1}, {1});
}

void define_metrics_and_files(Definer& define) {
  using enum DefinitionKind;
  const auto text = [&](const char* words) { return define.text(words); };
  define.add(MetricMember,
             {33, text("cycles"), text("of the core"), OTF2_METRIC_TYPE_PAPI,
              OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("#")});
  define.add(MetricMember, {35, text("power"), text("of the node"), OTF2_METRIC_TYPE_OTHER,
                            OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL,
                            std::uint64_t(-3), text("W")});
  define.add(MetricClass, {counters, 2, 0, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU},
             {33, 35});
  define.add(MetricClass, {5, 1, 0, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT}, {35});
  define.add(MetricInstance, {readings, 5, metric_0, OTF2_SCOPE_LOCATION_GROUP, process_0});
  define.add(MetricInstance, {readings_of_node, 5, metric_1, OTF2_SCOPE_SYSTEM_TREE_NODE, node});
  define.add(MetricClassRecorder, {counters, master_0});
  define.add(IoRegularFile, {io_file, text("/data/in.nc"), machine});
  define.add(IoDirectory, {directory, text("/data"), machine});
  define.add(IoFileProperty, {io_file, text("filesystem"), OTF2_TYPE_STRING, text("lustre")});
  define.add(IoHandle, {handle_2, text("a copy"), io_file, posix, OTF2_IO_HANDLE_FLAG_NONE, none,
                        handle});  // the parent later
  define.add(IoHandle,
             {handle, text(""), io_file, posix, OTF2_IO_HANDLE_FLAG_PRE_CREATED, world, none});
  define.add(IoPreCreatedHandleState,
             {handle, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_STATUS_FLAG_APPEND});
}

class Recorder {
 public:
  void operator()(EventKind kind, const Ids& fields = {}, Ids list = {},
                  std::vector<Attribute> attributes = {}) {
    Event e;
    e.kind = kind;
    e.time = time_ += 7;
    for (std::size_t i = 0; i < fields.size(); ++i)
      e.fields.at(i) = fields[i];

    e.list = std::move(list);
    e.attributes = std::move(attributes);
    events_.push_back(std::move(e));
  }
  std::vector<Event> take() { return std::move(events_); }

 private:
  std::uint64_t time_ = 2000;
  std::vector<Event> events_;
};

// Messages to the other process and to itself.
void record_messages(Recorder& record, std::uint64_t rank) {
  using enum EventKind;
  const std::uint64_t other = 1 - rank;

  for (auto partner : {other, rank}) {
    record(MpiSend, {partner, world, 1, 800});
    record(MpiRecv, {partner, world, 1, 800});
    record(MpiIrecvRequest, {2});
    record(MpiIsend, {partner, world, 2, 1600, 1});
    record(MpiRequestTest, {1});
    record(MpiRequestTest, {2});
    record(MpiIsendComplete, {1});
    record(MpiIrecv, {partner, world, 2, 1600, 2});
  }

  record(MpiIrecvRequest, {2});  // one that never receives
  record(MpiRequestCancelled, {2});
  record(MpiIsend, {0, self_comm, 3, 8, 3});
  record(MpiIrecvRequest, {4});
  record(MpiIrecv, {0, self_comm, 3, 8, 4});
  record(MpiIsendComplete, {3});
  record(MpiSend, {0, between, 4, 16});
  record(MpiRecv, {0, between, 4, 16});
  record(MpiCollectiveBegin);
  record(MpiCollectiveEnd, {OTF2_COLLECTIVE_OP_BCAST, world, 1, 64, 128});
  record(MpiCollectiveBegin);
  record(MpiCollectiveEnd, {OTF2_COLLECTIVE_OP_BARRIER, world, OTF2_COLLECTIVE_ROOT_NONE, 0, 0});
  record(MpiCollectiveBegin);
  record(MpiCollectiveEnd,
         {OTF2_COLLECTIVE_OP_REDUCE, between,
          rank ? OTF2_COLLECTIVE_ROOT_THIS_GROUP : OTF2_COLLECTIVE_ROOT_SELF, 4, 4});
  record(NonBlockingCollectiveRequest, {6});
  record(NonBlockingCollectiveComplete,
         {OTF2_COLLECTIVE_OP_ALLREDUCE, world, OTF2_COLLECTIVE_ROOT_NONE, 8, 8, 6});
  record(CommCreate, {self_comm});
  record(CommDestroy, {self_comm});
}

void record_one_sided(Recorder& record, std::uint64_t rank) {
  using enum EventKind;
  record(RmaWinCreate, {window});
  record(RmaCollectiveBegin);
  record(RmaCollectiveEnd,
         {OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_RMA_SYNC_LEVEL_PROCESS, window, 0, 5, 6});
  record(RmaGroupSync, {OTF2_RMA_SYNC_LEVEL_MEMORY, window, world_group});

  for (auto remote : {1 - rank, rank}) {
    record(RmaRequestLock, {window, remote, 7, OTF2_LOCK_EXCLUSIVE});
    record(RmaTryLock, {window, remote, 7, OTF2_LOCK_SHARED});
    record(RmaAcquireLock, {window, remote, 7, OTF2_LOCK_EXCLUSIVE});
    record(RmaPut, {window, remote, 4096, 1});
    record(RmaGet, {window, remote, 1024, 2});
    record(RmaAtomic, {window, remote, OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD, 8, 16, 3});
    record(RmaOpTest, {window, 1});
    record(RmaOpCompleteNonBlocking, {window, 1});
    record(RmaOpCompleteRemote, {window, 1});
    record(RmaOpCompleteBlocking, {window, 2});
    record(RmaOpCompleteBlocking, {window, 3});
    record(RmaReleaseLock, {window, remote, 7});
    record(RmaSync, {window, remote, OTF2_RMA_SYNC_TYPE_NOTIFY_OUT});
  }

  record(RmaWaitChange, {window});
  record(RmaWinDestroy, {window});
}

void record_threads(Recorder& record, std::uint64_t team, std::uint64_t place) {
  using enum EventKind;
  record(OmpFork, {2});
  record(OmpAcquireLock, {3, 1});
  record(OmpReleaseLock, {3, 2});
  record(OmpTaskCreate, {0x100000001});
  record(OmpTaskSwitch, {0x100000001});
  record(OmpTaskComplete, {0x100000001});
  record(OmpJoin);
  record(ThreadFork, {OTF2_PARADIGM_OPENMP, 2});
  record(ThreadTeamBegin, {team});
  record(ThreadAcquireLock, {OTF2_PARADIGM_OPENMP, 4, 1});
  record(ThreadReleaseLock, {OTF2_PARADIGM_OPENMP, 4, 2});
  record(ThreadTaskCreate, {team, place, 1});
  record(ThreadTaskSwitch, {team, place, 1});
  record(ThreadTaskComplete, {team, place, 1});
  record(ThreadTeamEnd, {team});
  record(ThreadJoin, {OTF2_PARADIGM_OPENMP});
  record(ThreadCreate, {team, 1});
  record(ThreadBegin, {team, 1});
  record(ThreadEnd, {team, 1});
  record(ThreadWait, {team, 1});
}

void record_io(Recorder& record) {
  using enum EventKind;
  record(IoCreateHandle, {handle, OTF2_IO_ACCESS_MODE_READ_ONLY, OTF2_IO_CREATION_FLAG_CREATE,
                          OTF2_IO_STATUS_FLAG_APPEND});
  record(IoDuplicateHandle, {handle, handle_2, OTF2_IO_STATUS_FLAG_CLOSE_ON_EXEC});
  record(IoSeek, {handle, 0xfffffffffffffff0, OTF2_IO_SEEK_FROM_END, 640});
  record(IoChangeStatusFlags, {handle, OTF2_IO_STATUS_FLAG_NON_BLOCKING});
  record(IoOperationBegin,
         {handle, OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 65536, 1});
  record(IoOperationIssued, {handle, 1});
  record(IoOperationTest, {handle, 1});
  record(IoOperationComplete, {handle, 32768, 1});
  record(IoOperationBegin,
         {handle_2, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 5, 2});
  record(IoOperationCancelled, {handle_2, 2});
  record(IoTryLock, {handle, OTF2_LOCK_SHARED});
  record(IoAcquireLock, {handle, OTF2_LOCK_EXCLUSIVE});
  record(IoReleaseLock, {handle, OTF2_LOCK_EXCLUSIVE});
  record(IoDestroyHandle, {handle_2});
  record(IoDeleteFile, {posix, io_file});
}

std::vector<Event> master_events(Definer& define, std::uint64_t rank) {
  using enum EventKind;
  Recorder record;
  record(ProgramBegin, {define.text("./app"), 2, 0}, {define.text("-n"), define.text("17")});
  record(MeasurementOnOff, {OTF2_MEASUREMENT_ON});
  record(Enter, {main_region}, {}, attributes_of_every_type(define));
  record(Metric, {counters, 2, 0, 0},
         {OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE, 0xfffffffffffffff1,
          std::bit_cast<std::uint64_t>(123.5)});
  record(ParameterString, {parameter_text, define.text("in.nc")});
  record(ParameterInt, {parameter_int, std::uint64_t(-5)});
  record(ParameterUnsignedInt, {parameter_unsigned, ~std::uint64_t{0}});
  record_messages(record, rank);
  record(Enter, {compute});
  record_one_sided(record, rank);
  record_threads(record, rank ? team_1 : team_0, 0);
  record(
      CallingContextEnter, {context, 1}, {},
      {{200 + OTF2_TYPE_LOCATION_GROUP, OTF2_TYPE_LOCATION_GROUP, rank ? process_1 : process_0}});
  record(CallingContextSample, {inner_context, 2, sampler});
  record(CallingContextLeave, {context});
  record_io(record);
  record(Leave, {compute}, {}, {{200 + OTF2_TYPE_INT8, OTF2_TYPE_INT8, 0x80}});
  record(BufferFlush, {9000});
  record(Leave, {main_region});
  record(ProgramEnd, {std::uint64_t(-1)});

  return record.take();
}

std::vector<Event> calls(std::uint64_t region, std::uint64_t team) {
  Recorder record;
  record(EventKind::Enter, {region});
  if (team != none) {
    record(EventKind::ThreadTeamBegin, {team});
    record(EventKind::ThreadTaskSwitch, {team, 1, 9});
    record(EventKind::ThreadTeamEnd, {team});
  }

  record(EventKind::Leave, {region});

  return record.take();
}

std::vector<Event> reading(std::uint64_t metric, double watts) {
  Recorder record;
  for (int i = 0; i < 3; ++i)
    record(EventKind::Metric, {metric, 1, 0, 0},
           {OTF2_TYPE_DOUBLE, std::bit_cast<std::uint64_t>(watts + i)});
  return record.take();
}

}  // namespace

TraceContent every_record() {
  Definer define;
  TraceContent content;
  content.events[master_0] = master_events(define, 0);
  content.events[master_1] = master_events(define, 1);
  content.events[thread_0] = calls(worker, team_0);
  content.events[thread_1] = calls(worker, team_1);
  content.events[stream_0] = calls(kernel, none);
  content.events[stream_1] = calls(kernel, none);
  content.events[metric_0] = reading(readings, 200);
  content.events[metric_1] = reading(readings_of_node, 300);
  define_system(define);
  define_locations(define, content.events);
  define_code(define);
  define_communicators(define);
  define_metrics_and_files(define);
  content.definitions = define.all();
  content.marker_kinds = {{1, "checks", "late sender", OTF2_SEVERITY_MEDIUM},
                          {2, "checks", "note", OTF2_SEVERITY_NONE}};
  content.markers = {{2100, 10, 1, OTF2_MARKER_SCOPE_LOCATION, stream_0, "slow kernel"},
                     {2200, 0, 2, OTF2_MARKER_SCOPE_GLOBAL, 0, "everywhere"},
                     {2300, 5, 2, OTF2_MARKER_SCOPE_LOCATION_GROUP, process_1, "a process"},
                     {2400, 5, 2, OTF2_MARKER_SCOPE_COMM, world, "a communicator"}};
  content.properties = {{"EXAMPLE::COLOUR", "blue"}, {"OTF2::MPI_COMMUNICATION_COMPLETE", "true"}};
  return content;
}

std::uint64_t write_archive(const TraceContent& content, const std::filesystem::path& folder,
                            std::uint64_t chunk_size) {
  std::uint64_t events = 0;
  std::filesystem::create_directory(location_folder(folder));
  for (const auto& [id, list] : content.events) {
    EventWriter writer(location_folder(folder), id, chunk_size);
    for (const auto& e : list) {
      if (e.kind == EventKind::Enter)
        writer.enter(e.time, e.region(), e.attributes);
      else if (e.kind == EventKind::Leave)
        writer.leave(e.time, e.region(), e.attributes);
      else
        writer.write(e);
    }
    events += writer.close();
    write_empty_local_definitions(location_folder(folder), id);
  }
  ArchiveWriter out(folder, chunk_size, content.definitions);
  ArchiveFacts facts;
  facts.machine = content.machine;
  facts.creator = content.creator;
  facts.description = content.description;
  out.describe(facts);
  for (const auto& [name, value] : content.properties)
    out.set_property(name, value);
  out.write_markers(content.marker_kinds, content.markers);
  out.close();
  if (content.trace_id)
    set_trace_id(folder / "traces.otf2", *content.trace_id);
  return events;
}

}  // namespace tracefold::testing
