#include "pipeline/rewrite_pass.hpp"

#include "emitters/event_writer.hpp"
#include "emitters/otf2_writer.hpp"
#include "emitters/publish.hpp"
#include "model/sha256.hpp"
#include "model/version.hpp"
#include "pipeline/clean_events.hpp"
#include "pipeline/each_location.hpp"
#include "pipeline/event_cut.hpp"
#include "pipeline/read_back.hpp"
#include "pipeline/reduced_definitions.hpp"
#include "pipeline/report_location.hpp"

#include <fmt/format.h>

#include <bit>
#include <mutex>
#include <numeric>

namespace tracefold {

namespace {

// Collects what the events that stay name.
class ScanSink {
 public:
  ScanSink(EventCut& cut, UsedRefs& used) : cut_(cut), used_(used) {}
  [[gnu::always_inline]] void enter(const CallBegin& c, std::span<const Attribute> attributes) { call(c.region, attributes); }
  [[gnu::always_inline]] void leave(const CallEnd& c, std::span<const Attribute> attributes) { call(c.region, attributes); }
  void other(Event& event) {
    if (cut_.keep(event)) used_.add(event);
  }
  void unknown(std::uint64_t) {}

 private:
  void call(std::uint64_t region, std::span<const Attribute> attributes) {
    used_.add(Ref::region, region);
    for (const auto& a : attributes) used_.add(a);
  }
  EventCut& cut_;
  UsedRefs& used_;
};

// Gives the events that stay their new ids and writes them.
class CopySink {
 public:
  CopySink(EventCut& cut, const ReducedDefinitions& reduced, EventWriter& writer) : cut_(cut), reduced_(reduced), writer_(writer) {}
  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    writer_.enter(call.time, reduced_.new_id(Ref::region, call.region), renumbered(attributes));
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    writer_.leave(call.time, reduced_.new_id(Ref::region, call.region), renumbered(attributes));
  }
  void other(Event& event) {
    if (!cut_.keep(event)) return;
    reduced_.renumber(event);
    writer_.write(event);
  }
  void unknown(std::uint64_t) { ++unknown_; }
  std::uint64_t unknown_records() const { return unknown_; }

 private:
  std::span<const Attribute> renumbered(std::span<const Attribute> attributes) {
    if (attributes.empty()) return {};
    attributes_.assign(attributes.begin(), attributes.end());
    reduced_.renumber(attributes_);
    return attributes_;
  }
  EventCut& cut_;
  const ReducedDefinitions& reduced_;
  EventWriter& writer_;
  std::vector<Attribute> attributes_;
  std::uint64_t unknown_ = 0;
};

// What is left out, and the properties that say so.
void set_properties(OutputArchive& out, const ArchiveFacts& facts, const CutCounts& cut, const std::string& plan_text) {
  for (const auto& [name, value] : facts.properties)
    if (!name.starts_with("TRACEFOLD::") && name != "OTF2::MPI_COMMUNICATION_COMPLETE") out.set_property(name, value);
  const bool complete = std::accumulate(cut.begin(), cut.end(), std::uint64_t{0}) == 0;
  auto claimed = facts.properties.find("OTF2::MPI_COMMUNICATION_COMPLETE");
  if (!complete) out.set_property("OTF2::MPI_COMMUNICATION_COMPLETE", "false");
  else if (claimed != facts.properties.end()) out.set_property(claimed->first, claimed->second);
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (cut[k]) out.set_property(fmt::format("tracefold::cut::{}", event_table[k].name), std::to_string(cut[k]));
  Sha256 hash;
  hash.add(plan_text);
  out.set_property("TRACEFOLD::VERSION", version);
  out.set_property("TRACEFOLD::PLAN_SHA256", hash.hex());
}

std::vector<Marker> markers_that_stay(const ArchiveFacts& facts, const ReducedDefinitions& reduced) {
  std::vector<Marker> kept;
  for (auto m : facts.markers) {
    constexpr std::array kinds{Ref::string, Ref::location, Ref::location_group, Ref::system_tree_node, Ref::group, Ref::comm};
    if (m.scope > 0 && m.scope < kinds.size()) {
      if (!reduced.stays(kinds[m.scope], m.scope_id)) continue;
      m.scope_id = reduced.new_id(kinds[m.scope], m.scope_id);
    }
    kept.push_back(std::move(m));
  }
  return kept;
}

std::uint64_t size_of(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != "tracefold.json") bytes += entry.file_size();
  return bytes;
}

// What the copy of one location was made of.
struct Copied {
  std::uint64_t read = 0, written = 0;    // records
  std::uint64_t first = 0, last = 0;      // time stamps, ticks
  CutCounts cut{};
};

