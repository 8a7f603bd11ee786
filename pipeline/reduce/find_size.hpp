// How much of a trace fits into so many bytes.
#pragma once

#include "base/function_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracefold {

struct NumberSize {
  std::size_t number = 0;
  std::uint64_t bytes = 0;
};

// Of the numbers from `least` to `most`, a large one of which measure(number) takes at most
// `bytes`: at least nine tenths of them, unless the next larger number takes more. It begins with
// `first`, and measures at most eleven. Larger numbers are expected to take more. None: the least
// one takes more; `smallest` is what it takes.
std::optional<NumberSize> find_size(std::size_t least, std::size_t first, std::size_t most,
                                    std::uint64_t bytes,
                                    FunctionRef<std::uint64_t(std::size_t)> measure,
                                    std::uint64_t& smallest);

}  // namespace tracefold
