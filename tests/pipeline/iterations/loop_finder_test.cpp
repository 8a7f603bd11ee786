#include "pipeline/iterations/loop_finder.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/every_record.hpp"

#include "base/for_each_index.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace tracefold::loop_finder_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t dynamic = 1, phase = 2, role_loop = 3, openmp = 3, mpi = 4, user = 1;

// Regions a to z; `I` stands for a number that follows an Enter.
Definitions regions(const std::map<char, std::array<std::uint64_t, 3>>& role_paradigm_flags = {}) {
  Definitions definitions;

  const auto string = [&](std::uint64_t id, const std::string& text) {
    Definition d;
    d.kind = DefinitionKind::String;
    d.fields[0] = id;
    d.text = text;
    definitions.add(d);
  };

  for (std::uint64_t id = 0; id < 26; ++id)
    string(id, std::string(1, static_cast<char>('a' + id)));

  string(26, "instance");

  for (std::uint64_t id = 0; id < 26; ++id) {
    Definition region;
    region.kind = DefinitionKind::Region;
    region.fields = {id, id, id, id};
    if (const auto at = role_paradigm_flags.find(static_cast<char>('a' + id));
        at != role_paradigm_flags.end())
      region.fields[4] = at->second[0], region.fields[5] = at->second[1],
      region.fields[6] = at->second[2];

    definitions.add(region);
  }

  Definition parameter;
  parameter.kind = DefinitionKind::Parameter;
  parameter.fields = {4, 26, 1};
  definitions.add(parameter);
  definitions.finish();

  return definitions;
}

std::string times(std::size_t n, const std::string& words) {
  std::string out;
  for (std::size_t k = 0; k < n; ++k)
    out += words;
  return out;
}

// "f" enters f, "." leaves the innermost call, "-" lets 100 ticks pass, "#" is a
// number of an instance, "3" a message of rank 3. Each call takes a tick at least.
void feed(const std::string& words, const FunctionTable& table, LoopFinder& finder,
          ProcessLoops& out, bool is_recorded = true) {
  CleanEvents<LoopFinder> events(table, finder);
  std::uint64_t time = 1000;
  std::string open;

  for (char c : words) {
    ++time;

    if (c == '-')
      time += 100;
    else if (c == '#') {
      Event number;
      number.kind = EventKind::ParameterInt;
      number.time = time;
      number.fields = {4, 0};
      events.other(number);
    } else if (c >= '0' && c <= '9') {
      Event message;
      message.kind = EventKind::MpiRecv;
      message.time = time;
      message.fields = {static_cast<std::uint64_t>(c - '0')};
      events.other(message);
    } else if (c == '.') {
      events.leave(time, static_cast<std::uint64_t>(open.back() - 'a'), {}, is_recorded);
      open.pop_back();
    } else {
      events.enter(time, static_cast<std::uint64_t>(c - 'a'), {}, is_recorded);
      open += c;
    }
  }

  events.finish();
  out = finder.take(events.first_time(), events.last_time());
}

// Each loop as "how path/function iterations".
std::vector<std::string> texts(const ProcessLoops& process) {
  std::vector<std::string> out;
  for (const auto& loop : process.loops) {
    std::string text = loop.source == LoopSource::asked         ? "asked "
                       : loop.source == LoopSource::asked_begin ? "begun "
                       : loop.source == LoopSource::marked      ? "marked "
                                                                : "found ";
    for (auto f : loop.path)
      text += static_cast<char>('a' + f);
    out.push_back(text + "/" + static_cast<char>('a' + loop.function) + " " +
                  std::to_string(loop.iterations.size()));
  }

  return out;
}

std::vector<std::string> tabulate_loops(const std::string& words,
                                        const Definitions& definitions = regions(),
                                        const AskedIterations& asked = {}) {
  const FunctionTable table(definitions, {});
  const LoopMarks marks(definitions, table, asked);
  LoopFinder finder(marks);
  ProcessLoops out;
  feed(words, table, finder, out);

  return texts(out);
}

