// The shapes of all OTF2 records, as tables.
//
// Each event and global definition of OTF2 3.0 is one row: its name, and what each argument of the
// OTF2 function means, in the order of that function. Code that reads, copies, cuts, renumbers,
// counts or prints records loops over these rows. The tables are constant.
//
// Source: OTF2 3.0 reference manual, "Event records" and "Definitions".
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// What an id refers to. The first fifteen are in the order of OTF2_MappingType.
enum class Ref : std::uint8_t {
  string,
  attribute,
  location,
  region,
  group,
  metric,
  comm,
  parameter,
  rma_win,
  source_code_location,
  calling_context,
  interrupt_generator,
  io_file,
  io_handle,
  location_group,
  system_tree_node,
  metric_member,
  callsite,
  callpath,
  cart_dimension,
  cart_topology,
  io_paradigm,
  paradigm
};
inline constexpr std::size_t ref_kinds = 23;

// The "undefined" id of a kind, which has all bits of its width set.
constexpr std::uint64_t undefined_id(Ref kind) {
  switch (kind) {
    case Ref::location: return ~std::uint64_t{0};
    case Ref::io_paradigm:
    case Ref::paradigm: return 0xff;
    default: return 0xffffffffu;
  }
}

enum class FieldRole : std::uint8_t {
  value,        // copied
  time_stamp,   // ticks, corrected by the reader like the time of the event
  self,         // the id that a definition gives itself
  ref,          // an id of kind Field::target
  peer,         // rank of another process in the communicator or window of the same record
  root,         // rank as for peer, or one of OTF2's special roots
  team_rank,    // rank of a thread in the team of the same record
  request,      // id of a non-blocking operation; ids are reused
  match,        // id that ties a one-sided operation to its completion
  type,         // OTF2_Type of the typed_value that follows
  typed_value,  // OTF2_AttributeValue, an id where the type says so
  count,        // length of the lists that follow
  list,         // array of values
  ref_list,     // array of ids of kind Field::target
  type_list,    // array of OTF2_Type for the typed_list that follows
  typed_list,   // array of OTF2_AttributeValue
  text          // characters
};

struct Field {
  std::string_view name;
  FieldRole role = FieldRole::value;
  Ref target = Ref::string;
  std::uint8_t width =
      4;  // of the value, or of each in a list, in bytes; in the rows of events only
};

namespace fields {
constexpr Field value(std::string_view n) {
  return {n, FieldRole::value};
}
constexpr Field u8(std::string_view n) {
  return {n, FieldRole::value, {}, 1};
}
constexpr Field u32(std::string_view n) {
  return {n, FieldRole::value, {}, 4};
}
constexpr Field u64(std::string_view n) {
  return {n, FieldRole::value, {}, 8};
}
constexpr Field time_stamp(std::string_view n) {
  return {n, FieldRole::time_stamp, {}, 8};
}
constexpr Field self(Ref k) {
  return {"self", FieldRole::self, k};
}
constexpr Field ref(std::string_view n, Ref k) {
  return {n, FieldRole::ref, k, static_cast<std::uint8_t>(k < Ref::io_paradigm ? 4 : 1)};
}
constexpr Field peer(std::string_view n) {
  return {n, FieldRole::peer};
}
constexpr Field root() {
  return {"root", FieldRole::root};
}
constexpr Field team_rank(std::string_view n) {
  return {n, FieldRole::team_rank};
}
constexpr Field request() {
  return {"requestID", FieldRole::request, {}, 8};
}
constexpr Field match() {
  return {"matchingId", FieldRole::match, {}, 8};
}
constexpr Field type() {
  return {"type", FieldRole::type};
}
constexpr Field typed_value() {
  return {"value", FieldRole::typed_value};
}
constexpr Field count(std::string_view n, std::uint8_t width = 4) {
  return {n, FieldRole::count, {}, width};
}
constexpr Field list(std::string_view n, std::uint8_t width = 8) {
  return {n, FieldRole::list, {}, width};
}
constexpr Field ref_list(std::string_view n, Ref k) {
  return {n, FieldRole::ref_list, k};
}
constexpr Field type_list() {
  return {"types", FieldRole::type_list};
}
constexpr Field typed_list() {
  return {"values", FieldRole::typed_list};
}
constexpr Field text() {
  return {"string", FieldRole::text};
}
constexpr Field string(std::string_view n) {
  return ref(n, Ref::string);
}
constexpr Field region(std::string_view n) {
  return ref(n, Ref::region);
}
constexpr Field comm(std::string_view n) {
  return ref(n, Ref::comm);
}
constexpr Field window() {
  return ref("win", Ref::rma_win);
}
constexpr Field handle(std::string_view n) {
  return ref(n, Ref::io_handle);
}
}  // namespace fields

