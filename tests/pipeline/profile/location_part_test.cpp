// Parts of a location, appended to each other, give what the whole gives.
#include "pipeline/profile/location_part.hpp"
#include "base/for_each_index.hpp"
#include "filters/groups/keep_largest.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/event_writer.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/profile/profile_sink.hpp"
#include "tests/local_team.hpp"
#include "tests/support/every_record.hpp"

#include <oneapi/tbb/task_arena.h>

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <random>
#include <sstream>

namespace tracefold::location_part_test {

constexpr std::uint64_t functions = 5;

std::vector<Definition> regions() {
  std::vector<Definition> all;

  for (std::uint64_t i = 0; i < functions; ++i) {
    Definition name;
    name.kind = DefinitionKind::String;
    name.fields[0] = i;
    name.text = std::string(1, static_cast<char>('a' + i));
    all.push_back(name);
  }

  for (std::uint64_t i = 0; i < functions; ++i) {
    Definition region;
    region.kind = DefinitionKind::Region;
    region.fields = {i, i, i, i};
    all.push_back(region);
  }

  return all;
}

Definitions make_definitions(const std::vector<Definition>& list) {
  Definitions definitions;
  for (const auto& d : list)
    definitions.add(d);
  definitions.finish();
  return definitions;
}

struct Step {
  int what;  // 0 enter, 1 leave, 2 another event
  std::uint64_t time, region;
};

struct Steps {
  std::vector<Step> list;
  bool nest = true;  // else some Leaves have nothing to leave, or name another region
};

// Calls of every second seed nest.
Steps random_steps(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Steps made;
  auto& steps = made.list;
  std::vector<std::uint64_t> open;
  std::uint64_t time = 100;

  for (std::size_t i = 0; i < count; ++i) {
    time += random() % 4;
    const auto dice = random() % 100;
    if (dice < 5) {
      steps.push_back({2, time, 0});
    } else if ((dice < 50 && open.size() < 40) || (open.empty() && dice < 97)) {
      open.push_back(random() % functions);
      steps.push_back({0, time, open.back()});
    } else if (seed % 2 == 0 ? !open.empty() : true) {
      const bool is_odd = open.empty() || (seed % 2 == 1 && dice == 99);
      const auto region = is_odd ? random() % functions : open.back();
      made.nest &= !open.empty() && region == open.back();
      if (!open.empty())
        open.pop_back();
      steps.push_back({1, time, region});
    }
  }

  return made;
}

template <class Sink>
void feed(Sink& sink, std::span<const Step> steps) {
  for (const auto& s : steps) {
    if (s.what == 0)
      sink.enter(s.time, s.region, {});
    if (s.what == 1)
      sink.leave(s.time, s.region, {});

    if (s.what == 2) {
      Event e;
      e.kind = EventKind::MpiSend;
      e.time = s.time;
      sink.other(e);
    }
  }
}

// The profile as text, with what was odd.
std::string text(const Profile& p, const std::vector<std::string>& warnings) {
  std::ostringstream out;
  out << p.events << " events";
  for (auto [caller, callee] : p.intent.pairs)
    out << ' ' << caller << '>' << callee;
  for (const auto& f : p.functions)
    out << '\n' << f.function << ": " << f.visits << ' ' << f.exclusive;
  for (const auto& w : warnings)
    out << '\n' << w;

  return out.str();
}

std::string text(const Profile& profile, const CallOddities& oddities, std::uint64_t first_time,
                 std::uint64_t last_time) {
  Diagnostics diagnostics;
  oddities.warn(diagnostics, 0);

  return text(profile, diagnostics.warnings()) + "\n" + std::to_string(first_time) + " to " +
         std::to_string(last_time);
}

std::string read_whole(const Definitions& definitions, std::span<const Step> steps) {
  const FunctionTable table(definitions, {});
  ProfileSink sink(definitions, functions);
  CleanEvents<ProfileSink> clean(table, sink);
  feed(clean, steps);
  clean.finish();

  return text(sink.take(0), clean.oddities(), clean.first_time(), clean.last_time());
}

// The last parts are appended to each other first, as another process does, which sends them. None
// where the location has to be read as a whole.
std::optional<std::string> read_in_parts(const Definitions& definitions,
                                         const std::vector<std::span<const Step>>& all,
                                         bool from_the_end) {
  const FunctionTable table(definitions, {});
  std::vector<std::unique_ptr<LocationPart>> parts;
  for (const auto& steps : all) {
    parts.push_back(std::make_unique<LocationPart>(table));
    feed(*parts.back(), steps);
  }

  bool is_whole = true;
  if (from_the_end)
    for (auto k = parts.size() - 1; k > 0; --k) {
      LocationPart sent(table, unpack<LocationPart::Content>(pack(parts[k]->copy())));
      is_whole &= parts[k - 1]->append(sent);
    }
  else
    for (std::size_t k = 1; k < parts.size(); ++k)
      is_whole &= parts[0]->append(*parts[k]);

  if (!is_whole || !parts[0]->finish())
    return std::nullopt;
  const auto read = parts[0]->read();

  return text(parts[0]->take_profile(definitions, 0), read.oddities, read.first_time,
              read.last_time);
}

TEST(LocationPart, MakesTheWholeWithTheOthersInAnyGrouping) {
  const auto definitions = make_definitions(regions());

  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto steps = random_steps(seed % 7 == 0 ? 3 : 200, seed);
    const std::span<const Step> all(steps.list);
    std::mt19937 random(seed);
    std::vector<std::span<const Step>> parts;
    for (std::size_t from = 0; from < all.size();) {
      const auto size = std::min<std::size_t>(all.size() - from, 1 + random() % 60);
      parts.push_back(all.subspan(from, size));
      from += size;
    }

    if (parts.size() == 1)
      parts.push_back({});

    const auto whole = read_whole(definitions, all);
    for (bool from_the_end : {false, true}) {
      const auto in_parts = read_in_parts(definitions, parts, from_the_end);
      ASSERT_EQ(in_parts.has_value(), steps.nest) << "seed " << seed;
      if (in_parts) {
        ASSERT_EQ(*in_parts, whole) << "seed " << seed;
      }
    }
  }
}

