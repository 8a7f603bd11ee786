// Messages of a trace that was reduced before: they were kept beside it, and its own records are
// cut.
#pragma once

#include "model/messages/messages.hpp"
#include "otf2/archive.hpp"

#include <optional>

namespace tracefold {

bool was_reduced(const Archive& archive);

// What tracefold.json beside the archive keeps; none where it is missing or keeps none. Throws
// Error(input) where it is no plan.
std::optional<Messages> read_stored_messages(const Archive& archive);

}  // namespace tracefold
