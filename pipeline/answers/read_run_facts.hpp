// What a summary is computed from, out of a trace or of a reduced one.
//
// A trace is read as `reduce` reads it: once, and processes once more whose loops were not guessed
// right. Of a reduced one it is what tracefold.profiles tells of all processes of the original.
// An original alone tells what calls wait for on accelerators.
//
// One thread, which uses others. Throws Error(input), also where a reduced trace is without that
// file, or where the plan has filters, and Error(usage) where a part is asked for that there is
// not.
#pragma once

#include "model/iterations/iteration_section.hpp"
#include "model/summary/run_facts.hpp"
#include "model/what_if.hpp"
#include "otf2/archive.hpp"
#include "pipeline/context.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <memory>
#include <string>

namespace tracefold {

struct RunPartOptions {
  RunPart part = RunPart::automatic;
  std::string window_words = {};     // what people call the window of the plan
  RecordMaps maps = RecordMaps::no;  // of loops, by process and iteration
  bool needs_program = false;        // ReadRun::program, also where records end early
  // Of an original ReadRun::kinds, for which representatives are read once more, and in the session
  // the operations of ranks, unless there are too many.
  bool needs_kinds = false;
  // Played together. Throws Error(input) where the run cannot be played.
  std::vector<WhatIf> what_if = {};
};

// What it is, and what it was computed from. Nothing was read of the trace yet; the plan of the
// session has profiles and groups then, and that of an original also representatives.
struct ReadRun {
  RunFacts facts;
  // What every process did; null: only of a part before records end.
  std::shared_ptr<const StoredProgram> program;
  // Of an original: how it could be folded to a few kinds of iterations (model/iterations/
  // group_kinds.hpp); null: not asked for, or there is no loop.
  std::shared_ptr<const IterationSection> kinds = {};
};
ReadRun read_run(PlanSession& session, const RunPartOptions& options);

}  // namespace tracefold
