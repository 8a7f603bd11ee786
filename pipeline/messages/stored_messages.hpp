// Messages of a trace that was reduced before: they were kept beside it, and its own records are
// cut.
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

// Whether a reduction has written it: its locations say whom they stand for, and a plan may be
// beside it. It may hold every record all the same, as is_whole() tells in
// pipeline/events/earlier_reduction.hpp: where only the records count, ask that.
bool was_reduced(const Archive& archive);

// What tracefold.json beside the archive keeps; none where it is missing or keeps none. Throws
// Error(input) where it is no plan, or another than the archive was written with.
std::shared_ptr<const Messages> read_stored_messages(const Archive& archive);
// The same of the ranks alone that these locations of the trace, which ascend, stand for.
std::shared_ptr<const Messages> read_stored_messages(const Archive& archive,
                                                     const std::vector<std::uint64_t>& left);

// The same as what all ranks of the first original communicate. The locations of a rank are those
// of `processes` that stand for the location that its rank means. None as above. Throws
// Error(input) as above, and where it is too long.
std::optional<Communication> read_stored_communication(const Archive& archive,
                                                       const std::vector<Process>& processes);

// Names the endpoints of what was read of a reduced trace by their locations in the first original,
// as those of stored messages are. Throws Error(input) where the properties of the reduction are
// wrong.
void name_by_first_original(const Archive& archive, Communication& communication);

// Puts the ranks of the first original that their members stand for into groups by signature.
// Without effect where the trace was not reduced.
void name_ranks_stood_for(const Archive& archive, const Communication& communication, Plan& plan);

// Whether the trace itself says in which groups its processes are.
bool has_stored_groups(const Archive& archive);

// By rank of MPI, the group of its process: in the plan, whose processes may stand for others of an
// original; where the plan has no groups, in the trace as it was reduced before. `unknown_row`
// where there is none.
std::vector<std::uint32_t> find_groups_of_ranks(const Archive& archive, const Plan& plan,
                                                const Messages& messages);

}  // namespace tracefold