constexpr std::array<std::uint64_t, 3> of_mpi{otf2_value::region_role_point2point,
                                              otf2_value::paradigm_mpi, 0};

// The loops of a program in which the regions of these letters are functions of MPI.
ProcessLoops find_with_mpi(const std::string& letters, const std::string& words,
                           bool is_recorded = true) {
  std::map<char, std::array<std::uint64_t, 3>> roles;
  for (char c : letters)
    roles[c] = of_mpi;
  const auto definitions = regions(roles);
  const FunctionTable table(definitions, {});
  const LoopMarks marks(definitions, table, {});
  LoopFinder finder(marks);
  ProcessLoops out;
  feed(words, table, finder, out, is_recorded);
  return out;
}

TEST(LoopFinder, HasTheFirstIterationAlsoWhereOtherMessagesCameBeforeIt) {
  // MPI_Irecv names no partner: not that of the broadcast either.
  const auto found = find_with_mpi("cirw", "mc9." + times(20, "p-.i.i.r1.r2.w1.") + "..");
  EXPECT_EQ(texts(found), std::vector<std::string>{"found m/p 20"});
  EXPECT_EQ(rate_certainty(found.loops.at(0).confidence), Certainty::sure);
}

TEST(LoopFinder, DoesNotTakeTimesOnAProcessorForIterations) {
  const auto stays = times(30, "t-.--");
  EXPECT_THAT(texts(find_with_mpi("", stays, false)), ::testing::IsEmpty());
  EXPECT_EQ(texts(find_with_mpi("", stays)), std::vector<std::string>{"found /t 30"});
  EXPECT_EQ(texts(find_with_mpi("t", times(30, "t1.u-.--"), false)),
            std::vector<std::string>{"found /t 30"})
      << "calls of MPI that a sampler tells";
  EXPECT_EQ(texts(find_with_mpi("", times(30, "tu-..--"), false)),
            std::vector<std::string>{"found /t 30"})
      << "calls in them";
}

TEST(LoopFinder, FindsTheOutermostLoop) {
  EXPECT_THAT(tabulate_loops("m" + times(6, "s" + times(9, "i-.") + ".") + "."),
              ElementsAre("found m/s 6"));
  EXPECT_THAT(tabulate_loops(times(5, "a-.b-.")), ElementsAre("found /a 5"))
      << "nothing is open around it";
}

TEST(LoopFinder, LooksDeeperWhereNothingRepeatsOutside) {
  EXPECT_THAT(tabulate_loops("mi-.s" + times(9, "c-.") + ".f-.."), ElementsAre("found ms/c 9"));
  EXPECT_THAT(tabulate_loops("m" + times(3, "s" + times(9, "c-.") + ".") + "."),
              ElementsAre("found m/s 3"));
  EXPECT_THAT(tabulate_loops("m" + times(2, "s" + times(9, "c-.") + ".") + "."),
              ElementsAre("found ms/c 9", "found ms/c 9"))
      << "two are too few";
}

TEST(LoopFinder, FindsLoopsInTurnAtTheirPlaces) {
  EXPECT_THAT(tabulate_loops("ma" + times(9, "c-.") + ".b" + times(5, "d-.e-.") + ".f-.."),
              ElementsAre("found ma/c 9", "found mb/d 5"));
}

TEST(LoopFinder, IsNotMisledByRecursion) {
  EXPECT_THAT(tabulate_loops(times(50, "f-") + times(50, "-.")), IsEmpty());
  EXPECT_THAT(tabulate_loops("mfl-.fl-.fl-.fl-.r-..r-..r-..r-..."), IsEmpty());
}

