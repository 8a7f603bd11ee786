#include "otf2/definitions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tracefold::definitions_test {

using K = DefinitionKind;
constexpr std::uint64_t nobody = 0xffffffff, mpi = otf2_value::paradigm_mpi;

struct Made {
  Definitions definitions;
  void add(K kind, std::initializer_list<std::uint64_t> fields,
           std::vector<std::uint64_t> list = {}) {
    Definition d;
    d.kind = kind;
    std::copy(fields.begin(), fields.end(), d.fields.begin());
    d.list = std::move(list);
    definitions.add(std::move(d));
  }
  void group(std::uint64_t id, std::uint64_t type, std::uint64_t paradigm,
             std::vector<std::uint64_t> members) {
    const auto size = members.size();
    add(K::Group, {id, nobody, type, paradigm, 0, size}, std::move(members));
  }
  std::uint64_t parent(Ref kind, std::uint64_t id) const {
    const auto* d = definitions.find(kind, id);
    return d->fields[*find_parent_field(d->kind)];
  }
};

TEST(UsableDefinitions, KeepCommunicatorsOfProcessesOnly) {
  Made made;
  made.group(0, otf2_value::group_comm_locations, mpi, {7, 8});
  made.group(1, otf2_value::group_comm_group, mpi, {0, 1});
  made.group(2, otf2_value::group_regions, mpi, {1});
  made.group(3, otf2_value::group_comm_group, mpi + 1, {0});  // a paradigm without COMM_LOCATIONS
  for (std::uint64_t id : {0, 1, 2, 3, 4})
    made.add(K::Comm, {id, nobody, id, nobody, 0});

  made.add(K::InterComm, {10, nobody, 1, 2, nobody, 0});
  made.add(K::RmaWin, {5, nobody, 2, 0});
  made.add(K::RmaWin, {6, nobody, 1, 0});
  made.definitions.finish();
  for (std::uint64_t id : {0, 2, 3, 4, 10})
    EXPECT_EQ(made.definitions.find(Ref::comm, id), nullptr) << id;

  EXPECT_NE(made.definitions.find(Ref::comm, 1), nullptr);
  EXPECT_NE(made.definitions.find(Ref::group, 2), nullptr);
  EXPECT_EQ(made.definitions.find(Ref::group, 3), nullptr);
  EXPECT_EQ(made.definitions.find(Ref::rma_win, 5), nullptr);
  EXPECT_NE(made.definitions.find(Ref::rma_win, 6), nullptr);
  EXPECT_EQ(made.definitions.unusable(), 7u);
}

TEST(UsableDefinitions, SayNothingOfWhatIsUndefined) {
  Made made;
  made.add(K::CallingContext, {3, 0, nobody, nobody});
  for (std::uint64_t of : {std::uint64_t{3}, nobody})
    made.add(K::CallingContextProperty, {of, 0, otf2_value::type_uint32, 1});

  made.add(K::LocationProperty, {0xffffffffffffffff, 0, otf2_value::type_uint32, 1});
  made.add(K::LocationGroupProperty, {nobody, 0, otf2_value::type_uint32, 1});
  made.add(K::IoPreCreatedHandleState, {nobody, 0, 0});
  made.definitions.finish();
  EXPECT_EQ(made.definitions.unusable(), 4u);
  EXPECT_EQ(made.definitions.all().size(), 2u);
}

TEST(UsableDefinitions, CountInTheirProcessesWhateverIdThoseHave) {
  Made made;
  made.group(1, otf2_value::group_comm_group, mpi, {0, 1});
  made.group(1, otf2_value::group_comm_locations, mpi, {7, 8});  // an id that is taken
  made.add(K::Comm, {1, nobody, 1, nobody, 0});
  made.add(K::Comm, {2, nobody, 99, nobody, 0});  // of no group
  made.definitions.finish();
  EXPECT_EQ(made.definitions.find(Ref::comm, 2), nullptr);
  ASSERT_NE(made.definitions.find(Ref::comm, 1), nullptr);
  EXPECT_EQ(made.definitions.comm_locations().at(mpi).list, (std::vector<std::uint64_t>{7, 8}));
}

TEST(UsableDefinitions, KeepOneGroupOfTheProcessItselfPerParadigm) {
  Made made;
  made.group(0, otf2_value::group_comm_locations, mpi, {7, 8});
  made.group(1, otf2_value::group_comm_self, mpi, {});
  made.group(2, otf2_value::group_comm_self, mpi, {});
  made.definitions.finish();
  EXPECT_NE(made.definitions.find(Ref::group, 1), nullptr);
  EXPECT_EQ(made.definitions.find(Ref::group, 2), nullptr);
}

