// What the locations stand for in a trace that was reduced before. All ids are those of
// the first original, so a trace can be reduced again and again. Thread-safe.
//
// Source: docs/design.md, the rule "what a location stands for".
#pragma once

#include "model/iterations/stand_in_name.hpp"
#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Whether a reduction has collapsed iterations of this trace before.
bool is_collapsed(const Definitions& definitions);

// How often a trace was reduced already.
std::uint64_t count_reductions(const ArchiveFacts& facts);

// In how many of these filters have left out a part.
std::uint64_t count_filtered_reductions(const ArchiveFacts& facts);

// Whether messages are drawn, as far as their ends are kept, and no reduction has left them out.
bool draws_messages(const ArchiveFacts& facts);

// Whether earlier reductions, if there were any, have left out no process and no record, so that
// the trace itself tells what an original would. Whether there were any is told by was_reduced() in
// pipeline/messages/stored_messages.hpp.
bool is_whole(const ArchiveFacts& facts);

// Whether tracefold has written the trace: reduced it, or expanded a reduced one.
bool was_written_by_us(const ArchiveFacts& facts);

// Properties of the anchor that say so.
inline constexpr const char* version_property = "TRACEFOLD::VERSION";
inline constexpr const char* whole_property = "TRACEFOLD::WHOLE";
inline constexpr const char* filtered_property = "TRACEFOLD::FILTERED";
inline constexpr const char* messages_property = "TRACEFOLD::MESSAGES";
inline constexpr const char* messages_are_not_drawn = "not drawn";

// How many records of each kind earlier reductions have left out.
using RecordCounts = std::array<std::uint64_t, event_kinds>;
RecordCounts count_cut_records(const ArchiveFacts& facts);
// What a property of the anchor that says so is called.
std::string name_cut_property(EventKind kind);

std::uint64_t count_cut_markers(const ArchiveFacts& facts);
// Definitions of a kind, by the name of the property that says how many were left out.
std::uint64_t count_cut_definitions(const ArchiveFacts& facts, const std::string& property);

// The metrics that the records of a trace no longer tell, since some of their records were left out
// by earlier reductions; ascending.
std::vector<Metric> find_cut_metrics(const ArchiveFacts& facts);

// The properties of a location, whether or not they fit each other.
struct StandInProperties {
  std::optional<std::uint64_t> source;
  std::optional<std::uint64_t> count;
  std::optional<std::uint64_t> group;
  std::optional<std::uint64_t> rank;    // in MPI, of the source's process
  std::optional<std::uint64_t> thread;  // place among the locations of the source's process
  std::optional<std::string> members;   // as ranges
  std::optional<std::uint64_t> halo;    // records of messages, of a process that stands for nobody

  bool is_halo() const { return halo && !count; }
};

// By location: the properties of those that have any of them. Properties of another type than
// they are written with do not count.
std::unordered_map<std::uint64_t, StandInProperties> read_stand_in_properties(
    const Definitions& definitions);

// What a location stands for.
struct EarlierReduction {
  std::uint64_t source = 0;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> rank;    // in MPI, of the source's process
  std::optional<std::uint64_t> thread;  // place among the locations of the source's process
  std::vector<std::uint64_t> members;   // ascending; `count` of them, the source among them
};

// By location: what those stand for that have source, count and members. Without them a
// location stands for itself, unless it is halo. Throws Error(input) where they do not fit each
// other, or two locations stand for the same one.
std::unordered_map<std::uint64_t, EarlierReduction> find_earlier_reductions(
    const Definitions& definitions);

// The processes of the first original that some locations stand for, ascending. Throws as above.
std::vector<std::uint64_t> list_originals(const Definitions& definitions,
                                          const std::vector<std::uint64_t>& locations);

// The locations that stand for nobody, and are there only as the other end of messages, with their
// sources in the first original; ascending. They are no processes of the trace.
std::map<std::uint64_t, std::uint64_t> find_halo_locations(const Definitions& definitions);
std::uint64_t count_halo_events(const Definitions& definitions);
// All other locations, ascending.
std::vector<std::uint64_t> list_process_locations(const Definitions& definitions);

}  // namespace tracefold
