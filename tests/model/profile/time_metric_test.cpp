#include "model/profile/time_metric.hpp"
#include "model/profile/metric_columns.hpp"

#include <gmock/gmock.h>

#include <set>

namespace tracefold::time_metric_test {

using namespace otf2_value;
using enum Metric;
using ::testing::ElementsAre;

constexpr std::uint64_t function_role = region_role_function, unknown_role = 0, cuda = 5;

// Of a trace that declares functions of MPI as such.
Metric time_metric(std::uint64_t paradigm, std::uint64_t role, std::string_view name) {
  return tracefold::time_metric(paradigm, role, name, MpiKnownBy::paradigm);
}

TEST(TimeMetric, TakesNamesOfMpiForWhatTheyAre) {
  const auto of = [](const char* name) { return time_metric(paradigm_mpi, function_role, name); };
  for (auto name : {"MPI_Send", "MPI_Irecv", "MPI_Sendrecv", "MPI_Waitall", "MPI_Testsome",
                    "MPI_Iprobe", "MPI_Improbe", "MPI_Imrecv", "MPI_Startall", "MPI_Ssend_init"})
    EXPECT_EQ(of(name), mpi_point_to_point_time) << name;

  for (auto name : {"MPI_Bcast", "MPI_Iallreduce", "MPI_Reduce_scatter_block", "MPI_Exscan",
                    "MPI_Neighbor_alltoallw", "MPI_Ineighbor_allgather", "MPI_Allgather_init"})
    EXPECT_EQ(of(name), mpi_collective_time) << name;

  for (auto name : {"MPI_Barrier", "MPI_Ibarrier"})
    EXPECT_EQ(of(name), mpi_collective_synchronization_time) << name;
  for (auto name : {"MPI_Put", "MPI_Get", "MPI_Raccumulate", "MPI_Fetch_and_op"})
    EXPECT_EQ(of(name), mpi_one_sided_time) << name;
  for (auto name : {"MPI_Win_fence", "MPI_Win_lock_all", "MPI_Win_unlock",
                    "MPI_Win_flush_local_all", "MPI_Win_post"})
    EXPECT_EQ(of(name), mpi_one_sided_synchronization_time) << name;

  for (auto name : {"MPI_File_read", "MPI_File_iwrite_at", "MPI_File_seek", "MPI_File_delete"})
    EXPECT_EQ(of(name), mpi_individual_file_time) << name;
  for (auto name : {"MPI_File_read_all", "MPI_File_write_at_all_begin", "MPI_File_read_ordered",
                    "MPI_File_open", "MPI_File_set_size", "MPI_File_preallocate"})
    EXPECT_EQ(of(name), mpi_collective_file_time) << name;

  for (auto name :
       {"MPI_Init", "MPI_Finalize", "MPI_Comm_split", "MPI_Comm_idup", "MPI_Type_commit",
        "MPI_Win_create", "MPI_Get_count", "MPI_Info_set", "MPI_Reduce_local"})
    EXPECT_EQ(of(name), mpi_management_time) << name;
}

TEST(TimeMetric, TakesNamesHoweverToolsSpellThem) {
  for (auto name : {"PMPI_Recv", "mpi_recv_", "mpi_recv__", "MPI_RECV", "MPI_Recv()", "MPI_Recv_c",
                    "mpi_recv_f08"})
    EXPECT_EQ(time_metric(paradigm_mpi, function_role, name), mpi_point_to_point_time) << name;
}

TEST(TimeMetric, TakesFunctionsForMpisWhereOnlyTheirNamesSayIt) {
  const auto by_name = [](std::uint64_t paradigm, const char* name) {
    return tracefold::time_metric(paradigm, function_role, name, MpiKnownBy::name);
  };
  for (auto paradigm : {paradigm_unknown, paradigm_user, paradigm_compiler})
    for (auto name : {"MPI_Alltoall", "mpi_alltoall_"})
      EXPECT_EQ(by_name(paradigm, name), mpi_collective_time);
  EXPECT_EQ(by_name(paradigm_user, "MPI_Comm_split_type"), mpi_management_time);
  EXPECT_EQ(by_name(cuda, "MPI_Alltoall"), execution_time) << "said to be another's";
  for (auto name : {"hypre_MPI_Bcast", "MPI", "MPI_", "compute", "send", "mpi_solver",
                    "mpi_timings", "mpi_comm_setup_", "MPI_Solver"})
    EXPECT_EQ(by_name(paradigm_compiler, name), execution_time) << name;
}

TEST(TimeMetric, TakesFunctionsOfTheProgramForItsOwnWhereMpiIsDeclared) {
  for (auto paradigm : {paradigm_user, paradigm_compiler})
    for (auto name : {"mpi_solver", "mpi_setup_", "MPI_Alltoall"})
      EXPECT_EQ(time_metric(paradigm, function_role, name), execution_time) << name;
  EXPECT_EQ(time_metric(paradigm_unknown, function_role, "MPI_Alltoall"), mpi_collective_time);
}

TEST(MpiBound, IsThatOfFunctionsOfMpi) {
  EXPECT_EQ(find_mpi_bound("MPI_Init_thread", mpi_management_time), MpiBound::begin);
  EXPECT_EQ(find_mpi_bound("mpi_finalize_", mpi_management_time), MpiBound::end);
  EXPECT_EQ(find_mpi_bound("mpi_init", execution_time), MpiBound::none) << "the program's own";
}

TEST(TimeMetric, TakesRolesOfMpiWhereNamesAreNotKnown) {
  const auto of = [](std::uint64_t role) {
    return time_metric(paradigm_mpi, role, "MPIX_Something");
  };
  EXPECT_EQ(of(region_role_point2point), mpi_point_to_point_time);
  EXPECT_EQ(of(region_role_coll_all2one), mpi_collective_time);
  EXPECT_EQ(of(region_role_coll_other), mpi_collective_time);
  EXPECT_EQ(of(region_role_barrier), mpi_collective_synchronization_time);
  EXPECT_EQ(of(region_role_rma), mpi_one_sided_time);
  EXPECT_EQ(of(region_role_file_io), mpi_individual_file_time);
  EXPECT_EQ(of(unknown_role), mpi_management_time);
  EXPECT_EQ(time_metric(paradigm_mpi, region_role_rma, "MPI_Win_fence"),
            mpi_one_sided_synchronization_time)
      << "the name says more";
  EXPECT_EQ(time_metric(paradigm_mpi, region_role_coll_other, "MPI_Comm_create"),
            mpi_management_time)
      << "the name says more";
}

TEST(TimeMetric, CountsOnlyWhatRunsNoProgramCodeAsOpenMp) {
  for (auto role :
       {region_role_parallel, region_role_loop, region_role_task, region_role_workshare})
    EXPECT_EQ(time_metric(paradigm_openmp, role, "!$omp"), execution_time);
  for (auto role : {region_role_barrier, region_role_implicit_barrier, region_role_critical,
                    region_role_task_wait})
    EXPECT_EQ(time_metric(paradigm_openmp, role, "!$omp"), openmp_synchronization_time);
  for (auto role : {function_role, unknown_role})
    EXPECT_EQ(time_metric(paradigm_openmp, role, "!$omp"), openmp_management_time);
  EXPECT_EQ(time_metric(paradigm_openmp, region_role_flush, "!$omp flush"), openmp_flush_time);
  EXPECT_EQ(time_metric(paradigm_openmp, function_role, "omp_set_lock"),
            openmp_synchronization_time);
  EXPECT_EQ(time_metric(paradigm_openmp, function_role, "omp_get_num_threads"),
            openmp_management_time);
}

TEST(TimeMetric, TellsOtherFileInputAndOutputByRole) {
  EXPECT_EQ(time_metric(paradigm_unknown, region_role_file_io, "fread"), other_file_time);
  EXPECT_EQ(time_metric(paradigm_user, region_role_file_io_metadata, "open"), other_file_time);
  EXPECT_EQ(time_metric(paradigm_user, function_role, "read"), execution_time);
}

class SeriesColumnsTest : public ::testing::Test {
 protected:
  void add(DefinitionKind kind, std::vector<std::uint64_t> fields,
           std::vector<std::uint64_t> list = {}, const std::string& text = {}) {
    Definition d;
    d.kind = kind;
    std::copy(fields.begin(), fields.end(), d.fields.begin());
    d.list = std::move(list);
    d.text = text;
    definitions_.add(std::move(d));
  }
  std::uint64_t text(const std::string& words) {
    add(DefinitionKind::String, {next_}, {}, words);
    return next_++;
  }
  void region(const std::string& name, std::uint64_t paradigm, std::uint64_t role = function_role) {
    const auto id = text(name);
    add(DefinitionKind::Region, {id, id, id, id, role, paradigm});
  }
  // A metric class of one member.
  void metric(const std::string& name, std::uint64_t mode, std::uint64_t type = type_uint64) {
    const auto id = next_, called = text(name);
    add(DefinitionKind::MetricMember, {id, called, called, 0, mode, type, 0, 0, called});
    add(DefinitionKind::MetricClass, {id, 1}, {id});
  }
  std::vector<Metric> metrics(std::vector<Metric> waits = {}) const {
    return choose_metric_columns(definitions_, waits).measured;
  }