TEST(LoopFinder, TakesMarkedRegions) {
  const auto marked = regions({{'i', {0, user, dynamic | phase}}});
  EXPECT_THAT(tabulate_loops("m" + times(3, "i-w-.-.") + times(9, "c--.") + ".", marked),
              ElementsAre("marked m/i 3"));
  EXPECT_THAT(tabulate_loops("m" + times(9, "c-.") + ".", marked), ElementsAre("found m/c 9"))
      << "never entered";
  EXPECT_THAT(tabulate_loops("mi" + times(9, "c-.") + "..", marked), ElementsAre("found mi/c 9"))
      << "one instance is no loop";
}

TEST(LoopFinder, TakesTheLoopRoleOnlyFromTheProgram) {
  EXPECT_THAT(
      tabulate_loops("m" + times(5, "l-.x-.") + ".", regions({{'l', {role_loop, user, 0}}})),
      ElementsAre("marked m/l 5"));
  EXPECT_THAT(
      tabulate_loops("m" + times(5, "l-.x-.") + ".", regions({{'l', {role_loop, openmp, 0}}})),
      ElementsAre("found m/l 5"));
}

TEST(LoopFinder, TakesRegionsWithNumberedInstances) {
  EXPECT_THAT(tabulate_loops("m" + times(3, "i#-w-.-.") + "."), ElementsAre("marked m/i 3"));
  EXPECT_THAT(tabulate_loops("m" + times(2, "iw-.#-.") + "."), IsEmpty())
      << "not right behind the Enter";
}

TEST(LoopFinder, TellsLoopsOfMarkedRegionsApartByTheCallAroundThem) {
  const auto marked = regions({{'i', {0, user, dynamic}}});
  EXPECT_THAT(tabulate_loops("msi-..s" + times(8, "i-.") + "..", marked),
              ElementsAre("marked ms/i 8"))
      << "a warm-up pass";
  EXPECT_THAT(tabulate_loops("ms" + times(3, "i-.") + ".s" + times(8, "i-.") + "..", marked),
              ElementsAre("marked ms/i 3", "marked ms/i 8"));
  EXPECT_THAT(tabulate_loops("m" + times(5, "si-..") + ".", marked), ElementsAre("marked ms/i 5"))
      << "each alone in a step";
}

TEST(LoopFinder, DoesNotTakeCommunicationAloneForALoop) {
  EXPECT_THAT(tabulate_loops("m" + times(40, "c-.") + ".", regions({{'c', {0, mpi, 0}}})),
              IsEmpty());
  EXPECT_THAT(tabulate_loops("m" + times(40, "c-.d-.") + ".", regions({{'c', {0, mpi, 0}}})),
              ElementsAre("found m/c 40"));
}

// As a molecular dynamics code shows where only its calls of MPI are recorded: exchanges with
// neighbours, and a sum in each tenth step.
std::string make_steps_of_mpi_alone(const std::string& compute) {
  std::string words = "i-.";
  for (int step = 0; step < 30; ++step) {
    words += compute + times(3, "s-1.r2.") + times(3, "s-3.r4.");
    words += step % 10 == 9 ? "a-9." : "";
  }
  return words + "f-.";
}

TEST(LoopFinder, IsSureOfMpiAloneWhereItIsRepeatedExactly) {
  const auto alone = find_with_mpi("israf", make_steps_of_mpi_alone("")).loops;
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(alone[0].iterations.size(), 30U);
  EXPECT_NE(rate_certainty(alone[0].confidence), Certainty::unsure);
  EXPECT_FALSE(alone[0].has_own_calls);

  const auto around_compute = find_with_mpi("israf", make_steps_of_mpi_alone("c--."));
  EXPECT_THAT(texts(around_compute), ElementsAre("found /c 30"));
  EXPECT_NE(rate_certainty(around_compute.loops[0].confidence), Certainty::unsure);
  EXPECT_TRUE(around_compute.loops[0].has_own_calls);
}

