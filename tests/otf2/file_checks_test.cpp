#include "otf2/file_checks.hpp"

#include "base/error.hpp"
#include "otf2/archive.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/mended_definitions.hpp"
#include "tests/support/every_record.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tracefold::file_checks_test {

namespace fs = std::filesystem;

constexpr std::size_t event_chunk_at = 12,
                      properties_behind =
                          19;  // the latter from the end: identifier, snapshots, thumbnails, marks

class AnchorFile : public ::testing::Test {
 protected:
  AnchorFile() {
    testing::write_archive({}, folder_.path());
    std::ifstream in(file(), std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::filesystem::path file() const { return folder_.path() / "traces.otf2"; }
  void check(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary) << bytes;
    check_anchor_file(file());
  }

  testing::TestFolder folder_;
  std::string whole_;
};

TEST_F(AnchorFile, IsAcceptedWhole) {
  EXPECT_NO_THROW(check_anchor_file(file()));
}

// Plain files do not become packed by what the anchor says, so libotf2 cannot read any of these.
TEST_F(AnchorFile, IsNamedAsWhatItIsWhereNobodyHereReadsIt) {
  constexpr std::size_t format_at = 7, substrate_at = 28, compression_at = 29;
  const auto refuse = [&](std::size_t at, char value) -> std::string {
    auto bytes = whole_;
    bytes[at] = value;
    std::ofstream(file(), std::ios::binary) << bytes;
    Diagnostics ignored;
    try {
      const Archive archive(file().string(), ignored);
    } catch (const Error& problem) {
      return problem.what();
    }
    return "read";
  };

  EXPECT_EQ(refuse(format_at, 4), "read") << "later formats only append fields";
  EXPECT_THAT(refuse(substrate_at, 2), ::testing::HasSubstr("SIONlib"));
  EXPECT_THAT(refuse(compression_at, 2), ::testing::HasSubstr("zlib"));
}

TEST_F(AnchorFile, IsToldFromFilesForViewers) {
  const auto refuse = [&](const std::string& bytes) -> std::string {
    std::ofstream(file(), std::ios::binary) << bytes;
    try {
      check_anchor_file(file());
    } catch (const Error& problem) {
      return problem.what();
    }
    return "accepted";
  };

  EXPECT_THAT(refuse(R"({"displayTimeUnit":"ns","traceEvents":[]})"),
              ::testing::HasSubstr("not an OTF2 archive, but JSON (give"));
  EXPECT_THAT(refuse("[]"), ::testing::HasSubstr("but JSON"));
  EXPECT_THAT(refuse("\x1f\x8b\x08"), ::testing::HasSubstr("but a file of gzip"));
  EXPECT_THAT(refuse("\x0a\x03\x50\x01\x00"), ::testing::HasSubstr("but a trace of Perfetto"));
  EXPECT_THAT(refuse("\x0a\x83\x01\x50\x01"), ::testing::HasSubstr("but a trace of Perfetto"));
  for (const auto* other : {"", "text", "\x0a", "\x0a\x83", "\x0a\x03", "\x0a\x03\x51"})
    EXPECT_THAT(refuse(other),
                ::testing::HasSubstr("not an OTF2 archive, or its anchor file is damaged (copy"))
        << other;
}

TEST_F(AnchorFile, IsNamedWhereAPartOfItsArchiveOrItsFolderIsGiven) {
  const auto refuse = [](const std::filesystem::path& path) -> std::string {
    try {
      check_anchor_file(path);
    } catch (const Error& problem) {
      return problem.what();
    }
    return "accepted";
  };
  const auto folder = file().parent_path() / "app";
  std::filesystem::create_directories(folder / "traces");
  const std::string anchor = folder / "traces.otf2";
  const std::vector parts{folder / "traces.def", folder / "traces.marker",
                          folder / "traces" / "0.evt", folder / "traces" / "0.def"};
  for (const auto& part : parts)
    std::ofstream(part) << "part";
  for (const auto& part : parts)
    EXPECT_THAT(refuse(part), ::testing::HasSubstr("not an OTF2 archive (give the anchor file,"));
  EXPECT_THAT(refuse(folder), ::testing::HasSubstr("is a folder (no trace is in it; give"));

  std::ofstream(anchor) << "anchor";
  for (const auto& part : parts)
    EXPECT_THAT(refuse(part),
                ::testing::EndsWith("is a part of a trace (give its anchor file " + anchor + ")"));
  EXPECT_THAT(refuse(folder), ::testing::EndsWith("is a folder (did you mean " + anchor + "?)"));
  const auto above = file().parent_path() / "above";
  std::filesystem::create_directories(above / "runs");
  std::filesystem::rename(folder, above / "runs" / "app");
  EXPECT_THAT(refuse(above), ::testing::EndsWith("runs/app/traces.otf2?)"));

  std::ofstream(above / "other.otf2") << "anchor";
  EXPECT_THAT(refuse(above), ::testing::HasSubstr("is a folder (give one of the anchor files"));
}

// What is behind the mark of its end is not looked at.
TEST_F(AnchorFile, IsRefusedWhereverItIsCutShort) {
  constexpr std::size_t after_the_end =
      2;  // marks behind the one that ends the file, which say no more
  for (std::size_t size = 0; size + after_the_end < whole_.size(); ++size)
    EXPECT_THROW(check(whole_.substr(0, size)), Error) << size << " bytes";
}

TEST_F(AnchorFile, IsRefusedWhereItClaimsMorePropertiesThanItHolds) {
  auto bytes = whole_;
  const auto count = bytes.size() - properties_behind - 4;
  for (const auto& claim : {std::string("\1\0\0\0", 4), std::string("\1\0\0\x80", 4),
                            std::string("\xff\xff\xff\xff")}) {
    bytes.replace(count, 4, claim);
    EXPECT_THROW(check(bytes), Error);
  }
}

TEST_F(AnchorFile, IsRefusedWhereChunksAreOfNoSize) {
  for (const auto& size :
       {std::string(8, '\0'), std::string("\1\0\0\0\0\0\0\0", 8), std::string(8, '\xff')}) {
    auto bytes = whole_;
    EXPECT_THROW(check(bytes.replace(event_chunk_at, 8, size)), Error);
  }
}

constexpr std::uint64_t chunk = 1 << 18;  // the smallest, which small archives get

class DefinitionFile : public ::testing::Test {
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
    ArchiveWriter(folder_, chunk, strings).close();
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
template <class Check>
bool passes(char type, const std::string& fields, Check&& check) {
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

// Development versions of OTF2 1.1 ended the record of a region behind its canonical name.
TEST(DefinitionRecord, OfARegionMayHaveAnOldTypeInsteadOfARole) {
  std::vector<RegionWithoutRole> found;
  const auto keep = [&](const fs::path& file, std::uint64_t size) {
    found = check_definition_file(file, size);
  };
  EXPECT_TRUE(passes(15, "\1\7\1\1\0\x0f\0\0\0"s, keep)) << "as in OTF2 1.0";
  EXPECT_TRUE(found.empty());
  EXPECT_TRUE(passes(15, "\1\7\1\1\0\x0f\0\0\0\1\2"s, keep)) << "as before OTF2 1.1";
  EXPECT_EQ(found, (std::vector{RegionWithoutRole{7, 15}}));
  EXPECT_TRUE(passes(15, "\1\7\1\1\0\x0f\0\0\0\1\2\x10\3\0"s, keep));
  EXPECT_TRUE(found.empty());
  EXPECT_FALSE(passes(15, "\1\7\1\1\0\x0f\0\0\0\1\2\x10"s, keep));
}

// What is added moves records behind the end of a chunk, and of the last one, too.
TEST(MendedDefinitions, HaveAllFieldsOfRegionsInChunksOfTheSameSize) {
  const testing::TestFolder folder;
  const ArchivePaths paths{folder.path() / "traces.otf2"};
  const auto region = "\x0f\x0b\1\7\1\1\0\x0f\0\0\0\1\2"s;
  const auto header = "\3B"s + std::string(16, '\0');

  std::string bytes;
  std::size_t regions = 0;
  for (int k = 0; k < 2; ++k) {
    bytes += header;
    for (; bytes.size() + region.size() + 2 <= (k + 1) * chunk; ++regions)
      bytes += region;
    if (k == 0)
      bytes.resize(chunk);
  }
  std::ofstream(paths.anchor) << "anchor";
  std::ofstream(paths.definitions(), std::ios::binary) << bytes << "\2\1";
  ASSERT_EQ(check_definition_file(paths.definitions(), chunk).size(), regions);

  std::filesystem::path place;
  {
    const MendedDefinitions mended(paths, chunk);
    place = mended.anchor();
    const auto file = ArchivePaths{place}.definitions();
    EXPECT_GT(fs::file_size(file), 2 * chunk);
    EXPECT_TRUE(check_definition_file(file, chunk).empty());

    std::ifstream in(file, std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(in), {});
    const auto whole = "\x0f\x0e\1\7\1\1\0\x0f\0\0\0\1\2\0\0\0"s;
    std::size_t found = 0;
    for (auto at = all.find(whole); at != all.npos; at = all.find(whole, at + whole.size()))
      ++found;
    EXPECT_EQ(found, regions);
  }
  EXPECT_FALSE(fs::exists(place.parent_path()));
}

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

}  // namespace tracefold::file_checks_test
