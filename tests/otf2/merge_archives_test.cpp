#include "otf2/merge_archives.hpp"

#include "otf2/archive_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

namespace tracefold::merge_archives_test {

using K = DefinitionKind;
constexpr std::uint64_t nobody = 0xffffffff, mpi = otf2_value::paradigm_mpi;

// An archive without files, whose strings are defined as they come.
class Made {
 public:
  void add(K kind, std::initializer_list<std::uint64_t> fields,
           std::vector<std::uint64_t> list = {}) {
    Definition d;
    d.kind = kind;
    std::copy(fields.begin(), fields.end(), d.fields.begin());
    d.list = std::move(list);
    facts_.definitions.add(std::move(d));
  }
  std::uint64_t text(const std::string& words) {
    Definition d;
    d.kind = K::String;
    d.fields[0] = strings_;
    d.text = words;
    facts_.definitions.add(std::move(d));
    return strings_++;
  }
  void region(std::uint64_t id, const std::string& name) {
    const auto named = text(name);
    add(K::Region, {id, named, named, nobody, 1, 2, 0, nobody, 0, 0});
  }
  // A process of one location.
  void process(std::uint64_t location, const std::string& host) {
    add(K::SystemTreeNode, {0, text(host), text("node"), nobody});
    add(K::LocationGroup, {0, text("process"), 1, 0, nobody});
    add(K::Location, {location, text("thread"), 1, 10, 0});
  }
  void group(std::uint64_t id, std::uint64_t type, std::vector<std::uint64_t> members,
             std::uint64_t flags = 0) {
    const auto size = members.size();
    add(K::Group, {id, nobody, type, mpi, flags, size}, std::move(members));
  }
  // MPI's list of locations, and a communicator of these of its places.
  void communicator(std::vector<std::uint64_t> list, std::vector<std::uint64_t> places,
                    std::uint64_t flags = 0) {
    group(0, otf2_value::group_comm_locations, std::move(list));
    group(1, otf2_value::group_comm_group, std::move(places), flags);
    add(K::Comm, {7, text("world"), 1, nobody, 0});
  }
  ArchiveInRun finish(std::uint64_t rank, std::uint64_t clock = 0) {
    facts_.definitions.finish();
    ArchiveParts parts;
    parts.parts.emplace_back();
    parts.parts[0].event_chunk = parts.parts[0].definition_chunk = 1 << 20;
    return {std::make_shared<const Archive>(std::move(facts_), std::move(parts)),
            {"rank" + std::to_string(rank) + "/traces.otf2", rank, 100 * rank, clock, {}}};
  }