// The kind of id that an attribute of this OTF2_Type holds; none for numbers.
constexpr std::optional<Ref> ref_from_type(std::uint64_t otf2_type) {
  constexpr std::array<Ref, 15> kinds{Ref::string,
                                      Ref::attribute,
                                      Ref::location,
                                      Ref::region,
                                      Ref::group,
                                      Ref::metric,
                                      Ref::comm,
                                      Ref::parameter,
                                      Ref::rma_win,
                                      Ref::source_code_location,
                                      Ref::calling_context,
                                      Ref::interrupt_generator,
                                      Ref::io_file,
                                      Ref::io_handle,
                                      Ref::location_group};

  if (otf2_type < 11 || otf2_type > 25)
    return std::nullopt;

  return kinds[otf2_type - 11];
}

// A field's name as a template argument: get_field<"msgTag", EventKind::MpiSend>(event).
template <std::size_t size>
struct FieldName {
  char characters[size];

  consteval FieldName(const char (&name)[size]) { std::copy_n(name, size, characters); }
  constexpr std::string_view view() const { return {characters, size - 1}; }
};

// The index of a field in a row. Throws where there is none, which is an error at compile time in a
// constant expression.
constexpr std::size_t find_field(std::span<const Field> row, std::string_view name) {
  for (std::size_t place = 0; place < row.size(); ++place)
    if (row[place].name == name)
      return place;

  throw "this kind of record has no field of that name";
}

struct Attribute {
  std::uint64_t id = 0;
  std::uint64_t type = 0;   // OTF2_Type
  std::uint64_t value = 0;  // bits of the OTF2_AttributeValue

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

// Calls `visit(Ref, std::uint64_t& id)` for each id in a record of this shape: plain references,
// typed values, and lists of both. `fields` has one value for each argument; `list` has the arrays
// one after the other, each as long as the count says.
template <class Fields, class List, class Visit>
void for_each_ref(std::span<const Field> row, Fields& fields, List& list, Visit&& visit) {
  std::size_t length = 0, at = 0, types_at = 0;

  for (std::size_t i = 0; i < row.size(); ++i) {
    switch (row[i].role) {
      case FieldRole::ref: visit(row[i].target, fields[i]); break;
      case FieldRole::typed_value:
        if (auto kind = ref_from_type(fields[i - 1]))
          visit(*kind, fields[i]);
        break;
      case FieldRole::count: length = fields[i]; break;
      case FieldRole::ref_list:
        for (std::size_t k = 0; k < length; ++k)
          visit(row[i].target, list[at + k]);
        at += length;
        break;
      case FieldRole::list: at += length; break;
      case FieldRole::type_list:
        types_at = at;
        at += length;
        break;
      case FieldRole::typed_list:
        for (std::size_t k = 0; k < length; ++k)
          if (auto kind = ref_from_type(list[types_at + k]))
            visit(*kind, list[at + k]);
        at += length;
        break;
      default: break;
    }
  }
}

}  // namespace tracefold
