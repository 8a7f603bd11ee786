#include "pipeline/replay/section_times.hpp"

#include "base/averages.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_units = 40, least_units = 6;
constexpr std::size_t most_times = std::size_t{1} << 22;  // of a unit
constexpr std::size_t most_of_all = std::size_t{1} << 24;

void add(std::vector<double>& times, std::size_t place, double ticks) {
  if (times.size() <= place)
    times.resize(place + 1);
  times[place] += ticks;
}

class SectionSums {
 public:
  SectionSums(const Replay& replay, const Replay::Part& part,
              const std::vector<std::size_t>& processes, const std::vector<PlayedPath>& paths)
      : replay_(replay), part_(part), processes_(processes), paths_(paths) {
    out_.unit_of.resize(paths.size());
  }

  void add_units(const std::vector<FunctionIndex>& functions, UnitRoom room) {
    const auto units = count_units();
    bool has_joined = false;  // a unit of those for which there is no room
    for (const auto function : functions)
      if (out_.units.size() < units) {
        add_units(function, units - out_.units.size());
      } else if (room == UnitRoom::all) {
        if (!std::exchange(has_joined, true))
          out_.units.push_back({function});
        for (std::size_t path = 0; path < paths_.size(); ++path)
          if (paths_[path].computes && paths_[path].function == function)
            out_.unit_of[path] = static_cast<std::uint32_t>(out_.units.size());
      }
  }

  // Where processes have other numbers of sections, or there are too many, others are tried; then
  // all are one.
  SectionTimes sum() {
    function_of_.resize(paths_.size());
    std::map<FunctionIndex, std::size_t> numbers;
    for (std::size_t path = 0; path < paths_.size(); ++path)
      if (paths_[path].computes)
        function_of_[path] =
            numbers.try_emplace(paths_[path].function, numbers.size()).first->second;
    out_.functions.resize(numbers.size());
    for (const auto& [function, number] : numbers)
      out_.functions[number].function = function;

    for (const auto ends : {SectionEnds{true, true}, {true, false}, {false, true}})
      if (sum(ends))
        return std::move(out_);
    const auto join = [](std::vector<double>& times) { times.assign(1, compute_sum(times)); };
    join(out_.lengths);
    for (auto& of : out_.functions)
      join(of.times);
    for (auto* times : list_times())
      std::for_each(times->begin(), times->end(), join);
    out_.iteration_of = {0};
    out_.iterations = 1;
    return std::move(out_);
  }

 private:
  // How many units may be told apart by section.
  std::size_t count_units() const {
    const auto& part = part_[processes_.front()];
    std::size_t sections = 1, segment = 0, call = 0;
    for (auto reader = replay_.processes()[processes_.front()].line.read();
         reader.next() && reader.begin() < part.end; ++segment) {
      const bool meets = replay_.ends_section(processes_.front(), segment, call, processes_.size());
      sections +=
          reader.end() > part.begin && (meets || reader.kind() == SegmentKind::before_iteration);
    }
    return std::clamp(most_of_all / (processes_.size() * sections), least_units, most_units);
  }
  // A unit for each path of a function, where there is room, else one for all.
  void add_units(FunctionIndex function, std::size_t room) {
    constexpr std::size_t few = 4;
    std::vector<std::size_t> own;
    for (std::size_t path = 0; path < paths_.size(); ++path)
      if (paths_[path].computes && paths_[path].function == function)
        own.push_back(path);
    const bool is_each = own.size() <= std::min(few, room);
    for (std::size_t n = 0; n < own.size(); ++n) {
      if (n == 0 || is_each)
        out_.units.push_back({function});
      out_.unit_of[own[n]] = static_cast<std::uint32_t>(out_.units.size());
    }
  }

