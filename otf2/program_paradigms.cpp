#include "otf2/program_paradigms.hpp"

#include <otf2/otf2.h>

namespace tracefold {

bool is_paradigm_of_program(std::uint64_t paradigm) {
  return paradigm == OTF2_PARADIGM_UNKNOWN || paradigm == OTF2_PARADIGM_USER ||
         paradigm == OTF2_PARADIGM_COMPILER || paradigm == OTF2_PARADIGM_SAMPLING ||
         paradigm == OTF2_PARADIGM_NONE;
}

bool is_user_code(std::uint64_t paradigm) {
  return paradigm == OTF2_PARADIGM_USER || paradigm == OTF2_PARADIGM_COMPILER;
}

}  // namespace tracefold
