#include "otf2/region_roles.hpp"

#include <otf2/otf2.h>

#include <array>
#include <string_view>

namespace tracefold {

namespace {

constexpr std::array<std::string_view, 39> role_names{"UNKNOWN",
                                                      "FUNCTION",
                                                      "WRAPPER",
                                                      "LOOP",
                                                      "CODE",
                                                      "PARALLEL",
                                                      "SECTIONS",
                                                      "SECTION",
                                                      "WORKSHARE",
                                                      "SINGLE",
                                                      "SINGLE_SBLOCK",
                                                      "MASTER",
                                                      "CRITICAL",
                                                      "CRITICAL_SBLOCK",
                                                      "ATOMIC",
                                                      "BARRIER",
                                                      "IMPLICIT_BARRIER",
                                                      "FLUSH",
                                                      "ORDERED",
                                                      "ORDERED_SBLOCK",
                                                      "TASK",
                                                      "TASK_CREATE",
                                                      "TASK_WAIT",
                                                      "COLL_ONE2ALL",
                                                      "COLL_ALL2ONE",
                                                      "COLL_ALL2ALL",
                                                      "COLL_OTHER",
                                                      "FILE_IO",
                                                      "POINT2POINT",
                                                      "RMA",
                                                      "DATA_TRANSFER",
                                                      "ARTIFICIAL",
                                                      "THREAD_CREATE",
                                                      "THREAD_WAIT",
                                                      "TASK_UNTIED",
                                                      "ALLOCATE",
                                                      "DEALLOCATE",
                                                      "REALLOCATE",
                                                      "FILE_IO_METADATA"};

static_assert(OTF2_REGION_ROLE_CRITICAL == 12 && OTF2_REGION_ROLE_ORDERED_SBLOCK == 19 &&
              OTF2_REGION_ROLE_COLL_OTHER == 26 && OTF2_REGION_ROLE_ARTIFICIAL == 31 &&
              OTF2_REGION_ROLE_FILE_IO_METADATA + 1 == role_names.size());

}  // namespace

std::string name_region_role(std::uint64_t role) {
  return role < role_names.size() ? std::string(role_names[role]) : "role " + std::to_string(role);
}

}  // namespace tracefold
