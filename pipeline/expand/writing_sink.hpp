// Writes the events of one process that communicates, while a player plays them (PlayerSink).
//
// It is used after order_pass.hpp, which has found when each operation ends. One thread at a time;
// all that is handed in must stay.
#pragma once

#include "otf2/event_writer.hpp"
#include "pipeline/expand/expanded_definitions.hpp"
#include "pipeline/expand/expanded_records.hpp"
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
  WritingSink(const OperationFinder& finder, const ExpandedRecords& records,
              const CommunicatingProcess& process, const ProcessTimes& times,
              const ExpandedRegions& regions, Otf2LocationOutput& output, WrittenLocation& written)
      : finder_(finder),
        records_(records),
        process_(process),
        times_(times),
        regions_(regions),
        output_(output),
        written_(written),
        known_(process.part.sequence->symbols.size()),
        known_fields_(process.part.sequence->symbols.size()) {}

  void enter(std::uint64_t time, std::uint32_t region) {
    output_.enter(time, regions_.new_id(region), {});
  }
  void leave(std::uint64_t time, std::uint32_t region) {
    output_.leave(time, regions_.new_id(region), {});
  }

  const RankOperation& find(std::uint32_t operation) {
    auto& known = known_[operation];
    if (!known)
      known = finder_.find(process_.part.sequence->symbols[operation], process_.rank);
    return *known;
  }

  std::uint64_t begin(std::uint32_t operation, std::uint64_t time, std::uint64_t request) {
    const auto& what = find(operation);
    using enum EventKind;
    switch (what.role) {
      case OperationRole::send: write_message(MpiSend, time, what); break;
      case OperationRole::open_send: write_message(MpiIsend, time, what, request); break;
      case OperationRole::open_receive: write(MpiIrecvRequest, time, {request}); break;
      case OperationRole::collective:
        write(what.kind == RmaCollectiveEnd ? RmaCollectiveBegin : MpiCollectiveBegin, time, {});
        break;
      case OperationRole::open_collective:
        write(NonBlockingCollectiveRequest, time, {request});
        break;
      case OperationRole::record: write_record(operation, what.kind, time); break;
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
      case OperationRole::collective:
        if (what.kind == RmaCollectiveEnd)
          write_record(operation, what.kind, time);
        else
          write_collective(MpiCollectiveEnd, time, what);
        break;
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
    event_.fields = {};
    std::copy(fields.begin(), fields.end(), event_.fields.begin());
    write_event(kind, time);
  }

  // Writes a record of a window or file. Operations are numbered in their order, and those that are
  // left out have numbers, too.
  void write_record(std::uint32_t operation, EventKind kind, std::uint64_t time) {
    auto& fields = known_fields_[operation];
    if (!fields)
      fields = records_.find_fields(process_.part.sequence->symbols[operation], process_.rank);

    const auto parameters = list_record_parameters(kind);
    auto object = left_out;
    if (*fields)
      for (const auto& [parameter, place] : parameters)
        if (parameter == Parameter::communicator)
          object = (**fields)[place] << 1 | is_file(kind);
    if (can_complete(kind))
      begun_.push_back(object);
    if (!*fields)
      return;

    event_.fields = **fields;
    for (const auto& [parameter, place] : parameters)
      if (parameter == Parameter::begun && !find_begun(event_.fields[place], object))
        return;
    if (can_complete(kind))
      event_.fields[get_row(kind).size - 1] = begun_.size() - 1;
    write_event(kind, time);
  }

  // Puts the id of an operation where it is told how long ago it was begun. False where it is left
  // out, or of another window or file.
  bool find_begun(std::uint64_t& ago, std::uint64_t object) const {
    if (ago == 0 || ago > begun_.size() || begun_[begun_.size() - ago] != object)
      return false;
    ago = begun_.size() - ago;
    return true;
  }

  void write_event(EventKind kind, std::uint64_t time) {
    event_.kind = kind;
    event_.time = time;
    output_.write(event_);
    ++written_.others[static_cast<std::size_t>(kind)];
  }

  static constexpr std::uint64_t left_out = ~std::uint64_t{0};

  const OperationFinder& finder_;
  const ExpandedRecords& records_;
  const CommunicatingProcess& process_;
  const ProcessTimes& times_;
  const ExpandedRegions& regions_;
  Otf2LocationOutput& output_;
  WrittenLocation& written_;
  std::vector<std::optional<RankOperation>> known_;
  // By operation, where it was asked for: none where it is left out.
  std::vector<std::optional<std::optional<ExpandedRecords::Fields>>> known_fields_;
  std::vector<std::uint64_t> begun_;  // window or file of each operation that may be completed
  std::size_t next_ = 0;              // of the answers
  Event event_;
};

}  // namespace tracefold
