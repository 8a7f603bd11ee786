// The commands: each gets its options into its struct, composes the stages,
// and prints what they found.
#pragma once

#include "cli/session.hpp"

#include <string>
#include <vector>

namespace tracefold::cli {

struct ReduceOptions {
  std::string trace, out, representative = "medoid", iterations = "off";
  double threshold = 0.83;
  bool exact = false, force = false, keep_ids = false, plain_names = false;
};
struct PlanOptions {
  std::string trace;
  bool json = false;
};
struct FilterOptions : PlanOptions {
  std::vector<std::string> drop, keep;
  std::string locations;
};
struct GroupOptions : PlanOptions {
  double threshold = 0.83;
  bool exact = false;
};
struct SelectOptions : PlanOptions {
  std::string by = "medoid";
};
struct WriteOptions {
  std::string trace, out, iterations = "off";
  bool force = false, keep_ids = false, plain_names = false;
};
struct VerifyOptions {
  std::string reduced, original;
};

int reduce(Session& session, const ReduceOptions& options);
int filter(Session& session, const FilterOptions& options);
int group(Session& session, const GroupOptions& options);
int select(Session& session, const SelectOptions& options);
int write(Session& session, const WriteOptions& options);
int info(Session& session, const PlanOptions& options);
int verify(Session& session, const VerifyOptions& options);

}  // namespace tracefold::cli