TEST(LocationPart, IsNotAppendedToALaterOne) {
  const auto definitions = make_definitions(regions());
  const FunctionTable table(definitions, {});
  LocationPart part(table);
  LocationPart earlier(table);
  LocationPart undefined(table);
  part.enter(10, 0, {});
  earlier.leave(9, 0, {});
  undefined.enter(11, 77, {});
  EXPECT_FALSE(part.append(earlier));
  EXPECT_FALSE(part.append(undefined));
}

// A trace of locations with so many calls each, in the smallest chunks. They nest with the first
// seed 2.
void write_trace(const std::filesystem::path& folder, const std::vector<std::size_t>& sizes,
                 unsigned seed = 2) {
  const auto files = location_folder(folder);
  std::filesystem::create_directory(files);
  auto list = regions();

  for (std::size_t id = 0; id < sizes.size(); ++id) {
    EventWriter writer(files, id, wire::smallest_chunk);

    const auto steps = random_steps(sizes[id], static_cast<unsigned>(2 * id) + seed);
    for (const auto& s : steps.list) {
      Event e;
      e.kind = EventKind::MpiCollectiveBegin;
      e.time = s.time;
      if (s.what == 0)
        writer.enter(s.time, s.region, {});
      if (s.what == 1)
        writer.leave(s.time, s.region, {});
      if (s.what == 2)
        writer.write(e);
    }

    Definition location;
    location.kind = DefinitionKind::Location;
    location.fields = {id, 0, otf2_value::location_type_cpu, writer.close(), 0};
    list.push_back(location);
    write_empty_local_definitions(files, id);
  }

  ArchiveWriter(folder, wire::smallest_chunk, list).close();
}

struct Read {
  std::string all;                    // of all locations
  std::vector<std::string> warnings;  // of a member: of what it has read
  std::vector<std::string> details;   // which were read in parts
  std::uint64_t events = 0;
};

// By a pass of a member of a team, or of one process.
Read read_profiles(const std::filesystem::path& folder, Team* team) {
  Diagnostics diagnostics;
  const Archive archive((folder / "traces.otf2").string(), diagnostics);
  ReadOptions options;
  options.team = team;
  auto traced = profile_pass(archive, {}, options, diagnostics);
  if (traced.profiles.kept.empty())
    keep_largest(traced.profiles);
  std::string all;

  for (std::size_t i = 0; i < traced.processes.size(); ++i) {
    const auto& found = traced.profiles.processes.at(i);
    Profile one;
    one.events = traced.processes[i].events;
    one.intent = traced.profiles.intents.at(found.intent);
    for (std::size_t f = 0; f < found.exclusive.size(); ++f)
      one.functions.push_back({static_cast<FunctionIndex>(f), 0, found.exclusive[f]});
    all += text(one, {}) + "\n";
  }

  return {all, diagnostics.warnings(), diagnostics.details(), traced.totals.events};
}

