#include "pipeline/expand/expanded_records.hpp"

#include "otf2/otf2_values.hpp"
#include "pipeline/messages/record_definitions.hpp"

namespace tracefold {

namespace {

// What fits into a field.
std::uint64_t fit(std::uint64_t value, const Field& field) {
  return field.width >= sizeof value ? value : value & ((std::uint64_t{1} << 8 * field.width) - 1);
}

}  // namespace

ExpandedRecords::ExpandedRecords(const Messages& messages, const OperationFinder& finder)
    : messages_(messages), finder_(finder) {
  for (const auto& one : messages.definitions)
    if (one.definition.kind != DefinitionKind::IoPreCreatedHandleState)
      known_.try_emplace({get_row(one.definition.kind).shape()[0].target, one.definition.id()},
                         &one);
}

// The place of the communicator of an operation on a window; none where it is left out.
std::optional<std::uint32_t> ExpandedRecords::find_communicator(const ClusterOperation& operation,
                                                                std::uint32_t rank) const {
  return finder_.find_window_communicator(
      find_value(messages_, operation, Parameter::communicator, rank));
}

void ExpandedRecords::use(std::uint32_t symbol, std::uint32_t rank) {
  const auto& shared = messages_.operations[symbol];
  const auto parameters = list_record_parameters(shared.kind);
  if (is_one_sided(shared.kind) && !find_communicator(shared, rank))
    return;

  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (const auto kind = find_reference(shared.kind, parameters[p]))
      use_definition(*kind, find_value(messages_.columns[shared.columns[p]], rank, messages_.size));
}

// With what it names itself.
void ExpandedRecords::use_definition(Ref kind, std::uint64_t id) {
  while (true) {
    const auto at = known_.find({kind, id});
    if (at == known_.end() || (kind == Ref::rma_win && !finder_.find_window_communicator(id)) ||
        !new_ids_.try_emplace({kind, id}).second)
      return;
    if (kind != Ref::io_handle)
      return;

    const auto& handle = at->second->definition;
    use_definition(Ref::io_file, get_field<"file", DefinitionKind::IoHandle>(handle));
    use_definition(Ref::io_paradigm, get_field<"ioParadigm", DefinitionKind::IoHandle>(handle));
    id = get_field<"parent", DefinitionKind::IoHandle>(handle);
  }
}

void ExpandedRecords::number() {
  // In the order in which they are written, so that ids ascend: files come before directories. What
  // stands for the state of a handle has the id of the handle.
  std::map<Ref, std::uint64_t> next{{Ref::group, first_group}};
  for (const auto& one : messages_.definitions) {
    const Key key{get_row(one.definition.kind).shape()[0].target, one.definition.id()};
    const auto at = new_ids_.find(key);
    if (at == new_ids_.end())
      continue;

    if (one.definition.kind != DefinitionKind::IoPreCreatedHandleState)
      at->second = next[key.first]++;
    defined_.push_back({&one, at->second});
  }
}

std::optional<std::uint64_t> ExpandedRecords::find_new_id(Ref kind, std::uint64_t id) const {
  const auto at = new_ids_.find({kind, id});
  return at == new_ids_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<ExpandedRecords::Fields> ExpandedRecords::find_fields(std::uint32_t symbol,
                                                                    std::uint32_t rank) const {
  const auto& shared = messages_.operations[symbol];
  const auto parameters = list_record_parameters(shared.kind);
  const auto found = is_one_sided(shared.kind) ? find_communicator(shared, rank) : 0u;
  if (!found)
    return std::nullopt;

  const auto communicator = *found;
  Fields fields{};
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto [parameter, place] = parameters[p];
    const auto value = find_value(messages_.columns[shared.columns[p]], rank, messages_.size);
    auto& field = fields[place];

    if (const auto kind = find_reference(shared.kind, parameters[p])) {
      const auto id = find_new_id(*kind, value);
      if (!id)
        return std::nullopt;
      field = *id;
    } else if (parameter == Parameter::peer) {
      const auto remote = value == no_root ? std::optional(otf2_value::root_none)
                                           : finder_.find_place(communicator, rank, value);
      if (!remote)
        return std::nullopt;
      field = *remote;
    } else if (parameter == Parameter::root) {
      field = value == self_root ? otf2_value::root_self
              : value == group_root
                  ? otf2_value::root_this_group
                  : finder_.find_place(communicator, rank, value).value_or(otf2_value::root_none);
    } else if (const auto second = find_second_field(shared.kind);
               second && parameter == Parameter::operation) {
      field = unpack_first(value);
      fields[*second] = fit(unpack_second(value), get_row(shared.kind).shape()[*second]);
    } else {
      field = fit(value, get_row(shared.kind).shape()[place]);
    }
  }
  return fields;
}

}  // namespace tracefold