  Definitions definitions_;
  std::uint64_t next_ = 1;
};

TEST_F(SeriesColumnsTest, HasOnlyTimeAndVisitsWhereThereIsNothingElse) {
  region("main", paradigm_compiler);
  EXPECT_THAT(metrics(), ElementsAre(execution_time, visits));
  region("!$omp barrier", paradigm_openmp, region_role_barrier);
  EXPECT_THAT(metrics(), ElementsAre(execution_time, openmp_synchronization_time, visits));
  EXPECT_FALSE(is_sampled(definitions_));
  add(DefinitionKind::InterruptGenerator, {1});
  EXPECT_TRUE(is_sampled(definitions_));
}

TEST_F(SeriesColumnsTest, HasMessagesWhereFunctionsForThemAre) {
  region("MPI_Recv", paradigm_user);
  EXPECT_THAT(metrics(),
              ElementsAre(execution_time, mpi_point_to_point_time, visits, send_synchronizations,
                          receive_synchronizations, collective_synchronizations, sends, receives,
                          bytes_sent, bytes_received));
}

TEST_F(SeriesColumnsTest, HasWantedTimesOfWaitingWhereWhatTheyArePartOfIsThere) {
  using ::testing::Contains;
  using ::testing::IsSupersetOf;
  using ::testing::Not;
  region("MPI_Recv", paradigm_user);
  region("MPI_Barrier", paradigm_user);
  const auto found = metrics({waiting_metrics.begin(), waiting_metrics.end()});
  EXPECT_THAT(found, IsSupersetOf(
                         {mpi_wait_at_barrier_time, mpi_late_sender_time, mpi_late_receiver_time}));
  EXPECT_THAT(found, Not(Contains(mpi_wait_at_nxn_time)));
  EXPECT_THAT(metrics({mpi_late_receiver_time}), Not(Contains(mpi_late_sender_time)));
}

TEST(WaitingMetrics, AscendAndArePartsOfMeasuredTimes) {
  for (std::size_t w = 0; w < waiting_metrics.size(); ++w) {
    EXPECT_TRUE(w == 0 || waiting_metrics[w - 1] < waiting_metrics[w]);
    EXPECT_TRUE(is_measured(get_entry(waiting_metrics[w]).parent));
    EXPECT_TRUE(get_entry(waiting_metrics[w]).name.starts_with("MPI "));
    EXPECT_TRUE(get_entry(waiting_metrics[w]).name.ends_with(" time"));
  }
}

TEST(MayWaitForReceiver, AllButBufferedAndReadySends) {
  EXPECT_TRUE(may_wait_for_receiver("MPI_Ssend"));
  EXPECT_TRUE(may_wait_for_receiver("MPI_Wait"));
  EXPECT_TRUE(may_wait_for_receiver("bsend"));
  EXPECT_FALSE(may_wait_for_receiver("MPI_Bsend"));
  EXPECT_FALSE(may_wait_for_receiver("mpi_rsend_"));
}

TEST_F(SeriesColumnsTest, HasCollectivesWhereFunctionsForThemAre) {
  region("MPI_Bcast", paradigm_mpi);
  EXPECT_THAT(metrics(),
              ElementsAre(execution_time, mpi_collective_time, visits, collective_synchronizations,
                          collectives, collectives_as_source, collectives_as_destination,
                          collective_bytes_outgoing, collective_bytes_incoming));
}

TEST_F(SeriesColumnsTest, HasWhatMpiRecordsWhereItsFunctionsAreNotDefined) {
  region("main", paradigm_compiler);
  add(DefinitionKind::Group, {1, 1, group_comm_locations, paradigm_mpi, 0, 1}, {7});
  const auto found = choose_metric_columns(definitions_);
  EXPECT_TRUE(found.find(sends) && found.find(collectives));
  EXPECT_FALSE(found.find(mpi_point_to_point_time) || found.find(puts) ||
               found.find(individual_file_reads));
}

TEST_F(SeriesColumnsTest, HasOneSidedOperationsWithWindowsAndFilesWithHandles) {
  add(DefinitionKind::RmaWin, {1, 1, 1, 0});
  EXPECT_TRUE(choose_metric_columns(definitions_).find(puts));
  const auto no_comm = undefined_id(Ref::comm);
  add(DefinitionKind::IoHandle, {1, 1, 1, 1, 0, no_comm, 0});
  EXPECT_TRUE(choose_metric_columns(definitions_).find(individual_file_reads));
  EXPECT_FALSE(choose_metric_columns(definitions_).find(collective_file_reads));
  add(DefinitionKind::IoHandle, {2, 1, 1, 1, 0, 5, 0});
  EXPECT_TRUE(choose_metric_columns(definitions_).find(collective_file_reads));
}

TEST_F(SeriesColumnsTest, HasRecordedMetricsThatAddUpOnceByName) {
  constexpr std::uint64_t absolute = 1, point = 16;
  metric("cycles", metric_accumulated);
  metric("degrees", absolute | point);
  metric("cycles", metric_accumulated);
  metric("allocated", metric_relative | point);
  EXPECT_THAT(choose_metric_columns(definitions_).counters,
              ElementsAre(Counter{"cycles", 1}, Counter{"allocated", 1}));
}

TEST_F(SeriesColumnsTest, CountsFractionsInThousandths) {
  metric("joules", metric_accumulated, type_double);
  metric("cycles", metric_accumulated, type_uint64);
  metric("both", metric_accumulated, type_uint64);
  metric("both", metric_relative, type_double);
  EXPECT_THAT(choose_metric_columns(definitions_).counters,
              ElementsAre(Counter{"joules", 1000}, Counter{"cycles", 1}, Counter{"both", 1000}));
}

TEST(Counter, ConvertsStepsIntoThoseOfAnotherSize) {
  const Counter whole{"joules", 1}, fine{"joules", 1'000'000};
  EXPECT_EQ(whole.convert(7, fine), 7'000'000u);
  EXPECT_EQ(fine.convert(7'999'999, whole), 7u);
  EXPECT_EQ(fine.convert(~std::uint64_t{0}, fine), ~std::uint64_t{0}) << "nothing is lost between";
}

}  // namespace tracefold::time_metric_test
