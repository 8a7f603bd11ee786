#include "emitters/show_names.hpp"

#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "model/describe_group.hpp"
#include "model/plan.hpp"
#include "model/profile/intent.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::string_view scope_mark = "::";

// How many brackets each character of a name is in; empty where brackets do not fit each other, as
// in "operator<".
std::vector<int> measure_depths(std::string_view name) {
  constexpr std::string_view begins = "(<[{", ends = ")>]}";
  std::string open;  // the brackets that are to come
  std::vector<int> depths;
  for (const char c : name) {
    const auto begin = begins.find(c), end = ends.find(c);
    if (begin != begins.npos)
      open += ends[begin];
    if (end != ends.npos && (open.empty() || open.back() != c))
      return {};
    depths.push_back(static_cast<int>(open.size()));
    if (end != ends.npos)
      open.pop_back();
  }
  return open.empty() ? depths : std::vector<int>();
}

// Where the list of parameters begins: at the first bracket that begins no part of the name, as
// that of "(anonymous namespace)::run" does. The end where there is none.
std::size_t find_parameters(std::string_view name, const std::vector<int>& depths) {
  for (std::size_t at = 1; at < name.size(); ++at)
    if (name[at] == '(' && depths[at] == 1 && name[at - 1] != ':' && name[at - 1] != ' ' &&
        !name.substr(0, at).ends_with("operator"))
      return at;
  return name.size();
}

// Of "a::b<int>::run" these are "a", "b" and "run": without arguments of templates, and without
// what GCC adds for its versions of a library.
std::vector<std::string> split_scopes(std::string_view name, std::span<const int> depths) {
  constexpr std::string_view added = "[abi:";
  std::vector<std::string> parts(1);
  int templates = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    templates += name[at] == '<';
    if (depths[at] == 0 && name.substr(at).starts_with(scope_mark)) {
      parts.emplace_back();
      ++at;
    } else if (templates == 0) {
      parts.back() += name[at];
    }
    templates -= name[at] == '>';
  }

  for (auto& part : parts)
    if (part.ends_with(']'))
      part.resize(std::min(part.find(added), part.size()));
  return parts;
}

// What a function may be called, shortest first; the last one is its whole name.
std::vector<std::string> list_forms(const std::string& whole) {
  const auto depths = measure_depths(whole);
  if (depths.empty())
    return {whole};

  const auto end = find_parameters(whole, depths);
  std::size_t begin = 0;  // behind what it returns
  if (end < whole.size())
    for (std::size_t at = 0; at < end; ++at)
      if (whole[at] == ' ' && depths[at] == 0)
        begin = at + 1;
  const auto name = whole.substr(begin, end - begin);

  std::vector<std::string> forms;
  std::string form;
  const auto parts = split_scopes(name, std::span(depths).subspan(begin, end - begin));
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    form = form.empty() ? *part : *part + std::string(scope_mark) + form;
    if (!part->empty())
      forms.push_back(form);
  }
  forms.push_back(name);
  forms.push_back(whole.substr(begin));
  forms.push_back(whole);
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return forms;
}

// By whole name, what the functions of the traces are called.
struct KnownFunctions {
  std::set<std::string> names = {};
  std::unordered_map<std::string, std::string> shortened = {};  // empty until they are asked for
};

KnownFunctions known;

void shorten_known() {
  std::unordered_map<std::string, std::size_t> uses;
  for (const auto& name : known.names)
    for (auto& form : list_forms(name))
      ++uses[std::move(form)];
  for (const auto& name : known.names) {
    auto forms = list_forms(name);
    const auto own =
        std::find_if(forms.begin(), forms.end(), [&](const auto& form) { return uses[form] == 1; });
    known.shortened[name] = own == forms.end() ? name : std::move(*own);
  }
}

}  // namespace

void know_functions(const std::vector<Function>& functions) {
  for (const auto& function : functions)
    known.names.insert(make_printable(function.shown_name()));
  known.shortened.clear();
}

std::string shorten_functions(const std::string& name) {
  if (known.shortened.empty())
    shorten_known();
  constexpr std::array<std::string_view, 2> arrows{" > ", " → "};
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= name.size(); ++at) {
    const auto arrow = std::find_if(arrows.begin(), arrows.end(), [&](std::string_view one) {
      return name.compare(at, one.size(), one) == 0;
    });
    if (arrow == arrows.end() && at < name.size())
      continue;
    const auto found = known.shortened.find(name.substr(begin, at - begin));
    if (found == known.shortened.end())
      continue;
    out += found->second;
    begin = at;
    if (arrow != arrows.end()) {
      out += *arrow;
      begin += arrow->size();
      at = begin - 1;
    }
  }
  return out + name.substr(begin);
}

std::string show_group(const Plan& plan, std::size_t group) {
  return shows_all() ? describe_group(plan, group) : label_group(plan, group);
}

std::string fit_name(const std::string& name, std::size_t most) {
  if (choose_name_length() == NameLength::whole)
    return name;
  auto shown = shorten_functions(name);
  return shows_all() ? shown : shorten_name(shown, most);
}

std::string list_ranks(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::vector<std::uint64_t> ranks;
  for (auto p : processes)
    if (plan.processes[p].rank)
      ranks.push_back(*plan.processes[p].rank);

  sort_and_unite(ranks);

  return to_ranges(ranks);
}

}  // namespace tracefold
