// Summaries of runs for people and programs. Several ones stand beside each other, with how
// computation scales from the first one on.
#pragma once

#include "model/comparison/scaling.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct SummaryView {
  bool per_process = false;  // each rank by itself
  // What shows more of this loss, in words for people, or nothing.
  std::string (*suggest)(Loss) = nullptr;
  std::vector<std::string> what_if = {};  // what was asked, as it was given
  std::optional<Scaling> scaling = {};    // of several runs; none: as their work tells
};

std::string to_table(const std::vector<Summary>& runs, const SummaryView& view);
std::string to_csv(const std::vector<Summary>& runs, const SummaryView& view);
std::string to_json(const std::vector<Summary>& runs, const SummaryView& view);

// "8 ranks with 16 threads; the main loop of 10 iterations takes 1.90 s": ranks, streams, which
// part of the run this is, and its time, with these words before it.
std::string describe_size(const Summary& run, const char* before_time);

// Seconds, of all threads.
double sum_computation(const Summary& run);

// good from 0.8 on, fair from 0.6 on.
enum class EfficiencyGrade { good, fair, poor };
EfficiencyGrade grade_efficiency(double value);

// The name of the folder that the trace is in, or of the tar; of a folder "traces" the one around
// it.
std::string name_run(const std::string& anchor);

// The efficiencies that say anything of these runs, the general ones before what they are made of;
// of several runs of one program also how computation scales from the first one on.
struct EfficiencyRow {
  const char* name;
  const char* key;
  std::size_t level;                           // below another one
  std::vector<std::optional<double>> of_runs;  // none: not known
};
inline constexpr const char* unrelated_runs =
    "These runs have few functions in common: how computation scales is not known.";
std::vector<EfficiencyRow> list_efficiencies(const std::vector<Summary>& runs,
                                             std::optional<Scaling> scaling = {});

}  // namespace tracefold
