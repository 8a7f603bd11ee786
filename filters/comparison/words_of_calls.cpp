#include "filters/comparison/cause_words.hpp"

#include "base/spelling.hpp"
#include "model/profile/time_metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace tracefold {

std::string CauseWords::describe_calls(const OtherCalls& change, ClassIndex most) const {
  using Kind = OtherCalls::Kind;
  return change.kind == Kind::moved   ? describe_moved(change)
         : change.kind == Kind::often ? describe_often(change.in_b, change.caller)
         : change.in_a.empty()        ? describe_calls_of(change.in_b, 1, change.caller, most)
         : change.in_b.empty()        ? describe_calls_of(change.in_a, 0, change.caller, most)
                                      : describe_replaced(change, most);
}

const OtherCalls* CauseWords::find_change(ClassIndex of) const {
  const auto at = std::find_if(changes_.begin(), changes_.end(), [&](const OtherCalls& one) {
    return std::find(one.classes.begin(), one.classes.end(), of) != one.classes.end();
  });
  return at == changes_.end() ? nullptr : &*at;
}

std::string CauseWords::describe_visits(ClassIndex of) const {
  const auto* change = find_change(of);
  return change && change->kind == OtherCalls::Kind::often ? describe_calls(*change, of) : "";
}

// Where the callers have the same name, those above them tell the difference.
std::string CauseWords::describe_moved(const OtherCalls& change) const {
  const auto of = calls_.nodes[change.in_a.front()].of;
  std::vector<ClassIndex> gone, come;
  const bool is_one = change.in_a.size() == 1 && change.in_b.size() == 1;
  auto a = calls_.nodes[change.in_a.front()].caller, b = calls_.nodes[change.in_b.front()].caller;
  bool is_above = false;
  for (; is_one && a != no_node && b != no_node && calls_.nodes[a].of == calls_.nodes[b].of;
       is_above = true) {
    a = calls_.nodes[a].caller;
    b = calls_.nodes[b].caller;
  }
  const auto add = [&](std::size_t node, std::vector<ClassIndex>& to) {
    if (node != no_node)
      to.push_back(calls_.nodes[node].of);
  };
  if (is_one) {
    add(a, gone);
    add(b, come);
  } else {
    for (auto n : change.in_a)
      add(calls_.nodes[n].caller, gone);
    for (auto n : change.in_b)
      add(calls_.nodes[n].caller, come);
    std::erase_if(come, [&](ClassIndex c) { return std::erase(gone, c) > 0; });
  }
  if (gone.empty() || come.empty())
    return {};
  const auto times_a = count_visits(change.in_a, 0), times_b = count_visits(change.in_b, 1);
  const auto by = is_above ? "below" : "by";
  return fmt::format("{} is called {} {} in B, and no longer {} {}{}", figures_.name(of), by,
                     name_functions(come, 1), by, name_functions(gone, 0),
                     times_a == times_b || times_a.empty() || times_b.empty()
                         ? ""
                         : fmt::format(" ({} → {} per process)", times_a, times_b));
}

std::string CauseWords::describe_often(const std::vector<std::size_t>& nodes,
                                       std::size_t caller) const {
  const auto first = list_told(nodes).front();
  const bool is_more = figures_.get_visits(1, first) > figures_.get_visits(0, first);
  double a = 0, b = 0;
  // The same call may be in several call paths, as where functions call themselves.
  for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
    const auto of_n = figures_.get_visits(0, n), now = figures_.get_visits(1, n);
    if (is_same_call(n, first) && (of_n == now || (now > of_n) == is_more)) {
      a += of_n;
      b += now;
    }
  }
  if (a <= 0 || b <= 0 || a == b)
    return {};
  const auto called = name_nodes(nodes, 1);
  return fmt::format("{} {} called {} as often{} ({} → {} per process)", called,
                     called.find(" and ") == std::string::npos ? "is" : "are", format_often(a, b),
                     caller == no_node ? "" : " by " + figures_.name_in(1, calls_.nodes[caller].of),
                     format_number(a), format_number(b));
}

std::string CauseWords::describe_calls_of(const std::vector<std::size_t>& nodes, std::size_t r,
                                          std::size_t caller, ClassIndex most) const {
  // Elsewhere the other run makes the call as well.
  const auto told = list_told(nodes);
  for (std::size_t n = 0; n < calls_.nodes.size(); ++n)
    if (n != told.front() && figures_.get_visits(1 - r, n) > 0 && is_same_call(n, told.front()))
      return describe_often({told.front()}, caller);

  const auto of = calls_.nodes[nodes.front()].of;
  const auto *here = r == 1 ? "B" : "A", *there = r == 1 ? "A" : "B";
  const auto by = caller == no_node ? "" : figures_.name_in(r, calls_.nodes[caller].of);
  if (nodes.size() > 1 || figures_.is_in(1 - r, of)) {
    const auto visits = count_visits(told, r);
    return fmt::format("{} calls {} in {} and not in {}{}", by.empty() ? "the program" : by,
                       name_nodes(nodes, r), here, there,
                       visits.empty() ? "" : fmt::format(" ({} per process)", visits));
  }
  const auto where = describe_callers(most, r);
  const auto time = fmt::format("{}{}: {}{}", most == of ? "" : ", with " + figures_.name(most),
                                where, format_time_of(figures_.get_time(r, most)),
                                where.empty()               ? " per process"
                                : where.ends_with(" alone") ? ""
                                                            : " each");
  return r == 1 ? fmt::format("{} is new in B{}{}", figures_.name(of),
                              by.empty() ? "" : ", called by " + by, time)
                : fmt::format("{} is not called in B{}{}", figures_.name(of),
                              by.empty() ? "; in A it is" : fmt::format("; in A {} calls it", by),
                              time);
}

