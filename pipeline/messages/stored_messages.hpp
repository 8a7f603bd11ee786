// Messages that are stored beside a trace that was reduced before, whose own records are cut.
#pragma once

#include "model/messages/message_matrix.hpp"
#include "model/messages/messages.hpp"
#include "otf2/archive.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;

// Whether a reduction wrote the trace: its locations may stand for others, and it may have a plan
// beside it. It may still have every record; is_whole() in pipeline/events/earlier_reduction.hpp
// tells that.
bool was_reduced(const Archive& archive);

// The messages in tracefold.json beside the archive; none if there are none. Throws Error(input) if
// it is no plan, or does not belong to the archive.
std::shared_ptr<const Messages> read_stored_messages(const Archive& archive);
// The same for the ranks that these locations (ascending) stand for.
std::shared_ptr<const Messages> read_stored_messages(const Archive& archive,
                                                     const std::vector<std::uint64_t>& left);

// The same as the communication of all ranks of the first original. The locations of a rank are
// those of `processes` that stand for its endpoint, or are it, where these are of the original.
// None as above. Throws Error(input) as above, and if the sequences are too long.
std::optional<Communication> read_stored_communication(const Archive& archive,
                                                       const std::vector<Process>& processes,
                                                       bool are_of_original = false);

// Replaces endpoints read from a reduced trace by their locations in the first original, as in
// stored messages. Throws Error(input) if the properties of the reduction are wrong.
void name_by_first_original(const Archive& archive, Communication& communication);

// Fills in, for groups by signature, the ranks of the first original that their members stand for.
// Does nothing in an original.
void name_ranks_stood_for(const Archive& archive, const Communication& communication, Plan& plan);

// Whether the trace itself says which groups its processes are in.
bool has_stored_groups(const Archive& archive);

// The group of each MPI rank: that in the plan, whose processes may stand for others of an
// original; without groups in the plan, that of an earlier reduction. `unknown_row` for none.
std::vector<std::uint32_t> find_groups_of_ranks(const Archive& archive, const Plan& plan,
                                                const Messages& messages);

}  // namespace tracefold
