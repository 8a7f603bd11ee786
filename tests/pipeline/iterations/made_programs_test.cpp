// The loops of 500 programs that are drawn at random: how many iterations are right, and what is
// said to be sure. Set TRACEFOLD_SHOW_PROGRAMS to have what is wrong printed.
#include "tests/support/made_programs.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/loop_finder.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace tracefold::made_programs_test {

using testing::MadeEvent;
using testing::MadeProgram;

constexpr std::uint64_t programs = 500;

Definitions define_regions() {
  constexpr std::uint64_t mpi = 4;
  constexpr std::uint64_t compiler = 2;
  Definitions definitions;

  for (std::uint64_t id = 0; id < testing::made_functions; ++id) {
    Definition name;
    name.kind = DefinitionKind::String;
    name.fields[0] = id;
    name.text = fmt::format("f{}", id);
    definitions.add(name);
  }

  for (std::uint64_t id = 0; id < testing::made_functions; ++id) {
    Definition region;
    region.kind = DefinitionKind::Region;
    region.fields = {id, id, id, id, 0, id < testing::made_communication ? mpi : compiler, 0};
    definitions.add(region);
  }

  definitions.finish();

  return definitions;
}

ProcessLoops find_in_thread(const std::vector<MadeEvent>& events, const FunctionTable& functions,
                            LoopFinder& sink) {
  CleanEvents<LoopFinder> clean(functions, sink);

  for (const auto& made : events) {
    Event event;
    event.time = made.time;
    switch (made.kind) {
      case MadeEvent::Kind::enter: clean.enter(made.time, made.region, {}); continue;
      case MadeEvent::Kind::leave: clean.leave(made.time, made.region, {}); continue;
      case MadeEvent::Kind::send: event.kind = EventKind::MpiSend; break;
      case MadeEvent::Kind::receive: event.kind = EventKind::MpiRecv; break;
      case MadeEvent::Kind::collective: event.kind = EventKind::MpiCollectiveEnd; break;
    }
    event.fields[0] = made.partner;
    clean.other(event);
  }

  clean.finish();

  return sink.take(clean.first_time(), clean.last_time());
}

// The largest found loop of each thread, none where there is none.
std::vector<const Loop*> find_largest(const std::vector<ProcessLoops>& threads) {
  std::vector<const Loop*> out;
  for (const auto& thread : threads) {
    const Loop* largest = nullptr;
    for (const auto& loop : thread.loops)
      if (!largest || loop.work > largest->work)
        largest = &loop;
    out.push_back(largest);
  }

  return out;
}

// The loops of all threads, as those of one process in a group of its own for each thread.
std::vector<ProcessLoops> find_in_program(const MadeProgram& program,
                                          const FunctionTable& functions, LoopFinder& sink) {
  Plan plan;
  plan.groups.emplace();
  std::vector<ProcessLoops> loops;

  for (const auto& events : program.threads) {
    loops.push_back(find_in_thread(events, functions, sink));
    Process process;
    process.id = process.thread = plan.processes.size();
    Group group;
    group.members = {plan.processes.size()};
    plan.groups->push_back(group);
    plan.processes.push_back(process);
  }

  remove_minor_loops(plan, loops);

  return loops;
}

TEST(MadePrograms, HaveTheLoopsThatAreFound) {
  const auto definitions = define_regions();
  const FunctionTable functions(definitions, {});
  const LoopMarks marks(definitions, functions, {});
  LoopFinder sink(marks);
  const bool shows = std::getenv("TRACEFOLD_SHOW_PROGRAMS") != nullptr;

  std::size_t right = 0, right_loops = 0, invented = 0, sure = 0, unsure = 0;
  std::size_t loops_in_all = 0, told = 0, told_right = 0;  // told: found, and not unsure
  std::string wrong_and_sure;

  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    const auto program = testing::make_program(seed);
    const auto loops = find_in_program(program, functions, sink);
    bool is_right = true;
    std::string found;
    Certainty certainty = Certainty::sure;
    double confidence = 1;

    for (const auto* loop : find_largest(loops)) {
      is_right &= loop ? program.is_right(loop->iterations.size()) : program.right.empty();
      found += loop ? fmt::format(" {} ({:.2f})", loop->iterations.size(), loop->confidence) : " -";
      confidence = std::min(confidence, loop ? loop->confidence : 1);
      invented += loop && program.right.empty();
    }

    certainty = rate_certainty(confidence);
    right += is_right;
    loops_in_all += !program.right.empty();
    if (found != " -" && certainty != Certainty::unsure) {
      ++told;
      told_right += is_right;
    }
    if (!program.right.empty() && is_right) {
      ++right_loops;
      sure += certainty == Certainty::sure;
      unsure += certainty == Certainty::unsure;
    }
    if (!is_right && certainty == Certainty::sure && found != " -")
      wrong_and_sure += fmt::format("{}: {}, found{}\n", seed, program.features, found);
    if (shows && !is_right)
      fmt::print("{}: {}; found{}\n", seed, program.features, found);
  }

  if (shows)
    fmt::print("{} right, {} invented, {} sure, {} unsure; of {} loops {} are told, {} rightly\n",
               right, invented, sure, unsure, loops_in_all, told, told_right);

  // What is left are mostly loops in each other without a call around the inner one, which look
  // like one loop with steps that only some iterations make.
  EXPECT_GE(right, programs * 94 / 100);
  EXPECT_GE(100 * told_right, 95 * told);
  EXPECT_GE(100 * told, 90 * loops_in_all);
  EXPECT_EQ(invented, 0u);
  EXPECT_EQ(wrong_and_sure, "");
  EXPECT_GE(2 * sure, right_loops);
  EXPECT_LE(10 * unsure, right_loops);
}

}  // namespace tracefold::made_programs_test