TEST(LoopFinder, IsUnsureWhereFewIterationsHoldACallOfTheProgram) {
  const auto found = find_with_mpi("sr", times(8, times(6, "s-1.r2.") + "w-.")).loops;
  ASSERT_FALSE(found.empty());
  for (const auto& loop : found)
    EXPECT_EQ(rate_certainty(loop.confidence) == Certainty::unsure, loop.iterations.size() == 48u);
}

// Of a program that is sampled, often only calls of MPI are recorded.
TEST(LoopFinder, IsNotUnsureOfWhatMpiAloneTellsWhereFunctionsAreSampled) {
  for (const bool is_sampled : {false, true}) {
    auto definitions = regions({{'s', {0, mpi, 0}}, {'r', {0, mpi, 0}}});
    if (is_sampled) {
      Definition context;
      context.kind = DefinitionKind::CallingContext;
      definitions.add(context);
    }
    const FunctionTable table(definitions, {});
    const LoopMarks marks(definitions, table, {});
    LoopFinder finder(marks);
    ProcessLoops out;
    feed("m" + times(40, "s-.r-.") + ".", table, finder, out);
    ASSERT_EQ(out.loops.size(), 1u);
    EXPECT_EQ(rate_certainty(out.loops[0].confidence) == Certainty::unsure, !is_sampled);
  }
}

TEST(LoopFinder, IsUnsureOfTasks) {
  const auto find_with_role = [](std::uint64_t role) {
    const auto definitions = regions({{'t', {role, user, 0}}});
    const FunctionTable table(definitions, {});
    const LoopMarks marks(definitions, table, {});
    LoopFinder finder(marks);
    ProcessLoops out;
    feed("m" + times(40, "t--.") + ".", table, finder, out);
    return out.loops.at(0);
  };

  EXPECT_EQ(rate_certainty(find_with_role(otf2_value::region_role_task).confidence),
            Certainty::unsure);
  EXPECT_EQ(rate_certainty(find_with_role(otf2_value::region_role_task_untied).confidence),
            Certainty::unsure);
  EXPECT_EQ(rate_certainty(find_with_role(0).confidence), Certainty::sure);
}

TEST(LoopFinder, TakesOutermostInstancesOfMarkedRecursion) {
  EXPECT_THAT(tabulate_loops("m" + times(3, "i-i-.-.") + ".", regions({{'i', {0, user, dynamic}}})),
              ElementsAre("marked m/i 3"));
}

TEST(LoopFinder, TakesInstancesThatAreNumberedInACallOfTheSameFunction) {
  EXPECT_THAT(tabulate_loops("mi" + times(6, "i#-.") + "x-..."), ElementsAre("marked mi/i 6"));
}

TEST(LoopFinder, TakesWhatIsAskedForAndNothingElse) {
  EXPECT_THAT(tabulate_loops("m" + times(9, "c-.x.") + "d-..", regions(), {"x"}),
              ElementsAre("asked m/x 9"));
  EXPECT_THAT(tabulate_loops("m" + times(9, "c-.x.") + "d-..", regions(), {"[cd]"}),
              ElementsAre("asked m/c 10"));
  EXPECT_THAT(tabulate_loops("m" + times(9, "c-.x.") + "d-..", regions(), {"z"}), IsEmpty());
}

AskedIterations begin_at(const std::string& glob, std::size_t every = 1) {
  return {"", glob, every};
}

TEST(LoopFinder, BeginsIterationsAtCallsThatAreAskedFor) {
  EXPECT_THAT(tabulate_loops("mi-." + times(9, "c-.x-.") + "d-..", regions(), begin_at("x")),
              ElementsAre("begun m/x 9"));
  EXPECT_THAT(tabulate_loops("m" + times(9, "c-.x-.") + ".", regions(), begin_at("x", 3)),
              ElementsAre("begun m/x 3"));
  EXPECT_THAT(tabulate_loops("m" + times(8, "c-.x-.") + ".", regions(), begin_at("x", 3)),
              ElementsAre("begun m/x 3"))
      << "the last one is shorter";
  EXPECT_THAT(tabulate_loops("mx-.x-..", regions(), begin_at("x")), ElementsAre("begun m/x 2"));
  EXPECT_THAT(tabulate_loops("mx-..", regions(), begin_at("x")), IsEmpty()) << "one is no loop";
  EXPECT_THAT(tabulate_loops("m" + times(9, "c-.x-.") + ".", regions(), begin_at("z")), IsEmpty());
}

