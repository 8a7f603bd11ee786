// One definition, and the table of the 38 kinds of global definition of OTF2 3.0. Plain data.
// definitions.hpp has all definitions of an archive.
#pragma once

#include "otf2/record.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// X(name, arguments of OTF2_GlobalDefWriter_Write<name>).
#define TRACEFOLD_DEFINITIONS(X)                                                                   \
  X(ClockProperties, value("timerResolution"), value("globalOffset"), value("traceLength"),        \
    value("realtimeTimestamp"))                                                                    \
  X(Paradigm, self(Ref::paradigm), string("name"), value("paradigmClass"))                         \
  X(ParadigmProperty, ref("paradigm", Ref::paradigm), value("property"), type(), typed_value())    \
  X(IoParadigm, self(Ref::io_paradigm), string("identification"), string("name"),                  \
    value("ioParadigmClass"), value("ioParadigmFlags"), count("numberOfProperties"),               \
    list("properties"), type_list(), typed_list())                                                 \
  X(String, self(Ref::string), text())                                                             \
  X(Attribute, self(Ref::attribute), string("name"), string("description"), value("type"))         \
  X(SystemTreeNode, self(Ref::system_tree_node), string("name"), string("className"),              \
    ref("parent", Ref::system_tree_node))                                                          \
  X(LocationGroup, self(Ref::location_group), string("name"), value("locationGroupType"),          \
    ref("systemTreeParent", Ref::system_tree_node),                                                \
    ref("creatingLocationGroup", Ref::location_group))                                             \
  X(Location, self(Ref::location), string("name"), value("locationType"), value("numberOfEvents"), \
    ref("locationGroup", Ref::location_group))                                                     \
  X(Region, self(Ref::region), string("name"), string("canonicalName"), string("description"),     \
    value("regionRole"), ref("paradigm", Ref::paradigm), value("regionFlags"),                     \
    string("sourceFile"), value("beginLineNumber"), value("endLineNumber"))                        \
  X(Callsite, self(Ref::callsite), string("sourceFile"), value("lineNumber"),                      \
    region("enteredRegion"), region("leftRegion"))                                                 \
  X(Callpath, self(Ref::callpath), ref("parent", Ref::callpath), region("region"))                 \
  X(Group, self(Ref::group), string("name"), value("groupType"), ref("paradigm", Ref::paradigm),   \
    value("groupFlags"), count("numberOfMembers"), list("members"))                                \
  X(MetricMember, self(Ref::metric_member), string("name"), string("description"),                 \
    value("metricType"), value("metricMode"), value("valueType"), value("base"),                   \
    value("exponent"), string("unit"))                                                             \
  X(MetricClass, self(Ref::metric), count("numberOfMetrics"),                                      \
    ref_list("metricMembers", Ref::metric_member), value("metricOccurrence"),                      \
    value("recorderKind"))                                                                         \
  X(MetricInstance, self(Ref::metric), ref("metricClass", Ref::metric),                            \
    ref("recorder", Ref::location), value("metricScope"), value("scope"))                          \
  X(Comm, self(Ref::comm), string("name"), ref("group", Ref::group), comm("parent"),               \
    value("flags"))                                                                                \
  X(Parameter, self(Ref::parameter), string("name"), value("parameterType"))                       \
  X(RmaWin, self(Ref::rma_win), string("name"), comm("comm"), value("flags"))                      \
  X(MetricClassRecorder, ref("metric", Ref::metric), ref("recorder", Ref::location))               \
  X(SystemTreeNodeProperty, ref("systemTreeNode", Ref::system_tree_node), string("name"), type(),  \
    typed_value())                                                                                 \
  X(SystemTreeNodeDomain, ref("systemTreeNode", Ref::system_tree_node), value("systemTreeDomain")) \
  X(LocationGroupProperty, ref("locationGroup", Ref::location_group), string("name"), type(),      \
    typed_value())                                                                                 \
  X(LocationProperty, ref("location", Ref::location), string("name"), type(), typed_value())       \
  X(CartDimension, self(Ref::cart_dimension), string("name"), value("size"),                       \
    value("cartPeriodicity"))                                                                      \
  X(CartTopology, self(Ref::cart_topology), string("name"), comm("communicator"),                  \
    count("numberOfDimensions"), ref_list("cartDimensions", Ref::cart_dimension))                  \
  X(CartCoordinate, ref("cartTopology", Ref::cart_topology), value("rank"),                        \
    count("numberOfDimensions"), list("coordinates"))                                              \
  X(SourceCodeLocation, self(Ref::source_code_location), string("file"), value("lineNumber"))      \
  X(CallingContext, self(Ref::calling_context), region("region"),                                  \
    ref("sourceCodeLocation", Ref::source_code_location), ref("parent", Ref::calling_context))     \
  X(CallingContextProperty, ref("callingContext", Ref::calling_context), string("name"), type(),   \
    typed_value())                                                                                 \
  X(InterruptGenerator, self(Ref::interrupt_generator), string("name"),                            \
    value("interruptGeneratorMode"), value("base"), value("exponent"), value("period"))            \
  X(IoFileProperty, ref("ioFile", Ref::io_file), string("name"), type(), typed_value())            \
  X(IoRegularFile, self(Ref::io_file), string("name"), ref("scope", Ref::system_tree_node))        \
  X(IoDirectory, self(Ref::io_file), string("name"), ref("scope", Ref::system_tree_node))          \
  X(IoHandle, self(Ref::io_handle), string("name"), ref("file", Ref::io_file),                     \
    ref("ioParadigm", Ref::io_paradigm), value("ioHandleFlags"), comm("comm"), handle("parent"))   \
  X(IoPreCreatedHandleState, handle("ioHandle"), value("mode"), value("statusFlags"))              \
  X(CallpathParameter, ref("callpath", Ref::callpath), ref("parameter", Ref::parameter), type(),   \
    typed_value())                                                                                 \
  X(InterComm, self(Ref::comm), string("name"), ref("groupA", Ref::group),                         \
    ref("groupB", Ref::group), comm("commonCommunicator"), value("flags"))

