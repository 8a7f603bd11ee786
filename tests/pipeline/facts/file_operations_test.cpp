#include "pipeline/facts/file_operations.hpp"

#include "otf2/otf2_values.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace tracefold::file_operations_test {

using ::testing::SizeIs;
using enum EventKind;

constexpr std::uint64_t posix = 0, mpi = 1, other_posix = 2;  // handles; all of file 0
constexpr std::uint64_t none = ~std::uint64_t{0}, blocking = 0, non_blocking = 1;

Definitions make_definitions() {
  Definitions definitions;
  const auto add = [&](DefinitionKind kind, std::initializer_list<std::uint64_t> fields,
                       const std::string& text = {}) {
    Definition d;
    d.kind = kind;
    std::copy(fields.begin(), fields.end(), d.fields.begin());
    d.text = text;
    definitions.add(std::move(d));
  };
  add(DefinitionKind::String, {0}, "out.dat");
  add(DefinitionKind::IoRegularFile, {0, 0, 0});
  for (const auto& [handle, paradigm] : {std::pair{posix, 0u}, {mpi, 1u}, {other_posix, 0u}})
    add(DefinitionKind::IoHandle, {handle, 0, 0, paradigm, 0, 0, 0});
  definitions.finish();
  return definitions;
}

class Recording {
 public:
  Recording& record(std::uint64_t time, EventKind kind, std::vector<std::uint64_t> fields) {
    Event event;
    event.kind = kind;
    event.time = time;
    std::copy(fields.begin(), fields.end(), event.fields.begin());
    recorder_.add(event, definitions_);
    return *this;
  }
  Recording& begin(std::uint64_t time, std::uint64_t handle, std::uint64_t id,
                   std::uint64_t flags = blocking, std::uint64_t mode = otf2_value::io_write) {
    return record(time, IoOperationBegin, {handle, mode, flags, 100, id});
  }
  Recording& end(std::uint64_t time, std::uint64_t handle, std::uint64_t id,
                 std::uint64_t bytes = 90) {
    return record(time, IoOperationComplete, {handle, bytes, id});
  }
  FileOperations take() {
    const auto files = recorder_.take();
    EXPECT_THAT(files, SizeIs(1));
    EXPECT_EQ(name_file(definitions_, files.begin()->first), "out.dat");
    return files.begin()->second;
  }

 private:
  const Definitions definitions_ = make_definitions();
  FileRecorder recorder_;
};

TEST(FileRecorder, AddsUpWhatOperationsOnAFileTakeAndMove) {
  Recording made;
  made.begin(10, posix, 1).end(15, posix, 1).begin(20, other_posix, 2).end(21, other_posix, 2);
  made.begin(30, posix, 3, blocking, otf2_value::io_read).end(37, posix, 3, 50);
  made.begin(40, posix, 4, blocking, 2).end(44, posix, 4, 0);  // to flush
  const auto found = made.take();
  EXPECT_EQ(found.written, (FileAmounts{2, 6, 180, 0}));
  EXPECT_EQ(found.read, (FileAmounts{1, 7, 50, 0}));
  EXPECT_EQ(found.other, (FileAmounts{1, 4, 0, 0}));
}

TEST(FileRecorder, LeavesOutWhatALayerBelowDoesForAnOperation) {
  Recording made;
  made.begin(10, mpi, 1).begin(11, posix, 2).end(14, posix, 2).end(15, mpi, 1);
  made.begin(20, posix, 3).end(22, posix, 3);
  EXPECT_EQ(made.take().written, (FileAmounts{2, 7, 180, 0}));
}

TEST(FileRecorder, CountsOperationsThatRunAtTheSameTime) {
  Recording made;
  made.begin(10, posix, 1, non_blocking).begin(12, posix, 2, non_blocking);
  made.end(20, posix, 2).end(30, posix, 1);
  EXPECT_EQ(made.take().written, (FileAmounts{2, 8 + 20, 180, 0}));
}

TEST(FileRecorder, TakesTheBytesThatWereAskedForWhereOthersAreNotKnown) {
  Recording made;
  made.begin(10, posix, 1).end(11, posix, 1, none);
  made.record(20, IoOperationBegin, {posix, otf2_value::io_write, blocking, none, 2});
  made.end(21, posix, 2, none);
  EXPECT_EQ(made.take().written, (FileAmounts{2, 2, 100, 1}));
}

TEST(FileRecorder, ForgetsWhatIsCancelledOrHasNoEnd) {
  Recording made;
  made.begin(10, posix, 1, non_blocking).record(11, IoOperationCancelled, {posix, 1});
  made.begin(20, mpi, 2);                      // lost
  made.begin(30, mpi, 3).end(33, mpi, 3);      // so that the lost one is over
  made.begin(40, posix, 4).end(41, posix, 4);  // and this is no part of it
  made.end(50, posix, 5);                      // of nothing
  EXPECT_EQ(made.take().written, (FileAmounts{2, 4, 180, 0}));
}

TEST(ProgramFiles, BehindTheFirstOnesAreOne) {
  std::vector<ProgramFileUse> files(5);
  for (std::size_t k = 0; k < files.size(); ++k) {
    files[k].name = "file";
    files[k].operations.read = {k, k, k, k};
  }
  keep_first(5, files);
  EXPECT_THAT(files, SizeIs(5));
  keep_first(3, files);
  ASSERT_THAT(files, SizeIs(4));
  EXPECT_EQ(files.back().name, "");
  EXPECT_EQ(files.back().files, 2u);
  EXPECT_EQ(files.back().operations.read, (FileAmounts{7, 7, 7, 7}));
}

}  // namespace tracefold::file_operations_test
