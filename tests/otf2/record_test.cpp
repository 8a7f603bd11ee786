#include "otf2/record.hpp"

#include "otf2/definition.hpp"
#include "otf2/event.hpp"
#include "otf2/otf2_values.hpp"

#include <gmock/gmock.h>

#include <set>

namespace tracefold::record_test {

using ::testing::ElementsAre;
using Visited = std::vector<std::pair<Ref, std::uint64_t>>;

template <class Record>
Visited refs_of(std::span<const Field> shape, Record record) {
  Visited found;
  for_each_ref(shape, record.fields, record.list,
               [&](Ref kind, std::uint64_t& id) { found.emplace_back(kind, id); });
  return found;
}

TEST(RecordTables, HoldEveryKindOfOtf2) {
  EXPECT_EQ(event_table.size(), 79u);
  EXPECT_GE(definition_table.size(), 38u);
  std::set<std::string_view> names;
  for (const auto& row : event_table)
    names.insert(row.name);

  EXPECT_EQ(names.size(), event_table.size());
  names.clear();
  for (const auto& row : definition_table)
    names.insert(row.name);

  EXPECT_EQ(names.size(), definition_table.size());
}

template <class Row>
void expect_sound(const Row& row) {
  bool counted = false;

  for (std::size_t i = 0; i < row.size; ++i) {
    const auto role = row.fields[i].role;
    EXPECT_FALSE(row.fields[i].name.empty()) << row.name;
    if (role == FieldRole::self) {
      EXPECT_EQ(i, 0u) << row.name;
    }

    if (role == FieldRole::typed_value) {
      ASSERT_GT(i, 0u);
      EXPECT_EQ(row.fields[i - 1].role, FieldRole::type) << row.name;
    }

    if (role == FieldRole::list || role == FieldRole::ref_list || role == FieldRole::type_list ||
        role == FieldRole::typed_list) {
      EXPECT_TRUE(counted) << row.name;
    }

    counted = counted || role == FieldRole::count;
  }
}

TEST(RecordTables, CountListsAndTypeValues) {
  for (const auto& row : event_table)
    expect_sound(row);
  for (const auto& row : definition_table)
    expect_sound(row);
}

TEST(ForEachRef, VisitsPlainReferences) {
  Event e;
  e.kind = EventKind::CallingContextSample;
  e.fields = {5, 2, 7};
  EXPECT_THAT(
      refs_of(get_row(e.kind).shape(), e),
      ElementsAre(std::pair(Ref::calling_context, 5), std::pair(Ref::interrupt_generator, 7)));
}

TEST(ForEachRef, VisitsTypedValuesThatAreIds) {
  Definition d;
  d.kind = DefinitionKind::LocationProperty;
  d.fields = {3, 4, otf2_value::type_string, 9};
  const auto shape = get_row(d.kind).shape();
  EXPECT_THAT(refs_of(shape, d), ElementsAre(std::pair(Ref::location, 3), std::pair(Ref::string, 4),
                                             std::pair(Ref::string, 9)));
  d.fields[2] = otf2_value::type_uint64;
  EXPECT_THAT(refs_of(shape, d),
              ElementsAre(std::pair(Ref::location, 3), std::pair(Ref::string, 4)));
}

TEST(ForEachRef, VisitsListsOfIds) {
  Event e;
  e.kind = EventKind::ProgramBegin;
  e.fields = {1, 2};
  e.list = {8, 9};
  EXPECT_THAT(
      refs_of(get_row(e.kind).shape(), e),
      ElementsAre(std::pair(Ref::string, 1), std::pair(Ref::string, 8), std::pair(Ref::string, 9)));
}

TEST(ForEachRef, VisitsTypedListsThatAreIds) {
  Definition d;
  d.kind = DefinitionKind::IoParadigm;
  d.fields = {1, 2, 3, 0, 0, 2};
  d.list = {0,  1, otf2_value::type_uint32, otf2_value::type_string,
            70, 71};  // properties, types, values
  EXPECT_THAT(refs_of(get_row(d.kind).shape(), d),
              ElementsAre(std::pair(Ref::string, 2), std::pair(Ref::string, 3),
                          std::pair(Ref::string, 71)));
}

TEST(ForEachRef, TakesListsOfNumbersForNoIds) {
  Event e;
  e.kind = EventKind::Metric;
  e.fields = {6, 2};
  e.list = {4, 11, 70, 71};
  EXPECT_THAT(refs_of(get_row(e.kind).shape(), e), ElementsAre(std::pair(Ref::metric, 6)));
}

TEST(ForEachRef, LetsIdsBeChanged) {
  Event e;
  e.kind = EventKind::ProgramBegin;
  e.fields = {1, 2};
  e.list = {8, 9};
  for_each_ref(get_row(e.kind).shape(), e.fields, e.list,
               [](Ref, std::uint64_t& id) { id += 100; });
  EXPECT_EQ(e.fields[0], 101u);
  EXPECT_EQ(e.fields[1], 2u);
  EXPECT_THAT(e.list, ElementsAre(108, 109));
}

TEST(RefFromType, CoversTheMappedTypes) {
  EXPECT_EQ(ref_from_type(10), std::nullopt);
  EXPECT_EQ(ref_from_type(11), Ref::string);
  EXPECT_EQ(ref_from_type(13), Ref::location);
  EXPECT_EQ(ref_from_type(25), Ref::location_group);
  EXPECT_EQ(ref_from_type(26), std::nullopt);
}

}  // namespace tracefold::record_test
