#include "pipeline/definition_file.hpp"

#include "emitters/otf2_writer.hpp"
#include "model/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t chunk = 1 << 18;  // the smallest, which small archives get

class DefinitionFile : public testing::Test {
 protected:
  DefinitionFile() {
    std::string name = (fs::temp_directory_path() / "tracefold-definitions-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::vector<Definition> strings(4000);
    for (std::size_t i = 0; i < strings.size(); ++i) {
      strings[i].kind = DefinitionKind::String;
      strings[i].fields[0] = i;
      strings[i].text.assign(i % 7 ? 100 : 300, 'x');  // short and long records, three chunks
    }
    fs::create_directory(location_folder(folder_));
    OutputArchive(folder_, chunk, strings).close();
  }
  ~DefinitionFile() override { fs::remove_all(folder_); }
  fs::path file() const { return folder_ / "traces.def"; }

 private:
  fs::path folder_;
};

TEST_F(DefinitionFile, IsAcceptedWholeWithSeveralChunks) {
  ASSERT_GT(fs::file_size(file()), 2 * chunk);
  EXPECT_NO_THROW(check_definition_file(file(), chunk));
}

TEST_F(DefinitionFile, IsRefusedWhereverItIsCutShort) {
  const auto whole = fs::file_size(file());
  for (auto size : {whole - 2, whole - 3, whole - 100, 2 * chunk, 2 * chunk + 5, chunk, chunk - 1, std::uint64_t{20}, std::uint64_t{1}, std::uint64_t{0}}) {
    fs::resize_file(file(), size);
    EXPECT_THROW(check_definition_file(file(), chunk), Error) << size << " bytes";
  }
}

}  // namespace
}  // namespace tracefold
