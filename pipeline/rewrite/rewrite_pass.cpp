#include "pipeline/rewrite/rewrite_pass.hpp"

#include "base/publish.hpp"
#include "model/plan.hpp"
#include "model/trace_name.hpp"
#include "pipeline/rewrite/estimate.hpp"
#include "pipeline/rewrite/otf2_output.hpp"
#include "pipeline/rewrite/publish_archive.hpp"
#include "pipeline/rewrite/write_trace.hpp"
#include "pipeline/viewers/write_view.hpp"

namespace tracefold {

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

}  // namespace

RewriteSummary rewrite(const Archive& archive, const Plan& plan,
                       const std::filesystem::path& out_folder, const RewriteOptions& options,
                       const ReadOptions& reading, Diagnostics& diagnostics) {
  RewriteSummary summary;
  const auto write = [&](const std::filesystem::path& folder) {
    const auto prepared = prepare_plan(archive, name_trace(plan, out_folder, options), options);
    check_free_space(estimate_bytes(archive, prepared.plan, prepared.files.bytes()), folder);

    Otf2Output output(folder);
    summary = write_trace(archive, prepared, output, options, reading, diagnostics).summary;
    summary.bytes = measure_size(folder);
    check_stop();
  };

  if (options.tar) {
    const auto bytes = publish_tar(out_folder, *options.tar, options.force, archive, write);
    summary.bytes = bytes;
    summary.is_tar = true;
  } else {
    publish_archive(out_folder, options.force, archive, write);
  }

  return summary;
}

RewriteSummary rewrite_as_view(const Archive& archive, const Plan& plan, const ViewFormat& format,
                               const std::filesystem::path& file, const RewriteOptions& options,
                               const ReadOptions& reading, Diagnostics& diagnostics) {
  RewriteSummary summary;
  publish_view(file, options.force, archive, [&](const std::filesystem::path& folder) {
    auto prepared = prepare_plan(archive, plan, options);
    prepared.files = {};
    const auto needed = estimate_bytes(archive, prepared.plan, 0);
    check_free_space(needed + estimate_view_bytes(needed, format), folder);

    const auto trace = folder / "trace", parts = folder / "parts", made = folder / "view";
    std::filesystem::create_directory(trace);
    std::filesystem::create_directory(parts);
    Otf2Output output(trace);
    summary = write_trace(archive, prepared, output, options, reading, diagnostics).summary;
    summary.profiles.reset();
    summary.is_view = true;

    Diagnostics ignored;  // nothing is odd in what was written
    const Archive written((trace / "traces.otf2").string(), ignored);
    write_view(written, format, parts, made, reading, ignored);
    summary.bytes = std::filesystem::file_size(made);
    check_stop();

    return made;
  });

  return summary;
}

}  // namespace tracefold