  // Whether all processes have as many sections.
  bool sum(SectionEnds ends) {
    out_.ends = ends;
    out_.lengths.clear();
    for (auto& of : out_.functions)
      of.times.clear();
    for (auto* times : list_times())
      times->assign(processes_.size(), {});
    most_ =
        most_times / std::max<std::size_t>(std::max(processes_.size(), out_.functions.size()), 1);
    std::size_t first_count = ~std::size_t{0};
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      auto iteration_of = sum_process(k, first_count);
      if (iteration_of.empty() || (k > 0 && iteration_of != out_.iteration_of))
        return false;
      first_count = iteration_of.size();
      out_.iteration_of = std::move(iteration_of);
    }
    if (out_.iteration_of.size() > most_)
      return false;
    out_.iterations = out_.iteration_of.back() + 1;
    out_.are_iterations_alike = ends.iterations;
    out_.lengths.resize(out_.iterations);
    for (auto& of : out_.functions)
      of.times.resize(out_.iterations);
    for (auto* times : list_times())
      for (auto& of_process : *times)
        of_process.resize(out_.iteration_of.size());
    return true;
  }
  // By section its iteration; empty where there are more sections than `most`, which the first
  // process has, by whom the memory was measured.
  std::vector<std::size_t> sum_process(std::size_t k, std::size_t most) {
    const auto process = processes_[k];
    const auto& part = part_[process];
    auto since = part.begin;
    std::size_t segment = 0, call = 0, iteration = 0;
    std::vector<std::size_t> iteration_of{0};
    for (auto reader = replay_.processes()[process].line.read();
         reader.next() && reader.begin() < part.end; ++segment) {
      const bool meets = replay_.ends_section(process, segment, call, processes_.size());
      if (reader.end() <= part.begin)
        continue;
      if (iteration_of.size() > most)
        return {};
      sum_segment(k, reader, std::min(iteration_of.size() - 1, most_), std::min(iteration, most_));
      const bool is_end = reader.end() >= part.end;
      const bool begins = reader.kind() == SegmentKind::before_iteration;
      if (begins || is_end) {
        const auto end = std::min(reader.end(), part.end);
        add(out_.lengths, std::min(iteration, most_), static_cast<double>(end - since));
        since = end;
      }
      if (is_end)
        break;
      iteration += begins && out_.ends.iterations;
      if ((begins && out_.ends.iterations) || (meets && out_.ends.meetings))
        iteration_of.push_back(iteration);
    }
    return iteration_of;
  }
  void sum_segment(std::size_t k, const SegmentReader& reader, std::size_t section,
                   std::size_t iteration) {
    const auto& line = replay_.processes()[processes_[k]].line;
    reader.visit_parts([&](std::uint32_t part, std::uint64_t ticks) {
      const auto path = line.find_in_all(PartTimes::find_path(part));
      if (path >= paths_.size() || !(paths_[path].computes || paths_[path].is_of_files))
        return;
      const auto time = static_cast<double>(ticks);
      if (paths_[path].is_of_files)
        return add(out_.of_files[k], section, time);
      add(out_.of_all[k], section, time);
      add(out_.functions[function_of_[path]].times, iteration, time);
      if (out_.unit_of[path] > 0)
        add(out_.units[out_.unit_of[path] - 1].times[k], section, time);
    });
  }
  std::vector<TimesBySection*> list_times() {
    std::vector<TimesBySection*> all{&out_.of_all, &out_.of_files};
    for (auto& unit : out_.units)
      all.push_back(&unit.times);
    return all;
  }

  const Replay& replay_;
  const Replay::Part& part_;
  const std::vector<std::size_t>& processes_;
  const std::vector<PlayedPath>& paths_;
  std::vector<std::size_t> function_of_;  // by path: its place in `functions`
  std::size_t most_ = 0;                  // sections that are told apart
  SectionTimes out_;
};

}  // namespace

std::vector<double> SectionTimes::sum_by_iteration(const std::vector<double>& of_sections) const {
  std::vector<double> out(iterations);
  for (std::size_t s = 0; s < of_sections.size(); ++s)
    out[iteration_of[s]] += of_sections[s];
  return out;
}

std::vector<std::vector<double>> SectionTimes::sum_by_iteration(const TimesBySection& times) const {
  std::vector<std::vector<double>> out;
  for (const auto& of_process : times)
    out.push_back(sum_by_iteration(of_process));
  return out;
}

SectionTimes sum_sections(const Replay& replay, const Replay::Part& part,
                          const std::vector<std::size_t>& processes,
                          const std::vector<PlayedPath>& paths,
                          const std::vector<FunctionIndex>& functions, UnitRoom room) {
  SectionSums sums(replay, part, processes, paths);
  sums.add_units(functions, room);
  return sums.sum();
}

}  // namespace tracefold
