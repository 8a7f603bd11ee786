#include "pipeline/verify/recorded.hpp"

#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/profile/profile_pass.hpp"

namespace tracefold {

namespace {

constexpr std::uint64_t fnv_prime = 1099511628211u;

std::uint64_t hash_function(const Function& f) {
  std::uint64_t hash = 14695981039346656037u;
  for (const auto& text : {f.name, f.canonical, f.file, std::to_string(f.line)})
    for (char c : text + '\0')
      hash = (hash ^ static_cast<unsigned char>(c)) * fnv_prime;
  return hash;
}

// The functions of one archive, by their indexes.
struct FunctionHashes {
  std::vector<std::uint64_t> hashes;
  std::vector<bool> is_stand_in;

  explicit FunctionHashes(const FunctionTable& functions) {
    for (const auto& f : functions.functions()) {
      hashes.push_back(hash_function(f));
      is_stand_in.push_back(tracefold::is_stand_in(f.name));
    }
  }
};

// Compares the calls of an original with those that stayed, in step.
class CallComparison {
 public:
  explicit CallComparison(const Recorded& reduced) : reduced_(reduced) {}
  void see(const CallMark& mark) {
    if (at_ < reduced_.marks.size() && reduced_.marks[at_].hash == mark.hash) {
      ++at_;
      return;
    }

    const auto& spans = reduced_.stand_ins;
    while (span_ < spans.size() && spans[span_].end < mark.time)
      ++span_;

    lost_ += span_ == spans.size() || mark.time < spans[span_].begin;
  }
  std::uint64_t lost() const { return lost_ + (reduced_.marks.size() - at_); }

 private:
  const Recorded& reduced_;
  std::size_t at_ = 0, span_ = 0;
  std::uint64_t lost_ = 0;
};

class RecordingSink {
 public:
  // `reduced` is what the location's calls are compared with, or null.
  RecordingSink(const Definitions& definitions, const FunctionTable& functions,
                const FunctionHashes& hashes, const Sources& sources, std::uint64_t location,
                const Recorded* reduced, Recorded& out)
      : definitions_(definitions),
        functions_(functions),
        hashes_(hashes),
        sources_(sources),
        location_(location),
        out_(out),
        ticks_(functions.functions().size()) {
    if (reduced)
      comparison_.emplace(*reduced);
    const bool is_reduced = !sources.empty();
    keeps_marks_ = is_reduced && std::find(hashes.is_stand_in.begin(), hashes.is_stand_in.end(),
                                           true) != hashes.is_stand_in.end();
  }

  void enter(const CallBegin& c, std::span<const Attribute>) {
    call(EventKind::Enter, c.time, c.region);
  }
  void leave(const CallEnd& c, std::span<const Attribute>) {
    call(EventKind::Leave, c.time, c.region);
    ticks_[c.function] += c.exclusive;
  }
  void other(Event& event) {
    ++out_.kinds[static_cast<std::size_t>(event.kind)];
    for_each_ref(
        get_row(event.kind).shape(), event.fields, event.list, [&](Ref kind, std::uint64_t id) {
          if (kind != Ref::paradigm && id != undefined_id(kind) && !definitions_.find(kind, id))
            ++out_.dangling;
        });

    const bool send = event.kind == EventKind::MpiSend || event.kind == EventKind::MpiIsend;
    if (!send && event.kind != EventKind::MpiRecv && event.kind != EventKind::MpiIrecv)
      return;

    using enum EventKind;
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
  void finish() {
    for (std::size_t f = 0; f < ticks_.size(); ++f)
      if (ticks_[f])
        out_.exclusive[functions_.functions()[f]] += ticks_[f];

    if (comparison_)
      out_.lost = comparison_->lost();
    if (out_.stand_ins.empty())
      out_.marks = {};
  }

 private:
  std::uint64_t find_source(std::uint64_t id) const {
    auto at = sources_.find(id);
    return at == sources_.end() ? id : at->second;
  }
  void call(EventKind kind, std::uint64_t time, std::uint64_t region) {
    // Calls that stand for iterations have none in the original, where an iteration may hold no
    // calls.
    const auto function = functions_.find(region).function;
    if (function == virtual_root || !hashes_.is_stand_in[function])
      ++out_.kinds[static_cast<std::size_t>(kind)];

    const auto hash = ((time * fnv_prime) ^ static_cast<std::uint64_t>(kind)) * fnv_prime ^
                      (function == virtual_root ? 0 : hashes_.hashes[function]);
    out_.calls = (out_.calls ^ hash) * fnv_prime;
    if (comparison_)
      comparison_->see({time, hash});
    if (!keeps_marks_)
      return;

    if (function == virtual_root || !hashes_.is_stand_in[function])
      out_.marks.push_back({time, hash});
    else if (kind == EventKind::Enter)
      out_.stand_ins.push_back({time, time});
    else if (!out_.stand_ins.empty())
      out_.stand_ins.back().end = time;
  }
  const Definitions& definitions_;
  const FunctionTable& functions_;
  const FunctionHashes& hashes_;
  const Sources& sources_;
  std::uint64_t location_;
  Recorded& out_;
  std::vector<std::uint64_t> ticks_;
  std::optional<CallComparison> comparison_;
  bool keeps_marks_ = false;
};

}  // namespace

std::map<std::uint64_t, Recorded> record(const Archive& archive,
                                         const std::vector<FilterSection>& filters,
                                         const Sources& sources,
                                         const std::map<std::uint64_t, const Recorded*>& collapsed,
                                         const ReadOptions& options, Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), filters);
  const FunctionHashes hashes(functions);
  std::vector<std::uint64_t> ids;
  for (const auto& p : find_processes(archive.definitions(), filters))
    ids.push_back(p.id);

  std::vector<Recorded> found(ids.size());

  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    const auto reduced = collapsed.find(ids[i]);
    RecordingSink sink(archive.definitions(), functions, hashes, sources, ids[i],
                       reduced == collapsed.end() ? nullptr : reduced->second, found[i]);
    read_clean_events(reader, ids[i], functions, sink);
    sink.finish();
  });

  std::map<std::uint64_t, Recorded> by_id;
  for (std::size_t i = 0; i < ids.size(); ++i)
    by_id.emplace(ids[i], std::move(found[i]));

  return by_id;
}

}  // namespace tracefold
