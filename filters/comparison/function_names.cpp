#include "filters/comparison/function_names.hpp"

#include "base/text.hpp"
#include "model/profile/time_metric.hpp"
#include "model/summary/accelerator_calls.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

constexpr std::array name_forms{
    NameForm::identity,  NameForm::in_file, NameForm::name, NameForm::without_clones,
    NameForm::demangled, NameForm::base,    NameForm::last};

std::string demangle(const std::string& name) {
  if (!name.starts_with("_Z"))
    return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "foo.constprop.0.isra.1" is "foo".
std::string drop_clones(std::string name) {
  static constexpr std::array<std::string_view, 8> words{
      "constprop", "isra", "part", "cold", "lto_priv", "clone", "localalias", "llvm"};
  for (;;) {
    const auto dot = name.rfind('.');
    if (dot == std::string::npos || dot == 0)
      return name;
    const auto tail = std::string_view(name).substr(dot + 1);
    const bool is_word = std::find(words.begin(), words.end(), tail) != words.end();
    if (is_word) {
      name.resize(dot);
      continue;
    }
    const auto before = name.rfind('.', dot - 1);
    if (!is_number(tail) || before == std::string::npos || before == 0)
      return name;
    const auto word = std::string_view(name).substr(before + 1, dot - before - 1);
    if (std::find(words.begin(), words.end(), word) == words.end())
      return name;
    name.resize(before);
  }
}

// Demangled names of clones end in " [clone .constprop.0]".
std::string drop_clone_notes(std::string name) {
  for (auto at = name.find(" [clone "); at != std::string::npos; at = name.find(" [clone ")) {
    const auto end = name.find(']', at);
    if (end == std::string::npos)
      break;
    name.erase(at, end - at + 1);
  }
  return name;
}

// "!$omp parallel @solver.c:88" without the line, which moves when anything above is changed.
std::string drop_line(std::string name) {
  const auto at = name.find('@');
  const auto colon = name.rfind(':');
  if (at != std::string::npos && colon != std::string::npos && colon > at &&
      is_number(std::string_view(name).substr(colon + 1)))
    name.resize(colon);
  return name;
}

// Without what is in brackets of these kinds, at any depth.
std::string drop_brackets(std::string_view name, char open, char close) {
  std::string out;
  int depth = 0;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const bool is_arrow = close == '>' && name[k] == '>' && k > 0 && name[k - 1] == '-';
    if (name[k] == open)
      ++depth;
    else if (name[k] == close && depth > 0 && !is_arrow)
      --depth;
    else if (depth == 0)
      out += name[k];
  }
  return depth == 0 ? out : std::string(name);
}

bool is_region_of_openmp(std::string_view name) {
  return name.starts_with("!$") || name.find("operator") != std::string_view::npos;
}

// Without return type, template parameters, arguments, underscores of Fortran, and case.
std::string reduce_to_base(std::string name) {
  if (is_region_of_openmp(name))
    return name;
  auto base = drop_brackets(drop_brackets(name, '(', ')'), '<', '>');
  for (const std::string_view word : {" const", " volatile", " &"})
    if (base.ends_with(word))
      base.resize(base.size() - word.size());
  while (!base.empty() && base.back() == ' ')
    base.pop_back();
  if (const auto space = base.rfind(' '); space != std::string::npos)
    base.erase(0, space + 1);
  base = to_lower(base);
  while (base.size() > 1 && base.back() == '_')
    base.pop_back();
  if (base.starts_with("pmpi_"))
    base.erase(0, 1);
  return base.empty() ? name : base;
}

// "__solver_MOD_step", "solver_mp_step_", "solver::step" and "solver.step" are "step".
std::string take_last(const std::string& base) {
  for (const std::string_view mark : {"_mod_", "_mp_", "::", "."})
    if (const auto at = base.rfind(mark);
        at != std::string::npos && at + mark.size() < base.size() && at > 0)
      return base.substr(at + mark.size());
  return base;
}

// Whether one may be the other: a kernel has the name of the function that launches it, and is
// none.
bool may_be_same(const Function& a, const Function& b) {
  const auto is_of_program = [](const Function& function) {
    return function.paradigm == otf2_value::paradigm_user ||
           function.paradigm == otf2_value::paradigm_compiler;
  };
  return !(is_of_accelerator(a) && is_of_program(b)) && !(is_of_program(a) && is_of_accelerator(b));
}

// Classes of earlier runs by the names of their functions.
class KnownNames {
 public:
  void add(const Function& function, ClassIndex of) {
    for (auto form : name_forms) {
      auto& list = by_form_[static_cast<std::size_t>(form)][write_name(function, form)];
      if (std::find(list.begin(), list.end(), of) == list.end())
        list.push_back(of);
    }
  }
  const std::vector<ClassIndex>* find(NameForm form, const std::string& name) const {
    const auto& map = by_form_[static_cast<std::size_t>(form)];
    const auto found = map.find(name);
    return found == map.end() ? nullptr : &found->second;
  }

 private:
  std::array<std::map<std::string, std::vector<ClassIndex>>, name_forms.size()> by_form_;
};

// The called functions of a run, in an order that does not depend on their numbers.
std::vector<FunctionIndex> list_called(const RunFunctions& run) {
  std::vector<FunctionIndex> out;
  for (std::size_t f = 0; f < run.functions->size(); ++f)
    if (run.is_called[f])
      out.push_back(static_cast<FunctionIndex>(f));
  std::stable_sort(out.begin(), out.end(),
                   [&](auto x, auto y) { return (*run.functions)[x] < (*run.functions)[y]; });
  return out;
}

