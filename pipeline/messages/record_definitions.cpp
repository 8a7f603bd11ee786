#include "pipeline/messages/record_definitions.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace tracefold {

namespace {

class Lister {
 public:
  explicit Lister(const Definitions& definitions) : definitions_(definitions) {}

  void add_named(const Operation& operation) {
    const auto parameters = list_record_parameters(operation.kind);
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (const auto kind = find_reference(operation.kind, parameters[p]))
        add(*kind, operation.values[p]);
  }

  std::vector<RecordDefinition> list() const {
    std::vector<RecordDefinition> out;
    for (const auto& definition : definitions_.all())
      if (is_named(definition))
        out.push_back(copy(definition));

    const auto make_order = [](const RecordDefinition& one) {
      const auto& kinds = record_definition_kinds;
      return std::pair(std::find(kinds.begin(), kinds.end(), one.definition.kind),
                       one.definition.id());
    };
    std::sort(out.begin(), out.end(),
              [&](const auto& a, const auto& b) { return make_order(a) < make_order(b); });
    const auto last = std::unique(out.begin(), out.end(), [&](const auto& a, const auto& b) {
      return make_order(a) == make_order(b);
    });
    out.erase(last, out.end());
    return out;
  }

 private:
  // With what it names itself; a circle of parents ends where it began.
  void add(Ref kind, std::uint64_t id) {
    while (true) {
      const auto* definition = definitions_.find(kind, id);
      if (!definition || !named_[static_cast<std::size_t>(kind)].insert(id).second)
        return;
      if (definition->kind != DefinitionKind::IoHandle)
        return;

      add(Ref::io_file, get_field<"file", DefinitionKind::IoHandle>(*definition));
      add(Ref::io_paradigm, get_field<"ioParadigm", DefinitionKind::IoHandle>(*definition));
      id = get_field<"parent", DefinitionKind::IoHandle>(*definition);
    }
  }

  bool is_named(const Definition& definition) const {
    const auto& kinds = record_definition_kinds;
    if (std::find(kinds.begin(), kinds.end(), definition.kind) == kinds.end())
      return false;

    // Files and directories share their ids: which of them an id names is for the trace to say.
    const auto& self = get_row(definition.kind).shape()[0];
    return named_[static_cast<std::size_t>(self.target)].contains(definition.id()) &&
           (self.role != FieldRole::self ||
            definitions_.find(self.target, definition.id()) == &definition);
  }

  RecordDefinition copy(const Definition& definition) const {
    RecordDefinition out;
    out.definition.kind = definition.kind;
    const auto fields = list_kept_fields(definition.kind);
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (!is_text(fields[f]))
        out.definition.fields[f] = definition.fields[f];
      else
        out.texts.push_back(find_text(fields[f].target, definition.fields[f]));

    if (definition.kind == DefinitionKind::Group)
      for (auto location : definitions_.members(definition))
        if (const auto rank = definitions_.mpi_rank(definitions_.endpoint(location)))
          out.definition.list.push_back(*rank);
    return out;
  }

  std::string find_text(Ref kind, std::uint64_t id) const {
    if (kind == Ref::string)
      return definitions_.text(id);
    const auto* node = definitions_.find(Ref::system_tree_node, id);
    return node ? definitions_.text(get_field<"name", DefinitionKind::SystemTreeNode>(*node)) : "";
  }

  const Definitions& definitions_;
  std::array<std::set<std::uint64_t>, ref_kinds> named_;
};

}  // namespace

std::optional<Ref> find_reference(EventKind kind, const RecordParameter& parameter) {
  const auto& field = get_row(kind).shape()[parameter.field];
  return field.role == FieldRole::ref ? std::optional(field.target) : std::nullopt;
}

std::vector<RecordDefinition> list_record_definitions(const Definitions& definitions,
                                                      const std::vector<Operation>& operations) {
  Lister lister(definitions);
  for (const auto& operation : operations)
    lister.add_named(operation);
  return lister.list();
}

}  // namespace tracefold
