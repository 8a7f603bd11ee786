#include "otf2/paradigm.hpp"

#include <array>
#include <string_view>

namespace tracefold {

std::string paradigm_name(std::uint64_t paradigm) {
  constexpr std::array<std::string_view, 25> names{
      "unknown",   "user",     "compiler", "OpenMP",   "MPI",     "CUDA",   "measurement",
      "Pthreads",  "HMPP",     "OmpSs",    "hardware", "GASPI",   "UPC",    "SHMEM",
      "WinThread", "QtThread", "ACE",      "TBB",      "OpenACC", "OpenCL", "MTAPI",
      "sampling",  "none",     "HIP",      "Kokkos"};

  return paradigm < names.size() ? std::string(names[paradigm])
                                 : "paradigm " + std::to_string(paradigm);
}

}  // namespace tracefold
