#include "pipeline/rewrite/scan_pass.hpp"

#include "pipeline/rewrite/group_tree.hpp"

#include "base/team.hpp"
#include "model/plan.hpp"
#include "otf2/event_writer.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/rewrite/event_cut.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// Collects what the events of a location use that stay. One per location and thread.
class ScanSink {
 public:
  static constexpr bool is_hot = true;

  explicit ScanSink(EventScan& scan) : scan_(scan) {}

  // Events as recorded.
  [[gnu::always_inline]] void enter(std::uint64_t, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    ++open_calls_;
    use_region(region, attributes);
  }
  [[gnu::always_inline]] void leave(std::uint64_t, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    if (open_calls_ == 0) [[unlikely]] {
      leaves_without_enter_ = true;
      return;
    }

    --open_calls_;
    use_region(region, attributes);
  }

  // Clean events.
  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    use_region(call.region, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    use_region(call.region, attributes);
  }
  void other(Event& event) {
    if (keep(event))
      put(event);
  }
  bool keep(const Event& event) { return scan_.scan(event, true); }
  void put(const Event& event) {
    used_.add(event);
    if (!event.list.empty() || !event.attributes.empty())
      largest_record_ = std::max(largest_record_, encoded_size(event));
  }
  void left_out(Event& event) { scan_.scan(event, false); }
  void collapsed_call(EventKind, std::uint64_t, const CollapsedCall& call) {
    if (!call.is_context)
      return;
    contexts_.insert(call.context);
    if (call.context.caller != undefined_id(Ref::calling_context))
      used_.add(Ref::calling_context, call.context.caller);
  }
  void unknown(std::uint64_t) {}

  // True where events as recorded and clean events use the same: cleaning drops calls of undefined
  // regions, and Leave records with nothing open.
  bool sees_clean_calls(const Definitions& definitions) const {
    bool all_defined = true;
    used_.get(Ref::region).for_each([&](std::uint64_t region) {
      all_defined = all_defined && definitions.find(Ref::region, region);
    });
    return all_defined && !leaves_without_enter_;
  }

  const UsedRefs& used() const { return used_; }
  const std::set<CollapsedContext>& collapsed_contexts() const { return contexts_; }
  std::size_t largest_record() const { return largest_record_; }

 private:
  [[gnu::always_inline]] void use_region(std::uint64_t region,
                                         std::span<const Attribute> attributes) {
    used_.add(Ref::region, region);
    if (!attributes.empty()) [[unlikely]]
      use_attributes(attributes);
  }
  [[gnu::noinline]] void use_attributes(std::span<const Attribute> attributes) {
    for (const auto& attribute : attributes)
      used_.add(attribute);
    largest_record_ = std::max(largest_record_, encoded_size_of_call(attributes));
  }

  EventScan& scan_;
  UsedRefs used_;
  std::set<CollapsedContext> contexts_;
  std::size_t largest_record_ = 0;
  std::size_t open_calls_ = 0;
  bool leaves_without_enter_ = false;
};

// What the scan of one location found.
struct LocationScan {
  LocationScan(const KeptTrace& kept, std::size_t i)
      : scan(kept.partners(), kept.definitions(), kept.ids()[i], kept.collapse().any()),
        sink(scan) {}
  LocationScan(const LocationScan&) = delete;
  LocationScan& operator=(const LocationScan&) = delete;

  EventScan scan;
  ScanSink sink;
};

// Scans a location. Where no call is dropped and no iteration is collapsed, cleaning changes
// nothing that a scan looks at, which then reads the events as they are recorded: that takes about
// half of the instructions. Only where a location turns out to be odd it is read again.
void scan_location(const KeptTrace& kept, EventReader& reader, std::size_t i,
                   std::optional<LocationScan>& found) {
  if (!kept.collapse().any() && kept.plan().filters.empty() && !kept.is_halo(i)) {
    found.emplace(kept, i);
    reader.read(kept.ids()[i], found->sink);
    if (found->sink.sees_clean_calls(kept.definitions()))
      return;
  }

  found.emplace(kept, i);
  kept.read(reader, i, found->sink);
}

// What the events of some locations use that stay.
struct UsedByEvents {
  UsedRefs used;
  std::set<CollapsedContext> contexts;
  std::size_t largest_record = 0;  // bytes

  void add(const ScanSink& location) {
    used.merge(location.used());
    contexts.insert(location.collapsed_contexts().begin(), location.collapsed_contexts().end());
    largest_record = std::max(largest_record, location.largest_record());
  }
  void add(const UsedByEvents& other) {
    used.merge(other.used);
    contexts.insert(other.contexts.begin(), other.contexts.end());
    largest_record = std::max(largest_record, other.largest_record);
  }
};

auto list_members(Like<UsedByEvents> auto& uses) {
  return std::tie(uses.used, uses.contexts, uses.largest_record);
}

}  // namespace

KeptScan scan_pass(const KeptTrace& kept, const ReadOptions& options, Diagnostics& diagnostics) {
  KeptScan found;
  found.operations.resize(kept.ids().size());
  found.keeps_all_operations = kept.keeps_all_operations();
  UsedByEvents uses;
  std::mutex merging;

  for_each_own_location(kept.archive(), kept.ids(), kept.shares(), options, diagnostics,
                        [&](EventReader& reader, std::size_t i) {
                          std::optional<LocationScan> location;
                          scan_location(kept, reader, i, location);
                          found.operations[i] = location->scan.take();

                          std::lock_guard lock(merging);
                          uses.add(location->sink);
                        });

  uses = share_merged(options.team, std::move(uses), [](UsedByEvents lower, UsedByEvents higher) {
    lower.add(higher);
    return lower;
  });
  found.used = std::move(uses.used);
  found.collapsed_contexts.assign(uses.contexts.begin(), uses.contexts.end());
  found.largest_record = uses.largest_record;
  if (kept.collapse().any())
    keep_matched_together(found.operations, options.team);

  return found;
}

KeptScan assume_all_stays(const KeptTrace& kept) {
  KeptScan found;
  found.operations.resize(kept.ids().size());
  found.keeps_all_operations = kept.keeps_all_operations();
  found.used.add_all(kept.definitions());
  // If the tree changes, only nodes stay that something names, and events name none.
  if (changes_tree(kept.definitions(), kept.plan()))
    found.used.forget(Ref::system_tree_node);

  return found;
}

}  // namespace tracefold
