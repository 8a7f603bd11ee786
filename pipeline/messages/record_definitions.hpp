// Finds the definitions that operations on windows and files name, so that these can be written
// again without the trace.
//
// Thread-safe.
#pragma once

#include "model/messages/communication.hpp"
#include "otf2/definitions.hpp"

#include <optional>
#include <vector>

namespace tracefold {

// The kind of definition whose id a parameter of a record is; none where it is a number.
std::optional<Ref> find_reference(EventKind kind, const RecordParameter& parameter);

// By kind, then ascending by id; with the definitions that they name themselves. What is not
// defined is left out. Properties of kinds of I/O are, too.
std::vector<RecordDefinition> list_record_definitions(const Definitions& definitions,
                                                      const std::vector<Operation>& operations);

}  // namespace tracefold
