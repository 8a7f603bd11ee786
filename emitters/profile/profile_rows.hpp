// What the rows of a profile are called, and whose they are: the same in tables, drawings and files
// for programs. Pure functions.
#pragma once

#include "emitters/layout.hpp"
#include "model/profile/group_profile.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// All processes together, where there are several groups, then one group after the other.
std::vector<const GroupProfile*> list_groups(const ProfileReport& report);

std::vector<std::size_t> list_members(const Plan& plan, const GroupProfile& group);

// Where kept processes stand for others, what these did is not known: there is the median of the
// kept ones, and neither other percentiles nor totals.
bool stands_for_others(const Plan& plan, const GroupProfile& group);

// "like rank 3": the representative of a cluster; empty where it is a whole group.
std::string name_cluster(const Plan& plan, const GroupProfile& group);
// "group 1: 7 processes, all ranks but 0, 1-7"
std::string name_group(const Plan& plan, const GroupProfile& group);

// "0.94", or "-" where it is not known.
std::string show_ratio(const std::optional<double>& ratio);
// "energy/time [J/s]". It can be printed.
std::string show_ratio_name(const MetricRatio& ratio);

// How deep rows are in the tree of call paths, where they are such, else 0. Rows come in the order
// of the report.
class RowDepths {
 public:
  explicit RowDepths(const ProfileReport& report) : report_(report), depths_(report.paths.size()) {}

  std::size_t find(const ProfileRow& row);

 private:
  const ProfileReport& report_;
  std::vector<std::size_t> depths_;
};

// The function of a row, indented by its depth in the call tree, or with its relation to another
// function; or its group of functions. It can be printed.
std::string name_row(const Plan& plan, const ProfileReport& report, const ProfileRow& row,
                     std::size_t depth, NameLength length = NameLength::whole);

}  // namespace tracefold
