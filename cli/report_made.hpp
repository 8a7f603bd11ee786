// What commands that wrote a trace tell programs of it: how much smaller it became, and what was
// left out. What they tell people is in cli/ending.hpp. "Before" is the trace that was read, but
// that only those events are counted that filters leave, where there are any.
#pragma once

#include "cli/printing.hpp"
#include "pipeline/reduce/reduce.hpp"

#include <optional>
#include <string>

namespace tracefold::cli {

// {"KIND": 1, …}, with the representatives where the plan has any.
std::string summarize_as_json(const Session& session, const char* kind, const Reduction& made);
// Rows of locations, events and bytes.
std::string summarize_as_csv(const Reduction& made);

// With --verbose, how writing went.
void report_rewrite(const Session& session, const Reduction& made);
// Prints what is said of a trace that is complete in the folder `written`, where it is not empty: a
// summary that cannot be printed is no failure then, unless a program has asked for it.
void print_summary(Session& session, const std::string& text, const std::optional<Format>& format,
                   const std::string& written);
// The same of commands whose stdout is for a format that was asked for: else the summary goes to
// stderr, and nowhere where the session is quiet.
void report_summary(Session& session, const std::string& text, const std::optional<Format>& format,
                    const std::string& written);

}  // namespace tracefold::cli
