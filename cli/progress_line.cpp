#include "cli/progress_line.hpp"

#include "base/text.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold::cli {

namespace {

// What is done in a pass, for people.
constexpr auto pass_words = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"align", "reading two processes"},
    {"cluster", "comparing iterations"},
    {"correlate", "correlating"},
    {"expand", "expanding"},
    {"export", "reading events"},
    {"halo", "finding partners"},
    {"iterations", "finding iterations"},
    {"map", "measuring iterations"},
    {"profile", "reading calls"},
    {"read", "counting records"},
    {"rewrite", "writing"},
    {"structure", "checking the structure"},
    {"sum", "measuring all processes"},
    {"times", "finding times"},
    {"verify", "verifying"},
    {"window", "looking for the time that counts"},
});

std::string_view describe_pass(std::string_view pass) {
  for (const auto& [name, words] : pass_words)
    if (name == pass)
      return words;
  return pass;
}

struct CommandSteps {
  std::string_view command;
  std::vector<WorkStep> steps;
};

// The readings of each command in their order. Shares are as the times that they took of a trace of
// 128 locations, with what is computed behind them. Most traces need only some of them.
const std::vector<CommandSteps>& list_command_steps() {
  static const std::vector<CommandSteps> all{
      {"reduce",
       {{"window", 1},
        {"profile", 35},
        {"iterations", 0.1},
        {"cluster", 14},
        {"cluster", 12},
        {"cluster", 18},
        {"halo", 0.1},
        {"halo", 0.1},
        {"halo", 6},
        {"rewrite", 1},
        {"rewrite", 1},
        {"rewrite", 8}}},
      {"write",
       {{"window", 1},
        {"sum", 25},
        {"cluster", 10},
        {"sum", 5},
        {"sum", 10},
        {"halo", 0.1},
        {"halo", 0.1},
        {"halo", 6},
        {"rewrite", 1},
        {"rewrite", 1},
        {"rewrite", 8}}},
      {"filter", {{"times", 1}, {"window", 3}, {"window", 6}}},
      {"report", {{"profile", 16}, {"sum", 0.1}, {"sum", 6}, {"sum", 18}}},
      {"summary", {{"profile", 16}, {"sum", 0.1}, {"sum", 6}, {"sum", 18}}},
      {"iterations", {{"profile", 15}, {"map", 10}, {"cluster", 5}, {"cluster", 12}}},
      {"matrix", {{"profile", 1}, {"sum", 1}, {"sum", 8}}},
      {"correlate", {{"profile", 1}, {"correlate", 1}, {"correlate", 4}, {"correlate", 7}}},
      {"compare",
       {{"profile", 30},
        {"iterations", 1},
        {"iterations", 1},
        {"iterations", 1},
        {"iterations", 1},
        {"iterations", 1},
        {"iterations", 1}}},
      {"export",
       {{"window", 1},
        {"export", 10},
        {"export", 3},
        {"export", 4},
        {"export", 4},
        {"profile", 4},
        {"profile", 4},
        {"sum", 6},
        {"profile", 4},
        {"map", 4}}},
      {"expand", {{"expand", 6}, {"expand", 3}, {"expand", 9}}},
      {"verify",
       {{"verify", 1},
        {"verify", 7},
        {"verify", 0.5},
        {"verify", 3},
        {"verify", 3},
        {"verify", 3},
        {"verify", 0.5},
        {"verify", 1},
        {"verify", 1},
        {"verify", 1},
        {"verify", 4},
        {"structure", 1}}},  // all that is read without --against
      {"info", {{"read", 1}}},
  };
  return all;
}

// All other commands read once.
std::vector<WorkStep> list_steps(std::string_view command) {
  for (const auto& one : list_command_steps())
    if (one.command == command)
      return one.steps;
  return {{"window", 1}, {"profile", 20}};
}

// As in "8 s", "4 min" or "2 h 10 min".
std::string format_time_left(double seconds) {
  const auto whole = static_cast<std::size_t>(std::ceil(seconds));
  const auto minutes = (whole + 59) / 60;
  if (whole <= 90)
    return fmt::format("{} s left", whole);
  if (minutes < 120)
    return fmt::format("{} min left", minutes);
  return fmt::format("{} h {} min left", minutes / 60, minutes % 60);
}

// How wide the line may be: the last column stays free, since some terminals break the line there.
std::size_t measure_line() {
  struct winsize size {};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::min<std::size_t>(is_known ? size.ws_col : page_columns, page_columns) - 1;
}

constexpr double seconds_between = 0.1;

}  // namespace

ProgressLine::ProgressLine(const std::string& command) : progress_(list_steps(command)) {}

void ProgressLine::begin_trace(std::size_t trace, std::size_t traces) {
  const std::lock_guard lock(mutex_);
  progress_.begin_part(trace, traces);
}

void ProgressLine::name_trace(const std::string& name) {
  const std::lock_guard lock(mutex_);
  trace_ = name;
}

void ProgressLine::show(const std::string& pass, std::size_t done, std::size_t all,
                        double seconds) {
  if (all == 0)  // nothing is to be read
    return;

  const std::lock_guard lock(mutex_);
  if (done == 0)
    progress_.begin_step(pass, seconds);
  else
    progress_.advance(static_cast<double>(done) / static_cast<double>(std::max(all, done)),
                      seconds);
  if (last_drawn_ >= 0 && seconds - last_drawn_ < seconds_between)
    return;

  // The whole is done when the result is there.
  const auto percent = std::min(std::floor(progress_.share() * 100), 99.0);
  const auto left = progress_.seconds_left();
  auto line = fmt::format("{:.0f} %{}: {}{}, {} of {} locations", percent,
                          left ? ", " + format_time_left(*left) : "", describe_pass(pass),
                          trace_.empty() ? "" : " (" + trace_ + ")", done, all);
  if (measure_width(line) > measure_line())
    line = shorten(line, measure_line());
  print_error("\r\033[K" + line);
  last_drawn_ = seconds;
  is_drawn_ = true;
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_drawn_, false))
    print_error("\r\033[K");
}

}  // namespace tracefold::cli
