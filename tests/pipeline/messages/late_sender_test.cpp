// Waiting for late senders, by hand-made messages between two processes.
#include "model/plan.hpp"
#include "pipeline/facts/series_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/every_record.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace tracefold::late_sender_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using enum EventKind;

constexpr std::uint64_t world = 3, compute = 17;  // of every_record()
constexpr std::uint64_t send = 1001, receive = 1002, wait = 1003, step = 1004;

// The definitions of every_record(), with functions of MPI, and no events.
testing::TraceContent empty_trace() {
  auto content = testing::every_record();
  for (auto& [location, events] : content.events)
    events.clear();

  for (const auto& [id, name] : std::map<std::uint64_t, std::string>{
           {send, "MPI_Isend"}, {receive, "MPI_Recv"}, {wait, "MPI_Wait"}, {step, "step"}}) {
    Definition string, region;
    string.kind = DefinitionKind::String;
    string.fields[0] = id;
    string.text = name;
    region.kind = DefinitionKind::Region;
    region.fields = {id, id, id, id, 1, name == "step" ? 2u : otf2_value::paradigm_mpi, 0, id};
    content.definitions.push_back(string);
    content.definitions.push_back(region);
  }

  return content;
}

class LateSenderTest : public ::testing::Test {
 protected:
  void record(std::uint64_t location, std::uint64_t time, EventKind kind,
              std::vector<std::uint64_t> fields) {
    Event event;
    event.kind = kind;
    event.time = time;
    std::copy(fields.begin(), fields.end(), event.fields.begin());
    content_.events[location].push_back(event);
  }
  // A call, with records in it at their times.
  struct Inside {
    std::uint64_t time;
    EventKind kind;
    std::vector<std::uint64_t> fields;
  };
  void call(std::uint64_t location, std::uint64_t region, std::uint64_t begin, std::uint64_t end,
            const std::vector<Inside>& records = {}) {
    record(location, begin, Enter, {region});
    for (const auto& r : records)
      record(location, r.time, r.kind, r.fields);
    record(location, end, Leave, {region});
  }
  void open() {
    write_archive(content_, folder_.path());
    archive_.emplace((folder_.path() / "traces.otf2").string(), diagnostics_);
    plan_ = make_plan(*archive_, {});
    add_profiles(plan_, *archive_, {}, diagnostics_);
    loops_.resize(plan_.processes.size());
  }
  std::size_t index(std::uint64_t location) const {
    const auto at = std::find_if(plan_.processes.begin(), plan_.processes.end(),
                                 [&](const auto& p) { return p.id == location; });
    return static_cast<std::size_t>(at - plan_.processes.begin());
  }
  // Each call path of a process, over all iterations and outside, as "function late-sender/
  // point-to-point time". Messages that the profile pass collected have to tell the same.
  std::vector<std::string> times(std::uint64_t location,
                                 const std::vector<std::uint64_t>& read = {testing::master_0,
                                                                           testing::master_1}) {
    if (!archive_)
      open();

    const auto out = read_times(location, read, diagnostics_, nullptr);
    Diagnostics again;
    auto collected =
        profile_pass(*archive_, plan_.filters, {}, again, {RecordOperations::no, RecordWaits::all})
            .calls;
    EXPECT_EQ(collected.has_value(), plan_.filters.empty());
    if (collected) {
      EXPECT_EQ(read_times(location, read, again, &collected->waits), out);
    }

    return out;
  }
  std::vector<std::string> read_times(std::uint64_t location,
                                      const std::vector<std::uint64_t>& read,
                                      Diagnostics& diagnostics, CollectedWaits* collected) {
    std::vector<std::size_t> members;
    for (auto id : read)
      members.push_back(index(id));

    const SeriesPass pass({*archive_, plan_, {}, diagnostics}, loops_, members,
                          {tracefold::Metric::mpi_late_sender_time}, collected);
    std::vector<std::string> out;
    std::vector<CallPathProfile> profiles;

    pass.read({[&](const SeriesIteration& i) {
                 if (i.process == index(location))
                   profiles.push_back(i.profile);
               },
               [&](const SeriesEnd& end) {
                 if (end.process != index(location))
                   return;

                 profiles.push_back(end.outside);

                 for (const auto& profile : profiles)
                   for (std::size_t r = 0; r < profile.rows.size(); ++r) {
                     const auto value = [&](tracefold::Metric metric) {
                       const auto column = pass.columns().find(metric);
                       return column ? std::to_string(profile.value(r, *column)) : "unknown";
                     };
                     out.push_back(pass.functions()[end.paths[profile.rows[r].path].function].name +
                                   " " + value(tracefold::Metric::mpi_late_sender_time) + "/" +
                                   value(tracefold::Metric::mpi_point_to_point_time));
                   }
               }});

    return out;
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  testing::TraceContent content_ = empty_trace();
  std::optional<Archive> archive_;
  Plan plan_;
  std::vector<ProcessLoops> loops_;
};

using testing::master_0, testing::master_1, testing::thread_0;

TEST_F(LateSenderTest, IsFromTheReceivingCallsEnterToTheSendingCalls) {
  call(master_0, send, 140, 150, {{145, MpiSend, {1, world, 7, 64}}});
  call(master_0, send, 200, 210, {{205, MpiSend, {1, world, 7, 64}}});
  call(master_0, send, 300, 310, {{305, MpiSend, {1, world, 8, 64}}});
  call(master_1, receive, 100, 165, {{160, MpiRecv, {0, world, 7, 64}}});
  call(master_1, receive, 220, 230, {{225, MpiRecv, {0, world, 7, 64}}});  // was sent in time
  call(master_1, receive, 290, 320, {{315, MpiRecv, {0, world, 8, 64}}});  // another tag
  EXPECT_THAT(times(master_1),
              ElementsAre("MPI_Recv 50/105"));  // 165 - 140 + 10 + 320 - 300, and 40 + 10
  EXPECT_THAT(times(master_0), ElementsAre("MPI_Isend 0/30"));
}

TEST_F(LateSenderTest, FollowsTheOrderInWhichReceivesWerePosted) {
  call(master_0, send, 100, 105, {{102, MpiIsend, {1, world, 7, 64, 1}}});
  call(master_0, send, 300, 305, {{302, MpiIsend, {1, world, 7, 64, 2}}});
  call(master_1, receive, 10, 20, {{15, MpiIrecvRequest, {1}}});
  call(master_1, receive, 20, 30, {{25, MpiIrecvRequest, {2}}});
  call(master_1, wait, 50, 320, {{310, MpiIrecv, {0, world, 7, 64, 2}}});   // what was sent at 300
  call(master_1, wait, 330, 340, {{335, MpiIrecv, {0, world, 7, 64, 1}}});  // what was sent at 100
  EXPECT_THAT(times(master_1), ElementsAre("MPI_Recv 0/20", "MPI_Wait 250/280"));
}

TEST_F(LateSenderTest, CountsTheLastOfTheMessagesThatACallReceives) {
  call(master_0, send, 100, 105, {{102, MpiIsend, {1, world, 1, 64, 1}}});
  call(master_0, send, 200, 205, {{202, MpiIsend, {1, world, 2, 64, 2}}});
  call(master_0, send, 300, 305, {{302, MpiIsend, {1, world, 3, 64, 3}}});
  for (std::uint64_t request : {1, 2, 3})
    record(master_1, request, MpiIrecvRequest, {request});

  call(master_1, wait, 50, 320,
       {{310, MpiIrecv, {0, world, 2, 64, 2}},
        {311, MpiIrecv, {0, world, 3, 64, 3}},
        {312, MpiIrecv, {0, world, 1, 64, 1}}});

  EXPECT_THAT(times(master_1), ElementsAre("MPI_Wait 250/270"));
}

TEST_F(LateSenderTest, IsNoLongerThanTheReceivingCall) {
  call(master_0, send, 500, 510, {{505, MpiSend, {1, world, 7, 64}}});
  record(master_1, 100, Enter, {receive});
  call(master_1, compute, 110, 130);
  record(master_1, 140, MpiRecv, {0, world, 7, 64});
  record(master_1, 150, Leave, {receive});
  EXPECT_THAT(times(master_1), ElementsAre("MPI_Recv 30/30", "compute 0/0"))
      << "without what it calls";
  EXPECT_THAT(diagnostics_.warnings(),
              ::testing::Contains(HasSubstr("messages are received before they are sent")));
}

TEST_F(LateSenderTest, CountsInTheIterationOfTheCall) {
  for (std::uint64_t i : {0, 1}) {
    const auto t = 1000 * i;
    call(master_0, send, t + 140, t + 150, {{t + 145, MpiSend, {1, world, 7, 64}}});
    record(master_1, t + 90, Enter, {step});
    call(master_1, receive, t + 100 + 10 * i, t + 165, {{t + 160, MpiRecv, {0, world, 7, 64}}});
    record(master_1, t + 170, Leave, {step});
  }

  open();
  const FunctionTable functions(archive_->definitions(), {});
  Loop marked;
  marked.source = LoopSource::marked;
  marked.function = functions.find(step).function;
  marked.iterations = {{90, 170}, {1090, 1170}};
  loops_[index(master_1)] = {{marked}, 0, 2000, std::nullopt};
  EXPECT_THAT(times(master_1),
              ElementsAre("step 0/0", "MPI_Recv 40/65", "step 0/0", "MPI_Recv 30/55"));
}

TEST_F(LateSenderTest, IsToldWhereThePartnerIsNotRead) {
  call(master_0, send, 140, 150, {{145, MpiSend, {1, world, 7, 64}}});
  call(master_1, receive, 100, 165, {{160, MpiRecv, {0, world, 7, 64}}});
  EXPECT_THAT(times(master_1, {master_1}), ElementsAre("MPI_Recv 40/65"));
  EXPECT_THAT(times(master_1), ElementsAre("MPI_Recv 40/65"));
}

TEST_F(LateSenderTest, TakesMessagesOfSeveralThreadsInTheOrderOfTheirCalls) {
  call(master_0, send, 140, 150, {{145, MpiSend, {1, world, 7, 64}}});
  call(thread_0, send, 40, 50, {{45, MpiSend, {1, world, 7, 64}}});
  call(master_1, receive, 100, 165, {{160, MpiRecv, {0, world, 7, 64}}});
  EXPECT_THAT(times(master_1, {master_0, thread_0, master_1}), ElementsAre("MPI_Recv 0/65"));
}

TEST_F(LateSenderTest, TakesTheTimeOfTheCallAlsoWhereFiltersDropIt) {
  record(master_0, 10, Enter, {compute});
  call(master_0, send, 140, 150, {{145, MpiSend, {1, world, 7, 64}}});
  record(master_0, 160, Leave, {compute});
  call(master_1, receive, 100, 165, {{160, MpiRecv, {0, world, 7, 64}}});
  open();
  plan_.filters = {{{"MPI_Isend"}, {}, ""}};
  EXPECT_THAT(times(master_1), ElementsAre("MPI_Recv 40/65"));
}

}  // namespace tracefold::late_sender_test
