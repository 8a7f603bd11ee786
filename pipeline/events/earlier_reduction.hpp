// What locations stand for in a trace that was reduced before. All ids are those of the first
// original, so that a trace can be reduced repeatedly. Thread-safe.
//
// Source: docs/design.md, the rule "what a location stands for".
#pragma once

#include "model/iterations/collapsed_name.hpp"
#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Whether an earlier reduction has collapsed iterations.
bool is_collapsed(const Definitions& definitions);

// How often the trace was reduced.
std::uint64_t count_reductions(const ArchiveFacts& facts);

// How many of these reductions used filters that left out a part.
std::uint64_t count_filtered_reductions(const ArchiveFacts& facts);

// Whether messages between kept processes are in the trace, and no reduction has left them all out.
bool draws_messages(const ArchiveFacts& facts);

// Whether earlier reductions, if any, kept all processes and records, so that the trace has what
// the original has. See was_reduced() in pipeline/messages/stored_messages.hpp for whether there
// were any.
bool is_whole(const ArchiveFacts& facts);

// Whether tracefold wrote the trace, by reducing or expanding.
bool was_written_by_us(const ArchiveFacts& facts);

// Properties of the anchor for these facts.
inline constexpr const char* version_property = "TRACEFOLD::VERSION";
inline constexpr const char* plan_hash_property = "TRACEFOLD::PLAN_SHA256";
inline constexpr const char* reductions_property = "TRACEFOLD::REDUCTIONS";
inline constexpr const char* whole_property = "TRACEFOLD::WHOLE";
inline constexpr const char* filtered_property = "TRACEFOLD::FILTERED";
inline constexpr const char* messages_property = "TRACEFOLD::MESSAGES";
inline constexpr const char* messages_are_not_drawn = "not drawn";
inline constexpr const char* complete_property = "OTF2::MPI_COMMUNICATION_COMPLETE";
// Before the name of what was left out, in upper case.
inline constexpr const char* cut_prefix = "TRACEFOLD::CUT::";

// Whether records of this kind belong to what OTF2 calls MPI communication.
bool is_communication(EventKind kind);

// By kind: how many records earlier reductions have left out.
using RecordCounts = std::array<std::uint64_t, event_kinds>;
RecordCounts count_cut_records(const ArchiveFacts& facts);
// The property of the anchor with such a number.
std::string name_cut_property(EventKind kind);

std::uint64_t count_cut_markers(const ArchiveFacts& facts);
// How many definitions were left out, according to this property.
std::uint64_t count_cut_definitions(const ArchiveFacts& facts, const std::string& property);

// The metrics for which the trace lacks records, since earlier reductions left them out; ascending.
std::vector<Metric> find_cut_metrics(const ArchiveFacts& facts);

// So many processes all locations together may stand for.
inline constexpr std::size_t most_members = std::size_t{1} << 24;

// The properties of a location, consistent or not.
struct LocationProperties {
  std::optional<std::uint64_t> source;
  std::optional<std::uint64_t> count;
  std::optional<std::uint64_t> group;
  std::optional<std::uint64_t> rank;    // in MPI, of the source's process
  std::optional<std::uint64_t> thread;  // index among the locations of the source's process
  std::optional<std::string> members;   // as ranges
  std::optional<std::uint64_t> halo;    // number of message records of a halo process

  bool is_halo() const { return halo && !count; }
};

// The properties of each location that has any. Properties with a wrong type are ignored.
std::unordered_map<std::uint64_t, LocationProperties> read_location_properties(
    const Definitions& definitions);

// What a location stands for.
struct EarlierReduction {
  std::uint64_t source = 0;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> rank;    // in MPI, of the source's process
  std::optional<std::uint64_t> thread;  // index among the locations of the source's process
  std::vector<std::uint64_t> members;   // ascending; `count` of them, with the source
};

// What each location with source, count and members stands for. Other locations stand for
// themselves, unless they are halo. Throws Error(input) if the properties are inconsistent, or two
// locations stand for the same process.
using EarlierReductions = std::unordered_map<std::uint64_t, EarlierReduction>;  // by location
EarlierReductions find_earlier_reductions(const Definitions& definitions);

// The location of the first original that a location is a copy of.
inline std::uint64_t find_first_original(const EarlierReductions& earlier, std::uint64_t location) {
  const auto at = earlier.find(location);
  return at == earlier.end() ? location : at->second.source;
}

// The processes of the first original that these locations stand for, ascending. Throws as above.
std::vector<std::uint64_t> list_originals(const Definitions& definitions,
                                          const std::vector<std::uint64_t>& locations);

// The halo locations, which stand for nobody and are not processes of the trace, with their sources
// in the first original; ascending.
std::map<std::uint64_t, std::uint64_t> find_halo_locations(const Definitions& definitions);
std::uint64_t count_halo_events(const Definitions& definitions);
// All other locations, ascending.
std::vector<std::uint64_t> list_process_locations(const Definitions& definitions);

}  // namespace tracefold
