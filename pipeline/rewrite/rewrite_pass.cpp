#include "pipeline/rewrite/rewrite_pass.hpp"

#include "base/publish.hpp"
#include "pipeline/rewrite/copy_pass.hpp"
#include "pipeline/rewrite/filtered_out_pass.hpp"
#include "pipeline/rewrite/metadata.hpp"
#include "pipeline/rewrite/otf2_output.hpp"
#include "pipeline/rewrite/replaceable.hpp"
#include "pipeline/rewrite/scan_pass.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

constexpr const char* plan_name = "tracefold.json";

// Values of OTF2_MarkerScope.
constexpr std::uint64_t marker_scope_group = 4;
constexpr std::uint64_t marker_scope_comm = 5;

// Bytes of all files in a folder, without the plan.
std::uint64_t measure_size(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != plan_name)
      bytes += entry.file_size();
  return bytes;
}

// The plan that is put beside the archive. Where the trace was not profiled, the processes were
// added to the plan for this rewrite only, and nobody has counted the events before.
std::string format_plan(const Plan& plan, bool was_profiled, std::uint64_t events_read) {
  if (was_profiled)
    return to_json(plan);

  auto unprofiled = plan;
  unprofiled.processes.clear();
  unprofiled.trace.events = events_read;

  return to_json(unprofiled);
}

// Reading what was written costs less than a tenth of what reading the trace did.
bool is_checked(CheckOutput check, std::uint64_t written, std::uint64_t read) {
  return check == CheckOutput::always ||
         (check == CheckOutput::where_cheap && written <= read / 10);
}

RewriteSummary add_up(const std::vector<CopiedLocation>& copied) {
  RewriteSummary summary;
  summary.locations = copied.size();

  for (const auto& location : copied) {
    summary.read += location.read;
    summary.events += location.written.records;
    for (std::size_t k = 0; k < event_kinds; ++k)
      summary.cut[k] += location.cut[k];
  }

  return summary;
}

// The definitions, which name the number of each location's events and the time that is covered.
std::vector<Definition> make_definitions(const ReducedDefinitions& reduced,
                                         const std::vector<CopiedLocation>& copied) {
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  std::vector<std::uint64_t> events;

  for (const auto& location : copied) {
    if (location.read > 0)
      first = std::min(first, location.first_time);
    last = std::max(last, location.last_time);
    events.push_back(location.written.records);
  }

  return reduced.definitions(events, std::min(first, last), last);
}

TraceMetadata make_metadata(const KeptTrace& kept, const ReducedDefinitions& reduced,
                            const std::vector<CopiedLocation>& copied, const CutCounts& cut,
                            const std::string& plan_text) {
  const auto& original = kept.archive().facts();
  TraceMetadata metadata;
  metadata.machine = original.machine;
  metadata.creator = original.creator;
  metadata.description = original.description;
  metadata.definitions = make_definitions(reduced, copied);
  metadata.properties = make_properties(original, kept.plan(), cut, plan_text);
  make_markers(metadata, original, reduced, kept.plan());

  return metadata;
}

// Writes what a trace holds besides events, and looks whether all can be read again.
template <TraceOutput Output>
void finish(Output& output, const TraceMetadata& metadata,
            const std::vector<CopiedLocation>& copied, bool check_events,
            const ReadOptions& options) {
  output.write(metadata);
  output.check_metadata(metadata);
  if (!check_events)
    return;

  std::vector<WrittenLocation> written;
  written.reserve(copied.size());
  for (const auto& location : copied)
    written.push_back(location.written);

  output.check_events(written, options);
}

