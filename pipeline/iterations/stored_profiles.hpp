// The call-path profiles of one process's iterations, kept in memory so that its events need
// not be read again.
//
// Most values of a profile are 0 or small: each takes 1 byte and one more for each further 7
// bits, which is about a tenth of the profile. Rows are kept once for iterations with the same
// call paths. Once more bytes are needed than are allowed, all is dropped, and the process
// counts as not stored.
//
// Add iterations in their order, then visit them as often as wanted. One thread at a time.
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold {

class StoredProfiles {
 public:
  explicit StoredProfiles(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  void add(const CallPathProfile& profile);
  // Whether no profile is missing.
  bool are_complete() const { return !too_large_; }

  // Calls visit(iteration, profile) for each in the order of adding, numbered from 0. The
  // profile is valid during the call.
  template <class Visit>
  void visit(Visit&& visit) const {
    CallPathProfile profile;
    const auto* byte = bytes_.data();
    for (std::size_t i = 0; i < rows_of_iterations_.size(); ++i) {
      byte = unpack(byte, i, profile);
      visit(i, std::as_const(profile));
    }
  }

 private:
  std::uint32_t find_rows(const std::vector<PathRow>& rows);
  const std::uint8_t* unpack(const std::uint8_t* byte, std::size_t iteration,
                             CallPathProfile& profile) const;

  std::uint64_t most_bytes_;
  std::uint64_t row_bytes_ = 0;
  bool too_large_ = false;
  std::vector<std::vector<PathRow>> rows_;         // each different list once, or nearly so
  std::vector<std::uint32_t> rows_of_iterations_;  // indexes into rows_
  std::vector<std::uint8_t> bytes_;                // values, iteration by iteration
  std::size_t columns_ = 0;                        // 0 until a profile has rows
};

}  // namespace tracefold