// Which classes the functions of one more run are of.
class RunMatcher {
 public:
  RunMatcher(FunctionClasses& classes, const KnownNames& known, const RunFunctions& run)
      : classes_(classes), known_(known), run_(run), of_(run.functions->size(), no_class) {}

  std::vector<ClassIndex> match() {
    taken_.resize(classes_.classes.size());
    left_ = list_called(run_);
    for (auto form : name_forms) {
      std::map<std::string, std::size_t> counts;
      if (form == NameForm::last)
        for (auto f : left_)
          ++counts[write_name(get(f), form)];
      std::vector<FunctionIndex> still;
      for (auto f : left_) {
        const auto name = write_name(get(f), form);
        const bool is_unique = form != NameForm::last || counts[name] == 1;
        const auto found = is_unique ? choose(form, name, get(f)) : no_class;
        if (found == no_class)
          still.push_back(f);
        else
          take(f, found);
      }
      left_ = std::move(still);
    }
    return std::move(of_);
  }

 private:
  const Function& get(FunctionIndex f) const { return (*run_.functions)[f]; }
  void take(FunctionIndex f, ClassIndex of) {
    of_[f] = of;
    taken_[of] = true;
  }
  ClassIndex choose(NameForm form, const std::string& name, const Function& function) const {
    const auto* list = known_.find(form, name);
    if (!list)
      return no_class;
    std::vector<ClassIndex> free;
    for (auto of : *list)
      if (!taken_[of] && may_be_same(classes_.classes[of].first, function))
        free.push_back(of);
    if (form == NameForm::last)
      return free.size() == 1 ? free.front() : no_class;
    if (!free.empty())
      return free.front();
    // A copy counts for the function that it is of.
    return form == NameForm::without_clones && !is_region_of_openmp(name) ? list->front()
                                                                          : no_class;
  }

  FunctionClasses& classes_;
  const KnownNames& known_;
  const RunFunctions& run_;
  std::vector<ClassIndex> of_;
  std::vector<bool> taken_;  // by class: it has a function of this run
  std::vector<FunctionIndex> left_;
};

// Classes that are copies of what a class with a function of this run is: "foo.part.0" of an
// earlier run, where this one has "foo" only.
void unite_clones(FunctionClasses& out, std::size_t run) {
  std::map<std::string, ClassIndex> here;
  for (ClassIndex c = 0; c < out.classes.size(); ++c)
    if (!out.classes[c].names[run].empty())
      here.emplace(write_name(out.classes[c].first, NameForm::without_clones), c);
  for (ClassIndex c = 0; c < out.classes.size(); ++c) {
    const auto& one = out.classes[c];
    if (!one.names[run].empty() || is_region_of_openmp(one.first.name))
      continue;
    const auto found = here.find(write_name(one.first, NameForm::without_clones));
    const bool is_empty =
        std::all_of(one.names.begin(), one.names.end(), [](auto& name) { return name.empty(); });
    if (found != here.end() && found->second != c && !is_empty)
      out.unite(found->second, c);
  }
}

}  // namespace

std::string write_name(const Function& function, NameForm form) {
  switch (form) {
    case NameForm::identity:
      return function.name + '\n' + function.file + '\n' + std::to_string(function.line);
    case NameForm::in_file: return function.name + '\n' + function.file;
    case NameForm::name: return function.name;
    case NameForm::without_clones: return drop_line(drop_clone_notes(drop_clones(function.name)));
    case NameForm::demangled:
    case NameForm::base:
    case NameForm::last: break;
  }

  const auto full = drop_line(drop_clone_notes(demangle(drop_clones(function.name))));
  if (form == NameForm::demangled)
    return full;
  const auto base = reduce_to_base(full);
  return form == NameForm::base ? base : take_last(base);
}

void FunctionClasses::unite(ClassIndex one, ClassIndex other) {
  for (auto& of_run : class_of)
    std::replace(of_run.begin(), of_run.end(), other, one);
  auto& names = classes[other].names;
  for (std::size_t run = 0; run < names.size(); ++run) {
    auto& name = classes[one].names[run];
    if (name.empty())
      name = std::move(names[run]);
    names[run].clear();
  }
}

std::string simplify_name(const std::string& name) {
  Function function;
  function.name = name;
  return write_name(function, NameForm::base);
}

FunctionClasses match_functions(const std::vector<RunFunctions>& runs) {
  FunctionClasses out;
  KnownNames known;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    auto of = RunMatcher(out, known, runs[r]).match();
    const auto known_by = find_mpi_known_by(*runs[r].functions);
    for (auto f : list_called(runs[r])) {
      const auto& function = (*runs[r].functions)[f];
      if (of[f] == no_class) {
        of[f] = static_cast<ClassIndex>(out.classes.size());
        out.classes.push_back(
            {std::vector<std::string>(runs.size()), function,
             time_metric(function.paradigm, function.role, function.name, known_by)});
      }
      known.add(function, of[f]);
      auto& name = out.classes[of[f]].names[r];
      if (name.empty() || function.shown_name().size() < name.size())
        name = function.shown_name();
    }
    out.class_of.push_back(std::move(of));
    if (r > 0)
      unite_clones(out, r);
  }

  return out;
}

}  // namespace tracefold
