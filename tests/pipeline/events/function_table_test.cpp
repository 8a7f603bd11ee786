#include "pipeline/events/function_table.hpp"

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::function_table_test {

using ::testing::ElementsAre;
using testing::TraceBuilder;

// Three functions `run` in three files, as in a program of Python.
class FunctionTableTest : public ::testing::Test {
 protected:
  FunctionTableTest() {
    add(0, "main", "/x/main.py");
    add(1, "run", "/x/a.py");
    add(2, "run", "/usr/lib/numpy/core.py");
    add(3, "run", "/x/b.py");
    builder_.add_location_group(0, {0});
    archive_.emplace(builder_.write(folder_.path()));
  }

  void add(std::uint64_t id, const std::string& name, const std::string& file) {
    const auto text = builder_.string(name);
    const auto path = builder_.string(file);
    builder_.define(DefinitionKind::Region, {id, text, text, text, 0, 0, 0, path, id, id});
  }

  testing::TestFolder folder_;
  TraceBuilder builder_;
  std::optional<Archive> archive_;
};

TEST_F(FunctionTableTest, TellsFunctionsOfOneNameApartByTheirFiles) {
  const FunctionTable table(archive_->definitions(), {});
  std::vector<std::string> names;
  for (const auto& function : table.functions())
    names.push_back(function.shown_name());
  EXPECT_THAT(names, ElementsAre("main", "run (a.py)", "run (core.py)", "run (b.py)"));
}

TEST_F(FunctionTableTest, DropsAndKeepsByFile) {
  const auto list_dropped = [&](FilterSection filter) {
    const FunctionTable table(archive_->definitions(), {std::move(filter)});
    std::vector<bool> dropped;
    for (std::uint64_t region = 0; region < 4; ++region)
      dropped.push_back(table.find(region).is_dropped());
    return dropped;
  };
  EXPECT_THAT(list_dropped({{"file:*/numpy/*"}, {}, ""}), ElementsAre(false, false, true, false));
  EXPECT_THAT(list_dropped({{}, {"file:/x/*"}, ""}), ElementsAre(false, false, true, false));
  EXPECT_THAT(list_dropped({{"run"}, {}, ""}), ElementsAre(false, true, true, true));
}

TEST_F(FunctionTableTest, LeavesCallsOfOthersThanTheProgramAtAnyDepth) {
  const auto send = builder_.string("MPI_Send");
  builder_.define(DefinitionKind::Region, {9, send, send, send, otf2_value::region_role_point2point,
                                           otf2_value::paradigm_mpi, 0, builder_.string(""), 0, 0});
  const testing::TestFolder folder;
  const auto archive = builder_.write(folder.path());
  FilterSection deep, less_deep;
  deep.max_depth = 7;
  less_deep.max_depth = 3;
  const FunctionTable table(archive.definitions(), {deep, less_deep});
  EXPECT_EQ(table.max_depth(), 3u);
  EXPECT_TRUE(table.drops_any());
  EXPECT_EQ(table.find(0).dropped, Dropped::deep);
  EXPECT_EQ(table.find(9).dropped, Dropped::none);
}

}  // namespace tracefold::function_table_test
