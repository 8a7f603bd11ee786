// The one exception type, and the place where warnings go.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
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

// Collects warnings: each kind of oddity is kept once, with the first example
// and a count. Thread-safe. What is listed does not depend on which thread
// came first: of one kind the smallest example counts.
class Diagnostics {
 public:
  void warn(const std::string& kind, const std::string& example = {}, std::uint64_t times = 1) {
    std::lock_guard lock(mutex_);
    add(found_, kind, example, times);
  }
  // Like a warning, but of nothing that is wrong: shown where details are asked for.
  void detail(const std::string& kind, const std::string& example = {}, std::uint64_t times = 1) {
    std::lock_guard lock(mutex_);
    add(details_, kind, example, times);
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

 private:
  struct Oddity {
    std::string example;
    std::uint64_t times = 0;
  };
  using Oddities = std::map<std::string, Oddity>;

  static void add(Oddities& to, const std::string& kind, const std::string& example,
                  std::uint64_t times) {
    auto [at, fresh] = to.try_emplace(kind, Oddity{example, 0});
    if (!fresh && example < at->second.example)
      at->second.example = example;
    at->second.times += times;
  }
  static std::vector<std::string> list_lines(const Oddities& oddities) {
    std::vector<std::string> lines;
    for (const auto& [kind, oddity] : oddities) {
      std::string line = kind;
      if (!oddity.example.empty())
        line += ": " + oddity.example;
      if (oddity.times > 1)
        line += ", " + std::to_string(oddity.times) + " times";
      lines.push_back(line);
    }

    return lines;
  }

  mutable std::mutex mutex_;
  Oddities found_, details_;
  std::vector<std::string> notes_;
};

}  // namespace tracefold
