// Folded sequences as text: "0-3 250(4 2(5 6)) 7" is 0, 1, 2, 3, then 250 times 4, 5, 6, 5, 6,
// then 7.
#pragma once

#include "model/messages/folded_sequence.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tracefold {

std::string sequence_text(const FoldedSequence& sequence);

// Throws Error(input) for other texts, symbols that are not below `limit`, more than `most_nodes`
// nodes, and where check_sequence() does.
FoldedSequence parse_sequence(std::string_view text, std::uint32_t limit,
                              std::size_t most_nodes = std::size_t{1} << 26);

}  // namespace tracefold
