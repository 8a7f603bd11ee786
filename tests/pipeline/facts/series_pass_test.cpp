#include "pipeline/facts/series_pass.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/every_record.hpp"

#include "base/for_each_index.hpp"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <string>

namespace tracefold::series_pass_test {

// every_record() with a loop of 20 iterations on both masters behind what they record;
// between its calls they record all of that once more.
testing::TraceContent content_with_loops() {
  auto content = testing::every_record();
  std::uint64_t region = 0;
  for (const auto& d : content.definitions)
    if (d.kind == DefinitionKind::Region)
      region = d.id();

  for (const auto location : {testing::master_0, testing::master_1}) {
    auto& events = content.events[location];
    const auto again = events;
    const auto end = events.back().time + 1000;

    for (std::uint64_t i = 0; i < 20; ++i) {
      const auto begin = end + i * 1'000'000;

      const auto call = [&](EventKind kind, std::uint64_t time) {
        Event event;
        event.kind = kind;
        event.time = time;
        event.fields[0] = region;
        events.push_back(event);
      };

      call(EventKind::Enter, begin);
      if (i == 7)
        for (auto event : again) {
          event.time = begin + 1000;
          events.push_back(event);
        }

      call(EventKind::Leave, begin + 900'000 + i);
    }
  }

  return content;
}

class SeriesPassTest : public ::testing::Test {
 protected:
  SeriesPassTest() {
    write_archive(content_with_loops(), folder_.path());
    archive_.emplace((folder_.path() / "traces.otf2").string(), diagnostics_);
    plan_ = make_plan(*archive_, {});
    add_profiles(plan_, *archive_, {}, diagnostics_);
    members_.resize(plan_.processes.size());
    std::iota(members_.begin(), members_.end(), std::size_t{0});
    loops_ = find_loops_pass({*archive_, plan_, {}, diagnostics_}, members_, {});
  }

  static std::string text(const CallPathProfile& profile) {
    std::string out;
    for (const auto& row : profile.rows)
      out += " " + std::to_string(static_cast<std::uint32_t>(row.path));
    for (const auto& [column, value] : profile.values)
      out += "," + std::to_string(column) + ":" + std::to_string(value);

    return out;
  }
  // What a reading says of each process.
  std::map<std::size_t, std::string> said(const SeriesPass& pass) const {
    std::map<std::size_t, std::string> out;
    for (auto m : members_)
      out[m];

    pass.read({[&](const SeriesIteration& i) {
                 out.at(i.process) += std::to_string(i.iteration) + text(i.profile) + "\n";
               },
               [&](const SeriesEnd& end) {
                 out.at(end.process) +=
                     std::to_string(end.paths.size()) + " paths" + text(end.outside);
               }});

    return out;
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  std::optional<Archive> archive_;
  Plan plan_;
  std::vector<ProcessLoops> loops_;
  std::vector<std::size_t> members_;
};

TEST_F(SeriesPassTest, SaysTheSameForAnyNumberOfThreadsReaderAndReading) {
  std::vector<std::map<std::size_t, std::string>> all;

  for (std::size_t threads : {1, 2, 4}) {
    const ThreadLimit limit(threads);
    ReadOptions options;
    options.reader = threads == 4 ? ReaderKind::otf2 : ReaderKind::own;
    const SeriesPass pass({*archive_, plan_, options, diagnostics_}, loops_, members_, {});
    all.push_back(said(pass));
    EXPECT_EQ(said(pass), all.back()) << "read again";
  }

  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
  for (const auto m : members_) {
    EXPECT_THAT(all[0][m], ::testing::HasSubstr(" paths"));
    EXPECT_EQ(all[0][m].find("19") != std::string::npos, !loops_[m].loops.empty())
        << "iterations of process " << m;
  }
}

TEST_F(SeriesPassTest, ReadsOnlyTheProcessesItIsAskedFor) {
  const SeriesPass pass({*archive_, plan_, {}, diagnostics_}, loops_, {2}, {});
  std::size_t iterations = 0;
  pass.read({[&](const SeriesIteration& i) {
               EXPECT_EQ(i.process, 2u);
               ++iterations;
             },
             {}});

  EXPECT_EQ(iterations, 20u);
}

TEST_F(SeriesPassTest, RefusesAPlanOfAnotherTrace) {
  plan_.processes[0].id = 123456;
  EXPECT_THROW(SeriesPass({*archive_, plan_, {}, diagnostics_}, loops_, {0}, {}), Error);
}

}  // namespace tracefold::series_pass_test
