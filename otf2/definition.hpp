// Definitions: the table of the 38 kinds of global definition of OTF2 3.0, and
// all definitions of an archive as read. Built once, then read from any thread.
#pragma once

#include "otf2/record.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
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

// The field that names a definition of the same kind of id, none where there is none.
constexpr std::optional<std::size_t> parent_field(DefinitionKind kind) {
  const auto shape = get_row(kind).shape();
  if (shape[0].role == FieldRole::self)
    for (std::size_t i = 1; i < shape.size(); ++i)
      if (shape[i].role == FieldRole::ref && shape[i].target == shape[0].target)
        return i;

  return std::nullopt;
}

struct Definition {
  DefinitionKind kind{};
  std::array<std::uint64_t, max_definition_fields> fields{};
  std::vector<std::uint64_t> list;
  std::string text;

  std::uint64_t id() const { return fields[0]; }
  friend bool operator==(const Definition&, const Definition&) = default;
};

// The place of a field in `fields`. The kinds, if several, must have it in the same place.
template <FieldName name, DefinitionKind kind, DefinitionKind... others>
consteval std::size_t place_of_field() {
  constexpr auto place = find_field(get_row(kind).shape(), name.view());
  static_assert(((find_field(get_row(others).shape(), name.view()) == place) && ...));
  return place;
}

// The value of a field by its name in OTF2; `definition` has to be of one of the kinds.
template <FieldName name, DefinitionKind... kinds>
constexpr const std::uint64_t& get_field(const Definition& definition) {
  assert(((definition.kind == kinds) || ...));
  return definition.fields[place_of_field<name, kinds...>()];
}

template <FieldName name, DefinitionKind... kinds>
constexpr std::uint64_t& get_field(Definition& definition) {
  assert(((definition.kind == kinds) || ...));
  return definition.fields[place_of_field<name, kinds...>()];
}

// Values of OTF2's enumerations that the rules depend on; checked against the
// OTF2 headers where those are included.
namespace otf2_value {
inline constexpr std::uint64_t paradigm_unknown = 0, paradigm_user = 1, paradigm_compiler = 2,
                               paradigm_openmp = 3, paradigm_mpi = 4,
                               paradigm_measurement_system = 6, paradigm_pthread = 7;
inline constexpr std::uint64_t group_locations = 1, group_regions = 2, group_metric = 3,
                               group_comm_locations = 4, group_comm_group = 5, group_comm_self = 6;
inline constexpr std::uint64_t group_flag_global_members = 1;
inline constexpr std::uint64_t location_type_cpu = 1, location_type_accelerator = 2,
                               location_type_metric = 3;
inline constexpr std::uint64_t location_group_process = 1, location_group_accelerator = 2;
inline constexpr std::uint64_t scope_location = 0, scope_location_group = 1,
                               scope_system_tree_node = 2, scope_group = 3;
inline constexpr std::uint64_t region_role_function = 1, region_role_loop = 3, region_role_code = 4,
                               region_role_parallel = 5, region_role_sections = 6,
                               region_role_section = 7, region_role_workshare = 8,
                               region_role_single_sblock = 10, region_role_master = 11,
                               region_role_critical_sblock = 13, region_role_barrier = 15,
                               region_role_implicit_barrier = 16, region_role_ordered_sblock = 19,
                               region_role_task = 20, region_role_coll_one2all = 23,
                               region_role_coll_all2one = 24, region_role_coll_all2all = 25,
                               region_role_coll_other = 26, region_role_file_io = 27,
                               region_role_point2point = 28, region_role_rma = 29,
                               region_role_artificial = 31, region_role_task_untied = 34,
                               region_role_file_io_metadata = 38;
inline constexpr std::uint64_t collective_barrier = 0, collective_bcast = 1, collective_gather = 2,
                               collective_gatherv = 3, collective_scatter = 4,
                               collective_scatterv = 5, collective_reduce = 12,
                               collective_create_handle = 17;
inline constexpr std::uint64_t io_read = 0, io_write = 1, io_flag_collective = 2;
inline constexpr std::uint64_t metric_value_mask = 15, metric_accumulated = 0, metric_relative = 2;
inline constexpr std::uint64_t root_none = 0xffffffff, root_self = 0xfffffffe,
                               root_this_group = 0xfffffffd;
inline constexpr std::uint64_t type_uint32 = 3, type_uint64 = 4, type_int64 = 8, type_double = 10,
                               type_string = 11;
}  // namespace otf2_value

