#include "emitters/messages/skeleton_formats.hpp"

#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tracefold {

namespace {

// Where not all is shown.
constexpr SkeletonLimits shown_in_terminal{4, 60, 4};
constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

std::string show_operation(const SkeletonLine& line) {
  auto out = line.count > 1 || line.is_loop() ? show_count(line.count) + " ×" : std::string();
  for (const auto& part : {line.call, line.peer})
    if (!part.empty())
      out += (out.empty() ? "" : " ") + make_printable(part);
  return out + (line.differs ? " *" : "");
}

std::string show_bytes(const SkeletonLine& line) {
  if (!line.bytes)
    return {};
  auto least = format_bytes(line.bytes->first);
  const auto most = format_bytes(line.bytes->second);
  if (least == most)
    return least;
  const auto unit = most.substr(std::min(most.find(' '), most.size()));
  if (least.ends_with(unit))
    least.resize(least.size() - unit.size());
  return least + "–" + most;
}

std::string show_mean(const SkeletonLine& line, const std::optional<double>& seconds) {
  if (line.is_loop())
    return {};
  return !seconds ? "-" : *seconds == 0 ? "0 s" : format_seconds(*seconds);
}

// The callers of the call, of which its own name tells the last one.
std::string show_callers(const SkeletonLine& line) {
  const auto end = line.call_path.rfind(" > ");
  return end == std::string::npos ? "" : shorten_functions(line.call_path.substr(0, end));
}

void add_line(const SkeletonLine& line, const std::string& program, TableRows& rows) {
  rows.push_back({program, show_bytes(line), show_mean(line, line.seconds),
                  show_mean(line, line.waiting_seconds), show_callers(line)});
}

SkeletonText write_skeleton(const Plan& plan, const Skeleton& skeleton,
                            const SkeletonLimits& most) {
  const auto& members = (*plan.groups)[skeleton.group].members;
  const auto processes = count_processes(plan, members);
  SkeletonText out{fmt::format("group {}: {} ({} process{}: {})", skeleton.group,
                               show_group(plan, skeleton.group), show_count(processes),
                               processes == 1 ? "" : "es", list_places(plan, members)),
                   {}};
  if (skeleton.others > 0)
    out.program = fmt::format("{} of its ranks have other operations, or another order\n",
                              show_count(skeleton.others));

  const auto shown = std::min(most.lines, skeleton.lines.size());
  TableRows rows{{"program", "bytes", "time", "waiting", "called in"}};
  for (std::size_t k = 0; k < shown; ++k)
    add_line(skeleton.lines[k],
             std::string(2 * skeleton.lines[k].depth, ' ') + show_operation(skeleton.lines[k]),
             rows);

  auto waits = skeleton.waits;
  const auto time = [](const SkeletonLine& wait) {
    return static_cast<double>(wait.count) * wait.waiting_seconds.value_or(0);
  };
  std::stable_sort(waits.begin(), waits.end(),
                   [&](const auto& a, const auto& b) { return time(a) > time(b); });
  waits.resize(std::min(most.waits, waits.size()));
  for (const auto& wait : waits)
    add_line(wait, "(" + show_operation(wait) + ")", rows);

  out.program += text_table(rows);
  if (shown < skeleton.lines.size())
    out.program += describe_more(skeleton.lines.size() - shown, "line");
  return out;
}

}  // namespace

SkeletonTexts write_skeletons(const Plan& plan, const std::vector<Skeleton>& skeletons,
                              const SkeletonLimits& most) {
  std::vector<const Skeleton*> order;
  for (const auto& skeleton : skeletons)
    order.push_back(&skeleton);
  const auto processes = [&](const Skeleton* one) {
    return count_processes(plan, (*plan.groups)[one->group].members);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return processes(a) > processes(b); });
  SkeletonTexts out;
  out.left_out = order.size() - std::min(most.groups, order.size());
  order.resize(order.size() - out.left_out);

  bool differ = false, wait = false;
  for (const auto* skeleton : order) {
    out.groups.push_back(write_skeleton(plan, *skeleton, most));
    wait |= !skeleton->waits.empty();
    for (const auto& line : skeleton->lines)
      differ |= line.differs;
  }
  out.key = "time, waiting: of a call, the mean over all calls of that call path\n";
  if (differ)
    out.key += "*: the loops beside it are alike, but do this not at all, or not as often\n";
  if (wait)
    out.key += "(in brackets: calls of each process that wait, and begin nothing)\n";
  return out;
}

std::string to_skeleton_table(const Plan& plan, const std::vector<Skeleton>& skeletons) {
  const auto texts = write_skeletons(
      plan, skeletons,
      shows_all() ? SkeletonLimits{no_limit, no_limit, no_limit} : shown_in_terminal);
  if (texts.groups.empty())
    return "no process communicates\n";

  std::string out;
  for (const auto& [title, program] : texts.groups)
    out += title + "\n" + program + "\n";
  out += texts.key;
  return texts.left_out > 0 ? out + describe_more(texts.left_out, "group") : out;
}

std::string to_skeleton_csv(const std::vector<Skeleton>& skeletons) {
  using Json = nlohmann::ordered_json;
  Table table{{in_csv("group"), in_csv("depth"), in_csv("count"), in_csv("call"), in_csv("partner"),
               in_csv("least_bytes"), in_csv("most_bytes"), in_csv("mean_seconds", {}, "{:.6g}"),
               in_csv("mean_waiting_seconds", {}, "{:.6g}"), in_csv("differs"),
               in_csv("call_path")}};
  const auto add = [&](const Skeleton& skeleton, const SkeletonLine& line, const Json& depth) {
    table.rows.push_back({{"group", skeleton.group},
                          {"depth", depth},
                          {"count", line.count},
                          {"call", line.call},
                          {"partner", line.peer},
                          {"least_bytes", line.bytes ? Json(line.bytes->first) : Json()},
                          {"most_bytes", line.bytes ? Json(line.bytes->second) : Json()},
                          {"mean_seconds", make_json_value(line.seconds)},
                          {"mean_waiting_seconds", make_json_value(line.waiting_seconds)},
                          {"differs", line.differs ? 1 : 0},
                          {"call_path", line.call_path}});
  };
  for (const auto& skeleton : skeletons) {
    for (const auto& line : skeleton.lines)
      add(skeleton, line, line.depth);
    for (const auto& wait : skeleton.waits)
      add(skeleton, wait, Json());
  }
  return write_csv(table);
}

}  // namespace tracefold