TEST(LoopFinder, BeginsIterationsWhereTheCallThatIsAskedForIsInOthers) {
  EXPECT_THAT(tabulate_loops("m" + times(5, "sa-.f-..t-.") + ".", regions(), begin_at("f")),
              ElementsAre("begun m/f 5"));
  EXPECT_THAT(tabulate_loops("m" + times(5, "sf-.f-..t-.") + ".", regions(), begin_at("f", 2)),
              ElementsAre("begun m/f 5"))
      << "as many in each step as there are in an iteration";
  EXPECT_THAT(tabulate_loops("mf-.f-.s" + times(9, "f-.x-.") + "..", regions(), begin_at("f")),
              ElementsAre("begun ms/f 9"))
      << "where most are";
  EXPECT_THAT(tabulate_loops("m" + times(3, "s" + times(4, "f-.x-.") + ".") + ".", regions(),
                             begin_at("f")),
              ElementsAre("begun ms/f 12"))
      << "one loop, apart";
}

TEST(LoopFinder, EndsTheLastIterationAsTheOthersEnd) {
  const auto definitions = regions();
  const FunctionTable table(definitions, {});
  const LoopMarks marks(definitions, table, begin_at("a"));
  LoopFinder finder(marks);
  ProcessLoops out;
  feed("m" + times(4, "a-.b-.c-.") + "t-.t-..", table, finder, out);
  ASSERT_THAT(texts(out), ElementsAre("begun m/a 4"));

  const auto& iterations = out.loops[0].iterations;
  EXPECT_EQ(iterations[0].end, iterations[1].begin);
  EXPECT_EQ(iterations[3].end - iterations[3].begin + 1, iterations[0].end - iterations[0].begin)
      << "what lies between two calls is no part of the last one";
}

TEST(LoopFinder, ForgetsOneLocationBeforeTheNext) {
  const auto definitions = regions();
  const FunctionTable table(definitions, {});
  const LoopMarks marks(definitions, table, {});
  LoopFinder finder(marks);
  ProcessLoops out;
  feed("m" + times(9, "i#-."), table, finder, out);
  EXPECT_THAT(texts(out), ElementsAre("marked m/i 9"));
  feed("n" + times(5, "i-."), table, finder, out);
  EXPECT_THAT(texts(out), ElementsAre("found n/i 5"));
  feed("", table, finder, out);
  EXPECT_THAT(texts(out), IsEmpty());
}

TEST(LoopFinder, LeavesOutTheMostFrequentCallsWhereThereAreTooMany) {
  const auto definitions = regions();
  const FunctionTable table(definitions, {});
  const LoopMarks marks(definitions, table, {});
  LoopFinder finder(marks, 100);
  ProcessLoops out;
  feed("mk-." + times(10, "a-." + times(50, "x.") + "b-.") + ".", table, finder, out);
  EXPECT_THAT(texts(out), ElementsAre("found m/a 10"));
  feed("m" + times(10, "s" + times(150, "x.") + "b-..") + ".", table, finder, out);
  EXPECT_THAT(texts(out), ElementsAre("found m/s 10")) << "inside the body";
  feed(times(1000, "x-."), table, finder, out);
  EXPECT_THAT(texts(out), IsEmpty()) << "too many to be iterations";
}

class IterationPassTest : public ::testing::Test {
 protected:
  testing::TestFolder folder_;
  Diagnostics diagnostics_;
};

