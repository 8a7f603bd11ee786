// Traces that a team writes: the bytes are those that one process writes, whatever the size of the
// team, each member reads its own event files only, and nothing stays where one of them fails.
#include "base/error.hpp"
#include "base/publish.hpp"
#include "base/read_file.hpp"
#include "base/team.hpp"
#include "pipeline/events/shares.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/publish_archive.hpp"
#include "tests/local_team.hpp"
#include "tests/support/two_kinds_trace.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tracefold::team_rewrite_test {

namespace fs = std::filesystem;

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::run_team;
using testing::TraceBuilder;
using K = DefinitionKind;

constexpr std::size_t sizes[] = {1, 2, 3, 5};

std::map<std::string, std::string> read_folder(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[entry.path().lexically_relative(folder).string()] =
        entry.is_regular_file() ? read_file(entry.path()).value() : "";
  return files;
}

std::vector<std::string> list_names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// What makes a trace `out`; it reads as `context` says.
using Make = std::function<RewriteSummary(const Context& context, const fs::path& out)>;

class TeamRewrite : public ::testing::Test {
 protected:
  TeamRewrite() { fs::create_directory(original()); }

  fs::path original() const { return folder_.path() / "original"; }
  std::shared_ptr<const Archive> open(Diagnostics& diagnostics) const {
    return open_trace((original() / "traces.otf2").string(), diagnostics);
  }
  static testing::TraceBuilder make_two_kinds() {
    return testing::build_two_kinds_trace(
        [](std::uint64_t process, std::uint64_t i) { return 100 * (i % 3 + 1) + 7 * process; });
  }

  // What each member of a team is told of what they make together.
  static std::vector<RewriteSummary> make_by(std::size_t members, const Make& make,
                                             const fs::path& out) {
    std::vector<RewriteSummary> summaries(members);
    run_team(members, [&](Team& team) {
      Diagnostics diagnostics;
      Context context{diagnostics};
      context.reading.team = &team;
      summaries[team.rank()] = make(context, out);
    });
    return summaries;
  }
  // Where the lone process and teams of all sizes make the same.
  void expect_same(const Make& make) {
    Diagnostics diagnostics;
    const auto alone = make(Context{diagnostics}, folder_.path() / "alone");
    const bool has_folder = fs::exists(folder_.path() / "alone");

    for (const auto size : sizes) {
      const auto name = "by " + std::to_string(size);
      for (const auto& summary : make_by(size, make, folder_.path() / name)) {
        EXPECT_EQ(summary.read, alone.read) << name;
        EXPECT_EQ(summary.locations, alone.locations) << name;
        EXPECT_EQ(summary.events, alone.events) << name;
        EXPECT_EQ(summary.bytes, alone.bytes) << name;
        EXPECT_EQ(summary.halo, alone.halo) << name;
        EXPECT_EQ(summary.sends, alone.sends) << name;
        EXPECT_EQ(summary.cut, alone.cut) << name;
        EXPECT_EQ(summary.profiles, alone.profiles) << name;
        EXPECT_EQ(summary.checked, alone.checked) << name;
      }
      ASSERT_EQ(fs::exists(folder_.path() / name), has_folder);
      if (!has_folder)
        continue;
      const auto files = read_folder(folder_.path() / "alone");
      const auto made = read_folder(folder_.path() / name);
      ASSERT_EQ(made.size(), files.size()) << name;
      for (const auto& [file, bytes] : files)
        EXPECT_TRUE(made.contains(file) && made.at(file) == bytes) << name << ": " << file;
    }

    for (const auto& name : list_names(folder_.path()))
      EXPECT_FALSE(name.starts_with('.')) << name;
  }

  testing::TestFolder folder_;
};

// Three clusters of iterations; those that are left out of one process take messages of its
// partner with them, which other members read.
ReduceOptions choose_folding() {
  ReduceOptions options;
  options.folding->asked.region = "step";
  options.folding->max_clusters = 3;
  options.selection.per_group = 2;
  options.output.rewrite.verify = true;
  return options;
}

TEST_F(TeamRewrite, MakesTheSameOfProcessesWithFoldedIterations) {
  make_two_kinds().write(original());
  expect_same([&](const Context& context, const fs::path& out) {
    auto options = choose_folding();
    options.output.folder = out;
    return reduce(open(context.diagnostics), options, context).after;
  });
}

