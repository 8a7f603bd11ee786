#include "pipeline/rewrite/output_check.hpp"

#include "base/error.hpp"
#include "otf2/archive.hpp"
#include "tests/support/every_record.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace tracefold::output_check_test {

using ::testing::HasSubstr;

class OutputCheckTest : public ::testing::Test {
 protected:
  OutputCheckTest() {
    for (const auto& [location, events] : content_.events) {
      WrittenLocation w{location, events.size(), {}};
      for (const auto& e : events)
        if (e.kind != EventKind::Enter && e.kind != EventKind::Leave)
          ++w.others[static_cast<std::size_t>(e.kind)];
      written_.push_back(w);
    }
  }
  std::filesystem::path anchor() const { return folder_.path() / "traces.otf2"; }
  // What is said of the content; "" where nothing is.
  std::string said() {
    std::filesystem::remove_all(folder_.path());
    std::filesystem::create_directory(folder_.path());
    write_archive(content_, folder_.path());
    return checked();
  }
  std::string checked() {
    try {
      check_events(anchor(), written_, {});
      return "";
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::output);
      return problem.what();
    }
  }
  std::vector<Event>& master() { return content_.events.at(testing::master_0); }
  WrittenLocation& written_of_master() {
    return *std::find_if(written_.begin(), written_.end(),
                         [](const auto& w) { return w.id == testing::master_0; });
  }

  testing::TestFolder folder_;
  testing::TraceContent content_ = testing::every_record();
  std::vector<WrittenLocation> written_;
};

TEST_F(OutputCheckTest, FindsNothingInWhatIsRight) {
  EXPECT_EQ(said(), "");
}

TEST_F(OutputCheckTest, MissesARecord) {
  written_of_master().records += 1;
  EXPECT_THAT(said(), HasSubstr("location 10 of what was written breaks a rule"));
  written_of_master().records -= 1;
  auto& others = written_of_master().others;
  --others[static_cast<std::size_t>(EventKind::MpiSend)];
  ++others[static_cast<std::size_t>(EventKind::MpiRecv)];
  EXPECT_THAT(said(), HasSubstr("other records than were written"));
}

TEST_F(OutputCheckTest, FindsCallsThatDoNotNest) {
  const auto enter = std::find_if(master().begin(), master().end(),
                                  [](const auto& e) { return e.kind == EventKind::Enter; });
  enter->kind = EventKind::Leave;
  EXPECT_THAT(said(), HasSubstr("do not nest"));
}

TEST_F(OutputCheckTest, FindsWhatIsNotDefined) {
  for (auto& e : master())
    if (e.kind == EventKind::ParameterInt)
      e.fields[0] = 987654;
  EXPECT_THAT(said(), HasSubstr("not defined"));
}

TEST_F(OutputCheckTest, FindsAFileThatIsCutShort) {
  said();
  const auto events = folder_.path() / "traces" / "10.evt";
  std::filesystem::resize_file(events, std::filesystem::file_size(events) / 2);
  EXPECT_THAT(checked(), HasSubstr("cannot be read again"));
}

TEST_F(OutputCheckTest, CountsDefinitions) {
  said();
  Diagnostics diagnostics;
  const auto count = Archive(anchor().string(), diagnostics).definitions().all().size();
  EXPECT_NO_THROW(check_definitions(anchor(), count));
  EXPECT_THROW(check_definitions(anchor(), count + 1), Error);
  std::ofstream(anchor(), std::ios::trunc) << "no anchor";
  EXPECT_THROW(check_definitions(anchor(), count), Error);
}

}  // namespace tracefold::output_check_test
