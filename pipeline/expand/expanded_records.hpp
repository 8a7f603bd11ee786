// The records of windows and files of an expanded trace, and the definitions that they name.
//
// The plan tells what a process did to windows and files by columns, as for messages. The windows,
// file handles and groups themselves are defined as in the original, with new ids. An operation
// with a process that is not in the trace is left out, and so are its completions.
//
// First, use() for all that is written, then number(); after that it is immutable, and any thread
// may ask. All that is handed in must stay. Memory: some 100 bytes for each definition.
//
// Source: docs/design.md, the rules "dense ids", "communicators are cut" and
// "keep what stands alone".
#pragma once

#include "model/messages/messages.hpp"
#include "pipeline/expand/rank_operations.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

class ExpandedRecords {
 public:
  using Fields = std::array<std::uint64_t, max_event_fields>;

  ExpandedRecords(const Messages& messages, const OperationFinder& finder);

  // A rank has this operation of messages.
  void use(std::uint32_t symbol, std::uint32_t rank);
  void number();

  // The fields of the record; none where it is left out. What a completion means stands in the
  // place of its matching id, as Parameter::begun.
  std::optional<Fields> find_fields(std::uint32_t symbol, std::uint32_t rank) const;

  // What is defined, in the order in which it can be; a group as the world ranks that are there.
  struct Defined {
    const RecordDefinition* definition = nullptr;
    std::uint64_t id = 0;
  };
  const std::vector<Defined>& definitions() const { return defined_; }
  std::optional<std::uint64_t> find_new_id(Ref kind, std::uint64_t id) const;
  // Ids of groups begin there: MPI's list of locations comes before them.
  static constexpr std::uint64_t first_group = 1;

 private:
  std::optional<std::uint32_t> find_communicator(const ClusterOperation& operation,
                                                 std::uint32_t rank) const;
  void use_definition(Ref kind, std::uint64_t id);

  const Messages& messages_;
  const OperationFinder& finder_;
  using Key = std::pair<Ref, std::uint64_t>;
  std::map<Key, const RecordDefinition*> known_;  // all but states of handles
  std::map<Key, std::uint64_t> new_ids_;          // of those that are used
  std::vector<Defined> defined_;
};

}  // namespace tracefold
