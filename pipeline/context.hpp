// What a call of the library works with besides its options: how events are read, where warnings
// go, and who is told how far it is. Nothing in the library prints.
//
// Plain data. Whoever makes it keeps it until the call has returned.
#pragma once

#include "base/error.hpp"
#include "otf2/read_options.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace tracefold {

struct Context {
  Diagnostics& diagnostics;
  ReadOptions reading = {};  // of every pass
  // Called with the name of the pass that runs, how many locations it has done, and all of them; a
  // pass may read several times. As ReadOptions::progress is.
  std::function<void(const std::string& pass, std::size_t done, std::size_t all)> progress = {};
  // Called by the calling thread when a stage is done: what it did, in a few words.
  std::function<void(const std::string& words)> report = {};

  // How a pass with this name reads.
  ReadOptions read_as(const std::string& pass) const {
    auto options = reading;
    if (progress)
      options.progress = [this, pass](std::size_t done, std::size_t all) {
        progress(pass, done, all);
      };

    return options;
  }
  void tell(const std::string& words) const {
    if (report)
      report(words);
  }
};

}  // namespace tracefold
