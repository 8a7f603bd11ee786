#include "pipeline/facts/whole_program.hpp"

#include "base/read_file.hpp"
#include "base/sha256.hpp"
#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "filters/groups/group.hpp"
#include "model/profile/function_names.hpp"
#include "model/profile/metric_columns.hpp"
#include "model/run_masters.hpp"
#include "model/run_span.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/facts/cut_program.hpp"
#include "pipeline/facts/flat_profiles.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/facts/table_rows.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// The file that the plan names. Throws Error(input) where it cannot be read.
struct ProfilesBeside {
  std::string bytes;
  std::string fault;  // why it is not that file; "" where it is
};

ProfilesBeside read_profiles_beside(const std::filesystem::path& folder, const ProgramFile& named) {
  const auto file = folder / profiles_name;
  auto bytes = read_file(file);
  if (!bytes)
    return {{}, file.string() + ": is missing"};
  if (hash_text(*bytes) != named.sha256)
    return {{}, file.string() + ": is another file than the plan beside it names"};
  return {std::move(*bytes), {}};
}

ProfilesBeside read_profiles_beside(const PlanBeside& beside) {
  return read_profiles_beside(beside.file.parent_path(), *beside.plan->program_file);
}

bool have_same_content(const ProfilesFile& a, const ProfilesFile& b) {
  if (a.document_sha256() != b.document_sha256() || a.tables() != b.tables() ||
      a.groups() != b.groups())
    return false;
  for (const auto& table : a.tables()) {
    TableRows of_a(a, table), of_b(b, table);
    for (std::size_t row = 0; row < table.rows; ++row)
      if (const auto left = of_a[row], right = of_b[row];
          !std::equal(left.begin(), left.end(), right.begin(), right.end()))
        return false;
  }

  return true;
}

StoredSource find_source(const Archive& archive) {
  return {(archive.paths().anchor.parent_path() / profiles_name).string(),
          is_sampled(archive.definitions())};
}

// The file of this trace. Where that takes little time, all of it is looked at, so that whoever
// asks later meets no damage.
std::shared_ptr<const StoredProgram> open_stored(const Archive& archive, std::string bytes,
                                                 std::uint64_t processes) {
  constexpr std::uint64_t most_looked_at = std::uint64_t{1} << 25;  // numbers
  auto stored =
      std::make_shared<const StoredProgram>(std::move(bytes), processes, find_source(archive));
  if (stored->count_numbers() <= most_looked_at)
    stored->check();
  return stored;
}

std::uint64_t count_originals(const Definitions& definitions) {
  return list_originals(definitions, list_process_locations(definitions)).size();
}

// Puts processes and functions, as they are stored, into a plan.
void record_stored(Plan& plan, const StoredProgram& stored, const Aggregates& calls) {
  auto functions = calls.functions;
  make_names_unique(functions);
  const auto& profiles = calls.profiles;
  record_profiles(plan, std::move(functions), stored.read_processes(),
                  make_flat_profiles(profiles, *profiles.columns.find(Metric::execution_time),
                                     stored.read_kinds(), stored.read_alike()));
}

// When the original ran, and for how long recording was off.
void add_run(Plan& plan, const StoredProgram& stored, const CallPathProfiles& calls) {
  const auto lives = stored.read_lives();
  RunSpan run;
  for (std::size_t p = 0; p < lives.size(); ++p)
    if (lives[p].end > 0)
      run.add(!calls.shape(p).paths.empty(), {lives[p].begin, lives[p].end});
  plan.trace.run = run.get();
  plan.trace.recording_off =
      compute_mean_of(list_run_masters(plan), stored.read_set_aside(recording_off, std::nullopt));
}

WholeProgram make_whole_program(const Plan& beside, const Archive& archive,
                                std::shared_ptr<const StoredProgram> stored) {
  WholeProgram out;
  out.calls = stored->read_calls(StoredColumns::time_and_visits);
  auto& plan = out.plan;
  plan.trace = beside.trace;
  plan.grid = beside.grid;
  plan.chosen = beside.chosen;
  plan.trace.anchor = archive.source();
  plan.trace.identity = archive.identity();

  record_stored(plan, *stored, out.calls);
  add_run(plan, *stored, out.calls.profiles);
  out.stored = std::move(stored);

  return out;
}

