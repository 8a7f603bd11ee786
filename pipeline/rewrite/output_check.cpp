#include "pipeline/rewrite/output_check.hpp"

#include "base/team.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"

#include <fmt/format.h>

#include <string>

namespace tracefold {

namespace {

class CheckSink {
 public:
  CheckSink(const Definitions& definitions, const FunctionTable& functions)
      : definitions_(definitions), functions_(functions) {}
  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(time, region, attributes);
    ++open_;
  }
  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(time, region, attributes);
    nests_ = nests_ && open_ > 0;
    --open_;
  }
  void other(const Event& event) {
    see(event.time);
    ++others_[static_cast<std::size_t>(event.kind)];
    for_each_ref(get_row(event.kind).shape(), event.fields, event.list,
                 [&](Ref kind, std::uint64_t id) { check(kind, id); });
    for (const auto& a : event.attributes)
      check(a);
  }
  void unknown(std::uint64_t) { ++unknown_; }

  // The rule that the location breaks, or null.
  const char* broken(const WrittenLocation& written, bool whole, std::uint64_t records) const {
    if (!whole)
      return "its event file cannot be read again";
    if (records != written.records || others_ != written.others || unknown_)
      return "it holds other records than were written";
    if (!nests_ || open_ != 0)
      return "its calls do not nest";
    if (!ascends_)
      return "its time steps back";

    return defined_ ? nullptr : "it names what is not defined";
  }

 private:
  void call(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    see(time);
    defined_ = defined_ && functions_.find(region).function != virtual_root;
    for (const auto& a : attributes)
      check(a);
  }
  void see(std::uint64_t time) {
    ascends_ = ascends_ && time >= last_;
    last_ = time;
  }
  void check(const Attribute& a) {
    check(Ref::attribute, a.id);
    if (const auto kind = ref_from_type(a.type))
      check(*kind, a.value);
  }
  void check(Ref kind, std::uint64_t id) {
    if (kind != Ref::paradigm && id != undefined_id(kind) && !definitions_.find(kind, id))
      defined_ = false;
  }

  const Definitions& definitions_;
  const FunctionTable& functions_;
  std::array<std::uint64_t, event_kinds> others_{};
  std::uint64_t last_ = 0, unknown_ = 0;
  std::int64_t open_ = 0;  // calls
  bool nests_ = true, ascends_ = true, defined_ = true;
};

// What cannot be read of the new archive was not written well.
template <class Read>
void as_output_error(Read&& read) {
  try {
    read();
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    throw Error(ErrorKind::output,
                fmt::format("what was written cannot be read again: {}", problem.what()))
        .hint("free some space, or choose another `output`");
  }
}

}  // namespace

void check_definitions(const std::filesystem::path& anchor, std::size_t definitions) {
  const Error cut_short =
      Error(ErrorKind::output, "the definitions cannot be read again, they were cut short")
          .hint("free some space, or choose another `output`");
  try {
    Diagnostics diagnostics;
    const Archive archive(anchor.string(), diagnostics);
    if (archive.definitions().all().size() != definitions)
      throw cut_short;
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    throw cut_short;
  }
}

void check_events(const std::filesystem::path& anchor, const std::vector<WrittenLocation>& written,
                  const ReadOptions& options) {
  as_output_error([&] {
    Diagnostics diagnostics;
    const Archive archive(anchor.string(), diagnostics);
    const FunctionTable functions(archive.definitions(), {});
    std::vector<std::uint64_t> ids;
    ids.reserve(written.size());
    for (const auto& location : written)
      ids.push_back(location.id);

    std::vector<std::string> broken(ids.size());  // the rule that each breaks; empty: none
    const Shares shares(archive.definitions(), ids, options.team);
    const auto own = for_each_own_location(
        archive, ids, shares, options, diagnostics, [&](EventReader& reader, std::size_t i) {
          CheckSink sink(archive.definitions(), functions);
          const bool whole = reader.read(ids[i], sink);
          if (const auto* rule = sink.broken(written[i], whole, reader.records()))
            broken[i] = rule;
        });
    share_found(options.team, broken, own);

    for (std::size_t i = 0; i < ids.size(); ++i)
      if (!broken[i].empty())
        throw Error(
            ErrorKind::output,
            fmt::format(
                "location {} of what was written breaks a rule, so nothing is published: {}",
                ids[i], broken[i]))
            .hint("try again; if it stays so, report it with the input");
  });
}

}  // namespace tracefold
