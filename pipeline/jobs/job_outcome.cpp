#include "pipeline/jobs/job_outcome.hpp"

#include "base/json_text.hpp"

#include <nlohmann/json.hpp>

#include <array>

namespace tracefold {

namespace {

using OutcomeJson = nlohmann::ordered_json;

// In the order of JobStatus.
constexpr auto status_words = std::to_array<std::string_view>(
    {"done", "exists", "busy", "no trace", "disk full", "no permission", "damaged", "changing",
     "timeout", "interrupted", "failed", "wrong use", "own"});

template <class Value>
std::optional<Value> read_if_known(const OutcomeJson& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<Value>());
}

OutcomeJson write_if_known(const std::optional<std::uint64_t>& number) {
  return number ? OutcomeJson(*number) : OutcomeJson();
}

}  // namespace

std::string_view to_text(JobStatus status) {
  return status_words.at(static_cast<std::size_t>(status));
}

// Paths stay in the process that knows them, as they need not be UTF-8.
std::string pack_outcome(const JobOutcome& outcome) {
  auto line = write_json_text({{"status", static_cast<unsigned>(outcome.status)},
                               {"bytes", write_if_known(outcome.bytes)},
                               {"small_bytes", write_if_known(outcome.small_bytes)},
                               {"is_deleted", outcome.is_deleted},
                               {"warnings", outcome.warnings},
                               {"message", outcome.message}},
                              JsonLines::one);
  line.pop_back();  // its end
  return line;
}

std::optional<JobOutcome> unpack_outcome(const std::string& line) try {
  const auto document = OutcomeJson::parse(line);
  JobOutcome outcome;
  const auto status = document.at("status").get<std::size_t>();
  if (status >= status_words.size())
    return std::nullopt;
  outcome.status = static_cast<JobStatus>(status);
  outcome.bytes = read_if_known<std::uint64_t>(document.at("bytes"));
  outcome.small_bytes = read_if_known<std::uint64_t>(document.at("small_bytes"));
  outcome.is_deleted = document.at("is_deleted").get<bool>();
  outcome.warnings = document.at("warnings").get<std::vector<std::string>>();
  outcome.message = document.at("message").get<std::string>();
  return outcome;
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
}

}  // namespace tracefold
