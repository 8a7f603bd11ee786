#include "pipeline/verify/recorded.hpp"

#include "model/plan.hpp"
#include "model/program/member_metrics.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/profile/pair_set.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/profile/profile_sink.hpp"
#include "pipeline/verify/member_rules.hpp"

#include <optional>

namespace tracefold {

namespace {

// A hash of call pairs that does not depend on their order.
std::uint64_t hash_work(const std::vector<CallPair>& pairs, const FunctionTable& functions,
                        std::uint64_t type) {
  const auto hash_function = [&](FunctionIndex f) -> std::uint64_t {
    if (f == virtual_root)
      return 7;
    std::uint64_t hash = 14695981039346656037u;
    const auto& function = functions.functions()[f];
    for (const auto& text :
         {function.name, function.canonical, function.file, std::to_string(function.line)})
      for (char c : text + '\0')
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
  };

  std::uint64_t sum = type + 1;
  for (const auto& pair : pairs) {
    auto hash =
        (hash_function(pair.caller) * 31 + hash_function(pair.callee)) * 0x9e3779b97f4a7c15u;
    sum += hash ^ (hash >> 32);
  }

  return sum == 0 ? 1 : sum;
}

class RecordingSink {
 public:
  // `rules` compare the location with what was made of it, or are null.
  RecordingSink(const Definitions& definitions, const FunctionTable& functions,
                const Sources& sources, const StandInIds& stand_ins,
                const std::unordered_set<std::uint64_t>& members, std::uint64_t location,
                RecordRules* rules, Recorded& out)
      : definitions_(definitions),
        functions_(functions),
        sources_(sources),
        stand_ins_(stand_ins),
        members_(members),
        location_(location),
        rules_(rules),
        out_(out),
        pairs_(functions.functions().size()),
        ticks_(functions.functions().size()) {}

  void enter(const CallBegin& c, std::span<const Attribute> attributes) {
    pairs_.insert(c.caller, c.function);
    call(EventKind::Enter, c.time, c.region, attributes);
  }
  void leave(const CallEnd& c, std::span<const Attribute> attributes) {
    call(EventKind::Leave, c.time, c.region, attributes);
    ticks_[c.function] += c.exclusive;
  }
  void other(Event& event) {
    using enum EventKind;
    if (event.kind == CallingContextEnter || event.kind == CallingContextLeave) {
      const auto context =
          get_field<"callingContext", CallingContextEnter, CallingContextLeave>(event);
      if (stand_ins_.has_context(context)) {
        stand_in(event.kind == CallingContextEnter ? Enter : Leave, event.time,
                 get_field<"region", DefinitionKind::CallingContext>(
                     *definitions_.find(Ref::calling_context, context)));
        return;
      }
    }

    if (rules_)
      rules_->other(event);
    if (event.kind == Metric && members_.contains(get_field<"metric", Metric>(event))) {
      ++out_.of_members;
      out_.wrong_of_members += !may_be_of_members(event);
      return;
    }

    ++out_.kinds[static_cast<std::size_t>(event.kind)];
    for_each_ref(
        get_row(event.kind).shape(), event.fields, event.list, [&](Ref kind, std::uint64_t id) {
          if (kind != Ref::paradigm && id != undefined_id(kind) && !definitions_.find(kind, id))
            ++out_.dangling;
        });

    const bool send = event.kind == EventKind::MpiSend || event.kind == EventKind::MpiIsend;
    if (!send && event.kind != EventKind::MpiRecv && event.kind != EventKind::MpiIrecv)
      return;

    const auto comm = get_field<"communicator", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
    const auto tag = get_field<"msgTag", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
    const auto length = get_field<"msgLength", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
    const auto rank = send ? get_field<"receiver", MpiSend, MpiIsend>(event)
                           : get_field<"sender", MpiRecv, MpiIrecv>(event);
    const auto partner = definitions_.partner(location_, comm, rank);
    if (!partner) {
      out_.dangling += !definitions_.has_rank(location_, comm, rank);
      return;
    }

    const auto here = find_source(definitions_.endpoint(location_));
    const auto there = find_source(*partner);
    if (send)
      ++out_.sent[{here, there, tag, length}];
    else
      ++out_.received[{there, here, tag, length}];
  }
  void unknown(std::uint64_t) {}
  std::size_t count_pairs() const { return pairs_.pairs().size(); }
  void finish() {
    out_.visits = out_.kinds[static_cast<std::size_t>(EventKind::Enter)];
    for (std::size_t f = 0; f < ticks_.size(); ++f)
      if (ticks_[f])
        out_.exclusive.emplace_back(f, ticks_[f]);
    out_.exclusive.shrink_to_fit();

    if (!pairs_.pairs().empty()) {
      const auto& location = *definitions_.find(Ref::location, location_);
      out_.work = hash_work(pairs_.pairs(), functions_,
                            get_field<"locationType", DefinitionKind::Location>(location));
    }
    if (rules_) {
      rules_->finish();
      out_.violations = rules_->violations();
      out_.missing_messages = rules_->missing_messages();
      out_.operations = rules_->take_operations();
    }
  }