// What `make` makes of the file that the plan names; null where there is none.
template <class Make>
auto read_beside(const Archive& archive, Diagnostics& diagnostics, Make&& make)
    -> decltype(make(Plan(), std::string())) {
  if (!archive.facts().properties.contains("TRACEFOLD::VERSION"))
    return nullptr;
  const auto beside = read_plan_beside(archive);
  if (beside.is_named && beside.is_there && !beside.is_that)
    diagnostics.warn("what all processes of the original did is not known",
                     beside.file.string() + ": is not the plan that the trace was written with");
  if (!beside.is_that || !beside.plan || !beside.plan->program_file)
    return nullptr;

  std::string fault;
  try {
    auto found = read_profiles_beside(beside);
    if (found.fault.empty())
      return make(*beside.plan, std::move(found.bytes));
    fault = std::move(found.fault);
  } catch (Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    fault = problem.in((beside.file.parent_path() / profiles_name).string()).what();
  }
  diagnostics.warn("what all processes of the original did is not known", fault);

  return nullptr;
}

[[noreturn]] void throw_no_profiles(const Plan& plan, const std::string& why) {
  throw Error(ErrorKind::input, "what its processes did is not known: " + why)
      .hint("make another plan, of the original: 'tracefold group " + plan.trace.anchor + "'");
}

// The same functions in another list; those that it does not have are left out.
std::vector<FunctionIndex> find_same_functions(const std::vector<FunctionIndex>& wanted,
                                               const std::vector<Function>& from,
                                               const std::vector<Function>& to) {
  std::vector<FunctionIndex> out;
  for (std::size_t f = 0; f < to.size(); ++f)
    if (std::any_of(wanted.begin(), wanted.end(), [&](auto w) { return from[w] == to[f]; }))
      out.push_back(static_cast<FunctionIndex>(f));
  return out;
}

bool has_same_processes(const std::vector<Process>& a, const std::vector<Process>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Process& x, const Process& y) { return x.id == y.id; });
}

}  // namespace

void restore_profiles(Plan& plan, const std::optional<std::filesystem::path>& folder,
                      Diagnostics& diagnostics) {
  if (!plan.program_file)
    throw_no_profiles(plan, "the trace beside it keeps no profiles of all processes");
  if (!folder)
    throw_no_profiles(plan, fmt::format("{} is beside the plan's file, which is not what is read",
                                        profiles_name));
  auto found = read_profiles_beside(*folder, *plan.program_file);
  if (!found.fault.empty())
    throw_no_profiles(plan, found.fault);

  const auto before = plan;
  try {
    const StoredProgram stored(std::move(found.bytes), plan.processes.size());
    record_stored(plan, stored, stored.read_calls(StoredColumns::time_and_visits));
    note_detail(stored, diagnostics);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    throw_no_profiles(before, (*folder / profiles_name).string() + ": " + problem.what());
  }
  if (!has_same_processes(plan.processes, before.processes))
    throw_no_profiles(before, fmt::format("{} is of the first original, and the plan of another "
                                          "trace",
                                          profiles_name));

  plan.ignored = find_same_functions(before.ignored, before.functions, plan.functions);
  if (plan.groups)
    for (auto& group : *plan.groups) {
      for (auto member : group.members)
        group.intents.push_back(plan.processes[member].intent);
      sort_and_unite(group.intents);
    }
  plan.lacks_profiles = false;
  plan.program_file.reset();
  plan.write.reset();
}

std::shared_ptr<const WholeProgram> read_whole_program(const Archive& archive,
                                                       Diagnostics& diagnostics) {
  return read_beside(archive, diagnostics, [&](const Plan& beside, std::string bytes) {
    return std::make_shared<const WholeProgram>(make_whole_program(
        beside, archive,
        open_stored(archive, std::move(bytes), count_originals(archive.definitions()))));
  });
}

std::shared_ptr<const StoredProgram> read_stored_program(const Archive& archive,
                                                         Diagnostics& diagnostics) {
  return read_beside(archive, diagnostics, [&](const Plan&, std::string bytes) {
    return open_stored(archive, std::move(bytes), count_originals(archive.definitions()));
  });
}

std::shared_ptr<const StoredProgram> read_stored_program(const Archive& archive,
                                                         const std::vector<std::uint64_t>& left,
                                                         Diagnostics& diagnostics) {
  if (left.size() == list_process_locations(archive.definitions()).size())
    return read_stored_program(archive, diagnostics);
  const auto packed = read_packed_program(archive, left, diagnostics);
  return packed ? std::make_shared<const StoredProgram>(packed->bytes, most_profiles_groups,
                                                        find_source(archive))
                : nullptr;
}

