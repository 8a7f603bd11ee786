// Runs among several, in tables and drawings of processes of all of them. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tracefold {

// A run as tables name it: "A" for the first one.
inline std::string name_run_letter(std::size_t run) {
  return run < 26 ? std::string(1, static_cast<char>('A' + run)) : std::to_string(run + 1);
}

struct RunShare {
  std::string name;             // the file that was given
  std::uint64_t processes = 0;  // of the whole run
};

}  // namespace tracefold