 private:
  ArchiveFacts facts_;
  std::uint64_t strings_ = 0;
};

Definition find_region(const Definitions& definitions, const std::string& name) {
  for (const auto& d : definitions.all())
    if (d.kind == K::Region && definitions.text(get_field<"name", K::Region>(d)) == name)
      return d;
  ADD_FAILURE() << name;
  return {};
}

std::size_t count(const Definitions& definitions, K kind) {
  return static_cast<std::size_t>(std::ranges::count(definitions.all(), kind, &Definition::kind));
}

const ArchivePart& part_of(const Archive& archive, std::uint64_t location) {
  return *archive.find_files(location).part;
}

TEST(MergeArchives, MakesOneOfWhatIsEqual) {
  Made a, b;
  a.process(0, "host");
  a.region(3, "solve");
  a.region(4, "read");
  b.region(0, "other");
  b.process(0, "host");
  b.region(9, "solve");
  const auto merged = merge_archives({a.finish(0), b.finish(1)}, "/run", 1000).archive;
  const auto& definitions = merged->definitions();

  EXPECT_EQ(count(definitions, K::Region), 3u);
  EXPECT_EQ(count(definitions, K::SystemTreeNode), 1u);
  EXPECT_EQ(definitions.locations(), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_NE(definitions.location_group(0), definitions.location_group(1));
  const auto solve = find_region(definitions, "solve").id();
  const auto region = static_cast<std::size_t>(Ref::region);
  EXPECT_EQ(part_of(*merged, 0).ids[region].of(3), solve);
  EXPECT_EQ(part_of(*merged, 1).ids[region].of(9), solve);
  EXPECT_EQ(part_of(*merged, 1).ids[region].of(0), find_region(definitions, "other").id());
  // What an archive does not define is nothing of another one.
  EXPECT_EQ(part_of(*merged, 1).ids[region].of(4), nobody);
  EXPECT_EQ(part_of(*merged, 1).ids[region].of(1000), nobody);
}

TEST(MergeArchives, KeepsApartWhatOneArchiveHasTwice) {
  Made a, b;
  for (auto* made : {&a, &b}) {
    made->process(0, "host");
    made->region(0, "main");
    made->region(1, "main");
  }
  const auto merged = merge_archives({a.finish(0), b.finish(1)}, "/run", 1000).archive;
  EXPECT_EQ(count(merged->definitions(), K::Region), 2u);
  const auto& ids = part_of(*merged, 1).ids[static_cast<std::size_t>(Ref::region)];
  EXPECT_NE(ids.of(0), ids.of(1));
}

TEST(MergeArchives, FindsPartnersInOtherArchives) {
  Made a, b;
  a.process(40, "host");
  b.process(50, "host");
  for (auto* made : {&a, &b})
    made->communicator({50, 40}, {0, 1});
  const auto merged = merge_archives({a.finish(0), b.finish(1)}, "/run", 1000);
  const auto& definitions = merged.archive->definitions();

  EXPECT_EQ(count(definitions, K::Comm), 1u);
  const auto comm = part_of(*merged.archive, 0).ids[static_cast<std::size_t>(Ref::comm)].of(7);
  EXPECT_EQ(definitions.partner(0, comm, 0), 1u);  // location 50 is the second one now
  EXPECT_EQ(definitions.mpi_rank(0), 1u);
  EXPECT_EQ(merged.incomplete_communicators, 0u);
  EXPECT_FALSE(merged.archive->facts().properties.contains(loose_clocks_property));
}

// As one of a helper process, which has a location of the same id.
TEST(MergeArchives, FindsPartnersBesideAnArchiveWithoutRanks) {
  Made a, b, helper;
  helper.process(40, "host");
  a.process(40, "host");
  b.process(50, "host");
  for (auto* made : {&a, &b})
    made->communicator({50, 40}, {0, 1});
  const auto merged = merge_archives({helper.finish(0), a.finish(1), b.finish(2)}, "/run", 1000);
  EXPECT_EQ(merged.incomplete_communicators, 0u);
  EXPECT_EQ(merged.archive->definitions().comm_locations().begin()->second.list, (Members{2, 1}));
}

// Who is not there keeps its place.
TEST(MergeArchives, KeepsRanksOfOneArchiveAlone) {
  Made a;
  a.process(40, "host");
  a.communicator({10, 20, 40}, {0, 1, 2});
  const auto merged = merge_archives({a.finish(0)}, "/run", 1000);
  EXPECT_EQ(merged.archive->definitions().comm_locations().begin()->second.list.size(), 3u);
  EXPECT_EQ(merged.incomplete_communicators, 1u);
}

TEST(MergeArchives, SaysWhoIsNotThereAndWhichClocksAreNotInStep) {
  Made a, b;
  a.process(40, "host");
  b.process(50, "host");
  for (auto* made : {&a, &b})
    made->communicator({50, 40, 60}, {0, 1, 2});
  const auto merged = merge_archives({a.finish(0, 0), b.finish(1, 1)}, "/run", 1000);
  const auto comm = part_of(*merged.archive, 0).ids[static_cast<std::size_t>(Ref::comm)].of(7);
  EXPECT_EQ(merged.archive->definitions().partner(0, comm, 0), 1u);
  EXPECT_EQ(merged.archive->definitions().partner(0, comm, 2), std::nullopt);
  EXPECT_EQ(merged.incomplete_communicators, 1u);
  EXPECT_TRUE(merged.archive->facts().properties.contains(loose_clocks_property));
}

TEST(MergeArchives, TakesListsThatDifferForThoseOfOneArchive) {
  Made a, b;
  a.process(0, "host");
  b.process(0, "host");
  // Both know of themselves and another process, which is not the other archive's.
  for (auto* made : {&a, &b})
    made->communicator({0, 1}, {1, 0}, otf2_value::group_flag_global_members);
  const auto merged = merge_archives({a.finish(0), b.finish(1)}, "/run", 1000);
  const auto& definitions = merged.archive->definitions();
  EXPECT_EQ(count(definitions, K::Comm), 2u);
  for (const std::uint64_t location : {0, 1}) {
    const auto comm =
        part_of(*merged.archive, location).ids[static_cast<std::size_t>(Ref::comm)].of(7);
    EXPECT_EQ(definitions.mpi_rank(location), location);
    // Ranks are places in the list of the archive.
    EXPECT_EQ(definitions.partner(location, comm, 0), location);
    EXPECT_EQ(definitions.partner(location, comm, 1), std::nullopt);
  }
  EXPECT_EQ(merged.incomplete_communicators, 2u);
}

TEST(MergeArchives, PutsTimesOnOneClock) {
  Made a, b;
  a.process(0, "host");
  a.add(K::ClockProperties, {1000, 50, 10, 0});
  b.process(0, "host");
  b.add(K::ClockProperties, {500, 7000, 20, 0});
  const auto merged = merge_archives({a.finish(0), b.finish(1)}, "/run", 1000).archive;
  EXPECT_EQ(part_of(*merged, 0).clock.of(55), 5u);
  EXPECT_EQ(part_of(*merged, 1).clock.of(7003), 106u);
  const auto clock = read_clock_facts(merged->definitions());
  EXPECT_EQ(clock.ticks_per_second, 1000u);
  EXPECT_EQ(clock.begin, 0u);
  EXPECT_EQ(clock.length, 140u);
}

// A correction to the archive's own clock, and the shift behind it, are one correction.
TEST(ClockShift, FollowsCorrections) {
  const std::vector<ClockInterval> measured{{1000, 2000, 7, 0.125}, {2000, 3000, 132, -0.25}};
  for (const ClockShift shift : {ClockShift{900, 50, 1}, {900, 50, 2}, {900, 50, 0.5}}) {
    auto shifted = measured;
    shift.apply(shifted);
    ClockCorrection own(measured, 0), both(shifted, 0);
    for (std::uint64_t time = 1000; time < 3000; time += 16)
      EXPECT_NEAR(static_cast<double>(both(time)), static_cast<double>(shift.of(own(time))), 1)
          << time << " by " << shift.scale;
  }
}

TEST(ClockShift, IsExactWithoutCorrections) {
  std::vector<ClockInterval> none;
  const ClockShift shift{5'000'000'000, 12, 1};
  shift.apply(none);
  ClockCorrection clock(none, 0);
  for (const std::uint64_t time : {5'000'000'000, 5'000'000'001, 9'123'456'789'012})
    EXPECT_EQ(clock(time), shift.of(time));
}

TEST(IdMap, AppendsAnotherOne) {
  IdMap local, next;
  local.set_dense({5, 1});
  next.set_sparse({{0, 10}, {1, 11}, {5, 15}, {7, 17}});
  next.set_others(99);
  local.append(next);
  EXPECT_EQ(local.of(0), 15u);
  EXPECT_EQ(local.of(1), 11u);
  EXPECT_EQ(local.of(7), 17u);  // it is its own global id
  EXPECT_EQ(local.of(100), 99u);

  IdMap far, beyond;
  constexpr std::uint64_t large = std::uint64_t{1} << 40;
  far.set_sparse({{large, 3}, {large + 1, 4}});
  beyond.set_sparse({{3, 30}, {4, 40}, {large + 2, 50}});
  far.append(beyond);
  EXPECT_EQ(far.of(large), 30u);
  EXPECT_EQ(far.of(large + 1), 40u);
  EXPECT_EQ(far.of(large + 2), 50u);
  EXPECT_EQ(far.of(3), 30u);
}

}  // namespace tracefold::merge_archives_test
