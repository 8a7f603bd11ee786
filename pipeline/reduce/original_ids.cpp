#include "pipeline/reduce/original_ids.hpp"

#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/reduce/plan_session.hpp"

namespace tracefold {

void take_original_ids(PlanSession& opened) {
  if (opened.program())
    return;

  const auto earlier = find_earlier_reductions(opened.archive().definitions());
  for (auto& process : opened.plan().processes)
    if (const auto at = earlier.find(process.id); at != earlier.end())
      process.id = at->second.source;
}

}  // namespace tracefold