// Communicators and groups of kept processes stay where a marker is about them.
void use_marker_scopes(const KeptTrace& kept, UsedRefs& used) {
  const auto& definitions = kept.definitions();
  const auto has_kept_member = [&](std::uint64_t id) {
    const auto* group = definitions.find(Ref::group, id);
    if (!group)
      return false;

    const auto members = definitions.members(*group);
    return std::any_of(members.begin(), members.end(),
                       [&](auto location) { return kept.locations().has(location); });
  };

  for (const auto& marker : kept.archive().facts().markers) {
    const auto* comm =
        marker.scope == marker_scope_comm ? definitions.find(Ref::comm, marker.scope_id) : nullptr;
    if (comm && comm->kind == DefinitionKind::Comm &&
        has_kept_member(get_field<"group", DefinitionKind::Comm>(*comm)))
      used.add(Ref::comm, marker.scope_id);
    if (marker.scope == marker_scope_group && has_kept_member(marker.scope_id))
      used.add(Ref::group, marker.scope_id);
  }
}

// `plan` is a copy, to which the processes of the trace are added where it has none.
RewriteSummary write_archive(const std::filesystem::path& folder, const Archive& archive, Plan plan,
                             const RewriteOptions& options, Diagnostics& diagnostics) {
  const bool was_profiled = !plan.processes.empty();
  if (!was_profiled)
    plan.processes = find_processes(archive.definitions(), plan.filters);

  // What the profile has reported is not reported again.
  Diagnostics ignored;
  auto& oddities = was_profiled ? ignored : diagnostics;

  const auto filtered_out = find_filtered_out_with_messages(archive, plan, options);
  const KeptTrace kept(archive, plan, filtered_out, options.keep_ids);
  auto scan =
      kept.keeps_all_records() ? assume_all_stays(kept) : scan_pass(kept, options, oddities);
  use_marker_scopes(kept, scan.used);
  const ReducedDefinitions reduced(archive.definitions(), plan, kept.locations(), kept.partners(),
                                   scan.used, kept.collapse().names(), {options.plain_names});

  std::optional<Otf2Output> output;
  std::vector<CopiedLocation> copied;
  const auto copy = [&] {
    output.emplace(folder, scan.largest_record);
    copied = copy_pass(kept, scan, reduced, *output, !was_profiled, options, oddities);
  };

  const auto scan_and_copy = [&](bool keeps_all_operations) {
    auto found = scan_pass(kept, options, ignored);
    scan.operations = std::move(found.operations);
    scan.largest_record = found.largest_record;
    scan.keeps_all_operations = keeps_all_operations;
    copy();
  };

  try {
    try {
      copy();
    } catch (const RecordTooLarge&) {
      // Nothing was scanned, and one of the rare records that do not fit into chunks of the usual
      // size was met.
      scan_and_copy(scan.keeps_all_operations);
    }
  } catch (const UnknownRank&) {
    // Everything was to stay, and a rank was met that its communicator does not have.
    scan_and_copy(false);
  }

  check_stop();

  auto summary = add_up(copied);
  summary.checked =
      is_checked(options.check, summary.events, std::max(summary.read, plan.trace.events));
  const auto plan_text = format_plan(plan, was_profiled, summary.read);
  finish(*output, make_metadata(kept, reduced, copied, summary.cut, plan_text), copied,
         summary.checked, options);

  write_file(folder / plan_name, plan_text);
  summary.bytes = measure_size(folder);
  check_stop();

  return summary;
}

}  // namespace

RewriteSummary rewrite(const Archive& archive, const Plan& plan,
                       const std::filesystem::path& out_folder, const RewriteOptions& options,
                       Diagnostics& diagnostics) {
  PendingFolder pending(out_folder, {options.force, archive.paths().anchor, find_foreign_entry});

  try {
    const auto summary = write_archive(pending.path(), archive, plan, options, diagnostics);
    pending.publish();

    return summary;
  } catch (const std::filesystem::filesystem_error& problem) {
    throw Error(ErrorKind::output, "cannot be written: " + problem.code().message())
        .in(out_folder.string())
        .hint("choose another place with -o");
  } catch (Error& problem) {
    if (problem.kind() == ErrorKind::output)
      problem.in(out_folder.string()).hint("choose another place with -o");
    else
      problem.in(archive.paths().anchor.string());
    throw;
  }
}

}  // namespace tracefold
