// What kind of iterative program make_loop_trace writes a trace of.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tracefold::testing {

// How the program tells its iterations.
enum class LoopStyle : std::uint8_t {
  marked,         // a region with the flags PHASE and DYNAMIC
  numbered,       // a parameter "instance" behind the Enter of a region without flags
  function,       // an ordinary function, called once an iteration
  written_inline  // nothing: the calls follow each other in main
};
inline constexpr std::array style_names{"marked", "numbered", "function", "inline"};

// How iterations change over time. Source: dynamics 3.2 and Appendix B.
enum class Shape : std::uint8_t {
  steady,
  drift,      // computing takes up to twice as long (143.dleslie)
  peaks,      // every so-manieth iteration does more, in one more function (147.l2wrf2)
  change,     // the second half computes more, in more calls (128.GAPgeofem)
  imbalance,  // computing takes up to three times as long in the middle half of the processes
              // (129.tera_tf)
  hot_spot,   // a process and its neighbours send more messages; which, moves (PEPC)
  modes       // each iteration calls one of four functions (125.RAxML)
};
inline constexpr std::array shape_names{"steady",    "drift",    "peaks", "change",
                                        "imbalance", "hot-spot", "modes"};

struct Options {
  std::string folder;
  std::uint32_t processes = 4, threads = 1, iterations = 20;
  std::uint32_t second_loop = 0;  // iterations, 0: there is none
  std::uint32_t odd =
      0;  // iterations of the last process, which works alone; 0: it is as the others
  LoopStyle style = LoopStyle::function;
  Shape shape = Shape::steady;
  std::uint32_t period = 7;      // of peaks
  std::uint32_t noise = 2;       // of computing times, in percent
  std::uint32_t warm_up = 0;     // passes before the loop
  std::uint32_t inner = 1;       // passes of the inner loop
  std::uint32_t checkpoint = 0;  // each so-manieth iteration writes one, 0: none does
  bool frame = false, uneven_visits = false, counters = false;
  std::uint64_t resolution = 1;  // of the clock, in ticks

  // Those that take part in the loops' communication.
  std::uint32_t members() const { return odd ? processes - 1 : processes; }
};

}  // namespace tracefold::testing