TEST_F(TeamRewrite, MakesTheSameWithPartnersInTheHalo) {
  make_two_kinds().write(original());
  for (const auto* halo : {"all", "auto"}) {
    expect_same([&](const Context& context, const fs::path& out) {
      auto options = choose_folding();
      options.selection = {};
      options.halo = parse_halo(halo);
      options.output.folder = out;
      options.output.rewrite.force = true;
      return reduce(open(context.diagnostics), options, context).after;
    });
  }
}

TEST_F(TeamRewrite, EstimatesTheSame) {
  make_two_kinds().write(original());
  expect_same([&](const Context& context, const fs::path& out) {
    auto options = choose_folding();
    options.output.folder = out;
    options.output.dry_run = true;
    return reduce(open(context.diagnostics), options, context).after;
  });
}

TEST_F(TeamRewrite, MakesTheSameOfATraceThatWasReducedBefore) {
  const auto first = folder_.path() / "first";
  make_two_kinds().write(original());
  Diagnostics diagnostics;
  auto options = choose_folding();
  options.selection = {};
  options.output.folder = first;
  reduce(open(diagnostics), options, Context{diagnostics});

  expect_same([&](const Context& context, const fs::path& out) {
    ReduceOptions again;
    again.output.folder = out;
    again.output.rewrite.verify = true;
    const auto archive = open_trace((first / "traces.otf2").string(), context.diagnostics);
    return reduce(archive, again, context).after;
  });
}

// Locations that filters leave out are read for whether they have messages.
TEST_F(TeamRewrite, MakesTheSameWhereFiltersLeaveThreadsOut) {
  auto trace = make_two_kinds();
  trace.define(K::Location, {11, 0, otf2_value::location_type_cpu, 0, 1});  // of the process of 1
  trace.record(11, MpiRecv, 8, {0, TraceBuilder::world, 9, 100});
  trace.write(original());
  expect_same([&](const Context& context, const fs::path& out) {
    FilterSection filter;
    filter.locations = "0-3";
    const auto archive = open(context.diagnostics);
    Plan plan = make_plan(*archive, {filter});
    add_profiles(plan, *archive, {}, context.diagnostics);
    return rewrite(*archive, plan, out, {.verify = true}, context.reading, context.diagnostics);
  });
}

// A rewrite of all processes, which no pass has read before.
Make rewrite_all(const fs::path& folder) {
  return [folder](const Context& context, const fs::path& out) {
    const auto archive = open_trace((folder / "traces.otf2").string(), context.diagnostics);
    return rewrite(*archive, make_plan(*archive, {}), out, {.verify = true}, context.reading,
                   context.diagnostics);
  };
}

TEST_F(TeamRewrite, MakesTheSameWhereOneMemberMeetsARankThatDoesNotExist) {
  auto trace = make_two_kinds();
  trace.record(2, MpiSend, 1'000'000, {9, TraceBuilder::world, 7, 100});
  trace.write(original());
  expect_same(rewrite_all(original()));
}

TEST_F(TeamRewrite, MakesTheSameWhereOneMemberMeetsAVeryLargeRecord) {
  constexpr std::uint64_t arguments = 100'000;
  auto trace = make_two_kinds();
  auto begin = testing::make_event(ProgramBegin, 1'000'000, {0, arguments});
  begin.list.assign(arguments, 0);
  trace.record(1, begin);
  trace.write(original(), 1 << 20);
  expect_same(rewrite_all(original()));
}

TEST_F(TeamRewrite, MakesTheSameTar) {
  make_two_kinds().write(original());
  const auto make = [&](const Context& context, const fs::path& out) {
    auto options = choose_folding();
    options.output.folder = out;
    options.output.rewrite.tar = TarOutput{TarPacking::gzip};
    return reduce(open(context.diagnostics), options, context).after;
  };
  Diagnostics diagnostics;
  const auto alone = make(Context{diagnostics}, folder_.path() / "alone.tar.gz");
  for (const auto size : sizes) {
    const auto file = folder_.path() / (std::to_string(size) + ".tar.gz");
    for (const auto& summary : make_by(size, make, file))
      EXPECT_EQ(summary.bytes, alone.bytes);
    EXPECT_TRUE(read_file(file) == read_file(folder_.path() / "alone.tar.gz")) << size;
  }
}

