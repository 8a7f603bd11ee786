#include "cli/open_plan.hpp"

namespace tracefold::cli {

PlanSession open_plan(Session& session, const std::string& trace, bool reads_trace, PlanUse use) {
  if (!trace.empty() && trace != "-")
    return {open_trace(trace, session.diagnostics, "give a plan on stdin, with '< " + trace + "'"),
            session.context()};

  PlanSession opened(plan_from_json(read_stdin()), use, session.context());
  if (reads_trace)
    opened.archive();

  return opened;
}

}  // namespace tracefold::cli
