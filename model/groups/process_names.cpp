#include "model/groups/process_names.hpp"

#include "model/plan.hpp"

#include <fmt/format.h>

namespace tracefold {

std::string name_process(const Process& process) {
  if (!process.rank)
    return fmt::format("location {}", process.id);

  return fmt::format("rank {}", *process.rank) +
         (process.thread ? fmt::format(" thread {}", process.thread) : "");
}

}  // namespace tracefold
