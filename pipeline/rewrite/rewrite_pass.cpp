#include "pipeline/rewrite/rewrite_pass.hpp"

#include "base/publish.hpp"
#include "otf2/event_writer.hpp"
#include "otf2/otf2_writer.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/each_location.hpp"
#include "pipeline/events/report_location.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/rewrite/archive_remarks.hpp"
#include "pipeline/rewrite/event_cut.hpp"
#include "pipeline/rewrite/output_check.hpp"
#include "pipeline/rewrite/reduced_definitions.hpp"
#include "pipeline/rewrite/rewrite_sinks.hpp"

#include <fmt/format.h>

#include <bit>
#include <mutex>

namespace tracefold {

namespace {

std::uint64_t size_of(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != "tracefold.json")
      bytes += entry.file_size();
  return bytes;
}

// What the copy of one location was made of.
struct Copied {
  std::uint64_t read = 0;  // records
  WrittenLocation written;
  std::uint64_t first = 0, last = 0;  // time stamps, ticks
  CutCounts cut{};
};

class Rewrite {
 public:
  Rewrite(const Archive& archive, const Plan& plan, bool profiled, const RewriteOptions& options,
          Diagnostics& diagnostics)
      : archive_(archive),
        plan_(plan),
        profiled_(profiled),
        options_(options),
        diagnostics_(diagnostics),
        kept_(archive.definitions(), plan_, options.keep_ids),
        partners_(archive.definitions(), plan_, kept_),
        functions_(archive.definitions(), plan_.filters),
        collapse_(plan_) {
    for (const auto& k : kept_.all())
      ids_.push_back(k.id), new_ids_.push_back(k.new_id);
  }

  // `said` is the plan to put beside the anchor.
  RewriteSummary into(const std::filesystem::path& folder, Plan said) {
    scan();
    const ReducedDefinitions reduced(archive_.definitions(), plan_, kept_, partners_, used_,
                                     collapse_.names(), {options_.plain_names});
    const auto chunk = copy(folder, reduced);
    check_stop();

    return finish(folder, reduced, chunk, std::move(said));
  }

 private:
  // Reading what was written costs less than a tenth of what reading the trace did.
  bool checks(std::uint64_t written, std::uint64_t read) const {
    return options_.check == CheckOutput::always ||
           (options_.check == CheckOutput::where_cheap && written <= read / 10);
  }
  bool nothing_is_left_out() const {
    return partners_.everything() && plan_.filters.empty() && !collapse_.any();
  }

  // What the kept locations name, and which of their operations stay.
  void scan() {
    operations_.resize(ids_.size());
    if (nothing_is_left_out()) {
      used_.add_all(archive_.definitions());
      return;
    }

    std::mutex merging;

    each_location(archive_, ids_, options_, told_, [&](EventReader& reader, std::size_t i) {
      EventScan scan(partners_, archive_.definitions(), ids_[i], collapse_.any());
      UsedRefs named;
      ScanSink sink(scan, named);
      read_clean(reader, i, sink, [](const auto&, bool) {});
      operations_[i] = scan.take();
      std::lock_guard lock(merging);
      used_.merge(named);
    });

    if (collapse_.any())
      stay_together(operations_);
  }

  // Hands the clean events of a kept location on, its iterations collapsed. Calls
  // done(clean events, whether the file was read to its end) behind the last one.
  template <class Sink, class Done>
  void read_clean(EventReader& reader, std::size_t i, Sink& sink, Done&& done) {
    const auto read = [&](auto& to) {
      CleanEvents<std::remove_reference_t<decltype(to)>> clean(functions_, to);
      const bool whole = reader.read(ids_[i], clean);
      clean.finish();
      done(clean, whole);
    };

    const auto* loops = collapse_.loops_of(ids_[i]);
    if (!loops)
      return read(sink);

    CollapsedEvents<Sink> collapsed(collapse_, *loops, sink);
    read(collapsed);
    collapsed.finish();
  }

