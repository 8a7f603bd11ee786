// Why groups are apart: in words for people, and as CSV and JSON for programs.
#pragma once

#include "emitters/layout.hpp"
#include "model/groups/group_reasons.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// One line: "only this group calls verify_; it never calls exchange_3 → MPI_Recv". Shares of time
// stand behind calls where they are known. Of long lists the first few are named.
std::string describe_reason(const GroupReason& reason, NameLength names = NameLength::shortened);

// A paragraph for each group of the plan; `reasons` are of these.
std::string to_why_table(const Plan& plan, const std::vector<GroupReason>& reasons);
// A row for each part of a reason. "set" says what it is one of: fewest, alone, others or varying.
std::string to_why_csv(const Plan& plan, const std::vector<GroupReason>& reasons);
std::string to_why_json(const Plan& plan, const std::vector<GroupReason>& reasons);

}  // namespace tracefold
