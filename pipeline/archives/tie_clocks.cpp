#include "pipeline/archives/tie_clocks.hpp"

#include "base/error.hpp"
#include "base/read_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t nanoseconds = 1'000'000'000;
// No run lasts a year.
constexpr std::int64_t most_seconds = 365 * 24 * 3600;

std::vector<ClockFacts> find_clocks(const FoundArchives& archives) {
  std::vector<ClockFacts> clocks;
  for (const auto& one : archives)
    clocks.push_back(read_clock_facts(one.archive->definitions()));
  return clocks;
}

// `length` of so many ticks in a second, in ticks of another clock.
std::int64_t rescale(std::int64_t length, std::uint64_t from, std::uint64_t to) {
  if (from == to)
    return length;
  return std::llrint(static_cast<long double>(length) * static_cast<long double>(to) /
                     static_cast<long double>(from));
}

std::string name_in(const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::path path(name);
  if (path.is_absolute())
    path = path.lexically_relative(folder);
  path = path.lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

// By name in the folder, in seconds.
std::map<std::string, long double> read_begins(const std::string& file,
                                               const std::filesystem::path& folder) {
  const auto text = read_file(file);
  if (!text)
    throw Error(ErrorKind::input, "no such file")
        .in(file)
        .hint("`clocks` is begin, or a file with a line 'SECONDS NAME' for each archive");
  std::map<std::string, long double> begins;
  std::istringstream lines(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    while (!line.empty() && std::string_view(" \t\r").find(line.back()) != std::string_view::npos)
      line.pop_back();
    std::istringstream words(line);
    long double seconds = 0;  // since 1970 to the nanosecond, which a double has not
    std::string name;
    if (line.empty() || line.front() == '#')
      continue;
    if (!(words >> seconds >> std::ws) || !std::getline(words, name) || !std::isfinite(seconds))
      throw Error(ErrorKind::input, fmt::format("line {} is not 'SECONDS NAME'", number))
          .in(file)
          .hint("as in '0.25 rank1/traces.otf2'");
    if (!begins.emplace(name_in(folder, name), seconds).second)
      throw Error(ErrorKind::input,
                  fmt::format("line {} says once more when {} begins", number, name))
          .in(file);
  }
  return begins;
}

// When each archive begins, from some time on.
class Begins {
 public:
  explicit Begins(FoundArchives& archives)
      : archives_(archives),
        clocks_(find_clocks(archives)),
        ticks_(choose_resolution(archives)),
        begins_(archives.size()) {}

  TiedClocks by_file(const std::string& file, const std::filesystem::path& folder) {
    require_resolution();
    const auto read = read_begins(file, folder);
    long double first = 0;
    for (const auto& [name, seconds] : read)
      first = name == read.begin()->first ? seconds : std::min(first, seconds);
    for (std::size_t k = 0; k < archives_.size(); ++k) {
      const std::filesystem::path anchor = archives_[k].name.anchor;
      auto at = read.find(anchor.string());
      if (at == read.end())
        at = read.find(anchor.parent_path().string());
      if (at == read.end())
        throw Error(ErrorKind::input, fmt::format("has no line for {}", anchor.string())).in(file);
      if (at->second - first > most_seconds)
        throw Error(ErrorKind::input, fmt::format("puts {} years behind others", anchor.string()))
            .in(file);
      begins_[k] = std::llrint((at->second - first) * static_cast<long double>(ticks_));
      archives_[k].name.clock = 0;
    }
    return finish(fmt::format("{}, said to be exact", file));
  }

  TiedClocks by_begin() {
    if (ticks_ != 0)
      require_resolution();
    for (std::size_t k = 0; k < archives_.size(); ++k)
      archives_[k].name.clock = k;
    return finish(archives_.size() == 1 ? "its own" : "their begins, taken for one time");
  }

  TiedClocks by_wall_clock() {
    if (archives_.size() == 1)
      return by_begin();
    require_resolution();
    std::int64_t first = 0;
    for (std::size_t k = 0; k < archives_.size(); ++k) {
      if (!clocks_[k].wall)
        throw Error(ErrorKind::input, "does not say when it began by the wall clock")
            .in(archives_[k].name.anchor)
            .hint("`clocks` begin lets all begin at one time, and `clocks` FILE says when");
      const auto wall = static_cast<std::int64_t>(*clocks_[k].wall);
      first = k == 0 ? wall : std::min(first, wall);
    }
    for (std::size_t k = 0; k < archives_.size(); ++k) {
      const auto behind = static_cast<std::int64_t>(*clocks_[k].wall) - first;
      if (behind / static_cast<std::int64_t>(nanoseconds) > most_seconds)
        throw Error(ErrorKind::input, "began years behind others, as its wall clock says")
            .in(archives_[k].name.anchor)
            .hint("`clocks` begin lets all begin at one time, and `clocks` FILE says when");
      begins_[k] = rescale(behind, nanoseconds, ticks_);
    }
    const auto timers = join_timers();
    return finish(timers == 1 ? "the timer of their host"
                  : timers < archives_.size()
                      ? fmt::format("{} timers of hosts, and their wall clocks", timers)
                      : "their wall clocks");
  }

 private:
  void require_resolution() const {
    for (std::size_t k = 0; k < archives_.size(); ++k)
      if (ticks_of(k) == 0)
        throw Error(ErrorKind::input, "does not say how long a tick of its timer is")
            .in(archives_[k].name.anchor)
            .hint("times in it cannot be compared with those of others");
  }

  // Archives of one host with one timer. Returns how many timers there are.
  std::size_t join_timers() {
    std::map<std::string, std::vector<std::size_t>> firsts;  // by host: one for each timer
    std::size_t timers = 0;
    for (std::size_t k = 0; k < archives_.size(); ++k) {
      auto& known = firsts[find_host(archives_[k].archive->definitions())];
      const auto same = std::find_if(known.begin(), known.end(),
                                     [&](std::size_t other) { return have_one_timer(other, k); });
      if (same == known.end()) {
        known.push_back(k);
        archives_[k].name.clock = timers++;
        continue;
      }
      archives_[k].name.clock = archives_[*same].name.clock;
      begins_[k] = begins_[*same] + rescale(measure_timer(*same, k), ticks_of(k), ticks_);
    }
    return timers;
  }

  std::uint64_t ticks_of(std::size_t k) const { return clocks_[k].ticks_per_second; }
  // From the begin of one to that of another one, in their ticks.
  std::int64_t measure_timer(std::size_t from, std::size_t to) const {
    return static_cast<std::int64_t>(clocks_[to].begin - clocks_[from].begin);
  }

  // The wall clock is read a moment after the timer, and may be set a little meanwhile. Timers that
  // begin in the first second are those of processes, not of the host.
  bool have_one_timer(std::size_t a, std::size_t b) const {
    constexpr std::int64_t most_apart = 10'000'000;  // nanoseconds
    if (ticks_of(a) != ticks_of(b) || clocks_[a].begin < ticks_of(a) ||
        clocks_[b].begin < ticks_of(b))
      return false;
    const auto by_wall = static_cast<std::int64_t>(*clocks_[b].wall - *clocks_[a].wall);
    const auto by_timer = rescale(measure_timer(a, b), ticks_of(a), nanoseconds);
    return std::abs(by_wall - by_timer) <= most_apart;
  }

  // The archive that begins first keeps its times, where ticks stay.
  TiedClocks finish(std::string words) {
    const auto first = static_cast<std::size_t>(std::min_element(begins_.begin(), begins_.end()) -
                                                begins_.begin());
    const auto begin =
        rescale(static_cast<std::int64_t>(clocks_[first].begin), ticks_of(first), ticks_);
    for (std::size_t k = 0; k < archives_.size(); ++k)
      archives_[k].name.begin = static_cast<std::uint64_t>(begin + begins_[k] - begins_[first]);
    return {ticks_, std::move(words)};
  }

  FoundArchives& archives_;
  std::vector<ClockFacts> clocks_;
  std::uint64_t ticks_;
  std::vector<std::int64_t> begins_;  // ticks of the run
};

}  // namespace

std::uint64_t choose_resolution(const FoundArchives& archives) {
  std::set<std::uint64_t> ticks;
  for (const auto& one : archives)
    ticks.insert(read_clock_facts(one.archive->definitions()).ticks_per_second);
  return ticks.size() == 1 ? *ticks.begin() : nanoseconds;
}

TiedClocks tie_clocks(FoundArchives& archives, const std::string& clocks,
                      const std::filesystem::path& folder) {
  Begins begins(archives);
  if (clocks == "begin")
    return begins.by_begin();
  return clocks.empty() ? begins.by_wall_clock() : begins.by_file(clocks, folder);
}

}  // namespace tracefold
