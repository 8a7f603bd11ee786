#include "model/halo/halo_section.hpp"

#include "base/error.hpp"
#include "base/json_fields.hpp"

#include <gmock/gmock.h>

namespace tracefold::halo_section_test {

using Json = nlohmann::ordered_json;

TEST(HaloSection, HasWordsForWhatMayBeAskedFor) {
  for (const auto* word : {"auto", "all", "off", "1", "7"})
    EXPECT_EQ(to_text(parse_halo(word)), word);
  EXPECT_EQ(parse_halo("auto"), HaloOptions{});
  EXPECT_EQ(parse_halo("3").most_per_process, 3u);
  EXPECT_FALSE(parse_halo("4").is_bounded);
  EXPECT_EQ(parse_halo("off").most_per_process, 0u);
}

TEST(HaloSection, RefusesOtherWords) {
  for (const auto* word : {"", "0", "-1", "some", "4x", "99999999999"}) {
    try {
      parse_halo(word);
      ADD_FAILURE() << word;
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::usage) << word;
    }
  }
}

TEST(HaloSection, IsReadAsItWasWritten) {
  const HaloSection section{parse_halo("all"),
                            {{{4, 5}, {0, 9}, 12, 3400}, {{~std::uint64_t{0} - 1}, {2}, 1, 0}}};
  const auto read = Json(section).get<HaloSection>();
  EXPECT_EQ(read.asked, section.asked);
  EXPECT_EQ(read.ranks, section.ranks);
}

TEST(HaloSection, RefusesNumbersThatAreNone) {
  Json json = HaloSection{{}, {{{4}, {0}, 12, 3400}}};
  json["ranks"][0]["bytes"] = "1-2";
  EXPECT_THROW(json.get<HaloSection>(), Error);
  json["ranks"][0]["bytes"] = 7;
  EXPECT_THROW(json.get<HaloSection>(), nlohmann::json::exception);
}

}  // namespace tracefold::halo_section_test
