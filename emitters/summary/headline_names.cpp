#include "emitters/summary/headline_names.hpp"

#include "base/text.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t longest_call = 48;

}  // namespace

HeadlineNames::HeadlineNames(const Summary& summary, NameLength length)
    : summary_(summary), length_(length), plan_() {
  plan_.processes = summary.processes;
}

std::string HeadlineNames::show_function(const std::string& name) const {
  const auto shown = make_printable(name);
  return length_ == NameLength::whole ? shown
                                      : shorten_name(shorten_functions(shown), longest_call);
}

std::string HeadlineNames::show_call(const NamedCall& call) const {
  auto out = show_function(call.function);
  if (!call.caller.empty())
    out += fmt::format(", called by {}", show_function(call.caller));
  return out;
}

std::string HeadlineNames::name(const std::vector<std::size_t>& who) const {
  if (who.size() == 1)
    return name_process(plan_.processes[who.front()]);
  auto ascending = who;
  std::sort(ascending.begin(), ascending.end());
  auto list = list_places(plan_, ascending);
  // A long list is not read.
  constexpr std::size_t longest_list = 60;
  if (list.size() > longest_list && are_ranks(ascending))
    return fmt::format("{} ranks ({}, {}, … {})", show_count(ascending.size()),
                       *plan_.processes[ascending[0]].rank, *plan_.processes[ascending[1]].rank,
                       *plan_.processes[ascending.back()].rank);
  // A step is read less easily than a few numbers.
  constexpr std::size_t few = 8;
  if (list.find(':') != list.npos && who.size() <= few && are_ranks(who))
    return list_ranks(who);
  const bool has_ranks = plan_.processes[who.front()].rank && list.front() <= '9';
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words{
      {{"location ", "locations "}, {"process ", "processes "}, {"thread ", "threads "}}};
  for (const auto& [one, several] : words)
    if (!has_ranks && list.starts_with(one))
      return std::string(several) + list.substr(one.size());
  // Threads of one rank: "rank 5 threads 4-7".
  constexpr std::string_view of_thread = " thread ";
  if (const auto at = list.find(of_thread);
      has_ranks && at == list.find_first_not_of("0123456789") && at == list.rfind(of_thread))
    return fmt::format("rank {} threads {}", list.substr(0, at),
                       list.substr(at + of_thread.size()));
  return fmt::format("{}{}", has_ranks ? "ranks " : "", list);
}

std::string HeadlineNames::name_threads(const std::vector<std::size_t>& who) const {
  const auto is_master = [&](const RankTimes& rank) { return rank.master == who.front(); };
  if (!summary_.finding.is_thread_number)
    return who.size() == 1 && summary_.has_ranks &&
                   std::any_of(summary_.ranks.begin(), summary_.ranks.end(), is_master)
               ? "the main thread of " + name(who)
               : name(who);
  std::vector<std::uint64_t> numbers;
  for (auto p : who)
    numbers.push_back(plan_.processes[p].thread);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (who.size() == 1 && summary_.finding.culprit == Culprit::idle_threads)
    return name(who);
  const auto list = fmt::format("{}", fmt::join(numbers, ", "));
  const auto word = numbers.size() == 1 ? "thread" : "threads";
  const bool are_all =
      summary_.finding.culprit != Culprit::idle_threads || who.size() % summary_.ranks.size() == 0;
  if (summary_.ranks.size() == 1 || !are_all)
    return name(who);
  return fmt::format("{} {} of each {}", word, list, summary_.has_ranks ? "rank" : "process");
}

std::string HeadlineNames::name_each(const std::vector<std::size_t>& who) const {
  constexpr std::size_t few = 8;
  return who.size() == 1 || who.size() > few || !are_ranks(who) ? name(who) : list_ranks(who);
}

bool HeadlineNames::are_ranks(const std::vector<std::size_t>& who) const {
  return std::all_of(who.begin(), who.end(), [&](std::size_t p) {
    return plan_.processes[p].rank && plan_.processes[p].is_mpi_endpoint;
  });
}

std::string HeadlineNames::list_ranks(const std::vector<std::size_t>& who) const {
  std::vector<std::uint64_t> ranks;
  for (auto p : who)
    ranks.push_back(*plan_.processes[p].rank);
  std::sort(ranks.begin(), ranks.end());
  return fmt::format("ranks {}", fmt::join(ranks, ","));
}

std::string HeadlineNames::name_streams(const std::vector<std::size_t>& streams) const {
  if (streams.size() != 1)
    return fmt::format("{} streams", show_count(streams.size()));
  const auto& stream = plan_.processes[streams.front()];
  auto out =
      stream.name.empty() ? fmt::format("location {}", stream.id) : show_function(stream.name);
  if (stream.rank && summary_.ranks.size() > 1)
    out += fmt::format(" of rank {}", *stream.rank);
  return out;
}

std::string HeadlineNames::show_kernel(const WaitedKernel& kernel) const {
  return fmt::format("kernel {} on {}", show_function(kernel.name), name_streams(kernel.streams));
}

const char* HeadlineNames::name_kind() const {
  const bool is_one = summary_.ranks.size() == 1;
  return summary_.has_ranks ? (is_one ? "the rank" : "ranks")
                            : (is_one ? "the process" : "processes");
}

const char* HeadlineNames::end_verb() const {
  return summary_.ranks.size() == 1 ? "s" : "";
}

std::string HeadlineNames::short_name(std::size_t process) const {
  const auto& one = plan_.processes[process];
  return one.rank ? std::to_string(*one.rank) : std::to_string(one.id);
}

}  // namespace tracefold
