// When the archives of a run begin, on one clock.
//
// Archives of one host whose timers run as its wall clock does have one timer: their times are
// compared to the tick. Others are put where the wall clock that each has recorded says, which is
// not exact between hosts; so they have different numbers of TracePart::clock.
#pragma once

#include "pipeline/archives/found_archive.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tracefold {

struct TiedClocks {
  std::uint64_t ticks_per_second = 0;  // 0: not known
  std::string words;                   // how it is known, in a few words
};

// Sets begin and clock of each archive of a run in this folder. `clocks` is empty: the wall clock;
// "begin": all begin at one time; or a file, which is taken for exact, with a line 'SECONDS NAME'
// for each archive: when it begins, and its anchor or the folder of that, from the folder of the
// run or absolute; other lines count for nothing. Throws Error(input) that names an archive of
// which it is not known.
TiedClocks tie_clocks(FoundArchives& archives, const std::string& clocks,
                      const std::filesystem::path& folder = {});

// The ticks of a run whose archives have these clocks: theirs where all are alike, else ns; 0 where
// none says how long they are.
std::uint64_t choose_resolution(const FoundArchives& archives);

}  // namespace tracefold
