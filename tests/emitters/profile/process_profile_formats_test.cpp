#include "emitters/profile/process_profile_formats.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::process_profile_formats_test {

TEST(ProcessProfileCsv, HasEachColumnOnce) {
  ProcessProfiles profiles;
  profiles.metrics = {{"execution time", MetricKind::time, {0}, 1, ""},
                      {"bytes sent", MetricKind::bytes, {1}, 1, ""},
                      {"bytes_sent", MetricKind::counter, {2}, 1, ""},
                      {"rank", MetricKind::counter, {3}, 1, ""},
                      {"PAPI_TOT_CYC", MetricKind::counter, {4}, 1, ""}};

  EXPECT_EQ(to_csv(Plan(), profiles),
            "location,rank,thread,path,caller_path,call_path,inclusive_time_seconds,"
            "execution_time_seconds,bytes_sent,counter_bytes_sent,counter_rank,PAPI_TOT_CYC\r\n");
}

}  // namespace tracefold::process_profile_formats_test
