#include "pipeline/events/earlier_reduction.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tracefold::earlier_reduction_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Properties of locations, each name and text interned where it is used.
class Properties {
 public:
  void number(std::uint64_t location, const std::string& name, std::uint64_t value) {
    put(location, name, otf2_value::type_uint64, value);
  }
  void text(std::uint64_t location, const std::string& name, const std::string& value) {
    put(location, name, otf2_value::type_string, string(value));
  }
  // What a reduction says.
  void standing(std::uint64_t location, std::uint64_t source, std::uint64_t count,
                const std::string& members) {
    number(location, "tracefold::source", source);
    number(location, "tracefold::count", count);
    text(location, "tracefold::members", members);
  }
  void location(std::uint64_t id) {
    Definition d;
    d.kind = DefinitionKind::Location;
    d.fields[0] = id;
    definitions_.add(d);
  }
  auto found() const { return find_earlier_reductions(definitions_); }

 private:
  std::uint64_t string(const std::string& value) {
    Definition d;
    d.kind = DefinitionKind::String;
    d.fields[0] = strings_;
    d.text = value;
    definitions_.add(d);

    return strings_++;
  }
  void put(std::uint64_t location, const std::string& name, std::uint64_t type,
           std::uint64_t value) {
    Definition d;
    d.kind = DefinitionKind::LocationProperty;
    d.fields = {location, string(name), type, value};
    definitions_.add(d);
  }
  Definitions definitions_;
  std::uint64_t strings_ = 0;
};

TEST(EarlierReductions, TellWhatLocationsStandFor) {
  Properties properties;
  properties.standing(0, 8, 4, "0-8:4,9");
  properties.standing(7, 3, 1, "3");
  const auto found = properties.found();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at(0).source, 8u);
  EXPECT_EQ(found.at(0).count, 4u);
  EXPECT_THAT(found.at(0).members, ElementsAre(0, 4, 8, 9));
  EXPECT_THAT(found.at(7).members, ElementsAre(3));
}

TEST(EarlierReductions, StandForEachLocationOnce) {
  const auto refused = [](const Properties& properties) {
    try {
      properties.found();
    } catch (const Error& error) {
      return error.kind() == ErrorKind::input;
    }

    return false;
  };

  Properties overlapping, besides;
  overlapping.standing(0, 0, 2, "0-1");
  overlapping.standing(1, 2, 2, "1-2");
  EXPECT_TRUE(refused(overlapping));
  besides.standing(0, 0, 2, "0-1");
  EXPECT_FALSE(refused(besides));
  besides.location(1);  // says nothing, so it stands for itself
  EXPECT_TRUE(refused(besides));
}

TEST(EarlierReductions, AreNotWhatOthersNameAlike) {
  Properties properties;
  properties.text(1, "tracefold::count", "core 3");
  properties.number(2, "tracefold::count", 275);
  properties.standing(3, 3, 1, "3");
  properties.text(3, "bound to", "core 3");
  properties.number(4, "tracefold::source", 4);
  properties.number(4, "tracefold::count", 1);
  properties.number(4, "tracefold::members", 0);
  EXPECT_EQ(properties.found().size(), 1u);
  EXPECT_TRUE(properties.found().contains(3));
  EXPECT_THAT(Properties().found(), IsEmpty());
}

TEST(EarlierReductions, HaveToFitTogether) {
  const auto refused = [](std::uint64_t source, std::uint64_t count, const std::string& members) {
    Properties properties;
    properties.standing(0, source, count, members);
    try {
      properties.found();
    } catch (const Error& error) {
      return error.kind() == ErrorKind::input &&
             std::string(error.what()).find("tracefold::members of location 0 is wrong") !=
                 std::string::npos;
    }

    return false;
  };

  EXPECT_TRUE(refused(0, 2, "0"));
  EXPECT_TRUE(refused(0, 0, ""));
  EXPECT_TRUE(refused(5, 2, "0-1"));
  EXPECT_TRUE(refused(0, 2, "one,two"));
  EXPECT_TRUE(refused(0, 4294967296, "0-4294967295"));
  EXPECT_FALSE(refused(1, 2, "0-1"));
}

}  // namespace tracefold::earlier_reduction_test
