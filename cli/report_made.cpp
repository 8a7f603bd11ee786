#include "cli/report_made.hpp"

#include "base/json_fields.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/groups/like_section.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <filesystem>
#include <utility>

namespace tracefold::cli {

namespace {

using Json = nlohmann::ordered_json;

Json compare_numbers(std::uint64_t before, std::uint64_t after) {
  return {{"before", before}, {"after", after}};
}

Json list_representatives(const Plan& plan) {
  auto out = Json::array();
  for (const auto& r : *plan.representatives) {
    const auto& process = plan.processes[r.process];
    Json one{{"group", r.group}, {"location", std::to_string(process.id)}};
    if (process.rank)
      one["rank"] = *process.rank;
    one["name"] = process.name;
    one["stands_for"] = count_processes(plan, r.members);
    one["members"] = format_ids(plan, r.members);
    out.push_back(std::move(one));
  }

  return out;
}

}  // namespace

std::string summarize_as_json(const Session& session, const char* kind, const Reduction& made) {
  const auto& [plan, locations, bytes, events, sends, draws, done, reasons, lost_calls, fewer,
               folder] = made;
  auto cut = Json::object();
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (done.cut[k])
      cut[std::string(event_table[k].name)] = done.cut[k];

  Json output;
  if (!folder.empty())
    output =
        std::filesystem::absolute(done.is_view || done.is_tar ? folder : folder / "traces.otf2")
            .string();

  auto compared = compare_numbers(events, done.events);
  if (!plan.filters.empty())
    compared["before_is_filtered"] = true;

  Json out{{kind, 1},
           {"anchor", plan.trace.anchor},
           {"output", std::move(output)},
           {"locations", compare_numbers(locations, done.locations)},
           {"halo", done.halo},
           {"events", std::move(compared)},
           {"bytes", compare_numbers(bytes, done.bytes)},
           {"seconds", session.seconds()}};
  out["messages"] = {{"before", sends ? Json(*sends) : Json(nullptr)}, {"after", done.sends}};
  if (plan.groups)
    out["groups"] = plan.groups->size();
  if (plan.representatives)
    out["representatives"] = list_representatives(plan);
  if (plan.like)
    out["like"] = {{"run", plan.like->run},
                   {"by_place", plan.like->is_by_place},
                   {"misfits", plan.like->misfits}};
  if (lost_calls > 0)
    out["calls_that_no_row_shows"] = lost_calls;
  if (fewer)
    out["fewer_rows"] = {{"to", fewer->rows},
                         {"bytes", fewer->bytes},
                         {"calls_that_no_row_shows", fewer->lost_calls}};
  out["left_out"] = std::move(cut);
  if (plan.errors)
    out["errors"] = *plan.errors;

  return write_json_text(out);
}

std::string summarize_as_csv(const Reduction& made) {
  const auto& done = made.after;
  return fmt::format("what,before,after\r\nlocations,{},{}\r\nevents,{},{}\r\nbytes,{},{}\r\n",
                     made.locations, done.locations, made.events, done.events, made.bytes,
                     done.bytes);
}

void report_rewrite(const Session& session, const Reduction& made) {
  if (made.after.is_estimate)
    return;

  struct ::rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  session.verbose(fmt::format("rewrite: done{} after {:.3f} s, peak memory {}",
                              made.after.checked ? " and read again" : "", session.seconds(),
                              format_bytes(peak_memory)));
}

void print_summary(Session& session, const std::string& text, const std::optional<Format>& format,
                   const std::string& written) try {
  session.clear_line();
  print(text);
} catch (Error& problem) {
  if (written.empty())
    throw;
  const auto complete = fmt::format("the trace in {} is complete", written);
  if (format)
    throw problem.hint(complete);
  session.diagnostics.warn(fmt::format("the summary is lost: {}; {}", problem.what(), complete));
}

void report_summary(Session& session, const std::string& text, const std::optional<Format>& format,
                    const std::string& written) {
  if (format) {
    print_summary(session, text, format, written);
  } else if (!session.options().quiet) {
    session.clear_line();
    print_error(text);
  }
}

}  // namespace tracefold::cli
