#include "base/packed_file.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <string>

namespace tracefold::packed_file_test {

using ::testing::HasSubstr;

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

std::string refusal(const std::string& file, std::uint64_t most_bytes = no_limit) {
  try {
    unpack_sections(file, most_bytes);
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
    return problem.what();
  }
  return "it was taken";
}

PackedSections make_sections() {
  return {{"empty", ""}, {"long", std::string(100'000, 'x')}, {"short", "a line\n\0 and more"}};
}

TEST(PackedFile, HoldsSectionsInLittleRoom) {
  const auto file = pack_sections(make_sections());
  EXPECT_EQ(unpack_sections(file, no_limit), make_sections());
  EXPECT_LT(file.size(), 300u);
  EXPECT_EQ(file, pack_sections(make_sections()));
  EXPECT_EQ(unpack_sections(pack_sections({}), 0), PackedSections{});
}

TEST(PackedFile, FindsWhatRepeatsFarAway) {
  std::string noise;
  std::uint64_t state = 1;
  while (noise.size() < std::size_t{4} << 20)
    noise += static_cast<char>((state = state * 6364136223846793005u + 1) >> 56);
  EXPECT_LT(pack_sections({{"twice", noise + noise}}).size(), noise.size() + 100'000);
}

TEST(PackedFile, IsRefusedWithTheVersionWhereThatIsAnother) {
  auto file = pack_sections(make_sections());
  file.replace(file.find('1'), 1, "27");
  EXPECT_THAT(refusal(file), HasSubstr("version 27, and version 1 is read"));
  EXPECT_THAT(refusal("hello"), HasSubstr("does not begin as one"));
  EXPECT_THAT(refusal(""), HasSubstr("does not begin as one"));
}

TEST(PackedFile, IsRefusedWhereItIsCut) {
  const auto file = pack_sections({{"some", "text that is packed, text that is packed"}});
  const auto first_line = file.find('\n') + 1;
  for (auto size = first_line + 1; size < file.size(); ++size)
    EXPECT_THAT(refusal(file.substr(0, size)), HasSubstr("no file of packed sections")) << size;
}

TEST(PackedFile, IsRefusedOrReadWhereAByteIsAnother) {
  const PackedSections sections{{"some", "text that is packed, text that is packed"}};
  const auto file = pack_sections(sections);
  std::size_t refused = 0;
  for (std::size_t place = 0; place < file.size(); ++place) {
    auto changed = file;
    changed[place] = static_cast<char>(changed[place] ^ 0x55);
    refused += refusal(changed, 1 << 20) != "it was taken";
  }
  EXPECT_GT(refused, file.size() / 2);
}

TEST(PackedFile, MayNotBeLargerThanTheLimit) {
  const auto file = pack_sections(make_sections());
  EXPECT_THAT(refusal(file, 1000), HasSubstr("too large"));
}

}  // namespace tracefold::packed_file_test
