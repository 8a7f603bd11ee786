// What scan and copy of a rewrite share: the trace, the locations that stay, and how their events
// are read.
//
// Immutable and thread-safe once made. Archive and plan must outlive it.
#pragma once

#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/rewrite/halo_calls.hpp"
#include "pipeline/rewrite/kept_locations.hpp"
#include "pipeline/rewrite/partners.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

class KeptTrace {
 public:
  // `plan` must have the processes of the trace; `filtered_out` are locations that are not in it
  // but record messages (filtered_out_pass.hpp). If `team` is not null, its members share the kept
  // locations.
  KeptTrace(const Archive& archive, const Plan& plan,
            const std::vector<std::uint64_t>& filtered_out, bool keep_ids,
            const Team* team = nullptr)
      : archive_(archive),
        plan_(plan),
        kept_(archive.definitions(), plan, keep_ids),
        ids_(list_ids(kept_)),
        shares_(archive.definitions(), ids_, team),
        partners_(archive.definitions(), plan, kept_, filtered_out),
        functions_(archive.definitions(), plan.filters),
        collapse_(plan, archive.definitions(), functions_) {
    if (kept_.has_halo())
      for (const auto metric : find_time_metrics(archive.definitions(), functions_))
        is_mpi_.push_back(is_mpi_time(metric));
  }
  KeptTrace(const KeptTrace&) = delete;
  KeptTrace& operator=(const KeptTrace&) = delete;

  const Archive& archive() const { return archive_; }
  const Definitions& definitions() const { return archive_.definitions(); }
  const Plan& plan() const { return plan_; }
  const KeptLocations& locations() const { return kept_; }
  // Ids of the kept locations in the trace that is read, in their new order.
  const std::vector<std::uint64_t>& ids() const { return ids_; }
  // Which member of a team reads and writes which locations; about as many events each.
  const Shares& shares() const { return shares_; }
  const Partners& partners() const { return partners_; }
  const Collapse& collapse() const { return collapse_; }
  // Null without a window in time.
  const WindowReader* window() const { return functions_.window(); }

  // True if all messages, collective operations and metrics stay, with unchanged ranks.
  bool keeps_all_operations() const {
    return partners_.keeps_all_ranks() && !collapse_.any() && !partners_.has_member_metrics();
  }
  // True if every record stays.
  bool keeps_all_records() const { return keeps_all_operations() && plan_.filters.empty(); }

  bool is_halo(std::size_t i) const { return kept_.all()[i].role == LocationRole::halo; }

  // Passes the clean events of kept location `i` to the sink, with iterations collapsed. For halo,
  // passes only the events that stay, and returns the times of these. If there is halo, the sink
  // must be a HaloSink.
  template <class Sink>
  LocationRead read(EventReader& reader, std::size_t i, Sink& sink) const {
    if constexpr (HaloSink<Sink>)
      if (is_halo(i))
        return read_halo(reader, i, sink);

    const auto* loops = collapse_.find_collapsed_loops(ids_[i]);
    if (!loops)
      return read_clean_events(reader, ids_[i], functions_, sink);

    CollapsedEvents<Sink> collapsed(collapse_, *loops, sink);
    const auto read = read_calls(reader, ids_[i], functions_, collapsed);
    collapsed.finish();

    return read;
  }

  // The same for halo only.
  template <class Sink>
  LocationRead read_halo(EventReader& reader, std::size_t i, Sink& sink) const {
    HaloCalls<Sink> calls(functions_, is_mpi_, sink);
    auto read = read_clean_events(reader, ids_[i], functions_, calls);
    read.first_time = calls.first_time();
    read.last_time = calls.last_time();

    return read;
  }

 private:
  static std::vector<std::uint64_t> list_ids(const KeptLocations& kept) {
    std::vector<std::uint64_t> ids;
    for (const auto& location : kept.all())
      ids.push_back(location.id);
    return ids;
  }

  const Archive& archive_;
  const Plan& plan_;
  const KeptLocations kept_;
  const std::vector<std::uint64_t> ids_;
  const Shares shares_;
  const Partners partners_;
  const FunctionTable functions_;
  const Collapse collapse_;
  std::vector<bool> is_mpi_;  // by function; empty without halo
};

}  // namespace tracefold
