// One run of a command: its general options, its progress line, and the warnings and
// notes that came up. Below: stdin, from which plans come, and stdout, where results go.
#pragma once

#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "cli/progress_line.hpp"
#include "emitters/layout.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/archives/as_one.hpp"
#include "pipeline/context.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tracefold {
class Team;
}

namespace tracefold::cli {

// What this process is of a team that runs the same command (base/team.hpp).
struct Membership {
  Team* team = nullptr;   // null: it is alone
  std::size_t cores = 0;  // that it may use; 0: all
  std::size_t members_on_node = 1;
};
// Called before all else: only the first member reads stdin, prints, and writes files, and no
// stream is a terminal of somebody.
void join_team(const Membership& membership);
const Membership& membership();
bool is_first_member();

struct GeneralOptions {
  unsigned threads = 0;                   // 0: all
  std::uint64_t memory = 0;               // bytes; 0: what the system says
  std::optional<std::uint64_t> max_size;  // bytes of a trace that comes as a tar
  bool quiet = false, verbose = false, partial = false;
  bool wide = false;  // lines for people are as wide as what they hold
  ReaderKind reader = ReaderKind::own;
  bool as_one = false;       // traces are archives below folders, put together
  AsOneOptions of_archives;  // how
};

class Session {
 public:
  Session(const GeneralOptions& options, const std::string& command);
  ~Session();

  Diagnostics diagnostics;
  const GeneralOptions& options() const { return options_; }
  // What the library works with: with one progress line on a terminal, and a line with --verbose on
  // what each stage did.
  const Context& context() const { return context_; }
  // Nothing is read of stdin, since this trace is given: finish() warns where a plan came in there.
  void leave_stdin(const std::string& trace) { trace_beside_stdin_ = trace; }
  double seconds() const;
  void note(const std::string& line) const;     // on stderr, not with --quiet
  void verbose(const std::string& line) const;  // only with --verbose
  // Prints warnings and notes that came up; called once, at the end.
  void finish();
  void clear_line() const;  // the progress line, before something else is printed
  // For the progress line: the command reads this one of several traces now.
  void begin_trace(std::size_t trace, std::size_t traces) const;
  // The trace that is read now, as it was typed: so the progress line and messages call it.
  void name_trace(const std::string& trace) const;

 private:
  void tell_of_leftovers() const;

  GeneralOptions options_;
  Context context_;
  std::unique_ptr<ThreadLimit> threads_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string trace_beside_stdin_;      // empty: stdin was read, or takes no plan
  std::unique_ptr<ProgressLine> line_;  // none where nothing is drawn
};

// As many of the first bytes on stdin; fewer where there are no more. Throws Error(usage) where
// stdin is a terminal.
std::string read_stdin_begin(std::size_t bytes);
// Everything on stdin, of which this was read already. Throws Error(input) where that is nothing.
std::string read_stdin(std::string begin);
// The folder of the file that stdin is; none where it is a pipe, or the system does not tell.
std::optional<std::filesystem::path> find_stdin_folder();
// The first bytes of what is still to be read of stdin, which stay there; "" where stdin is no
// regular file.
std::string peek_stdin(std::size_t most_bytes);
// Writes to stdout; throws Error(output) where that fails, but not where the reader has
// gone.
void print(const std::string& text);
// Puts options in place of the settings that a message of the library names: "use `force`"
// becomes "use --force".
std::string name_options(const std::string& message);
// The same, paths as they were typed, the names of tars in place of where they were unpacked, and
// nothing that a terminal would take for a command.
std::string make_readable(const std::string& message);

// Writes to stderr. What cannot be written there is lost: nobody could be told.
void print_error(const std::string& text);
// The same for any member of a team.
void print_error_at_once(const std::string& text);
bool stdout_is_terminal();
bool stderr_is_terminal();
// How wide lines for people are: as the terminal on stdout, or as COLUMNS in the environment says,
// and as what they hold where there is neither or `wide` is asked for. Styles are for terminals
// only, and not where NO_COLOR is set.
TextLayout choose_text_layout(bool wide);
bool stdin_is_terminal();

}  // namespace tracefold::cli
