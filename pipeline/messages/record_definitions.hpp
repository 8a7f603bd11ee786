// Finds the definitions that operations on windows and files refer to, so that these can be written
// without the trace.
//
// Thread-safe.
#pragma once

#include "model/messages/communication.hpp"
#include "otf2/definitions.hpp"

#include <optional>
#include <vector>

namespace tracefold {

// The kind of definition that a parameter of a record refers to; none if it is a number.
std::optional<Ref> find_reference(EventKind kind, const RecordParameter& parameter);

// The definitions, by kind and ascending id, with those that they refer to themselves. Undefined
// ids, and properties of I/O paradigms, are left out.
std::vector<RecordDefinition> list_record_definitions(const Definitions& definitions,
                                                      const std::vector<Operation>& operations);

}  // namespace tracefold
