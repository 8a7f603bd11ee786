// Writes one process that communicates, as a player walks it (PlayerSink).
//
// What the operations wait for is known by now: order_pass.hpp has answered all questions for the
// time. One thread at a time; all that is handed in must stay.
#pragma once

#include "otf2/event_writer.hpp"
#include "pipeline/expand/expanded_definitions.hpp"
#include "pipeline/expand/order_pass.hpp"
#include "pipeline/expand/rank_operations.hpp"
#include "pipeline/rewrite/otf2_output.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace tracefold {

class WritingSink {
 public:
  WritingSink(const OperationFinder& finder, const Talker& talker, const ProcessTimes& times,
              const ExpandedRegions& regions, Otf2LocationOutput& output, WrittenLocation& written)
      : finder_(finder),
        talker_(talker),
        times_(times),
        regions_(regions),
        output_(output),
        written_(written),
        known_(talker.part.script->symbols.size()) {}

  void enter(std::uint64_t time, std::uint32_t region) {
    output_.enter(time, regions_.new_id(region), {});
  }
  void leave(std::uint64_t time, std::uint32_t region) {
    output_.leave(time, regions_.new_id(region), {});
  }

  const RankOperation& find(std::uint32_t operation) {
    auto& known = known_[operation];
    if (!known)
      known = finder_.find(talker_.part.script->symbols[operation], talker_.rank);
    return *known;
  }

  std::uint64_t begin(std::uint32_t operation, std::uint64_t time, std::uint64_t request) {
    const auto& what = find(operation);
    using enum EventKind;
    switch (what.role) {
      case OperationRole::send: write_message(MpiSend, time, what); break;
      case OperationRole::open_send: write_message(MpiIsend, time, what, request); break;
      case OperationRole::open_receive: write(MpiIrecvRequest, time, {request}); break;
      case OperationRole::collective: write(MpiCollectiveBegin, time, {}); break;
      case OperationRole::open_collective:
        write(NonBlockingCollectiveRequest, time, {request});
        break;
      default: break;
    }
    return 0;
  }

  std::optional<std::uint64_t> find_end(std::uint32_t, std::uint64_t, bool) {
    return times_.answers[next_++];
  }

  void end(std::uint32_t operation, std::uint64_t time, std::uint64_t request) {
    const auto& what = find(operation);
    using enum EventKind;
    switch (what.role) {
      case OperationRole::open_send: write(MpiIsendComplete, time, {request}); break;
      case OperationRole::receive: write_message(MpiRecv, time, what); break;
      case OperationRole::open_receive: write_message(MpiIrecv, time, what, request); break;
      case OperationRole::collective: write_collective(MpiCollectiveEnd, time, what); break;
      case OperationRole::open_collective:
        write_collective(NonBlockingCollectiveComplete, time, what, request);
        break;
      default: break;
    }
  }

 private:
  // Records of blocking operations have no request; all others have it last.
  void write_message(EventKind kind, std::uint64_t time, const RankOperation& what,
                     std::uint64_t request = 0) {
    write(kind, time, {what.record_rank, what.record_communicator, what.tag, what.bytes, request});
  }
  void write_collective(EventKind kind, std::uint64_t time, const RankOperation& what,
                        std::uint64_t request = 0) {
    write(kind, time,
          {what.operation, what.record_communicator, what.record_rank, what.bytes, what.received,
           request});
  }
  void write(EventKind kind, std::uint64_t time, std::initializer_list<std::uint64_t> fields) {
    event_.kind = kind;
    event_.time = time;
    event_.fields = {};
    std::copy(fields.begin(), fields.end(), event_.fields.begin());
    output_.write(event_);
    ++written_.others[static_cast<std::size_t>(kind)];
  }

  const OperationFinder& finder_;
  const Talker& talker_;
  const ProcessTimes& times_;
  const ExpandedRegions& regions_;
  Otf2LocationOutput& output_;
  WrittenLocation& written_;
  std::vector<std::optional<RankOperation>> known_;
  std::size_t next_ = 0;  // of the answers
  Event event_;
};

}  // namespace tracefold
