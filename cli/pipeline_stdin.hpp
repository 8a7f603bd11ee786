// What comes through a pipe on stdin beside a trace that is given: a plan, from another command of
// the pipeline, which may take long to come; or nothing, ever, from whoever has started this
// process and keeps a pipe open, as batch systems and remote shells do. Nothing is read of it here.
//
// One thread. Linux: who has the other end is told by /proc.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tracefold::cli {

// The first bytes that are in the pipe now, which stay there; "" where stdin is no pipe.
std::string peek_pipe_on_stdin(std::size_t most_bytes);

// The same, but waits for them as long as another command may write them: until `is_enough`, or
// there are as many, or all who write have ended. Does not wait, and is "", where this process or
// one that it descends from has the writing end, and where nobody is seen to have it. Throws
// Error(interrupted).
std::string await_pipe_on_stdin(std::size_t most_bytes,
                                const std::function<bool(std::string_view)>& is_enough);

}  // namespace tracefold::cli
