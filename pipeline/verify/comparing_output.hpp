// An output of a rewrite (trace_output.hpp) that writes nothing, but compares what it gets with an
// archive that was written before.
//
// Thread-safety as in trace_output.hpp. Only the first difference of each location is kept: where a
// record is missing, all behind it would differ.
#pragma once

#include "otf2/event_cursor.hpp"
#include "pipeline/rewrite/trace_output.hpp"
#include "pipeline/verify/rule_book.hpp"
#include "pipeline/verify/trace_words.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

class ComparingLocationOutput {
 public:
  // `difference` is where the first difference is put. With `is_there` false the archive has no
  // such location.
  ComparingLocationOutput(const Archive& archive, const TraceWords& words, std::uint64_t location,
                          bool is_there, const ReadOptions& options, Diagnostics& diagnostics,
                          std::string& difference, std::size_t& largest_record);

  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(EventKind::Enter, time, region, attributes);
  }
  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(EventKind::Leave, time, region, attributes);
  }
  void write(const Event& event);
  std::uint64_t close();

 private:
  void call(EventKind kind, std::uint64_t time, std::uint64_t region,
            std::span<const Attribute> attributes);
  void compare(const Event& expected);

  EventCursor cursor_;
  const Definitions& definitions_;
  const TraceWords& words_;
  std::uint64_t records_ = 0;
  std::size_t largest_ = 0;  // of the records with attributes or lists, bytes
  std::string& difference_;
  std::size_t& largest_record_;
};

class ComparingOutput {
 public:
  // All but the options have to stay.
  ComparingOutput(RuleBook& rules, const Archive& archive, const TraceWords& words,
                  const ReadOptions& options);

  void begin(std::size_t largest_record);
  ComparingLocationOutput open_location(std::uint64_t id);
  // Adds the verdicts: on events, definitions and the rest.
  void write(const TraceMetadata& metadata);
  void check_metadata(const TraceMetadata&) {}
  void check_events(const std::vector<WrittenLocation>&, const ReadOptions&) {}

 private:
  struct Location {
    bool is_there = false;
    bool is_made = false;
    std::string difference;
    std::size_t largest_record = 0;
  };

  void compare_definitions(const std::vector<Definition>& definitions);
  void compare_markers(const TraceMetadata& metadata);
  void compare_properties(const TraceMetadata& metadata);
  void compare_anchor(const TraceMetadata& metadata);
  void compare_files();

  template <class Value>
  void compare_anchor(const std::string& what, const Value& found, const Value& expected) {
    if (found != expected)
      rules_.add_violation(
          fmt::format("traces.otf2: {} is {}, and should be {}", what, found, expected));
  }

  RuleBook& rules_;
  const Archive& archive_;
  const TraceWords& words_;
  std::size_t largest_record_ = 0;
  ReadOptions options_;
  Diagnostics ignored_;
  std::map<std::uint64_t, Location> locations_;  // by id
  std::mutex adding_;
};

static_assert(TraceOutput<ComparingOutput>);

}  // namespace tracefold
