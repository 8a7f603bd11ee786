// The one exception type, and the place where warnings go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// The value is the exit status.
enum class ErrorKind : int { no = 1, usage = 2, input = 3, output = 4, interrupted = 130 };

// The text is "PATH: WHAT (HINT)". Callers on the way up may add path and hint; the first that is
// added stays.
//
// The library names a setting by its field, in back quotes ("use `force` to replace it"). Whoever
// shows the message replaces that by the name that users know; in the program, that is the
// command-line option.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string what) : kind_(kind), what_(std::move(what)) { compose(); }

  Error& in(const std::string& path) & {
    if (path_.empty())
      path_ = path;
    compose();
    return *this;
  }
  Error&& in(const std::string& path) && {
    in(path);
    return std::move(*this);
  }
  Error& hint(const std::string& words) & {
    if (hint_.empty())
      hint_ = words;
    compose();
    return *this;
  }
  Error&& hint(const std::string& words) && {
    hint(words);
    return std::move(*this);
  }

  ErrorKind kind() const { return kind_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  void compose() {
    text_ = (path_.empty() ? "" : path_ + ": ") + what_ + (hint_.empty() ? "" : " (" + hint_ + ")");
  }
  ErrorKind kind_;
  std::string what_, path_, hint_, text_;
};

// Collects warnings, one for each kind of oddity, with the first place where it was found and the
// number of places. Thread-safe: the lists do not depend on the order in which threads report.
class Diagnostics {
 public:
  using Places = std::map<std::string, std::uint64_t>;  // records by place
  using Oddities = std::map<std::string, Places>;       // by kind

  // `place` is a file, a location or the like, and `records` is how many of its records are odd. A
  // place that is read twice may report twice; it counts once, with the larger number.
  void warn(const std::string& kind, const std::string& place = {}, std::uint64_t records = 1) {
    std::lock_guard lock(mutex_);
    add(found_, kind, place, records);
  }
  // Like a warning, for something that is not wrong. It is shown only where details are asked for.
  void detail(const std::string& kind, const std::string& place = {}, std::uint64_t records = 1) {
    std::lock_guard lock(mutex_);
    add(details_, kind, place, records);
  }
  void note(const std::string& words) {
    std::lock_guard lock(mutex_);
    notes_.push_back(words);
  }
  // One line per kind, in the order of kinds.
  std::vector<std::string> warnings() const {
    std::lock_guard lock(mutex_);
    return list_lines(found_);
  }
  std::vector<std::string> details() const {
    std::lock_guard lock(mutex_);
    return list_lines(details_);
  }
  std::vector<std::string> notes() const {
    std::lock_guard lock(mutex_);
    return notes_;
  }

  // Warnings and details, for another process of the team to add to its own.
  std::pair<Oddities, Oddities> collected() const {
    std::lock_guard lock(mutex_);
    return {found_, details_};
  }
  void add_collected(const std::pair<Oddities, Oddities>& collected) {
    std::lock_guard lock(mutex_);
    for (const auto& [kind, places] : collected.first)
      for (const auto& [place, records] : places)
        add(found_, kind, place, records);
    for (const auto& [kind, places] : collected.second)
      for (const auto& [place, records] : places)
        add(details_, kind, place, records);
  }

 private:
  static void add(Oddities& to, const std::string& kind, const std::string& place,
                  std::uint64_t records) {
    auto& known = to[kind][place];
    known = std::max(known, records);
  }
  // "5.evt", "2 records in 5.evt", "5.evt and 3 more", or "9 records in 4 places, first in 5.evt".
  static std::string describe(const Places& places) {
    std::uint64_t records = 0;
    for (const auto& [place, count] : places)
      records += count;

    const auto& first = places.begin()->first;
    const auto others = places.size() - 1;
    if (records == places.size())
      return first + (others ? " and " + std::to_string(others) + " more" : "");

    return std::to_string(records) + " records in " +
           (others ? std::to_string(places.size()) + " places, first in " : "") + first;
  }
  static std::vector<std::string> list_lines(const Oddities& oddities) {
    std::vector<std::string> lines;
    for (const auto& [kind, places] : oddities)
      lines.push_back(places.begin()->first.empty() ? kind : kind + ": " + describe(places));

    return lines;
  }

  mutable std::mutex mutex_;
  Oddities found_, details_;
  std::vector<std::string> notes_;
};

}  // namespace tracefold
