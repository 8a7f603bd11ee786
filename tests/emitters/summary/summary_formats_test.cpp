#include "emitters/summary/summary_formats.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tracefold::summary_formats_test {

nlohmann::json read_devices(const DeviceUse& devices) {
  Summary summary;
  summary.devices = devices;
  return nlohmann::json::parse(to_json({summary}, {})).at("runs").at(0).at("devices");
}

TEST(SummaryFormats, HaveNoShareOfHostsThatAreNotKnown) {
  const ProgramDevices sums{"run", 1, 1000, 400, 200, 0, 50, 0, 400};
  const auto known = read_devices({sums, {"read_input", "main"}, 0.75});
  EXPECT_EQ(known.at("host_meanwhile").at("function"), "read_input");
  EXPECT_EQ(known.at("host_share"), 0.75);
  const auto unknown = read_devices({sums});
  EXPECT_TRUE(unknown.at("host_meanwhile").is_null());
  EXPECT_TRUE(unknown.at("host_share").is_null());
}

}  // namespace tracefold::summary_formats_test
