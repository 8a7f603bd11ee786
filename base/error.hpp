// The one exception type, and the place where warnings go.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
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
  Error(ErrorKind kind, std::string what);

  Error& in(const std::string& path) &;
  Error&& in(const std::string& path) &&;
  Error& hint(const std::string& words) &;
  Error&& hint(const std::string& words) &&;

  ErrorKind kind() const { return kind_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  void compose();

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
  void warn(const std::string& kind, const std::string& place = {}, std::uint64_t records = 1);
  // Like a warning, for something that is not wrong. It is shown only where details are asked for.
  void detail(const std::string& kind, const std::string& place = {}, std::uint64_t records = 1);
  void note(const std::string& words);  // told once
  // One line per kind, in the order of kinds.
  std::vector<std::string> warnings() const;
  std::vector<std::string> details() const;
  std::vector<std::string> notes() const;

  // Warnings and details, for another process of the team to add to its own.
  std::pair<Oddities, Oddities> collected() const;
  void add_collected(const std::pair<Oddities, Oddities>& collected);

 private:
  mutable std::mutex mutex_;
  Oddities found_, details_;
  std::vector<std::string> notes_;
};

}  // namespace tracefold
