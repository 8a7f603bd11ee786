// The signature of a rank as single features in words: its operations, how often it does them, with
// which partners, and the sizes of its messages. Ranks of different sub-clusters have different
// features, unless only the order of operations differs, or sizes are close to each other.
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
  std::string caller = {}, callee = {};  // full names, if it is a call in a single call path

  auto operator<=>(const SignatureFeature&) const = default;
};

struct SignatureFeatures {
  std::vector<SignatureFeature> features;  // the best kinds first
  // By process (index of the plan): its features, ascending. Processes without operations are
  // missing.
  std::map<std::size_t, std::vector<std::uint32_t>> of_process;
  std::map<std::size_t, double> bytes_per_message;  // of the process's rank, if it has messages
};

SignatureFeatures list_signature_features(const Communication& communication,
                                          const SignatureOptions& options,
                                          const std::set<std::string>& ignored);

}  // namespace tracefold