// By a pass with so many threads.
Read read_profiles(const std::filesystem::path& folder, std::size_t threads) {
  const ThreadLimit limit(threads);
  return read_profiles(folder, nullptr);
}

// At each member of a team of so many, with one thread each.
std::vector<Read> read_in_team(const std::filesystem::path& folder, std::size_t size) {
  const ThreadLimit limit(1);
  std::vector<Read> read(size);
  testing::run_team(size, [&](Team& team) { read[team.rank()] = read_profiles(folder, &team); });
  return read;
}

// All members know what one process knows of a trace; the first has told that location 0 was read
// in stretches, where the team has several members.
void expect_stretches(const std::filesystem::path& folder) {
  const auto alone = read_profiles(folder, 1);
  for (std::size_t size : {1, 2, 3, 8}) {
    const auto members = read_in_team(folder, size);
    for (const auto& member : members) {
      EXPECT_EQ(member.all, alone.all) << size;
      EXPECT_EQ(member.events, alone.events) << size;
    }
    EXPECT_THAT(members.front().details, ::testing::ElementsAreArray(std::vector<std::string>(
                                             size > 1, "locations that were read in parts: 0")))
        << size;
  }
}

bool has_more_threads() {
  return oneapi::tbb::this_task_arena::max_concurrency() > 1;
}

TEST(LocationPart, OfALargeFileGivesWhatOneThreadReads) {
  testing::TestFolder folder;
  write_trace(folder.path(), {2'000'000});
  ASSERT_GT(std::filesystem::file_size(folder.path() / "traces" / "0.evt"),
            64 * wire::smallest_chunk);
  const auto alone = read_profiles(folder.path(), 1), together = read_profiles(folder.path(), 3);
  EXPECT_EQ(alone.all, together.all);
  EXPECT_EQ(alone.warnings, together.warnings);
  for (const auto& t : {alone, together})
    EXPECT_GT(t.events, 1'000'000u);

  EXPECT_THAT(alone.details, ::testing::IsEmpty());
  if (has_more_threads()) {
    EXPECT_THAT(together.details, ::testing::ElementsAre("locations that were read in parts: 0"));
  }
}

TEST(LocationPart, OfSomeLocationsAmongOthersGivesWhatOneThreadReads) {
  testing::TestFolder folder;
  write_trace(folder.path(), {1'000, 700'000, 1'000, 1'000, 700'000, 700'000, 1'000});
  ASSERT_GT(std::filesystem::file_size(folder.path() / "traces" / "1.evt"),
            16 * wire::smallest_chunk);
  const auto alone = read_profiles(folder.path(), 1);
  EXPECT_THAT(alone.details, ::testing::IsEmpty());

  for (std::size_t threads : {2, 3, 8}) {
    const auto together = read_profiles(folder.path(), threads);
    EXPECT_EQ(alone.all, together.all) << threads;
    EXPECT_EQ(alone.warnings, together.warnings) << threads;
    if (has_more_threads()) {
      EXPECT_THAT(
          together.details,
          ::testing::ElementsAre(::testing::StartsWith("locations that were read in parts: ")))
          << threads;
    }
  }
}

TEST(LocationPart, OfALargeFileIsReadByAllMembersOfATeam) {
  testing::TestFolder folder;
  write_trace(folder.path(), {700'000});
  expect_stretches(folder.path());
}

TEST(LocationPart, OfOneLargeFileAmongOthersIsReadByAllMembersOfATeam) {
  testing::TestFolder folder;
  write_trace(folder.path(), {1'500'000, 1'000, 1'000, 1'000, 1'000});
  expect_stretches(folder.path());
}

// Its calls do not nest, so it takes a reader of the whole.
TEST(LocationPart, ThatNeedsWhatStandsBeforeIsReadByOneMember) {
  testing::TestFolder folder;
  write_trace(folder.path(), {700'000, 1'000}, 1);
  const auto alone = read_profiles(folder.path(), 1);
  for (std::size_t size : {2, 3})
    for (const auto& member : read_in_team(folder.path(), size)) {
      EXPECT_EQ(member.events, alone.events) << size;
      EXPECT_THAT(member.details, ::testing::IsEmpty()) << size;
    }
}

}  // namespace tracefold::location_part_test