class Rewrite {
 public:
  Rewrite(const Archive& archive, const Plan& plan, bool profiled, const RewriteOptions& options, Diagnostics& diagnostics)
      : archive_(archive), plan_(plan), profiled_(profiled), options_(options), diagnostics_(diagnostics), kept_(archive.definitions(), plan_, options.keep_ids),
        partners_(archive.definitions(), plan_, kept_), functions_(archive.definitions(), plan_.filters) {
    for (const auto& k : kept_.all()) ids_.push_back(k.id), new_ids_.push_back(k.new_id);
  }

  // `said` is the plan to put beside the anchor.
  RewriteSummary into(const std::filesystem::path& folder, Plan said) {
    scan();
    const ReducedDefinitions reduced(archive_.definitions(), plan_, kept_, partners_, used_, {options_.plain_names});
    const auto chunk = copy(folder, reduced);
    check_stop();
    return finish(folder, reduced, chunk, std::move(said));
  }

 private:
  bool nothing_is_left_out() const { return partners_.everything() && plan_.filters.empty(); }

  // What the kept locations name, and which of their receives stay.
  void scan() {
    fates_.resize(ids_.size());
    if (nothing_is_left_out()) {
      used_.add_all(archive_.definitions());
      return;
    }
    std::mutex merging;
    each_location(archive_, ids_, options_, told_, [&](EventReader& reader, std::size_t i) {
      EventCut cut(partners_, ids_[i], nullptr);
      UsedRefs named;
      ScanSink sink(cut, named);
      CleanEvents<ScanSink> clean(functions_, sink);
      reader.read(ids_[i], clean);
      clean.finish();
      fates_[i] = cut.take_fates();
      std::lock_guard lock(merging);
      used_.merge(named);
    });
  }

  // The events of each kept location, in chunks that hold the largest of them. Returns their size in bytes.
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
        if (chunk > wire::largest_chunk) throw Error(ErrorKind::input, "a record is larger than OTF2 can write").in(archive_.paths().anchor.string()).hint("tell who made the trace");
        std::filesystem::remove_all(location_folder(folder), problem);
        if (problem) throw Error(ErrorKind::output, "a folder cannot be removed: " + problem.message());
      }
    }
  }

  void copy(const std::filesystem::path& folder, const ReducedDefinitions& reduced, std::uint64_t chunk) {
    copied_.assign(ids_.size(), {});
    each_location(archive_, ids_, options_, told_, [&](EventReader& reader, std::size_t i) {
      EventCut cut(partners_, ids_[i], &fates_[i]);
      EventWriter writer(folder, new_ids_[i], chunk);
      CopySink sink(cut, reduced, writer);
      CleanEvents<CopySink> clean(functions_, sink);
      const bool whole = reader.read(ids_[i], clean);
      clean.finish();
      copied_[i] = {reader.records(), writer.close(), clean.first_time(), clean.last_time(), cut.cut()};
      write_local_definitions(folder, new_ids_[i]);
      if (!profiled_) report_location(archive_.definitions(), ids_[i], reader.records(), sink.unknown_records(), whole, clean, diagnostics_);
    });
  }

  // Everything that is about the whole.
  RewriteSummary finish(const std::filesystem::path& folder, const ReducedDefinitions& reduced, std::uint64_t chunk, Plan said) {
    RewriteSummary summary;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    std::vector<std::uint64_t> events;
    for (const auto& c : copied_) {
      if (c.read > 0) first = std::min(first, c.first);
      last = std::max(last, c.last);
      summary.read += c.read;
      summary.events += c.written;
      events.push_back(c.written);
      for (std::size_t k = 0; k < event_kinds; ++k) summary.cut[k] += c.cut[k];
    }
    if (!profiled_) said.trace.events = summary.read;
    const auto plan_text = to_json(said);
    const auto definitions = reduced.definitions(events, std::min(first, last), last);
    OutputArchive out(folder, chunk, definitions);
    out.describe(archive_.facts());
    set_properties(out, archive_.facts(), summary.cut, plan_text);
    out.write_markers(archive_.facts().marker_kinds, markers_that_stay(archive_.facts(), reduced));
    out.close();
    read_back(folder / "traces.otf2", definitions.size());
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
  std::vector<std::uint64_t> ids_, new_ids_;
  UsedRefs used_;
  std::vector<ReceiveFates> fates_;
  std::vector<Copied> copied_;
};

}  // namespace

RewriteSummary rewrite(const Archive& archive, const Plan& plan, const std::filesystem::path& out_folder, const RewriteOptions& options,
                       Diagnostics& diagnostics) {
  PendingFolder pending(out_folder, options.force, archive.paths().anchor);
  try {
    auto named = plan;
    const bool profiled = !plan.processes.empty();
    if (!profiled) named.processes = processes_of(archive.definitions(), plan.filters);
    const auto summary = Rewrite(archive, named, profiled, options, diagnostics).into(pending.path(), plan);
    pending.publish();
    return summary;
  } catch (Error& problem) {
    if (problem.kind() == ErrorKind::output) problem.in(out_folder.string()).hint("choose another place with -o");
    else problem.in(archive.paths().anchor.string());
    throw;
  }
}

}  // namespace tracefold