// Master threads of every_record() with a loop of their own behind what they record.
testing::TraceContent content_with_loops() {
  auto content = testing::every_record();

  for (auto& [location, events] : content.events) {
    if (location != testing::master_0 && location != testing::master_1)
      continue;

    std::uint64_t region = 0;
    for (const auto& d : content.definitions)
      if (d.kind == DefinitionKind::Region)
        region = d.id();

    const auto at = events.empty() ? 0 : events.back().time;

    for (std::uint64_t i = 0; i < 20; ++i) {
      Event enter, leave;
      enter.kind = EventKind::Enter, leave.kind = EventKind::Leave;
      enter.fields[0] = leave.fields[0] = region;
      enter.time = at + 1000 + i * 1'000'000, leave.time = enter.time + 900'000;
      events.push_back(enter);
      events.push_back(leave);
    }
  }

  return content;
}

TEST_F(IterationPassTest, GivesTheSameForAnyNumberOfThreadsAndReader) {
  write_archive(content_with_loops(), folder_.path());
  const Archive archive((folder_.path() / "traces.otf2").string(), diagnostics_);
  auto plan = make_plan(archive, {});
  add_profiles(plan, archive, {}, diagnostics_);
  std::vector<std::string> found;

  for (std::size_t threads : {1, 2, 4}) {
    const ThreadLimit limit(threads);
    ReadOptions options;
    options.reader = threads == 4 ? ReaderKind::otf2 : ReaderKind::own;
    std::string text;

    for (const auto& process :
         find_loops_pass({archive, plan, options, diagnostics_}, kept_processes(plan), {})) {
      text += process.taken_from ? "taken" : "own";
      for (const auto& loop : process.loops)
        text += " " + std::to_string(loop.iterations.size()) + "@" + std::to_string(loop.begin()) +
                "-" + std::to_string(loop.end());
      text += "\n";
    }

    found.push_back(text);
  }

  EXPECT_THAT(found[0], ::testing::HasSubstr("own 20@"));
  EXPECT_THAT(found[0], ::testing::HasSubstr("taken 20@"));
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST_F(IterationPassTest, GivesLoopsToFoldOfCandidatesWhetherTheyAreKnownOrNot) {
  write_archive(content_with_loops(), folder_.path());
  const Archive archive((folder_.path() / "traces.otf2").string(), diagnostics_);
  auto plan = make_plan(archive, {});
  add_profiles(plan, archive, {}, diagnostics_);
  plan.representatives.emplace().emplace_back().members = list_processes(plan);
  const PlannedTrace trace(archive, plan, {}, diagnostics_);
  const auto candidates = list_folding_candidates(plan);
  ASSERT_LT(candidates.size(), plan.processes.size());

  const auto known = find_loops_pass(trace, list_processes(plan), {});
  const auto found = find_loops_to_fold(trace, {}), again = find_loops_to_fold(trace, {}, &known);
  for (std::size_t p = 0; p < plan.processes.size(); ++p) {
    const bool is_candidate = std::binary_search(candidates.begin(), candidates.end(), p);
    EXPECT_EQ(found[p].loops.size(), is_candidate ? known[p].loops.size() : 0u);
    EXPECT_EQ(again[p].loops.size(), found[p].loops.size());
  }
}

TEST_F(IterationPassTest, RefusesAPlanOfAnotherTrace) {
  write_archive(testing::every_record(), folder_.path());
  const Archive archive((folder_.path() / "traces.otf2").string(), diagnostics_);
  auto plan = make_plan(archive, {});
  add_profiles(plan, archive, {}, diagnostics_);
  plan.processes[0].id = 123456;
  EXPECT_THROW(find_loops_pass({archive, plan, {}, diagnostics_}, kept_processes(plan), {}), Error);
}

}  // namespace tracefold::loop_finder_test