struct MarkerKind {
  std::uint64_t id = 0;
  std::string group, category;
  std::uint64_t severity = 0;
};

struct Marker {
  std::uint64_t time = 0, duration = 0;  // ticks
  std::uint64_t kind = 0;
  std::uint64_t scope = 0;  // OTF2_MarkerScope
  std::uint64_t scope_id = 0;
  std::string text;
};

// A communicator member's place: what a rank of a record means.
using Members = std::vector<std::uint64_t>;  // location ids by rank

// All definitions of an archive, in the order read. Of definitions with one id
// the first counts; the others are left out and counted.
class Definitions {
 public:
  void add(Definition definition);
  // Call once after the last add: leaves out what is unusable, resolves ranks and processes.
  void finish();

  const std::vector<Definition>& all() const { return all_; }
  // The definition that `kind` of id `id` names, or null.
  const Definition* find(Ref kind, std::uint64_t id) const;
  // The characters of a string, "" where undefined.
  const std::string& text(std::uint64_t string_id) const;
  std::uint64_t duplicates() const { return duplicates_; }
  // How many were left out since no reader could use them, and parents cut off where they form a
  // circle.
  std::uint64_t unusable() const { return unusable_; }

  // Location ids, ascending.
  const std::vector<std::uint64_t>& locations() const { return locations_; }
  // COMM_LOCATIONS by paradigm: the last definition of each.
  const std::map<std::uint64_t, Definition>& comm_locations() const { return comm_locations_; }
  // Rank in MPI of a location that COMM_LOCATIONS lists.
  std::optional<std::uint64_t> mpi_rank(std::uint64_t location) const;
  // The location that stands for the process of `location` in MPI's ranks.
  std::uint64_t endpoint(std::uint64_t location,
                         std::uint64_t paradigm = otf2_value::paradigm_mpi) const;
  // Location that `rank` of a communicator means to `self`, none if it cannot be told.
  std::optional<std::uint64_t> partner(std::uint64_t self, std::uint64_t comm,
                                       std::uint64_t rank) const;
  // The group of a communicator that ranks in records of `self` count in.
  std::uint64_t peer_group(std::uint64_t self, const Definition& comm) const;
  // Members of a group as location ids, by rank.
  Members members(const Definition& group) const;
  std::optional<std::uint64_t> member(std::uint64_t self, std::uint64_t group_id,
                                      std::uint64_t rank) const;

 private:
  void define_missing_groups();
  void leave_out_unusable();
  bool is_usable(const Definition& definition,
                 const std::map<std::uint64_t, std::uint64_t>& self_groups) const;
  void cut_circles();

  std::vector<Definition> all_;
  std::array<std::unordered_map<std::uint64_t, std::size_t>, ref_kinds> index_;
  std::vector<std::uint64_t> locations_;
  std::map<std::uint64_t, Definition> comm_locations_;
  std::map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint64_t>>
      rank_of_;  // paradigm, location
  std::map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint64_t>>
      endpoint_of_;  // paradigm, location group
  std::unordered_map<std::uint64_t, std::unordered_set<std::uint64_t>>
      first_side_;  // locations of the first group of an InterComm, by group
  std::uint64_t duplicates_ = 0, unusable_ = 0;
  bool has_clock_ = false;
};

// What an archive holds besides events.
struct ArchiveFacts {
  Definitions definitions;
  std::vector<MarkerKind> marker_kinds;
  std::vector<Marker> markers;
  std::map<std::string, std::string> properties;
  std::string machine, creator, description;
  bool has_snapshots = false;  // snapshots or thumbnails, which describe the old events
};

}  // namespace tracefold