// Where each member has a folder of the trace in which the event files of the others are damaged.
TEST_F(TeamRewrite, ReadsNoEventFilesOfOtherMembers) {
  make_two_kinds().write(original());
  FilterSection filter;  // so that the events are scanned before they are copied
  filter.drop = {"nothing"};
  Diagnostics diagnostics;
  const auto archive = open(diagnostics);
  auto plan = make_plan(*archive, {filter});
  add_profiles(plan, *archive, {}, diagnostics);
  rewrite(*archive, plan, folder_.path() / "alone", {}, {}, diagnostics);
  const auto files = read_folder(folder_.path() / "alone");
  const auto locations = archive->definitions().locations();

  for (const auto size : {std::size_t{2}, std::size_t{3}}) {
    const auto out = folder_.path() / ("by " + std::to_string(size));
    run_team(size, [&](Team& team) {
      const auto own = folder_.path() / ("of " + std::to_string(team.rank()));
      fs::remove_all(own);
      fs::copy(original(), own, fs::copy_options::recursive);
      const Shares shares(archive->definitions(), locations, &team);
      EXPECT_THAT(shares.list_own(locations), ::testing::Not(IsEmpty()));
      for (const auto id : locations)
        if (!shares.is_own(id))
          std::ofstream(own / "traces" / (std::to_string(id) + ".evt")) << "damaged";

      Diagnostics ignored;
      const Archive copy((own / "traces.otf2").string(), ignored);
      ReadOptions reading;
      reading.team = &team;
      rewrite(copy, plan, out, {}, reading, ignored);
    });
    EXPECT_TRUE(read_folder(out) == files) << size;
  }
}

TEST_F(TeamRewrite, LeavesNothingWhereTheEventsOfOneMemberAreDamaged) {
  make_two_kinds().write(original());
  for (const auto damaged : {0, 3}) {
    const auto file = original() / "traces" / (std::to_string(damaged) + ".evt");
    const auto bytes = read_file(file).value();
    fs::resize_file(file, bytes.size() / 2);
    for (const auto size : sizes) {
      try {
        make_by(size, rewrite_all(original()), folder_.path() / "out");
        ADD_FAILURE() << "no error";
      } catch (const Error& problem) {
        EXPECT_EQ(problem.kind(), ErrorKind::input);
        EXPECT_THAT(problem.what(), HasSubstr(file.filename().string()));
      }
      EXPECT_THAT(list_names(folder_.path()), ElementsAre("original"));
    }
    std::ofstream(file, std::ios::binary) << bytes;
  }
}

// Who cannot write any more since the output is gone does not tell that, but that it was stopped.
TEST_F(TeamRewrite, TellsWhyTheFirstOneFailed) {
  make_two_kinds().write(original());
  Diagnostics diagnostics;
  const auto archive = open(diagnostics);
  for (const std::size_t failing : {0, 1, 2}) {
    std::atomic<int> stopped = 0;
    std::atomic<bool> has_failed = false;
    const auto write = [&](Team& team, const fs::path& folder) {
      if (team.rank() == failing)
        throw Error(ErrorKind::input, "is damaged");
      while (!has_failed)
        std::this_thread::yield();
      write_file(folder / "file", "x");
    };
    EXPECT_THROW(run_team(3,
                          [&](Team& team) {
                            try {
                              publish_archive(
                                  folder_.path() / "out", false, *archive,
                                  [&](const fs::path& folder) { write(team, folder); }, &team);
                            } catch (const TeamStopped&) {
                              ++stopped;
                            } catch (...) {
                              has_failed = true;
                              throw;
                            }
                          }),
                 Error);
    EXPECT_EQ(stopped, 2);
    EXPECT_THAT(list_names(folder_.path()), ElementsAre("original"));
  }
}

// The others are told what the first one has found, and none of them touches the folder.
TEST_F(TeamRewrite, IsRefusedByAllWhereTheFirstMemberRefuses) {
  make_two_kinds().write(original());
  const auto taken = folder_.write("taken/other.txt").parent_path();
  std::atomic<int> refused = 0;
  run_team(3, [&](Team& team) {
    Diagnostics diagnostics;
    Context context{diagnostics};
    context.reading.team = &team;
    auto options = choose_folding();
    options.output.folder = taken;
    options.output.rewrite.force = true;
    try {
      reduce(open(diagnostics), options, context);
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::output);
      EXPECT_THAT(problem.what(), HasSubstr("other.txt"));
      ++refused;
    }
  });
  EXPECT_EQ(refused, 3);
  EXPECT_THAT(list_names(taken), ElementsAre("other.txt"));
}

}  // namespace tracefold::team_rewrite_test