#define TRACEFOLD_KIND(name, ...) name,
enum class DefinitionKind : std::uint8_t { TRACEFOLD_DEFINITIONS(TRACEFOLD_KIND) };
#undef TRACEFOLD_KIND

#define TRACEFOLD_KIND(name, ...) +1
inline constexpr std::size_t definition_kinds = 0 TRACEFOLD_DEFINITIONS(TRACEFOLD_KIND);
#undef TRACEFOLD_KIND

inline constexpr std::size_t max_definition_fields = 10;

struct DefinitionRow {
  std::string_view name;
  std::array<Field, max_definition_fields> fields{};
  std::size_t size = 0;

  constexpr std::span<const Field> shape() const { return {fields.data(), size}; }
};

namespace detail {
template <class... F>
constexpr DefinitionRow definition_row(std::string_view name, F... f) {
  return {name, {f...}, sizeof...(F)};
}
constexpr std::array<DefinitionRow, definition_kinds> make_definition_table() {
  using namespace fields;
#define TRACEFOLD_ROW(name, ...) definition_row(#name, __VA_ARGS__),
  return {{TRACEFOLD_DEFINITIONS(TRACEFOLD_ROW)}};
#undef TRACEFOLD_ROW
}
}  // namespace detail

inline constexpr std::array<DefinitionRow, definition_kinds> definition_table =
    detail::make_definition_table();
constexpr const DefinitionRow& get_row(DefinitionKind kind) {
  return definition_table[static_cast<std::size_t>(kind)];
}

// The index of the field that names the parent: a definition with the same kind of id. None where
// this kind has no parent.
constexpr std::optional<std::size_t> find_parent_field(DefinitionKind kind) {
  const auto shape = get_row(kind).shape();
  if (shape[0].role == FieldRole::self)
    for (std::size_t i = 1; i < shape.size(); ++i)
      if (shape[i].role == FieldRole::ref && shape[i].target == shape[0].target)
        return i;

  return std::nullopt;
}

// `fields` has one value for each field of the row. `list` has the arrays, one after the other, and
// `text` the characters of a String.
struct Definition {
  DefinitionKind kind{};
  std::array<std::uint64_t, max_definition_fields> fields{};
  std::vector<std::uint64_t> list;
  std::string text;

  // The definition's own id; for properties and the like, the id of what they describe.
  std::uint64_t id() const { return fields[0]; }

  friend bool operator==(const Definition&, const Definition&) = default;
};

// Names a definition in messages, as "Region 7".
inline std::string describe(const Definition& definition) {
  return std::string(get_row(definition.kind).name) + " " + std::to_string(definition.id());
}

// The index of a field in `fields`. Where several kinds are given, the field must have the same
// index in all of them.
template <FieldName name, DefinitionKind kind, DefinitionKind... others>
consteval std::size_t field_place() {
  constexpr auto place = find_field(get_row(kind).shape(), name.view());
  static_assert(((find_field(get_row(others).shape(), name.view()) == place) && ...));
  return place;
}

// The value of a field by its OTF2 name. The kind of `definition` must be one of `kinds`.
template <FieldName name, DefinitionKind... kinds>
constexpr const std::uint64_t& get_field(const Definition& definition) {
  assert(((definition.kind == kinds) || ...));
  return definition.fields[field_place<name, kinds...>()];
}

template <FieldName name, DefinitionKind... kinds>
constexpr std::uint64_t& get_field(Definition& definition) {
  assert(((definition.kind == kinds) || ...));
  return definition.fields[field_place<name, kinds...>()];
}

}  // namespace tracefold
