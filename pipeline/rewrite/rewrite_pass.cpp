#include "pipeline/rewrite/rewrite_pass.hpp"

#include "base/publish.hpp"
#include "base/team.hpp"
#include "model/plan.hpp"
#include "model/trace_name.hpp"
#include "pipeline/rewrite/estimate.hpp"
#include "pipeline/rewrite/otf2_output.hpp"
#include "pipeline/rewrite/publish_archive.hpp"
#include "pipeline/rewrite/write_trace.hpp"
#include "pipeline/viewers/write_view.hpp"

#include <string>
#include <tuple>

namespace tracefold {

auto list_members(Like<ProgramDetail> auto& detail) {
  return std::tie(detail.percent, detail.iterations_per_column, detail.left_out);
}
auto list_members(Like<RewriteSummary> auto& summary) {
  return std::tie(summary.read, summary.locations, summary.events, summary.bytes, summary.halo,
                  summary.sends, summary.cut, summary.profiles, summary.profiles_bytes,
                  summary.checked, summary.is_view, summary.is_tar, summary.is_estimate,
                  summary.left_out_halo);
}

namespace {

// Bytes of all files in a folder.
std::uint64_t measure_size(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      bytes += entry.file_size();
  return bytes;
}

// The plan as it goes beside the written trace: it names the trace as seen from there. A tar is
// taken to be unpacked into a folder of its own beside it, or in this folder, as a folder would be
// made there.
Plan name_trace(Plan plan, const std::filesystem::path& out, const RewriteOptions& options) {
  const bool is_stream = options.tar && options.tar->stream;
  const auto folder = is_stream ? std::filesystem::path("stream") : out;
  plan.trace.anchor = name_trace_from(plan.trace.anchor, folder);
  return plan;
}

// The other members of a team sync the files that they have written themselves: on other nodes
// nobody else can. Who publishes the folder syncs all that is in it here.
void sync_own_files(const Archive& read, const std::vector<CopiedLocation>& copied,
                    const std::filesystem::path& folder, const Team* team) {
  if (is_first(team))
    return;

  std::vector<std::uint64_t> ids;
  for (const auto& location : copied)
    ids.push_back(location.id);
  std::vector<std::filesystem::path> files;
  for (const auto i : Shares(read.definitions(), ids, team).list_own(ids))
    for (const auto* ending : {".evt", ".def"})
      files.push_back(folder / "traces" / (std::to_string(copied[i].written.id) + ending));
  sync_files(folder, files);
}

// Writes all files of a trace into a hidden folder.
WrittenTrace write_into(const std::filesystem::path& folder, const Archive& archive,
                        const PreparedPlan& prepared, const RewriteOptions& options,
                        const ReadOptions& reading, Diagnostics& diagnostics) {
  Otf2Output output(folder, reading.team);
  auto written = write_trace(archive, prepared, output, options, reading, diagnostics);
  written.summary.bytes =
      compute_once<std::uint64_t>(reading.team, [&] { return measure_size(folder); });
  written.summary.profiles_bytes =
      compute_once<std::uint64_t>(reading.team, [&] { return prepared.files.profiles.size(); });
  return written;
}

// When all members of a team have read what is in it.
void empty_folder(const std::filesystem::path& folder, Team* team) {
  if (team)
    team->barrier();
  decide_once(team, [&] {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      std::filesystem::remove_all(entry.path());
  });
}

// Calls rewrite(), which returns a RewriteSummary, by the first member of a team; its summary is
// that of all.
template <class Rewrite>
RewriteSummary rewrite_alone(Team* team, Rewrite&& rewrite) {
  RewriteSummary summary;
  decide_once(team, [&] { summary = rewrite(); });
  return compute_once<RewriteSummary>(team, [&] { return summary; });
}

RewriteSummary publish(const Archive& archive, const PreparedPlan& prepared,
                       const std::filesystem::path& out_folder, const RewriteOptions& options,
                       const ReadOptions& reading, Diagnostics& diagnostics) {
  auto* const team = reading.team;
  RewriteSummary summary;
  const auto write = [&](const std::filesystem::path& folder) {
    decide_once(team, [&] {
      check_free_space(estimate_bytes(archive, prepared.plan, prepared.files.bytes()), folder);
    });

    auto written = write_into(folder, archive, prepared, options, reading, diagnostics);
    if (is_halo_too_large(archive, prepared.plan, written.summary)) {
      auto without = prepared;
      leave_out_halo(without, team);
      empty_folder(folder, team);
      written = write_into(folder, archive, without, options, reading, diagnostics);
      written.summary.left_out_halo = true;
    }
    sync_own_files(archive, written.locations, folder, team);
    summary = written.summary;
    check_stop();
  };

  if (options.tar) {
    const auto bytes = publish_tar(out_folder, *options.tar, options.force, archive, write, team);
    summary.bytes = bytes;
    summary.is_tar = true;
  } else {
    publish_archive(out_folder, options.force, archive, write, team);
  }

  return summary;
}

}  // namespace

RewriteSummary rewrite(const Archive& archive, const Plan& plan,
                       const std::filesystem::path& out_folder, const RewriteOptions& options,
                       const ReadOptions& reading, Diagnostics& diagnostics) {
  auto* const team = reading.team;
  const auto prepared = prepare_plan(archive, name_trace(plan, out_folder, options), options, team);
  if (!team || !options.tar || !options.tar->stream)
    return publish(archive, prepared, out_folder, options, reading, diagnostics);

  auto alone = reading;
  alone.team = nullptr;
  return rewrite_alone(
      team, [&] { return publish(archive, prepared, out_folder, options, alone, diagnostics); });
}

RewriteSummary rewrite_as_view(const Archive& archive, const Plan& plan, const ViewFormat& format,
                               const std::filesystem::path& file, const RewriteOptions& options,
                               const ReadOptions& reading, Diagnostics& diagnostics) {
  auto* const team = reading.team;
  RewriteSummary summary;
  const auto make = [&](const std::filesystem::path& folder) {
    auto prepared = prepare_plan(archive, plan, options, team);
    prepared.files = {};
    const auto trace = folder / "trace", parts = folder / "parts", made = folder / "view";
    decide_once(team, [&] {
      const auto needed = estimate_bytes(archive, prepared.plan, 0);
      check_free_space(needed + estimate_view_bytes(needed, format), folder);
      std::filesystem::create_directory(trace);
      std::filesystem::create_directory(parts);
    });

    Otf2Output output(trace, team);
    summary = write_trace(archive, prepared, output, options, reading, diagnostics).summary;
    summary.profiles.reset();
    summary.is_view = true;
    decide_once(team, [&] {
      auto alone = reading;
      alone.team = nullptr;
      Diagnostics ignored;  // nothing is odd in what was written
      const Archive written((trace / "traces.otf2").string(), ignored);
      write_view(written, find_representative_names(archive, prepared.plan), format, parts, made,
                 alone, ignored);
    });
    summary.bytes =
        compute_once<std::uint64_t>(team, [&] { return std::filesystem::file_size(made); });
    check_stop();

    return made;
  };
  publish_view(file, options.force, archive, make, team);

  return summary;
}

}  // namespace tracefold
