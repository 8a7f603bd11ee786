// What the signature of a rank consists of, as single features in words: which operations it has,
// how often, with which partners, and how large its messages are. Ranks whose sub-clusters differ
// have different features, but where only the order of operations differs, or sizes that are near
// each other.
//
// Pure. Source: signatures 3.1 and 3.2.
#pragma once

#include "model/messages/communication.hpp"
#include "model/messages/signature.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tracefold {

struct SignatureFeature {
  std::string has, lacks;  // verbs: "receives", "does not receive"
  std::string object;      // "from rank - 8 in exchange_3 → MPI_Recv"
  bool may_be_lacked = true;
  std::string caller = {}, callee = {};  // whole names, where it is a call in one call path only

  auto operator<=>(const SignatureFeature&) const = default;
};

struct SignatureFeatures {
  std::vector<SignatureFeature> features;  // the most telling kinds first
  // By index of the plan's process: its features, ascending. Processes without operations are in no
  // entry.
  std::map<std::size_t, std::vector<std::uint32_t>> of_process;
  std::map<std::size_t, double> bytes_per_message;  // of the process's rank, where it has messages
};

SignatureFeatures list_signature_features(const Communication& communication,
                                          const SignatureOptions& options,
                                          const std::set<std::string>& ignored);

}  // namespace tracefold
