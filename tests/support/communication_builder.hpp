// Communication of ranks that do what a test says.
#pragma once

#include "filters/messages/sequence_folder.hpp"
#include "model/messages/communication.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::testing {

// What a rank does: with a world rank as partner, in the call path main -> path.
struct Does {
  EventKind kind;
  std::uint64_t peer = 0;  // of a collective its operation
  std::uint64_t bytes = 100;
  std::uint64_t tag = 0;
  const char* path = "MPI";
};

class CommunicationBuilder {
 public:
  explicit CommunicationBuilder(std::uint32_t size) {
    made_.size = size;
    made_.names = {"main"};
    made_.paths = {{}, {0, 0}};
    made_.communicators.push_back({0, false, {}, {}});
    for (std::uint32_t rank = 0; rank < size; ++rank)
      made_.communicators[0].ranks.push_back(rank);
  }

  CommunicationBuilder& rank(const std::vector<Does>& operations, bool damaged = false) {
    RankOperations one;
    one.rank = made_.ranks.size();
    one.locations = {made_.ranks.size()};
    one.damaged = damaged;
    for (const auto& does : operations) {
      folder_.add(find_number(make_operation(does, one.rank)));
      if (!is_message(does.kind))
        continue;
      ++one.messages;
      one.bytes += does.bytes;
    }

    const auto sequence = folder_.take();
    const auto at = std::find(made_.sequences.begin(), made_.sequences.end(), sequence);
    one.sequence = static_cast<std::uint32_t>(at - made_.sequences.begin());
    if (at == made_.sequences.end())
      made_.sequences.push_back(sequence);
    made_.ranks.push_back(std::move(one));
    return *this;
  }

  const Communication& made() const { return made_; }

 private:
  Operation make_operation(const Does& does, std::uint64_t rank) {
    Operation operation;
    operation.kind = does.kind;
    operation.path = find_path(does.path);
    if (is_message(does.kind)) {
      const auto relative =
          is_rank(does.peer) ? (does.peer + made_.size - rank) % made_.size : does.peer;
      operation.values = {relative, 0, does.tag, does.bytes};
    } else {
      operation.values = {does.peer, 0, no_root, does.bytes, does.bytes};
    }
    return operation;
  }

  std::uint32_t find_path(const std::string& name) {
    auto at = std::find(made_.names.begin(), made_.names.end(), name);
    if (at == made_.names.end()) {
      made_.names.push_back(name);
      made_.paths.push_back({1, static_cast<std::uint32_t>(made_.names.size() - 1)});
      at = made_.names.end() - 1;
    }
    return static_cast<std::uint32_t>(at - made_.names.begin()) + 1;
  }

  std::uint32_t find_number(const Operation& operation) {
    const auto at = std::find(made_.operations.begin(), made_.operations.end(), operation);
    const auto number = static_cast<std::uint32_t>(at - made_.operations.begin());
    if (at == made_.operations.end())
      made_.operations.push_back(operation);
    return number;
  }

  Communication made_;
  SequenceFolder folder_;
};

}  // namespace tracefold::testing
