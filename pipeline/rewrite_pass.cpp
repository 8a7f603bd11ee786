#include "pipeline/rewrite_pass.hpp"

#include "emitters/otf2_writer.hpp"
#include "emitters/publish.hpp"
#include "model/sha256.hpp"
#include "model/version.hpp"
#include "pipeline/clean_events.hpp"
#include "pipeline/each_location.hpp"
#include "pipeline/event_cut.hpp"
#include "pipeline/read_back.hpp"
#include "pipeline/reduced_definitions.hpp"

#include <fmt/format.h>

#include <mutex>
#include <numeric>

namespace tracefold {

namespace {

// What a scan of one kept location finds.
struct Scan {
  ReceiveFates fates;
  CutCounts cut{};
  std::uint64_t first = ~std::uint64_t{0}, last = 0;  // time stamps, ticks
  std::size_t largest = 0;                            // event, in bytes
};

// Collects what the events that stay name.
class ScanSink {
 public:
  ScanSink(EventCut& cut, UsedRefs& used) : cut_(cut), used_(used) {}
  void enter(const CallBegin& c, std::span<const Attribute> attributes) { call(c.region, attributes); }
  void leave(const CallEnd& c, std::span<const Attribute> attributes) { call(c.region, attributes); }
  void other(Event& event) {
    largest_ = std::max(largest_, encoded_size(event));
    if (cut_.keep(event)) used_.add(event);
  }
  void unknown(std::uint64_t) {}
  std::size_t largest() const { return largest_; }

 private:
  void call(std::uint64_t region, std::span<const Attribute> attributes) {
    used_.add(Ref::region, region);
    if (attributes.empty()) return;
    largest_ = std::max(largest_, 64 + 20 * attributes.size());
    for (const auto& a : attributes) used_.add(a);
  }
  EventCut& cut_;
  UsedRefs& used_;
  std::size_t largest_ = 64;
};

// Gives the events that stay their new ids and writes them.
class CopySink {
 public:
  CopySink(EventCut& cut, const ReducedDefinitions& reduced, LocationWriter& writer) : cut_(cut), reduced_(reduced), writer_(writer) {}
  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    writer_.enter(call.time, reduced_.new_id(Ref::region, call.region), renumbered(attributes));
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    writer_.leave(call.time, reduced_.new_id(Ref::region, call.region), renumbered(attributes));
  }
  void other(Event& event) {
    if (!cut_.keep(event)) return;
    reduced_.renumber(event);
    writer_.write(event);
  }
  void unknown(std::uint64_t) {}

 private:
  std::span<const Attribute> renumbered(std::span<const Attribute> attributes) {
    if (attributes.empty()) return {};
    attributes_.assign(attributes.begin(), attributes.end());
    reduced_.renumber(attributes_);
    return attributes_;
  }
  EventCut& cut_;
  const ReducedDefinitions& reduced_;
  LocationWriter& writer_;
  std::vector<Attribute> attributes_;
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

}  // namespace

namespace {

// In bytes, to size the chunks of the new files.
std::size_t largest_event(const std::vector<Scan>& scans) {
  std::size_t largest = 0;
  for (const auto& scan : scans) largest = std::max(largest, scan.largest);
  return largest;
}

std::size_t largest_definition(const ReducedDefinitions& reduced, std::size_t locations) {
  std::size_t largest = 0;
  for (const auto& d : reduced.definitions(std::vector<std::uint64_t>(locations), 0, 0)) largest = std::max(largest, encoded_size(d));
  return largest;
}

RewriteSummary rewrite_into(PendingFolder& pending, const Archive& archive, const Plan& plan, const RewriteOptions& options, Diagnostics& diagnostics) {
  const auto& definitions = archive.definitions();
  const KeptLocations kept(definitions, plan, options.keep_ids);
  const Partners partners(definitions, plan, kept);
  const FunctionTable functions(definitions, plan.filters);
  std::vector<std::uint64_t> ids, new_ids;
  for (const auto& k : kept.all()) ids.push_back(k.id), new_ids.push_back(k.new_id);

  // What the kept locations name, and which of their messages stay.
  std::vector<Scan> scans(ids.size());
  UsedRefs used;
  std::mutex merging;
  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    EventCut cut(partners, ids[i], nullptr);
    UsedRefs named;
    ScanSink sink(cut, named);
    CleanEvents<ScanSink> clean(functions, sink);
    reader.read(ids[i], clean);
    clean.finish();
    scans[i] = {cut.take_fates(), {}, reader.records() ? clean.first_time() : ~std::uint64_t{0}, clean.last_time(), sink.largest()};
    std::lock_guard lock(merging);
    used.merge(named);
  });
  const ReducedDefinitions reduced(definitions, plan, kept, partners, used, {options.plain_names});

  // The events of each kept location.
  OutputArchive out(pending.path(), largest_definition(reduced, ids.size()), largest_event(scans));
  std::vector<std::uint64_t> events(ids.size());
  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    EventCut cut(partners, ids[i], &scans[i].fates);
    auto writer = out.open_location(new_ids[i]);
    CopySink sink(cut, reduced, writer);
    CleanEvents<CopySink> clean(functions, sink);
    reader.read(ids[i], clean);
    clean.finish();
    events[i] = writer.close();
    scans[i].cut = cut.cut();
  });
  check_stop();

  // Everything that is about the whole.
  RewriteSummary summary;
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const auto& scan : scans) {
    first = std::min(first, scan.first);
    last = std::max(last, scan.last);
    for (std::size_t k = 0; k < event_kinds; ++k) summary.cut[k] += scan.cut[k];
  }
  out.finish_locations(new_ids);
  out.describe(archive.facts());
  const auto plan_text = to_json(plan);
  set_properties(out, archive.facts(), summary.cut, plan_text);
  const auto final_definitions = reduced.definitions(events, std::min(first, last), last);
  out.write_definitions(final_definitions);
  out.write_markers(archive.facts().marker_kinds, markers_that_stay(archive.facts(), reduced));
  out.close();
  read_back(pending.path() / "traces.otf2", new_ids, events, final_definitions.size());
  write_file(pending.path() / "tracefold.json", plan_text);
  summary.locations = ids.size();
  summary.events = std::accumulate(events.begin(), events.end(), std::uint64_t{0});
  summary.bytes = size_of(pending.path());
  check_stop();
  return summary;
}

}  // namespace

RewriteSummary rewrite(const Archive& archive, const Plan& plan, const std::filesystem::path& out_folder, const RewriteOptions& options,
                       Diagnostics& diagnostics) {
  PendingFolder pending(out_folder, options.force, archive.paths().anchor);
  try {
    const auto summary = rewrite_into(pending, archive, plan, options, diagnostics);
    pending.publish();
    return summary;
  } catch (Error& problem) {
    if (problem.kind() == ErrorKind::output) problem.in(out_folder.string()).hint("choose another place with -o");
    throw;
  }
}

}  // namespace tracefold
