// How results are printed: in the format that was asked for, and a drawing where it was asked for.
#pragma once

#include "cli/options.hpp"
#include "cli/session.hpp"
#include "emitters/layout.hpp"
#include "model/plan.hpp"

#include <optional>
#include <string>

namespace tracefold::cli {

// The text in this format, a table by default; each is made by a function.
template <class Table, class Csv, class Json>
std::string format_as(const std::optional<Format>& format, Table to_table, Csv to_csv,
                      Json to_json) {
  switch (format.value_or(Format::table)) {
    case Format::csv: return to_csv();
    case Format::json: return to_json();
    case Format::table: break;
  }

  return to_table();
}

// Prints it; of a team, only the first member makes the text.
template <class Table, class Csv, class Json>
void print_as(const Session& session, const std::optional<Format>& format, Table to_table,
              Csv to_csv, Json to_json) {
  session.clear_line();
  if (is_first_member())
    print(format_as(
        format, [&] { return wrap_lines(to_table()); }, to_csv, to_json));
}

// Prints what to_table(), to_csv() and to_json() make of these values.
template <class... Values>
void print_result(const Session& session, const std::optional<Format>& format,
                  const Values&... values) {
  print_as(
      session, format, [&] { return to_table(values...); }, [&] { return to_csv(values...); },
      [&] { return to_json(values...); });
}

// The format in which a plan is printed: its table is the default on a terminal.
inline Format choose_plan_format(const std::optional<Format>& format) {
  return format.value_or(stdout_is_terminal() ? Format::table : Format::json);
}

// Prints the plan, or what is asked for instead.
template <class Table, class Csv>
void print_plan(const Session& session, const Plan& plan, const std::optional<Format>& format,
                Table to_table, Csv to_csv) {
  session.clear_line();
  if (!is_first_member())
    return;
  switch (choose_plan_format(format)) {
    case Format::table: print(wrap_lines(to_table())); break;
    case Format::csv: print(to_csv()); break;
    case Format::json: write_json(plan, print); break;
  }
}

// One word of a command that is shown, whatever is in it.
std::string quote_for_shell(const std::string& word);

// Puts a drawing where the options say, and notes where `what` is now.
void put_drawing(const Session& session, const DrawingOptions& options, const std::string& svg,
                 const std::string& what);

}  // namespace tracefold::cli
