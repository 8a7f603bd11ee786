#include "tests/pipeline/verify/rules/recorded.hpp"

#include "model/plan.hpp"
#include "model/program/member_metrics.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <optional>

namespace tracefold {

namespace {

class RecordingSink {
 public:
  // `rules` compare the location with what was made of it, or are null.
  RecordingSink(const Definitions& definitions, const StandInIds& stand_ins,
                const std::unordered_set<std::uint64_t>& members, RecordRules* rules, Recorded& out)
      : definitions_(definitions),
        stand_ins_(stand_ins),
        members_(members),
        rules_(rules),
        out_(out) {}

  void enter(const CallBegin& c, std::span<const Attribute> attributes) {
    call(EventKind::Enter, c.time, c.region, attributes);
  }
  void leave(const CallEnd& c, std::span<const Attribute> attributes) {
    call(EventKind::Leave, c.time, c.region, attributes);
  }
  void other(Event& event) {
    using enum EventKind;
    if (event.kind == CallingContextEnter || event.kind == CallingContextLeave) {
      const auto context =
          get_field<"callingContext", CallingContextEnter, CallingContextLeave>(event);
      if (stand_ins_.has_context(context)) {
        collapsed_call(event.kind == CallingContextEnter ? Enter : Leave, event.time,
                       get_field<"region", DefinitionKind::CallingContext>(
                           *definitions_.find(Ref::calling_context, context)));
        return;
      }
    }

    if (rules_)
      rules_->other(event);
    if (event.kind != Metric || !members_.contains(get_field<"metric", Metric>(event)))
      ++out_.kinds[static_cast<std::size_t>(event.kind)];
  }
  void unknown(std::uint64_t) {}
  void finish() {
    if (rules_) {
      rules_->finish();
      out_.violations = rules_->violations();
      out_.missing_messages = rules_->missing_messages();
      out_.operations = rules_->take_operations();
    }
  }

 private:
  [[gnu::always_inline]] void call(EventKind kind, std::uint64_t time, std::uint64_t region,
                                   std::span<const Attribute> attributes) {
    if (rules_)
      rules_->call(kind, time, region, attributes);
    if (stand_ins_.has_region(region)) [[unlikely]]
      collapsed_call(kind, time, region);
    else
      ++out_.kinds[static_cast<std::size_t>(kind)];
  }
  void collapsed_call(EventKind kind, std::uint64_t time, std::uint64_t region) {
    if (kind == EventKind::Enter) {
      out_.stand_ins.push_back({time, time});
      out_.stand_in_regions.push_back(region);
    } else if (!out_.stand_ins.empty()) {
      out_.stand_ins.back().end = time;
    }
  }

  const Definitions& definitions_;
  const StandInIds& stand_ins_;
  const std::unordered_set<std::uint64_t>& members_;
  RecordRules* rules_;
  Recorded& out_;
};

}  // namespace

std::map<std::uint64_t, Recorded> record(const Archive& archive,
                                         const std::vector<FilterSection>& filters,
                                         const StandInIds& stand_ins, const ReducedRecords* reduced,
                                         const ReadOptions& options, Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), filters);
  const auto members = find_member_metrics(archive.definitions());
  std::vector<std::uint64_t> ids;
  for (const auto& p : find_processes(archive.definitions(), filters))
    ids.push_back(p.id);
  for (const auto& [id, source] : find_halo_locations(archive.definitions()))
    ids.push_back(id);

  std::vector<Recorded> found(ids.size());
  auto of_reduced = options;
  of_reduced.partial = false;
  of_reduced.progress = {};
  Diagnostics ignored;

  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    std::optional<RecordRules> rules;
    if (reduced)
      if (const auto kept = reduced->by_source.find(ids[i]); kept != reduced->by_source.end())
        rules.emplace(reduced->context, reduced->archive, ids[i], kept->second.id,
                      kept->second.is_halo, kept->second.recorded->stand_ins, of_reduced, ignored);

    RecordingSink sink(archive.definitions(), stand_ins, members, rules ? &*rules : nullptr,
                       found[i]);
    found[i].records = read_clean_events(reader, ids[i], functions, sink).records;
    sink.finish();
  });

  std::map<std::uint64_t, Recorded> by_id;
  for (std::size_t i = 0; i < ids.size(); ++i)
    by_id.emplace(ids[i], std::move(found[i]));

  return by_id;
}

}  // namespace tracefold