 private:
  std::uint64_t find_source(std::uint64_t id) const {
    auto at = sources_.find(id);
    return at == sources_.end() ? id : at->second;
  }
  [[gnu::always_inline]] void call(EventKind kind, std::uint64_t time, std::uint64_t region,
                                   std::span<const Attribute> attributes) {
    if (rules_)
      rules_->call(kind, time, region, attributes);
    if (stand_ins_.has_region(region)) [[unlikely]]
      stand_in(kind, time, region);
    else
      ++out_.kinds[static_cast<std::size_t>(kind)];
  }
  void stand_in(EventKind kind, std::uint64_t time, std::uint64_t region) {
    if (kind == EventKind::Enter) {
      out_.stand_ins.push_back({time, time});
      out_.stand_in_regions.push_back(region);
    } else if (!out_.stand_ins.empty()) {
      out_.stand_ins.back().end = time;
    }
  }

  const Definitions& definitions_;
  const FunctionTable& functions_;
  const Sources& sources_;
  const StandInIds& stand_ins_;
  const std::unordered_set<std::uint64_t>& members_;
  std::uint64_t location_;
  RecordRules* rules_;
  Recorded& out_;
  PairSet pairs_;
  std::vector<std::uint64_t> ticks_;
};

// What calling contexts tell of calls, of a location whose Enter records are so many call pairs.
void record_contexts(EventReader& reader, std::uint64_t location, const Definitions& definitions,
                     const FunctionTable& functions, std::size_t recorded_pairs, Recorded& out) {
  ProfileSink sink(definitions, functions.functions().size());
  read_calls(reader, location, functions, sink);
  out.visits = 0;
  out.exclusive.clear();

  const auto profile = sink.take(0);
  // Others with the same Enter records may do something else.
  if (!profile.sampled.empty() || profile.intent.pairs.size() != recorded_pairs)
    out.work = 0;
  for (const auto& time : profile.functions) {
    out.visits += time.visits;
    if (time.exclusive > 0)
      out.exclusive.emplace_back(time.function, time.exclusive);
  }
}

}  // namespace

std::map<std::uint64_t, Recorded> record(const Archive& archive,
                                         const std::vector<FilterSection>& filters,
                                         const Sources& sources, const StandInIds& stand_ins,
                                         const ReducedRecords* reduced, const ReadOptions& options,
                                         Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), filters);
  const auto members = find_member_metrics(archive.definitions());
  std::vector<std::uint64_t> ids;
  for (const auto& p : find_processes(archive.definitions(), filters))
    ids.push_back(p.id);
  for (const auto& [id, source] : find_halo_locations(archive.definitions()))
    ids.push_back(id);

  const auto names = std::make_shared<const std::vector<Function>>(functions.functions());
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

    RecordingSink sink(archive.definitions(), functions, sources, stand_ins, members, ids[i],
                       rules ? &*rules : nullptr, found[i]);
    found[i].functions = names;
    found[i].records = read_clean_events(reader, ids[i], functions, sink).records;
    sink.finish();
    if (!functions.contexts().empty())
      record_contexts(reader, ids[i], archive.definitions(), functions, sink.count_pairs(),
                      found[i]);
  });

  std::map<std::uint64_t, Recorded> by_id;
  for (std::size_t i = 0; i < ids.size(); ++i)
    by_id.emplace(ids[i], std::move(found[i]));

  return by_id;
}

}  // namespace tracefold