TEST(UsableDefinitions, TellWhereEachProcessIsAlone) {
  Made made;
  made.group(0, otf2_value::group_comm_locations, mpi, {7, 8});
  made.group(1, otf2_value::group_comm_self, mpi, {});
  made.group(2, otf2_value::group_comm_group, mpi, {0});
  made.add(K::Comm, {0, nobody, 1, nobody, 0});
  made.add(K::Comm, {1, nobody, 2, nobody, 0});
  made.add(K::InterComm, {2, nobody, 1, 2, nobody, 0});
  made.definitions.finish();
  const auto is_self = [&](std::uint64_t id) {
    const auto* comm = made.definitions.find(Ref::comm, id);
    return comm && made.definitions.is_self(*comm);
  };
  EXPECT_TRUE(is_self(0));
  EXPECT_FALSE(is_self(1)) << "one process, but not each its own";
  EXPECT_FALSE(is_self(2)) << "two sides";
}

TEST(UsableDefinitions, HaveIdsThatCanBeNamed) {
  Made made;
  made.add(K::Callpath, {nobody, 0, 0});
  made.add(K::Callpath, {0, nobody, 0});
  made.add(K::Location, {~std::uint64_t{0}, nobody, 1, 0, 0});
  made.definitions.finish();
  EXPECT_EQ(made.definitions.find(Ref::callpath, nobody), nullptr);
  EXPECT_NE(made.definitions.find(Ref::callpath, 0), nullptr);
  EXPECT_TRUE(made.definitions.locations().empty());
}

TEST(UsableDefinitions, HaveNoCircles) {
  Made made;
  made.add(K::SystemTreeNode, {0, nobody, nobody, 0});  // its own parent
  for (std::uint64_t id : {1, 2, 3})
    made.add(K::SystemTreeNode, {id, nobody, nobody, id % 3 + 1});

  made.add(K::SystemTreeNode, {4, nobody, nobody, 2});
  made.add(K::Callpath, {0, 1, 0});
  made.add(K::Callpath, {1, nobody, 0});
  made.definitions.finish();
  EXPECT_EQ(made.parent(Ref::system_tree_node, 0), nobody);
  int steps = 0;
  for (std::uint64_t id = 4; id != nobody && steps < 10;
       id = made.parent(Ref::system_tree_node, id))
    ++steps;

  EXPECT_EQ(steps, 3) << "4, 2 and 3, whose way back to 1 is cut";
  EXPECT_EQ(made.parent(Ref::callpath, 0), 1u);
  EXPECT_EQ(made.definitions.unusable(), 2u);
}

TEST(UsableDefinitions, TellTheSideOfAnInterCommunicatorByItsFirstGroup) {
  Made made;
  made.add(K::Location, {7, nobody, 1, 0, 0});
  made.add(K::Location, {8, nobody, 1, 0, 1});
  made.group(0, otf2_value::group_comm_locations, mpi, {7, 8});
  made.group(1, otf2_value::group_comm_group, mpi, {0});
  made.group(2, otf2_value::group_comm_group, mpi, {1});
  made.add(K::InterComm, {3, nobody, 1, 2, nobody, 0});
  made.definitions.finish();
  EXPECT_EQ(made.definitions.partner(7, 3, 0), 8u);
  EXPECT_EQ(made.definitions.partner(8, 3, 0), 7u);
  EXPECT_EQ(made.definitions.partner(8, 3, 1), std::nullopt);
}

TEST(HasGlobalMembers, IsSaidByAFlagOfGroupsOfCommunicators) {
  const auto has_global_members = [](std::uint64_t type, std::uint64_t flags) {
    Definition group;
    group.kind = K::Group;
    const std::array<std::uint64_t, 6> fields{0, nobody, type, mpi, flags, 0};
    std::copy(fields.begin(), fields.end(), group.fields.begin());
    return Definitions::has_global_members(group);
  };
  EXPECT_TRUE(
      has_global_members(otf2_value::group_comm_group, otf2_value::group_flag_global_members));
  EXPECT_FALSE(has_global_members(otf2_value::group_comm_group, 0));
  EXPECT_FALSE(
      has_global_members(otf2_value::group_comm_group, otf2_value::group_flag_global_members << 1));
  EXPECT_FALSE(
      has_global_members(otf2_value::group_comm_self, otf2_value::group_flag_global_members));
}

}  // namespace tracefold::definitions_test
