#include "emitters/groups/reason_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"
#include "model/profile/function_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;
using Parts = std::vector<ReasonPart>;

constexpr std::size_t most_named_parts = 3;  // of a list from which a few are enough
constexpr std::size_t most_clauses = 3;      // of what is told in the same way
constexpr std::size_t most_other_parts = 6;  // more tell nobody anything

// With shorter names of the functions that it is about.
std::string shorten_object(const ReasonPart& part) {
  auto out = part.object;
  for (const auto* name : {&part.caller, &part.callee}) {
    const auto whole = make_printable(*name);
    if (const auto at = out.find(whole); !whole.empty() && at != std::string::npos)
      out.replace(at, whole.size(), shorten_function_name(shorten_functions(whole)));
  }
  return out;
}

std::string show_part(const ReasonPart& part, NameLength names) {
  auto out = names == NameLength::whole ? part.object : shorten_object(part);
  if (!part.share)
    return out;
  const auto percent = 100 * *part.share;
  out += part.is_lacking ? " (others " : " (";
  out += percent < 0.05 ? std::string("< 0.1 %") : fmt::format("{:.1f} %", percent);
  return out + ")";
}

// "a, b and c"; of more than `most` "a, b and 3 more".
std::string join_objects(const std::vector<std::string>& objects, std::size_t most) {
  const auto named = objects.size() > most + 1 ? most : objects.size();
  std::string out;
  for (std::size_t k = 0; k < named; ++k) {
    const bool is_last = k + 1 == objects.size();
    out += (k == 0 ? "" : is_last ? " and " : ", ") + objects[k];
  }
  if (named < objects.size())
    out += fmt::format(" and {} more", objects.size() - named);
  return out;
}

// "calls a and b; it never calls c": what is done comes before what is lacking.
void add_clauses(std::vector<std::string>& clauses, const Parts& parts, const char* begin,
                 std::size_t most, NameLength names) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_verb;
  for (const bool is_lacking : {false, true})
    for (const auto& part : parts) {
      if (part.is_lacking != is_lacking)
        continue;
      const auto at = std::find_if(by_verb.begin(), by_verb.end(),
                                   [&](const auto& one) { return one.first == part.verb; });
      auto& objects = (at == by_verb.end() ? by_verb.insert(at, {part.verb, {}}) : at)->second;
      // Names may be the same once they are shortened.
      if (auto shown = show_part(part, names);
          std::find(objects.begin(), objects.end(), shown) == objects.end())
        objects.push_back(std::move(shown));
    }
  if (by_verb.size() > most_clauses)
    by_verb.resize(most_clauses);
  for (const auto& [verb, objects] : by_verb) {
    const auto list = join_objects(objects, most);
    const bool is_never = verb == "lacks";
    const auto* const who = *begin || clauses.empty() || !is_never ? begin : "it ";
    clauses.push_back(who + (is_never ? "never calls" : verb) + (list.empty() ? "" : " " + list));
  }
}

std::string list_groups(const std::vector<std::size_t>& groups) {
  std::vector<std::string> names;
  for (const auto g : groups)
    names.push_back(std::to_string(g));
  return (names.size() == 1 ? "group " : "groups ") + join_objects(names, 5);
}

std::string describe_varying(const GroupReason& reason, NameLength names) {
  std::vector<std::string> objects;
  for (const auto& part : reason.varying)
    objects.push_back(names == NameLength::whole ? part.object : shorten_object(part));
  auto out = fmt::format("{} kinds of processes merged", reason.kinds);
  if (!objects.empty())
    out += ", which differ in " + join_objects(objects, most_named_parts);
  return out;
}

const char* name_set(std::size_t set) {
  constexpr const char* names[] = {"fewest", "alone", "others", "varying"};
  return names[set];
}

// Calls visit(name of the set, part) for all parts.
template <class Visit>
void visit_parts(const GroupReason& reason, Visit visit) {
  const Parts* sets[] = {&reason.fewest, &reason.alone, &reason.others, &reason.varying};
  for (std::size_t set = 0; set < std::size(sets); ++set)
    for (const auto& part : *sets[set])
      visit(name_set(set), part);
}