  // The events of each kept location, in chunks that hold the largest of them. Returns their size
  // in bytes.
  std::uint64_t copy(const std::filesystem::path& folder, const ReducedDefinitions& reduced) {
    for (auto chunk = wire::smallest_chunk;;) {
      std::error_code problem;
      if (!std::filesystem::create_directory(location_folder(folder), problem))
        throw Error(ErrorKind::output, "a folder cannot be made: " + problem.message());

      try {
        copy(location_folder(folder), reduced, chunk);
        return chunk;
      } catch (const RecordTooLarge& record) {
        chunk = std::bit_ceil(record.bytes);
        if (chunk > wire::largest_chunk)
          throw Error(ErrorKind::input, "a record is larger than OTF2 can write")
              .in(archive_.paths().anchor.string())
              .hint("tell who made the trace");

        std::filesystem::remove_all(location_folder(folder), problem);
        if (problem)
          throw Error(ErrorKind::output, "a folder cannot be removed: " + problem.message());
      }
    }
  }

  void copy(const std::filesystem::path& folder, const ReducedDefinitions& reduced,
            std::uint64_t chunk) {
    copied_.assign(ids_.size(), {});

    each_location(archive_, ids_, options_, told_, [&](EventReader& reader, std::size_t i) {
      EventCut cut(partners_, ids_[i], operations_[i].stays,
                   partners_.everything() && !collapse_.any());
      EventWriter writer(folder, new_ids_[i], chunk);
      CopySink sink(cut, reduced, writer);

      read_clean(reader, i, sink, [&](const auto& clean, bool whole) {
        copied_[i].first = clean.first_time();
        copied_[i].last = clean.last_time();
        if (!profiled_)
          report_location(archive_.definitions(), ids_[i], reader.records(), sink.unknown_records(),
                          whole, clean, diagnostics_);
      });

      copied_[i].read = reader.records();
      copied_[i].written = {new_ids_[i], writer.close(), sink.others()};
      copied_[i].cut = cut.cut();
      write_local_definitions(folder, new_ids_[i]);
    });
  }

  // Everything that is about the whole.
  RewriteSummary finish(const std::filesystem::path& folder, const ReducedDefinitions& reduced,
                        std::uint64_t chunk, Plan said) {
    RewriteSummary summary;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    std::vector<std::uint64_t> events;
    std::vector<WrittenLocation> written;

    for (const auto& c : copied_) {
      if (c.read > 0)
        first = std::min(first, c.first);

      last = std::max(last, c.last);
      summary.read += c.read;
      summary.events += c.written.records;
      events.push_back(c.written.records);
      written.push_back(c.written);
      for (std::size_t k = 0; k < event_kinds; ++k)
        summary.cut[k] += c.cut[k];
    }

    if (!profiled_)
      said.trace.events = summary.read;

    const auto plan_text = to_json(said);
    const auto definitions = reduced.definitions(events, std::min(first, last), last);
    OutputArchive out(folder, chunk, definitions);
    out.describe(archive_.facts());
    set_properties(out, archive_.facts(), plan_, summary.cut, plan_text);
    const auto markers = markers_of(archive_.facts(), reduced, plan_);
    out.write_markers(markers.kinds, markers.markers);
    out.close();
    const auto anchor = folder / "traces.otf2";
    check_definitions(anchor, definitions.size());
    summary.checked = checks(summary.events, std::max(summary.read, plan_.trace.events));
    if (summary.checked)
      check_events(anchor, written, options_);

    write_file(folder / "tracefold.json", plan_text);
    summary.locations = ids_.size();
    summary.bytes = size_of(folder);
    check_stop();

    return summary;
  }

  const Archive& archive_;
  const Plan& plan_;
  const bool profiled_;  // then what is odd was told already
  const RewriteOptions& options_;
  Diagnostics& diagnostics_;
  Diagnostics quiet_, &told_ = profiled_ ? quiet_ : diagnostics_;
  const KeptLocations kept_;
  const Partners partners_;
  const FunctionTable functions_;
  const Collapse collapse_;
  std::vector<std::uint64_t> ids_, new_ids_;
  UsedRefs used_;
  std::vector<LocationOperations> operations_;
  std::vector<Copied> copied_;
};

}  // namespace

RewriteSummary rewrite(const Archive& archive, const Plan& plan,
                       const std::filesystem::path& out_folder, const RewriteOptions& options,
                       Diagnostics& diagnostics) {
  PendingFolder pending(out_folder, options.force, archive.paths().anchor);

  try {
    auto named = plan;
    const bool profiled = !plan.processes.empty();
    if (!profiled)
      named.processes = processes_of(archive.definitions(), plan.filters);

    const auto summary =
        Rewrite(archive, named, profiled, options, diagnostics).into(pending.path(), plan);
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
