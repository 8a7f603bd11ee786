#include "pipeline/rewrite/reduced_trace.hpp"

#include "model/plan.hpp"
#include "pipeline/rewrite/filtered_out_pass.hpp"

#include <utility>

namespace tracefold {

namespace {

MemberMetric choose_metric(const MemberMetrics& members) {
  if (!members.any())
    return MemberMetric::none;
  return members.know_waiting() ? MemberMetric::with_waiting : MemberMetric::computation;
}

}  // namespace

ReducedTrace::ReducedTrace(const Archive& archive, const Plan& plan, const ReadOptions& options,
                           Diagnostics& diagnostics)
    : kept_(archive, plan, find_filtered_out_with_messages(archive, plan, options),
            plan.write->keep_ids, options.team),
      scan_(scan(kept_, options, diagnostics)),
      members_(kept_, options, diagnostics),
      definitions_(archive.definitions(), plan, kept_.locations(), kept_.partners(), scan_.used,
                   {kept_.collapse().names(), scan_.collapsed_contexts},
                   {plan.write->plain_names, choose_metric(members_)}) {}

KeptScan ReducedTrace::scan(const KeptTrace& kept, const ReadOptions& options,
                            Diagnostics& diagnostics) {
  auto scan =
      kept.keeps_all_records() ? assume_all_stays(kept) : scan_pass(kept, options, diagnostics);
  use_marker_scopes(kept, scan.used);

  return scan;
}

void ReducedTrace::scan_again(bool keeps_all_operations, const ReadOptions& options) {
  Diagnostics ignored;
  auto found = scan_pass(kept_, options, ignored);
  scan_.operations = std::move(found.operations);
  scan_.largest_record = found.largest_record;
  scan_.keeps_all_operations = keeps_all_operations;
}

}  // namespace tracefold
