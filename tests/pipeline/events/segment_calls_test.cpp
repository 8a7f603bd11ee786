// Parts of a location, joined, tell what the whole tells.
#include "otf2/archive_writer.hpp"
#include "otf2/event_writer.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/profile/profile_sink.hpp"
#include "tests/support/every_record.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <gmock/gmock.h>

#include <random>
#include <sstream>

namespace tracefold {
namespace {

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

Definitions definitions_of(const std::vector<Definition>& list) {
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

// Calls that mostly nest; some Leaves have nothing to leave or name another region.
std::vector<Step> random_steps(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Step> steps;
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
    } else {
      const auto region = open.empty() || dice == 99 ? random() % functions : open.back();
      if (!open.empty())
        open.pop_back();
      steps.push_back({1, time, region});
    }
  }

  return steps;
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
std::string told(const Profile& p, const std::vector<std::string>& warnings) {
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

std::string told_by(const Definitions& definitions,
                    const std::vector<std::span<const Step>>& parts) {
  const FunctionTable table(definitions, {});
  ProfileSink sink(definitions, functions);
  CleanEvents<ProfileSink> clean(table, sink);

  if (parts.size() == 1) {
    feed(clean, parts[0]);
  } else {
    for (const auto& steps : parts) {
      SegmentCalls part(table);
      feed(part, steps);
      part.finish();
      EXPECT_TRUE(clean.join(part));
    }
  }

  clean.finish();
  Diagnostics diagnostics;
  clean.report(diagnostics, 0);

  return told(sink.take(0), diagnostics.warnings()) + "\n" + std::to_string(clean.first_time()) +
         " to " + std::to_string(clean.last_time());
}

TEST(SegmentCalls, JoinedTellWhatTheWholeTells) {
  const auto definitions = definitions_of(regions());

  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto steps = random_steps(seed % 7 == 0 ? 3 : 200, seed);
    const std::span<const Step> all(steps);
    std::mt19937 random(seed);
    std::vector<std::span<const Step>> parts;
    for (std::size_t from = 0; from < all.size();) {
      const auto size = std::min<std::size_t>(all.size() - from, 1 + random() % 60);
      parts.push_back(all.subspan(from, size));
      from += size;
    }

    if (parts.size() == 1)
      parts.push_back({});

    ASSERT_EQ(told_by(definitions, parts), told_by(definitions, {all})) << "seed " << seed;
  }
}

TEST(SegmentCalls, AreNotJoinedBeforeWhatWasRead) {
  const auto definitions = definitions_of(regions());
  const FunctionTable table(definitions, {});
  ProfileSink sink(definitions, functions);
  CleanEvents<ProfileSink> clean(table, sink);
  clean.enter(10, 0, {});
  SegmentCalls earlier(table), undefined(table);
  earlier.leave(9, 0, {});
  undefined.enter(11, 77, {});
  earlier.finish(), undefined.finish();
  EXPECT_FALSE(clean.join(earlier));
  EXPECT_FALSE(clean.join(undefined));
}

// A trace of locations with so many calls each, in the smallest chunks.
void write_trace(const std::filesystem::path& folder, const std::vector<std::size_t>& sizes) {
  const auto files = location_folder(folder);
  std::filesystem::create_directory(files);
  auto list = regions();

  for (std::size_t id = 0; id < sizes.size(); ++id) {
    EventWriter writer(files, id, wire::smallest_chunk);

    for (const auto& s : random_steps(sizes[id], static_cast<unsigned>(id + 1))) {
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

struct Told {
  std::string all;                   // of all locations
  std::vector<std::string> details;  // which were read in parts
  std::uint64_t events = 0;
};

// By a pass with so many threads.
Told profiled(const std::filesystem::path& folder, std::size_t threads) {
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                          threads);
  Diagnostics diagnostics;
  const Archive archive((folder / "traces.otf2").string(), diagnostics);
  const auto traced = profile(archive, {}, {}, diagnostics);
  std::string all;

  for (std::size_t i = 0; i < traced.processes.size(); ++i) {
    const auto& found = traced.profiles.processes.at(i);
    Profile one;
    one.events = traced.processes[i].events;
    one.intent = traced.profiles.intents.at(found.intent);
    for (std::size_t f = 0; f < found.exclusive.size(); ++f)
      one.functions.push_back({static_cast<FunctionIndex>(f), 0, found.exclusive[f]});
    all += told(one, {}) + "\n";
  }

  for (const auto& w : diagnostics.warnings())
    all += w + "\n";

  return {all, diagnostics.details(), traced.totals.events};
}

bool has_more_threads() {
  return oneapi::tbb::this_task_arena::max_concurrency() > 1;
}

TEST(SegmentCalls, OfALargeFileTellWhatOneThreadTells) {
  testing::TestFolder folder;
  write_trace(folder.path(), {2'000'000});
  ASSERT_GT(std::filesystem::file_size(folder.path() / "traces" / "0.evt"),
            64 * wire::smallest_chunk);
  const auto alone = profiled(folder.path(), 1), together = profiled(folder.path(), 3);
  EXPECT_EQ(alone.all, together.all);
  for (const auto& t : {alone, together})
    EXPECT_GT(t.events, 1'000'000u);

  EXPECT_THAT(alone.details, ::testing::IsEmpty());
  if (has_more_threads()) {
    EXPECT_THAT(together.details, ::testing::ElementsAre("locations that were read in parts: 0"));
  }
}

TEST(SegmentCalls, OfSomeLocationsAmongOthersTellWhatOneThreadTells) {
  testing::TestFolder folder;
  write_trace(folder.path(), {1'000, 700'000, 1'000, 1'000, 700'000, 700'000, 1'000});
  ASSERT_GT(std::filesystem::file_size(folder.path() / "traces" / "1.evt"),
            16 * wire::smallest_chunk);
  const auto alone = profiled(folder.path(), 1);
  EXPECT_THAT(alone.details, ::testing::IsEmpty());

  for (std::size_t threads : {2, 3, 8}) {
    const auto together = profiled(folder.path(), threads);
    EXPECT_EQ(alone.all, together.all) << threads;
    if (has_more_threads()) {
      EXPECT_THAT(
          together.details,
          ::testing::ElementsAre(::testing::StartsWith("locations that were read in parts: ")))
          << threads;
    }
  }
}

}  // namespace
}  // namespace tracefold