Json parts_json(const Parts& parts) {
  Json out = Json::array();
  for (const auto& part : parts) {
    Json one{{"verb", part.verb}, {"what", part.object}, {"lacking", part.is_lacking}};
    if (!part.callee.empty()) {
      one["caller"] = part.caller.empty() ? Json(nullptr) : Json(part.caller);
      one["callee"] = part.callee;
      one["share"] = part.share ? Json(*part.share) : Json(nullptr);
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string describe_reason(const GroupReason& reason, NameLength names) {
  std::vector<std::string> clauses;
  if (reason.alone.empty()) {
    add_clauses(clauses, reason.fewest, "", most_other_parts, names);
  } else {
    add_clauses(clauses, reason.alone, "only this group ", most_named_parts, names);
    if (reason.others.size() <= most_other_parts)
      add_clauses(clauses, reason.others, "", most_other_parts, names);
  }
  if (!reason.alike.empty())
    clauses.push_back(reason.apart_by.empty()
                          ? list_groups(reason.alike) + " may do the same"
                          : reason.apart_by + " sets it apart from " + list_groups(reason.alike));
  if (reason.kinds > 1)
    clauses.push_back(describe_varying(reason, names));
  if (clauses.empty())
    return "the only group";

  return make_printable(fmt::format("{}", fmt::join(clauses, "; ")));
}

std::string to_why_table(const Plan& plan, const std::vector<GroupReason>& reasons) {
  auto out = write_kept_only_line(plan);
  for (std::size_t g = 0; g < reasons.size(); ++g) {
    const auto& members = (*plan.groups)[g].members;
    const auto count = count_processes(plan, members);
    const auto heading =
        fmt::format("group {}: {}, {} process{}: {}", g, show_group(plan, g), show_count(count),
                    count == 1 ? "" : "es", list_places(plan, members));
    out += apply_style(fit_name(heading, text_layout().columns), TextStyle::heading) + "\n";
    out += "  " + describe_reason(reasons[g], choose_name_length()) + "\n";
  }
  return out;
}

std::string to_why_csv(const Plan& plan, const std::vector<GroupReason>& reasons) {
  std::string out = "group,processes,group_name,set,lacking,verb,what,caller,callee,share\r\n";
  for (std::size_t g = 0; g < reasons.size(); ++g)
    visit_parts(reasons[g], [&](const char* set, const ReasonPart& part) {
      const auto& group = (*plan.groups)[g];
      out +=
          fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", g, count_processes(plan, group.members),
                      quote_csv(group.name), set, part.is_lacking ? 1 : 0, quote_csv(part.verb),
                      quote_csv(part.object), quote_csv(part.caller), quote_csv(part.callee),
                      part.share ? fmt::format("{}", *part.share) : "");
    });
  return out;
}

std::string to_why_json(const Plan& plan, const std::vector<GroupReason>& reasons) {
  auto groups = Json::array();
  for (std::size_t g = 0; g < reasons.size(); ++g) {
    const auto& reason = reasons[g];
    const auto& group = (*plan.groups)[g];
    groups.push_back({{"group", g},
                      {"name", group.name},
                      {"processes", count_processes(plan, group.members)},
                      {"members", format_ids(plan, group.members)},
                      {"ranks", list_ranks(plan, group.members)},
                      {"why", describe_reason(reason, NameLength::whole)},
                      {"fewest", parts_json(reason.fewest)},
                      {"proven", reason.is_proven},
                      {"alone", parts_json(reason.alone)},
                      {"others", parts_json(reason.others)},
                      {"alike", reason.alike},
                      {"apart_by", reason.apart_by},
                      {"merged", reason.kinds},
                      {"varying", parts_json(reason.varying)}});
  }
  return write_json_text({{"anchor", plan.trace.anchor}, {"groups", std::move(groups)}});
}

}  // namespace tracefold