std::vector<std::uint64_t> list_left_locations(const Archive& archive, const Plan& plan) {
  if (plan.filters.empty())
    return list_process_locations(archive.definitions());
  std::vector<std::uint64_t> left;
  for (const auto& process : plan.processes)
    left.push_back(process.id);
  return left;
}

std::shared_ptr<const PackedProgram> read_packed_program(const Archive& archive,
                                                         const std::vector<std::uint64_t>& left,
                                                         Diagnostics& diagnostics) {
  const auto all = list_process_locations(archive.definitions());
  return read_beside(
      archive, diagnostics,
      [&](const Plan& beside, std::string bytes) -> std::shared_ptr<const PackedProgram> {
        const StoredProgram stored(bytes, count_originals(archive.definitions()));
        if (left.size() < all.size())
          bytes = cut_program(stored, list_originals(archive.definitions(), left));
        if (bytes.empty())
          return nullptr;
        auto detail = stored.detail();
        detail.left_out = beside.program_file->detail.left_out;
        return std::make_shared<const PackedProgram>(
            PackedProgram{std::move(bytes), std::move(detail)});
      });
}

CheckedProfiles check_profiles_file(const Archive& archive, const PlanBeside& beside) {
  if (!beside.plan->program_file)
    return {};
  auto found = read_profiles_beside(beside);
  if (!found.fault.empty())
    return {nullptr, found.fault};

  try {
    auto stored = std::make_shared<const StoredProgram>(std::move(found.bytes),
                                                        count_originals(archive.definitions()));
    stored->check();
    const auto& told = beside.plan->program_file->detail;
    if (stored->detail() != ProgramDetail{told.percent, told.iterations_per_column})
      refuse_program("it is not as exact as the plan beside it says");
    return {std::move(stored), {}};
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    return {nullptr, (beside.file.parent_path() / profiles_name).string() + ": " + problem.what()};
  }
}

bool has_same_profiles(const PlanBeside& beside, const std::string& bytes) {
  auto found = read_profiles_beside(beside);
  if (!found.fault.empty() || bytes.empty())
    return false;

  try {
    return have_same_content(ProfilesFile(std::move(found.bytes)), ProfilesFile(bytes));
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    return false;
  }
}

namespace {

// What a file has and does not have beside its detail.
std::string describe_detail(const ProgramDetail& detail, const ProgramParts& all) {
  std::vector<std::string> parts;
  if (detail.iterations_per_column == 0)
    parts.emplace_back("has no iterations");
  else if (detail.iterations_per_column > 1)
    parts.push_back(fmt::format("has sums of {} iterations each", detail.iterations_per_column));
  if (all.path_series == 0)
    parts.emplace_back("has no iterations of single call paths");
  else if (all.path_series)
    parts.push_back(fmt::format("has iterations of only {} call path{} of a loop", *all.path_series,
                                *all.path_series == 1 ? "" : "s"));
  if (!all.has_delays)
    parts.emplace_back("does not tell what made others wait");
  if (!all.has_pairs)
    parts.emplace_back("does not tell who waits for whom");

  auto words = fmt::format("times{} to {} %, from {}", all.has_counters ? " and counters" : "",
                           detail.percent, profiles_name);
  if (!parts.empty())
    words += fmt::format(", which {}", fmt::join(parts, ", "));
  if (all.is_sampled)
    words += "; visits are lower bounds, since calls were sampled";

  return words;
}

}  // namespace

std::string describe_detail(const ProgramDetail& detail) {
  auto words = describe_detail(detail, {});
  if (!detail.left_out.empty())
    words +=
        make_printable(fmt::format(", which had no room for {}", fmt::join(detail.left_out, ", ")));
  return words;
}
std::string describe_detail(const StoredProgram& stored) {
  return describe_detail(stored.detail(), stored.parts());
}

void note_detail(const StoredProgram& stored, Diagnostics& diagnostics) {
  const auto count = group_digits(stored.size());
  const auto of = stored.is_cut() ? fmt::format("the {} processes that are left", count)
                                  : fmt::format("all {} processes of the original", count);
  diagnostics.note(fmt::format("of {}: counts exactly, {}", of, describe_detail(stored)));
}

}  // namespace tracefold
