#include "tests/loop_traces/definitions.hpp"

#include "tests/support/trace_tool.hpp"

#include <algorithm>

namespace tracefold::testing {

namespace {

constexpr std::uint32_t ranks_per_node = 16;
constexpr OTF2_RegionFlag none = OTF2_REGION_FLAG_NONE,
                          phase = OTF2_REGION_FLAG_PHASE | OTF2_REGION_FLAG_DYNAMIC;

// Strings and groups get their ids as they come.
class Definitions {
 public:
  Definitions(OTF2_Archive* archive, const Options& options)
      : writer_(need(OTF2_Archive_GetGlobalDefWriter(archive), "definition writer")),
        options_(options) {}

  void clock(std::uint64_t first, std::uint64_t last) {
    check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, ticks_per_second, first, last - first,
                                                    OTF2_UNDEFINED_TIMESTAMP),
          "ClockProperties");
  }
  void regions() {
    for (std::uint32_t id = 0; id < std::size(region_table); ++id) {
      const auto& r = region_table[id];
      const bool marked = options_.style == LoopStyle::marked && (id == time_step || id == sweep);
      const auto name = string(r.name);
      check(OTF2_GlobalDefWriter_WriteRegion(
                writer_, id, name, name, none_, r.role,
                marked ? OTF2_Paradigm{OTF2_PARADIGM_USER} : r.paradigm, marked ? phase : none,
                r.paradigm == OTF2_PARADIGM_MPI ? mpi_ : source_, 0, 0),
            "Region");
    }

    if (options_.style == LoopStyle::numbered)
      check(OTF2_GlobalDefWriter_WriteParameter(writer_, 0, string("instance"),
                                                OTF2_PARAMETER_TYPE_UINT64),
            "Parameter");
  }
  void counters() {
    const OTF2_MetricMemberRef member = 0;
    check(OTF2_GlobalDefWriter_WriteMetricMember(
              writer_, member, string("PAPI_TOT_INS"), string("instructions completed"),
              OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
              OTF2_BASE_DECIMAL, 0, string("#")),
          "MetricMember");

    check(OTF2_GlobalDefWriter_WriteMetricClass(
              writer_, 0, 1, &member, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU),
          "MetricClass");
  }
  void tree() {
    const auto node = string("node");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, 0, string("made-up machine"),
                                                   string("machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          "SystemTreeNode");

    for (std::uint32_t n = 0; n * ranks_per_node < options_.processes; ++n)
      check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, n + 1,
                                                     string("node" + std::to_string(n)), node, 0),
            "SystemTreeNode");

    for (std::uint32_t rank = 0; rank < options_.processes; ++rank)
      check(OTF2_GlobalDefWriter_WriteLocationGroup(
                writer_, rank, string("MPI Rank " + std::to_string(rank)),
                OTF2_LOCATION_GROUP_TYPE_PROCESS, 1 + rank / ranks_per_node,
                OTF2_UNDEFINED_LOCATION_GROUP),
            "LocationGroup");
  }
  void location(std::uint32_t rank, std::uint32_t thread, std::uint64_t events) {
    const auto name =
        string(thread == 0 ? "Master thread" : "OMP thread " + std::to_string(thread));
    check(OTF2_GlobalDefWriter_WriteLocation(writer_, location_of(rank, thread), name,
                                             OTF2_LOCATION_TYPE_CPU_THREAD, events, rank),
          "Location");
  }
  // Members are indexes into the first group of the paradigm.
  void comm(OTF2_CommRef id, const std::string& name, OTF2_Paradigm paradigm,
            const std::vector<std::uint64_t>& members) {
    check(OTF2_GlobalDefWriter_WriteComm(writer_, id, string(name),
                                         group(OTF2_GROUP_TYPE_COMM_GROUP, paradigm, members),
                                         OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
          "Comm");
  }
  OTF2_GroupRef group(OTF2_GroupType type, OTF2_Paradigm paradigm,
                      const std::vector<std::uint64_t>& members) {
    check(OTF2_GlobalDefWriter_WriteGroup(
              writer_, groups_, none_, type, paradigm, OTF2_GROUP_FLAG_NONE,
              static_cast<std::uint32_t>(members.size()), members.data()),
          "Group");
    return groups_++;
  }

 private:
  OTF2_StringRef string(const std::string& text) {
    check(OTF2_GlobalDefWriter_WriteString(writer_, strings_, text.c_str()), "String");
    return strings_++;
  }

  OTF2_GlobalDefWriter* writer_;
  const Options& options_;
  OTF2_StringRef strings_ = 0;
  OTF2_GroupRef groups_ = 0;
  OTF2_StringRef none_ = string(""), mpi_ = string("MPI"), source_ = string("solver.c");
};

void write_communicators(Definitions& definitions, const Options& options) {
  std::vector<std::uint64_t> ranks, threads;
  for (std::uint32_t rank = 0; rank < options.processes; ++rank) {
    ranks.push_back(rank);
    for (std::uint32_t t = 0; t < options.threads; ++t)
      threads.push_back(location_of(rank, t));
  }

  definitions.group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                    ranks);  // a rank is the id of its first location, too
  definitions.group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, threads);
  definitions.comm(comm_world, "MPI_COMM_WORLD", OTF2_PARADIGM_MPI, ranks);
  ranks.resize(options.members());
  definitions.comm(comm_members, "solvers", OTF2_PARADIGM_MPI, ranks);

  for (std::uint32_t rank = 0; options.threads > 1 && rank < options.processes; ++rank) {
    std::vector<std::uint64_t> team(options.threads);
    for (std::uint32_t t = 0; t < options.threads; ++t)
      team[t] = std::uint64_t{rank} * options.threads + t;
    definitions.comm(first_team + rank, "OpenMP team", OTF2_PARADIGM_OPENMP, team);
  }
}

}  // namespace

void write_definitions(OTF2_Archive* archive, const Options& options, Program& program,
                       const std::vector<std::uint64_t>& events) {
  std::uint64_t last = 0;
  for (const auto& location : program.locations())
    last = std::max(last, location.now());

  Definitions definitions(archive, options);
  definitions.clock(0, last);
  definitions.regions();
  if (options.counters)
    definitions.counters();

  definitions.tree();
  for (std::uint32_t k = 0; k < events.size(); ++k)
    definitions.location(k / options.threads, k % options.threads, events[k]);

  write_communicators(definitions, options);
}

}  // namespace tracefold::testing
