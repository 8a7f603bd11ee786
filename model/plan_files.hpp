// The files of a plan beside a reduced trace. Plain data.
#pragma once

#include <cstddef>
#include <string>

namespace tracefold {

inline constexpr const char* plan_name = "tracefold.json";
inline constexpr const char* messages_name = "tracefold.messages";
inline constexpr const char* profiles_name = "tracefold.profiles";

// Where there are many messages, the plan names the SHA-256 of a packed file (base/packed_file.hpp)
// that holds most of them. What every process does is a file of its own (model/program), whose hash
// the plan names, too.
struct PlanFiles {
  std::string plan;      // the text of plan_name
  std::string messages;  // the bytes of messages_name; empty where the plan holds all itself
  std::string profiles;  // the bytes of profiles_name; empty where they are not kept

  std::size_t bytes() const { return plan.size() + messages.size() + profiles.size(); }
};

}  // namespace tracefold
