#include "otf2/definition_file.hpp"

#include "base/error.hpp"
#include "otf2/otf2_writer.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

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
  for (auto size : {whole - 2, whole - 3, whole - 100, 2 * chunk, 2 * chunk + 5, chunk, chunk - 1,
                    std::uint64_t{20}, std::uint64_t{1}, std::uint64_t{0}}) {
    fs::resize_file(file(), size);
    EXPECT_THROW(check_definition_file(file(), chunk), Error) << size << " bytes";
  }
}

// Whether a file of one record passes.
bool passes(char type, const std::string& fields, void (*check)(const fs::path&, std::uint64_t)) {
  const auto file = fs::temp_directory_path() / ("tracefold-record-" + std::to_string(::getpid()));
  std::ofstream(file, std::ios::binary) << std::string("\3B") + std::string(16, '\0') + type +
                                               static_cast<char>(fields.size()) + fields + "\2\1";
  bool passed = true;
  try {
    check(file, chunk);
  } catch (const Error&) {
    passed = false;
  }

  fs::remove(file);

  return passed;
}
bool is_definition(char type, const std::string& fields) {
  return passes(type, fields, check_definition_file);
}

using namespace std::string_literals;

TEST(DefinitionRecord, EndsItsTextInItself) {
  EXPECT_TRUE(is_definition(10, "\1\5text\0"s));
  EXPECT_FALSE(is_definition(10, "\1\5text"s));
  EXPECT_FALSE(is_definition(10, "\1\5"s));
}

TEST(DefinitionRecord, HoldsAsManyAsItCounts) {
  EXPECT_TRUE(is_definition(18, "\0\0\5\1\2\1\7\1\10\5\4\0"s));
  EXPECT_TRUE(is_definition(18, "\0\0\5\1\2\1\7\1\10"s));  // as before OTF2 1.2
  EXPECT_FALSE(is_definition(18, "\0\0\5\1\3\1\7\1\10"s));
  EXPECT_FALSE(is_definition(18, "\0\0\5\xff\1\7\1\10"s));
  EXPECT_FALSE(is_definition(20, "\0\xff\1\7"s));
}

TEST(DefinitionRecord, HasNumbersOfTheirWidth) {
  EXPECT_TRUE(is_definition(25, "\4xxxx\10xxxxxxxx"s));
  EXPECT_FALSE(is_definition(25, "\5xxxxx\0"s));
  EXPECT_FALSE(is_definition(25, "\0\11xxxxxxxxx"s));
}

TEST(DefinitionRecord, HasValuesOfTheirType) {
  for (const auto& value : {"\1x"s, "\2xx"s, "\3\4xxxx"s, "\4\10xxxxxxxx"s, "\5x"s, "\11xxxx"s,
                            "\12xxxxxxxx"s, "\13\0"s}) {
    EXPECT_TRUE(is_definition(28, "\0\0\xff"s + value)) << static_cast<int>(value[0]);
    EXPECT_FALSE(is_definition(28, "\0\0\xff"s + value.substr(0, value.size() - 1)))
        << static_cast<int>(value[0]);
  }

  EXPECT_TRUE(is_definition(28, "\0\0\xff"s));  // as before OTF2 2.0
}

TEST(DefinitionRecord, MayBeOfAKindToCome) {
  EXPECT_TRUE(is_definition(99, "anything"s));
}

TEST(MarkerRecord, EndsItsTextInItself) {
  EXPECT_TRUE(passes(5, "\1\5group\0category\0\1"s, check_marker_file));
  EXPECT_FALSE(passes(5, "\1\5group\0category\1"s, check_marker_file));
  EXPECT_TRUE(passes(6, "\0\0\0\1\0text\0"s, check_marker_file));
  EXPECT_FALSE(passes(6, "\0\0\0\1\0text"s, check_marker_file));
}

}  // namespace
}  // namespace tracefold