std::string CauseWords::describe_replaced(const OtherCalls& change, ClassIndex most) const {
  const auto a = calls_.nodes[change.in_a.front()].of, b = calls_.nodes[change.in_b.front()].of;
  const auto by =
      change.caller == no_node ? "" : figures_.name_in(1, calls_.nodes[change.caller].of);
  // What waits takes its time for another reason than the functions that are told.
  const auto times = figures_.waits(most) ? std::string() : describe_times_of(change);
  const bool is_one = change.in_a.size() == 1 && change.in_b.size() == 1 && !by.empty();
  const auto has_below = [&](std::size_t node, ClassIndex of, std::size_t r) {
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n)
      if (calls_.nodes[n].caller == node && calls_.nodes[n].of == of &&
          figures_.get_visits(r, n) > 0)
        return true;
    return false;
  };
  if (is_one && !figures_.is_in(0, b) && has_below(change.in_b.front(), a, 1))
    return fmt::format("{} is new in B, between {} and {}{}", figures_.name(b), by,
                       figures_.name(a), times);
  if (is_one && !figures_.is_in(1, a) && has_below(change.in_a.front(), b, 0))
    return fmt::format("{} is not called in B; in A it is between {} and {}{}", figures_.name(a),
                       by, figures_.name(b), times);

  auto out = by.empty() ? fmt::format("B calls {} where A calls {}", name_nodes(change.in_b, 1),
                                      name_nodes(change.in_a, 0))
                        : fmt::format("{} calls {} in B where it calls {} in A", by,
                                      name_nodes(change.in_b, 1), name_nodes(change.in_a, 0));
  if (figures_.waits(most) && out.find(figures_.name(most)) == std::string::npos)
    out += ", most of it in " + figures_.name(most);
  return out + times;
}

bool CauseWords::is_same_call(std::size_t node, std::size_t other) const {
  const auto &a = calls_.nodes[node], &b = calls_.nodes[other];
  return a.of == b.of && (a.caller == no_node) == (b.caller == no_node) &&
         (a.caller == no_node || calls_.nodes[a.caller].of == calls_.nodes[b.caller].of);
}

std::vector<std::size_t> CauseWords::list_told(std::vector<std::size_t> nodes) const {
  // What calls MPI says more than what it calls there.
  const auto is_mpi = [&](std::size_t n) {
    return is_mpi_time(calls_.names.classes[calls_.nodes[n].of].time);
  };
  if (!std::all_of(nodes.begin(), nodes.end(), is_mpi))
    std::erase_if(nodes, is_mpi);
  return nodes;
}

std::string CauseWords::count_visits(const std::vector<std::size_t>& nodes, std::size_t r) const {
  std::set<std::string> counts;
  for (auto n : nodes)
    counts.insert(format_number(figures_.get_visits(r, n)));
  return counts.size() == 1 ? *counts.begin() : "";
}

std::string CauseWords::name_nodes(const std::vector<std::size_t>& nodes, std::size_t r) const {
  std::vector<ClassIndex> of;
  for (auto n : list_told(nodes))
    of.push_back(calls_.nodes[n].of);
  return name_functions(of, r);
}

std::string CauseWords::name_functions(const std::vector<ClassIndex>& of, std::size_t r) const {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (auto c : of) {
    auto one = figures_.name_in(r, c);
    // Lists of processes have no room beside each other.
    const auto where = figures_.is_in(1 - r, c) ? "" : describe_callers(c, r);
    if (!where.empty() && (of.size() == 1 || where.ends_with(" alone")))
      one += " (" + where.substr(1) + ")";
    if (std::find(names.begin(), names.end(), one) == names.end())
      names.push_back(std::move(one));
  }
  if (names.size() < 2 || names.size() > most)
    return list_some(names, most);
  const auto last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string CauseWords::describe_times_of(const OtherCalls& change) const {
  double a = 0, b = 0;
  std::array<std::set<std::size_t>, 2> processes;
  for (auto c : change.classes)
    if (!figures_.waits(c)) {
      a += figures_.get_total(0, c, Measure::time);
      b += figures_.get_total(1, c, Measure::time);
      for (std::size_t r = 0; r < 2; ++r)
        for (const auto& one : runs_.by_class[r][c])
          processes[r].insert(one.process);
    }
  if (a <= 0 || b <= 0)
    return {};
  std::array<double, 2> counts{};
  for (std::size_t r = 0; r < 2; ++r)
    for (auto p : processes[r])
      counts[r] += static_cast<double>(runs_.run(r).plan.processes[p].weight);
  return fmt::format(": {} → {} per process", format_time_of(a / counts[0]),
                     format_time_of(b / counts[1]));
}

}  // namespace tracefold
