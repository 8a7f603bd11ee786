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

// "PATH: WHAT (HINT)". Whoever knows more on the way up adds it; the first
// word on each counts.
//
// Messages of the library name a setting by its field, in back quotes ("use `force` to
// replace it"): whoever shows a message puts the setting's name there as people know it,
// which in the program is its command-line option.
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

// Collects warnings: each kind of oddity comes once, with the first of the places where it was met
// and how many they are. Thread-safe. What is listed does not depend on which thread came first.
class Diagnostics {
 public:
  using Places = std::map<std::string, std::uint64_t>;  // records by place
  using Oddities = std::map<std::string, Places>;       // by kind

  // `place` is a file, a location or whatever it may be, and `records` says in how many of its
  // records the oddity is. A place that is read again may report again, and counts once.
  void warn(const std::string& kind, const std::string& place = {}, std::uint64_t records = 1);
  // Like a warning, but of nothing that is wrong: shown where details are asked for.
  void detail(const std::string& kind, const std::string& place = {}, std::uint64_t records = 1);
  void note(const std::string& words);
  // One line per kind, in the order of kinds.
  std::vector<std::string> warnings() const;
  std::vector<std::string> details() const;
  std::vector<std::string> notes() const;

  // Warnings and details as they are collected, for another process that works on the same; and
  // what it does with them, as if it had met all that itself.
  std::pair<Oddities, Oddities> collected() const;
  void add_collected(const std::pair<Oddities, Oddities>& collected);

 private:
  mutable std::mutex mutex_;
  Oddities found_, details_;
  std::vector<std::string> notes_;
};

}  // namespace tracefold
