#include "pipeline/rewrite/filtered_out_pass.hpp"

#include "base/error.hpp"
#include "base/team.hpp"
#include "model/plan.hpp"
#include "pipeline/events/read_locations.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

namespace tracefold {

namespace {

class MessageSink {
 public:
  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd&, std::span<const Attribute>) {}
  void other(const Event& event) {
    using enum EventKind;
    has_messages_ = has_messages_ || event.kind == MpiSend || event.kind == MpiIsend ||
                    event.kind == MpiRecv || event.kind == MpiIrecv;
  }
  void unknown(std::uint64_t) {}

  bool has_messages() const { return has_messages_; }

 private:
  bool has_messages_ = false;
};

// Locations that are not in the plan, of processes that are.
std::vector<std::uint64_t> find_filtered_out(const Definitions& definitions, const Plan& plan) {
  std::unordered_set<std::uint64_t> locations, groups;
  for (const auto& process : plan.processes) {
    locations.insert(process.id);
    groups.insert(process.location_group);
  }

  std::vector<std::uint64_t> found;
  for (const auto id : definitions.locations()) {
    const auto& location = *definitions.find(Ref::location, id);
    if (!locations.contains(id) &&
        groups.contains(get_field<"locationGroup", DefinitionKind::Location>(location)))
      found.push_back(id);
  }

  return found;
}

}  // namespace

std::vector<std::uint64_t> find_filtered_out_with_messages(const Archive& archive, const Plan& plan,
                                                           const ReadOptions& options) {
  const bool any_messages =
      std::any_of(plan.processes.begin(), plan.processes.end(),
                  [](const Process& process) { return process.has_messages; });
  if (!any_messages)
    return {};

  const auto ids = find_filtered_out(archive.definitions(), plan);
  const FunctionTable functions(archive.definitions(), keep_windows(plan.filters));
  std::vector<char> has_messages(ids.size());

  // A damaged location may have been left out for being so.
  auto tolerant = options;
  tolerant.partial = true;
  tolerant.progress = {};
  Diagnostics ignored;
  const Shares shares(archive.definitions(), ids, options.team);
  const auto own = for_each_own_location(
      archive, ids, shares, tolerant, ignored, [&](EventReader& reader, std::size_t i) {
        MessageSink sink;
        const bool whole = read_clean_events(reader, ids[i], functions, sink).whole;
        has_messages[i] = !whole || sink.has_messages();
      });
  share_found(options.team, has_messages, own);

  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (has_messages[i])
      found.push_back(ids[i]);

  return found;
}

}  // namespace tracefold
