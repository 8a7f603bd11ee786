#include "pipeline/rewrite/scan_pass.hpp"

#include "otf2/event_writer.hpp"
#include "pipeline/events/each_location.hpp"
#include "pipeline/rewrite/event_cut.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

namespace tracefold {

namespace {

// Collects what the events of a location use that stay. One per location and thread.
class ScanSink {
 public:
  explicit ScanSink(EventScan& scan) : scan_(scan) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    use_region(call.region, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    use_region(call.region, attributes);
  }
  void other(Event& event) {
    if (!scan_.scan(event, true))
      return;

    used_.add(event);
    if (!event.list.empty() || !event.attributes.empty())
      largest_record_ = std::max(largest_record_, encoded_size(event));
  }
  void left_out(Event& event) { scan_.scan(event, false); }
  void stand_in(EventKind, std::uint64_t, std::uint32_t) {}
  void unknown(std::uint64_t) {}

  const UsedRefs& used() const { return used_; }
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
  std::size_t largest_record_ = 0;
};

}  // namespace

KeptScan scan_pass(const KeptTrace& kept, const ReadOptions& options, Diagnostics& diagnostics) {
  KeptScan found;
  found.operations.resize(kept.ids().size());
  std::mutex merging;

  each_location(
      kept.archive(), kept.ids(), options, diagnostics, [&](EventReader& reader, std::size_t i) {
        EventScan scan(kept.partners(), kept.definitions(), kept.ids()[i], kept.collapse().any());
        ScanSink sink(scan);
        kept.read(reader, i, sink, [](const auto&, bool) {});
        found.operations[i] = scan.take();

        std::lock_guard lock(merging);
        found.used.merge(sink.used());
        found.largest_record = std::max(found.largest_record, sink.largest_record());
      });

  if (kept.collapse().any())
    stay_together(found.operations);

  return found;
}

KeptScan assume_all_stays(const KeptTrace& kept) {
  KeptScan found;
  found.operations.resize(kept.ids().size());
  found.used.add_all(kept.definitions());
  return found;
}

}  // namespace tracefold
