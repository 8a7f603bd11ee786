// The files of a plan that stand beside a reduced trace. Plain data.
#pragma once

#include <cstddef>
#include <string>

namespace tracefold {

inline constexpr const char* plan_name = "tracefold.json";
inline constexpr const char* messages_name = "tracefold.messages";
inline constexpr const char* profiles_name = "tracefold.profiles";

// A plan refers to the other files by their SHA-256: to a packed file (base/packed_file.hpp) that
// has most of the messages where there are many, and to the file with what every process does
// (model/program).
struct PlanFiles {
  std::string plan;      // the text of plan_name
  std::string messages;  // the bytes of messages_name; empty where the plan has all messages
  std::string profiles;  // the bytes of profiles_name; empty where there are none

  std::size_t bytes() const { return plan.size() + messages.size() + profiles.size(); }
};

}  // namespace tracefold
