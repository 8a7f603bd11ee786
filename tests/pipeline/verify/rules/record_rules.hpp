// The rules for records: a kept location of a reduced archive has the records of its source, in the
// same order, without those that had to be removed.
//
// Every kind of record is compared by its row in the table of events: values as they are, ids and
// ranks by what they mean (definition_hashes.hpp). A record of the original that is missing has to
// be one that may go: in a collapsed iteration, or with a partner that is not kept. Nothing here
// knows the plan, nor how traces are written. A location in the halo may lack any of its source's
// records, but holds no others, and operations whole.
//
// Source: docs/design.md, the rules "calls are copied", "communicators are cut",
// "messages need both ends", "keep what stands alone", "collapsed iterations" and "halo".
#pragma once

#include "model/iterations/loops.hpp"
#include "otf2/event_cursor.hpp"
#include "pipeline/events/clean_events.hpp"
#include "tests/pipeline/verify/rules/definition_hashes.hpp"
#include "tests/pipeline/verify/rules/operation_rules.hpp"
#include "tests/pipeline/verify/rules/stand_ins.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tracefold {

// What both archives hold besides events, for all locations. Immutable; any thread may ask.
struct RecordRulesContext {
  const DefinitionHashes& before;
  const DefinitionHashes& after;
  const StandInIds& stand_ins;
  bool is_folded = false;      // some location has collapsed iterations
  bool is_filtered = false;    // some locations were left out by filters
  bool draws_messages = true;  // else records of messages are left out
  // Metric classes of members, which each reduction makes anew.
  std::unordered_set<std::uint64_t> members_before = {}, members_after = {};
};

// A message that is missing although both ends of it are kept: that is right where a location of
// one of these two processes that is not kept sends or receives, too.
struct MissingMessage {
  std::uint64_t from = 0, to = 0;  // endpoints of the original
  auto operator<=>(const MissingMessage&) const = default;
};

// Takes the clean events of the source of one location. One thread.
class RecordRules {
 public:
  // `source` is a location of the original, `location` the one of the reduced archive that was made
  // from it; `collapsed` its calls that stand for iterations, by time.
  RecordRules(const RecordRulesContext& context, const Archive& reduced, std::uint64_t source,
              std::uint64_t location, bool is_halo, const std::vector<Interval>& collapsed,
              const ReadOptions& options, Diagnostics& diagnostics);

  void call(EventKind kind, std::uint64_t time, std::uint64_t region,
            std::span<const Attribute> attributes);
  void other(const Event& event);
  // Call once, after the last event.
  void finish();

  const std::vector<std::string>& violations() const { return violations_; }
  const std::set<MissingMessage>& missing_messages() const { return missing_; }
  // Empty where no iteration is collapsed.
  LocationParts take_operations() { return operations_.take(); }

 private:
  const EventCursor::Record* peek();
  bool is_of_members(const EventCursor::Record& record) const;
  void advance() { next_ = nullptr; }
  void skip_before(std::uint64_t time);
  bool is_collapsed(std::uint64_t time);
  void add_violation(std::string words);

  bool is_same(const Event& before, const EventCursor::Record& after);
  bool have_same_fields(const Event& before, const Event& after) const;
  bool have_same_attributes(std::span<const Attribute> before,
                            std::span<const Attribute> after) const;
  bool mean_same_rank(const Event& before, const Event& after, std::size_t field) const;
  bool are_carried(const Event& before, const Event& after, std::size_t first) const;
  bool may_be_unwound(std::uint64_t time) const;

  // Notes that the operation of a record stays or goes; false where it began otherwise.
  bool follow_operation(const Event& event, bool stays, bool is_collapsed);
  bool has_partners(const Event& event) const;
  bool may_go(const Event& event);

  const RecordRulesContext& context_;
  EventCursor cursor_;
  const std::uint64_t source_, location_;
  const bool is_halo_;
  const std::vector<Interval>& collapsed_;
  std::size_t span_ = 0;
  const EventCursor::Record* next_ = nullptr;
  bool ended_ = false;
  // Whether the operations that are open stay, by request, and by window and id.
  std::unordered_map<std::uint64_t, bool> requests_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> one_sided_;
  std::optional<bool> collective_;
  OperationParts operations_;
  std::set<MissingMessage> missing_;
  std::vector<std::string> violations_;
};

}  // namespace tracefold
