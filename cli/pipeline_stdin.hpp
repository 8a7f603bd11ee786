// What comes through a pipe on stdin beside a trace that is given: a plan, from another command of
// the pipeline, which may take long to come; or nothing, ever, from whoever has started this
// process and keeps a pipe open, as batch systems and remote shells do. Nothing is read of it here.
//
// One thread. Linux: who has the other end is told by /proc.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tracefold::cli {

// The first bytes that are in the pipe now, which stay there; "" where stdin is no pipe.
std::string peek_pipe_on_stdin(std::size_t most_bytes);

// Another command than tracefold may never send anything, as what feeds a loop of a shell.
inline constexpr std::chrono::seconds longest_wait_for_others{1};

// The same, but waits for them as long as another command may write them: until `is_enough`, or
// there are as many, or all who write have ended; so long and no longer where none of these is
// tracefold, "" then. Does not wait, and is "", where this process or one that it descends from has
// the writing end, and where nobody is seen to have it. Throws
// Error(interrupted).
std::string await_pipe_on_stdin(std::size_t most_bytes,
                                const std::function<bool(std::string_view)>& is_enough);

}  // namespace tracefold::cli
