#include "pipeline/jobs/job_outcome.hpp"

#include "base/error.hpp"
#include "base/json_fields.hpp"
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

}  // namespace

std::string_view to_text(JobStatus status) {
  return status_words.at(static_cast<std::size_t>(status));
}

// Paths stay in the process that knows them, as they need not be UTF-8.
void list_fields(JsonFields& fields, JobOutcome& outcome) {
  auto status = static_cast<std::size_t>(outcome.status);
  fields.field("status", status);
  if (status >= status_words.size())
    throw Error(ErrorKind::input, "this is no outcome");
  outcome.status = static_cast<JobStatus>(status);
  fields.nullable("bytes", outcome.bytes);
  fields.nullable("small_bytes", outcome.small_bytes);
  fields.field("is_deleted", outcome.is_deleted);
  fields.field("warnings", outcome.warnings);
  fields.field("message", outcome.message);
}

std::string pack_outcome(const JobOutcome& outcome) {
  auto line = write_json_text(outcome, JsonLines::one);
  line.pop_back();  // its end
  return line;
}

std::optional<JobOutcome> unpack_outcome(const std::string& line) try {
  return OutcomeJson::parse(line).get<JobOutcome>();
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace tracefold
