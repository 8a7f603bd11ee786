#include "cli/commands.hpp"

#include "emitters/tables.hpp"
#include "filters/group.hpp"
#include "filters/select.hpp"
#include "model/ranges.hpp"
#include "pipeline/info.hpp"
#include "pipeline/verify.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <numeric>
#include <optional>

namespace tracefold::cli {

namespace {

// True where a file or a pipe with something in it is on stdin.
bool plan_waits_on_stdin() {
  struct ::stat facts {};
  if (::fstat(STDIN_FILENO, &facts) != 0) return false;
  if (S_ISREG(facts.st_mode)) return facts.st_size > 0;
  int bytes = 0;
  return S_ISFIFO(facts.st_mode) && ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0;
}

std::string describe(const TraceIdentity& i) { return fmt::format("{} bytes, changed at {} ns, sha256 {:.12}", i.size, i.mtime_ns, i.sha256); }

// A plan and the archive that it is about.
struct Opened {
  std::optional<Archive> archive;
  Plan plan;
};

// From the trace's name, or the plan on stdin. A plan's trace is opened, and
// its identity checked, where the stage reads it.
Opened open(Session& session, const std::string& trace, bool reads_trace) {
  Opened opened;
  if (!trace.empty() && trace != "-") {
    if (plan_waits_on_stdin()) throw Error(ErrorKind::usage, "a trace is given and a plan comes on stdin").hint("give one of them");
    opened.archive.emplace(trace, session.diagnostics);
    opened.plan = plan_of(*opened.archive, {});
    return opened;
  }
  opened.plan = plan_from_json(read_stdin());
  if (!reads_trace) return opened;
  opened.archive.emplace(opened.plan.trace.anchor, session.diagnostics);
  const auto now = opened.archive->identity();
  if (now != opened.plan.trace.identity)
    throw Error(ErrorKind::input, fmt::format("the trace has changed since the plan was made: {} then, {} now", describe(opened.plan.trace.identity), describe(now)))
        .in(opened.plan.trace.anchor).hint("make the plan again");
  return opened;
}

void need_profiles(Session& session, Opened& opened) {
  if (!opened.plan.processes.empty()) return;
  profile_into(opened.plan, *opened.archive, session.read_options("profile"), session.diagnostics);
  session.verbose(fmt::format("profile: {} events of {} processes, {:.3f} s", with_spaces(opened.plan.trace.events), opened.plan.processes.size(), session.seconds()));
}

void print_plan(const Session& session, const Plan& plan, bool json, const std::string& table) {
  session.clear_line();
  print(json || !stdout_is_terminal() ? to_json(plan) : table);
}

void check_iterations(const std::string& word) {
  if (word != "off") throw Error(ErrorKind::usage, fmt::format("--iterations {}: only 'off' is possible, which keeps all iterations", word));
}

void check_threshold(double threshold) {
  if (!(threshold >= 0 && threshold <= 1)) throw Error(ErrorKind::usage, fmt::format("--threshold {}: not between 0 and 1", threshold));
}

std::string summary_of(const Session& session, const Archive& archive, const Plan& plan, const RewriteSummary& done) {
  const auto before = archive.definitions().locations().size();
  std::string out = fmt::format("locations {} -> {}, events {} -> {}, {} -> {}, {:.2f} s\n", with_spaces(before), with_spaces(done.locations),
                                with_spaces(plan.trace.events), with_spaces(done.events), as_bytes(archive.facts().bytes), as_bytes(done.bytes), session.seconds());
  std::string cut;
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (done.cut[k]) cut += fmt::format("{}{} {}", cut.empty() ? "" : ", ", with_spaces(done.cut[k]), event_table[k].name);
  if (!cut.empty()) out += "left out with their partners: " + cut + "\n";
  return out;
}

RewriteSummary write_plan(Session& session, const Archive& archive, const Plan& plan, const std::string& out, bool force, bool keep_ids, bool plain_names) {
  if (out.empty()) throw Error(ErrorKind::usage, "no output is given").hint("say where with -o FOLDER");
  RewriteOptions options;
  static_cast<ReadOptions&>(options) = session.read_options("rewrite");
  options.force = force;
  options.keep_ids = keep_ids;
  options.plain_names = plain_names;
  const auto done = rewrite(archive, plan, out, options, session.diagnostics);
  struct ::rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  session.verbose(fmt::format("rewrite: done after {:.3f} s, peak memory {}", session.seconds(), as_bytes(static_cast<std::uint64_t>(usage.ru_maxrss) * 1024)));
  return done;
}

// Refuses early what the rewrite pass would refuse after minutes of reading.
void check_output(const std::string& out, bool force) {
  struct ::stat facts {};
  if (!force && !out.empty() && ::lstat(out.c_str(), &facts) == 0)
    throw Error(ErrorKind::output, "already exists").in(out).hint("choose another name, or use --force to replace it");
}

}  // namespace

int reduce(Session& session, const ReduceOptions& options) {
  check_iterations(options.iterations);
  check_threshold(options.threshold);
  check_output(options.out, options.force);
  const auto choice = choice_of(options.representative);
  auto opened = open(session, options.trace, true);
  need_profiles(session, opened);
  tracefold::group(opened.plan, options.exact ? 1 : options.threshold);
  tracefold::select(opened.plan, choice);
  const auto done = write_plan(session, *opened.archive, opened.plan, options.out, options.force, options.keep_ids, options.plain_names);
  session.clear_line();
  if (!session.options().quiet) print(groups_table(opened.plan) + "\n" + summary_of(session, *opened.archive, opened.plan, done));
  return 0;
}

int filter(Session& session, const FilterOptions& options) {
  if (!options.locations.empty()) from_ranges(options.locations);
  auto opened = open(session, options.trace, false);
  if (!opened.plan.processes.empty() || opened.plan.groups) throw Error(ErrorKind::usage, "the plan is grouped already").hint("use 'tracefold filter' before 'tracefold group'");
  opened.plan.filters.push_back({options.drop, options.keep, options.locations});
  print_plan(session, opened.plan, options.json, fmt::format("{} filters on {}\n", opened.plan.filters.size(), printable(opened.plan.trace.anchor)));
  return 0;
}

int group(Session& session, const GroupOptions& options) {
  check_threshold(options.threshold);
  auto opened = open(session, options.trace, true);
  need_profiles(session, opened);
  tracefold::group(opened.plan, options.exact ? 1 : options.threshold);
  print_plan(session, opened.plan, options.json, groups_table(opened.plan));
  return 0;
}

int select(Session& session, const SelectOptions& options) {
  const auto choice = choice_of(options.by);
  auto opened = open(session, options.trace, !options.trace.empty());
  if (opened.archive) {
    need_profiles(session, opened);
    tracefold::group(opened.plan, default_threshold);
  }
  tracefold::select(opened.plan, choice);
  print_plan(session, opened.plan, options.json, groups_table(opened.plan));
  return 0;
}

int write(Session& session, const WriteOptions& options) {
  check_iterations(options.iterations);
  check_output(options.out, options.force);
  auto opened = open(session, options.trace, true);
  const bool keeps_all = opened.plan.processes.empty() && opened.plan.filters.empty() && !session.options().partial;
  if (!keeps_all) need_profiles(session, opened);
  const auto done = write_plan(session, *opened.archive, opened.plan, options.out, options.force, options.keep_ids, options.plain_names);
  if (keeps_all) opened.plan.trace.events = done.read;
  if (!session.options().quiet) session.note(summary_of(session, *opened.archive, opened.plan, done));
  return 0;
}

namespace {

std::string type_name(std::uint64_t type) {
  switch (type) {
    case otf2_value::location_type_cpu: return "CPU threads";
    case otf2_value::location_type_accelerator: return "accelerator streams";
    case otf2_value::location_type_metric: return "metric locations";
    default: return "locations of unknown type";
  }
}

double duration_of(const TraceInfo& found) {
  return found.ticks_per_second ? static_cast<double>(found.last_time - found.first_time) / static_cast<double>(found.ticks_per_second) : 0;
}

std::string info_json(const TraceInfo& found) {
  nlohmann::ordered_json locations, records;
  for (auto [type, n] : found.locations) locations[type_name(type)] = n;
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (found.records[k]) records[std::string(event_table[k].name)] = found.records[k];
  const nlohmann::ordered_json out{{"creator", found.creator}, {"machine", found.machine}, {"bytes", found.bytes},
                                   {"seconds", duration_of(found)}, {"ticks_per_second", found.ticks_per_second}, {"locations", locations},
                                   {"regions", found.regions}, {"functions", found.functions}, {"communicators", found.communicators},
                                   {"events", found.events}, {"records", records}};
  return out.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string info_text(const TraceInfo& found) {
  std::vector<std::vector<std::string>> rows{{"written by", printable(found.creator)}, {"machine", printable(found.machine)},
                                             {"size", as_bytes(found.bytes)}, {"duration", fmt::format("{:.6f} s", duration_of(found))}};
  for (auto [type, n] : found.locations) rows.push_back({type_name(type), with_spaces(n)});
  rows.push_back({"regions", fmt::format("{} ({} functions)", with_spaces(found.regions), with_spaces(found.functions))});
  rows.push_back({"communicators", with_spaces(found.communicators)});
  rows.push_back({"events", with_spaces(found.events)});
  std::string out;
  for (const auto& row : rows) out += fmt::format("{:<22}{}\n", row[0], row[1]);
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (found.records[k]) out += fmt::format("  {:<30}{:>14}\n", event_table[k].name, with_spaces(found.records[k]));
  if (found.unknown_records) out += fmt::format("  {:<30}{:>14}\n", "(unknown)", with_spaces(found.unknown_records));
  return out;
}

}  // namespace

int info(Session& session, const PlanOptions& options) {
  if (options.trace.empty()) throw Error(ErrorKind::usage, "no trace is given").hint("as in 'tracefold info app/traces.otf2'");
  const Archive archive(options.trace, session.diagnostics);
  const auto found = tracefold::info(archive, session.read_options("read"), session.diagnostics);
  session.clear_line();
  print(options.json ? info_json(found) : info_text(found));
  return 0;
}

int verify(Session& session, const VerifyOptions& options) {
  if (options.reduced.empty() || options.original.empty())
    throw Error(ErrorKind::usage, "two traces are needed").hint("as in 'tracefold verify small/traces.otf2 --against app/traces.otf2'");
  Diagnostics quiet;
  const Archive original(options.original, quiet);
  const Archive reduced(options.reduced, session.diagnostics);
  const auto found = tracefold::verify(reduced, original, session.read_options("verify"), session.diagnostics);
  std::string out;
  for (const auto& r : found.rules) {
    out += fmt::format("{} {}", r.violations.empty() ? "ok  " : "FAIL", r.rule);
    if (!r.violations.empty()) out += fmt::format(": {}", printable(r.violations[0]));
    if (r.violations.size() > 1) out += fmt::format(" (and {} more)", r.violations.size() - 1);
    out += "\n";
  }
  session.clear_line();
  print(out + fmt::format("time that the weighted profile puts into the wrong function: {:.2f} %\n", 100 * found.profile_error));
  return found.holds() ? 0 : static_cast<int>(ErrorKind::no);
}

}  // namespace tracefold::cli
