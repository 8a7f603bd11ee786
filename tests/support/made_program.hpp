// Plans with what every process did, made from numbers, for tracefold.profiles.
#pragma once

#include "model/plan.hpp"
#include "model/program/program_profiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracefold::testing {

// Chance that does not depend on the order of calls.
inline std::uint64_t draw_number(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  auto number = ((a * 1'009 + b) * 1'000'003 + c + 1) * 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 29)) * 0xbf58476d1ce4e5b9;
  return number ^ (number >> 32);
}

inline MetricColumns make_program_columns() {
  return {{Metric::execution_time, Metric::mpi_point_to_point_time, Metric::mpi_late_sender_time,
           Metric::visits, Metric::bytes_sent},
          {{"joules", 1000}}};
}

// Of one call path or iteration, by column, with all time in `execution time`.
inline std::vector<std::uint64_t> draw_values(std::uint64_t process, std::uint64_t where,
                                              bool in_mpi) {
  const auto draw = [&](std::uint64_t column) { return draw_number(process, where, column); };
  const auto time = 1'000'000 + draw(0) % 1'000'000;
  return {time,
          in_mpi ? time / 3 : 0,
          in_mpi ? time / 10 : 0,
          1 + draw(3) % 9,
          in_mpi ? draw(4) % 100'000 : 0,
          draw(5) % 1'000'000};
}

// Process p has the location 3 p + 4, and loops of these lengths: lengths[p]. Every fourth, from
// the third on, calls nothing and records a metric instead; every fourth, from the second on, does
// not send. Odd ones are threads of the rank before.
inline Plan make_program(const std::vector<std::vector<std::size_t>>& lengths) {
  const auto count = lengths.size();
  Plan plan;
  plan.trace.ticks_per_second = 1'000'000'000;
  plan.groups.emplace(2);

  auto program = std::make_shared<ProgramProfiles>();
  auto& calls = program->calls;
  calls.functions = {
      {"main", "", "main.c", 7}, {"step", "_Z4step", "", 0}, {"MPI_Send", "", "", 0, 4}};
  calls.time_metrics = {Metric::execution_time, Metric::execution_time,
                        Metric::mpi_point_to_point_time};
  calls.profiles.paths = {{no_path, 0}, {0, 1}, {1, 2}};
  calls.profiles.columns = make_program_columns();
  calls.profiles.shapes = {{{0, 1, 2}, {no_path, 0, 1}}, {{0, 1}, {no_path, 0}}, {}};
  const auto width = calls.profiles.columns.size();

  std::size_t loops = 0;
  for (const auto& of_process : lengths)
    loops = std::max(loops, of_process.size());
  program->loops.resize(loops);
  for (auto& loop : program->loops)
    loop.rows.resize(count);

  for (std::size_t p = 0; p < count; ++p) {
    const bool is_idle = p % 4 == 2, is_thread = p % 2 == 1;
    const auto owner = p - is_thread;
    auto& process = plan.processes.emplace_back();
    process.id = 3 * p + 4;
    process.name = is_thread ? "thread" : "rank " + std::to_string(owner);
    process.location_group = owner;
    process.location_group_name = "process " + std::to_string(owner);
    if (!is_idle)
      process.rank = owner;
    process.thread = is_thread;
    if (p % 4 == 3)
      process.creator = owner;
    process.is_mpi_endpoint = !is_thread && !is_idle;
    process.has_messages = p % 4 == 0;
    process.damaged = p % 5 == 4;
    process.events = 1'000 + p;
    (*plan.groups)[is_thread].members.push_back(p);

    program->processes.push_back({is_idle ? 4u : 1u,
                                  10 + p,
                                  10'000 + p,
                                  20 + p,
                                  9'000 + p,
                                  0,
                                  "machine/node" + std::to_string(p / 4),
                                  {}});
    if (is_idle)
      program->processes.back().metrics = {"joules", "watts"};

    calls.locations.push_back(process.id);
    auto& profile = calls.profiles.processes.emplace_back();
    profile.shape = is_idle ? 2 : is_thread && p % 4 == 1 ? 1 : 0;
    for (auto path : calls.profiles.shapes[profile.shape].paths) {
      auto values = draw_values(p, path, path == 2);
      if (path == 2)
        values[1] = values[0];  // all time of MPI_Send
      profile.values.insert(profile.values.end(), values.begin(), values.end());
    }
    if (is_idle) {
      profile.outside.assign(width, 0);
      profile.outside[4] = 77;
      profile.outside[5] = 123'456 + p;
    }

    for (std::size_t l = 0; l < lengths[p].size(); ++l) {
      auto& rows = program->loops[l].rows[p];
      for (std::size_t i = 0; i < lengths[p][l]; ++i) {
        auto values = draw_values(p, 1'000 * (l + 1) + i, i % 2 == 0);
        replace_time_by_rest(calls.profiles.columns, values);
        rows.add(values);
      }
    }
  }

  if (count == 4)
    program->topologies = {{"grid", {{"x", 2, true}, {"", 3, false}}, {1, 1, 1, 1, 0, 0, 2, 3}}};
  if (count == 4) {
    program->pairs = {{0, 1, 7, 700, 1'000, 0}, {1, 0, 8, 0, 0, 2'000}};
    program->caused[Metric::mpi_late_sender_time] = {1, 2, 3, 4};
    program->delays = {{0, std::nullopt, {600, 0, 0}, {}}, {0, 2, {400, 0, 5}, {90, 0, 0}}};
  }
  // A tenth of main is not in the scope, and nothing of all else is elsewhere.
  auto& scope = program->scopes.emplace_back(ProgramScope{ProgramScope::mpi, {}});
  for (const auto& process : calls.profiles.processes) {
    auto& outside = scope.outside.emplace_back();
    for (std::size_t k = 0; k < process.values.size() / width; ++k) {
      std::vector<std::uint64_t> values(width);
      for (std::size_t c = 0; c < width && k == 0; ++c)
        values[c] = process.values[c] / 10;
      outside.add(values);
    }
    outside.finish();
  }
  // MPI_Send, in all iterations of those that call it; all of its time is in the first loop.
  program->path_columns = {0, 2};
  for (std::size_t l = 0; l < program->loops.size(); ++l) {
    auto& series = program->loops[l].paths.emplace_back(ProgramPathSeries{2, {}});
    for (std::size_t p = 0; p < count; ++p) {
      if (calls.profiles.processes[p].shape != 0)
        continue;
      PackedRows rows;
      for (std::size_t i = 0; l < lengths[p].size() && i < lengths[p][l]; ++i)
        rows.add(std::vector<std::uint64_t>{draw_number(p, l, i) % 1'000'000, i});
      rows.finish();
      if (rows.size() > 0)
        series.rows.emplace(p, std::move(rows));
    }
  }
  auto& in_loop = program->scopes.emplace_back(ProgramScope{"loop 0", {}});
  in_loop.outside.resize(count);
  for (auto& loop : program->loops)
    for (auto& rows : loop.rows)
      rows.finish();
  const auto unpacked = program->calls;  // for tests to compare with
  pack_values(*program);
  program->calls = unpacked;
  plan.program = std::move(program);

  return plan;
}

}  // namespace tracefold::testing
