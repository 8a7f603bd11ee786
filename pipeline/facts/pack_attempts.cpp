#include "pipeline/facts/pack_attempts.hpp"

#include "model/iterations/kept_folds.hpp"
#include "model/program/profiles_file.hpp"
#include "pipeline/facts/path_series.hpp"
#include "pipeline/facts/program_tables.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tracefold {

namespace {

constexpr std::array<unsigned, 4> percents{1, 2, 5, 10};
constexpr std::size_t most_per_column = 64;

// Whether readers take it: those of series read each of them whole.
bool can_be_read(const ProgramProfiles& program, const ProgramDetail& detail) {
  return has_readable_loops(program) &&
         count_series_columns(find_longest(program), detail) <=
             most_profiles_numbers_read / std::max<std::size_t>(program.processes.size(), 1);
}

// How many iterations share a value, in the order in which that is tried; 0: there are none.
std::vector<std::size_t> list_iterations_together(const ProgramProfiles& program) {
  std::vector<std::size_t> together;
  const auto most = program.loops.empty() ? 1 : most_per_column;
  for (std::size_t per_column = 1; per_column <= most; per_column *= 2)
    if (can_be_read(program, {percents.front(), per_column}))
      together.push_back(per_column);
  if (together.empty())
    together.push_back(0);
  return together;
}

bool has_path_series(const ProgramProfiles& program) {
  return std::any_of(program.loops.begin(), program.loops.end(),
                     [](const ProgramLoop& loop) { return !loop.paths.empty(); });
}

}  // namespace

bool has_readable_loops(const ProgramProfiles& program) {
  return program.loops.size() <= most_stored_loops &&
         program.loops.size() * program.processes.size() <= most_stored_lengths &&
         find_longest(program) <= most_fold_iterations;
}

std::size_t find_longest(const ProgramLoop& loop) {
  std::size_t longest = 0;
  for (const auto& rows : loop.rows)
    longest = std::max(longest, rows.size());
  return longest;
}
std::size_t find_longest(const ProgramMap& map) {
  std::size_t longest = 0;
  for (const auto& [process, rows] : map.rows)
    longest = std::max(longest, rows.size());
  return longest;
}
std::size_t find_longest(const ProgramProfiles& program) {
  std::size_t longest = 0;
  for (const auto& loop : program.loops)
    longest = std::max(longest, find_longest(loop));
  for (const auto& map : program.maps)
    longest = std::max(longest, find_longest(map));
  return longest;
}

std::vector<std::string> list_left_out(const PackAttempt& fullest, const PackAttempt& attempt) {
  std::vector<std::string> out;
  if (fullest.has_sequences && !attempt.has_sequences)
    out.emplace_back("what the run is played from");
  if (attempt.path_series < fullest.path_series)
    out.emplace_back(attempt.path_series == 0 ? "iterations of single call paths"
                                              : "iterations of some call paths");
  if (fullest.has_delays && !attempt.has_delays)
    out.emplace_back("what made others wait");
  if (fullest.has_pairs && !attempt.has_pairs)
    out.emplace_back("who waits for whom");
  return out;
}

std::vector<PackAttempt> list_attempts(const ProgramProfiles& program) {
  std::vector<PackAttempt> attempts;
  const auto together = list_iterations_together(program);
  const bool has_pairs = !program.pairs.empty() && program.pairs.size() <= most_stored_pairs;
  const bool has_delays = !program.delays.empty() && program.delays.size() <= most_stored_delays;
  if (has_path_series(program) && together.front() > 0)
    for (auto series = PathSeries::most_paths; series > 0; series /= 4)
      attempts.push_back({{percents.front(), together.front()}, series, has_pairs, has_delays});
  if (has_delays)
    attempts.push_back({{percents.front(), together.front()}, 0, has_pairs, true});
  if (has_pairs)
    attempts.push_back({{percents.front(), together.front()}, 0, true});

  for (auto per_column : together)
    attempts.push_back({{percents.front(), per_column}});
  for (auto percent : std::span(percents).subspan(1))
    attempts.push_back({{percent, together.back()}});
  if (together.back() > 0 && !program.loops.empty())
    attempts.push_back({{percents.back(), 0}});
  if (!program.sequences.empty()) {
    attempts.insert(attempts.begin(), attempts.front());
    attempts.front().has_sequences = true;
  }

  return attempts;
}

}  // namespace tracefold
