// What all output formats share: tables of text, and numbers as people read them.
//
// The outputs of a subject lie together in one pair of files, <folder>/<subject>_formats.*, with
// one function for each format: to_table, to_csv, to_json, to_dot, to_svg, to_graphml, to_cxt. They
// take plain data of the model and give text; no function here writes a file. A new format is one
// more function there. Rows of which several formats have the same values are a Table
// (emitters/table.hpp).
//
// What holds for all of them: names from traces may contain anything. In tables control characters
// become '?', CSV quotes fields as RFC 4180 says, and bytes that are no UTF-8 become U+FFFD
// everywhere. CSV and JSON give times in seconds; a trace without a clock counts as one of 10^9
// ticks a second. Ids of locations are text in JSON, since not every reader has integers of 64
// bits.
#pragma once

#include "base/text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

using TableRows = std::vector<std::vector<std::string>>;

struct TableShape {
  // So many of the last columns are aligned to the left, and the others to the right; none: numbers
  // are on the right.
  std::optional<std::size_t> left_columns = {};
  // Headings of columns that may be left out where there is no room for all, in this order.
  std::vector<std::string> less_important = {};
};

// The rows with their columns aligned. The first row is the heading. Where lines may not be wide
// (emitters/layout.hpp), long names and lists are shortened, then columns are left out, which a
// line below tells; numbers always stay whole.
std::string text_table(TableRows rows, const TableShape& shape = {});
// Whether no line of the table is wider than lines may be without anything left out.
bool fits_line(const TableRows& rows);

// A square table of numbers from 0 to 1. Rows and columns are numbered from 0. Where it is too wide
// for a line there is a line that tells that.
std::string matrix_table(const std::string& title, const std::vector<std::vector<double>>& values);
inline constexpr std::size_t largest_matrix = 20;  // rows that a table for people may have

// A similarity or subsumption with two decimals. "1.00" stands for 1 alone: what is less, and would
// be rounded to it, is "0.99". Averages of 1 may differ from it by their rounding error.
std::string show_similarity(double value);

// "81 %", with a decimal below 10 % and where it is nearly all; "0 %" is exact, and "100 %" is at
// least 99.95 %.
std::string show_percent(double share);

// How much more the second amount is than the first, which is not 0: "+12.5 %", "-3.0 %", "0.0 %".
// "<-99.9 %" is nearly all, and "-100.0 %" all.
std::string show_growth(double a, double b);

// "a, b, c"
std::string join_names(const std::vector<std::string>& names);

// A number in a table: in groups of three digits for people, "1 234 567", or with its digits alone
// where a program may read the table (TextLayout::groups_digits).
std::string show_count(std::uint64_t n);

// Ticks of the plan's clock in a unit that fits: "1.23 ms".
std::string format_time(const Plan& plan, std::uint64_t ticks);
std::string format_seconds(double seconds);

// A group in a line of text: with whole names of functions where lines may be of any width.
std::string show_group(const Plan& plan, std::size_t group);

// A name in a line of text: of at most so many characters where lines may not be wide.
std::string fit_name(const std::string& name, std::size_t most);

// Ranks in MPI of processes, each once, as "0-6:2,9"; empty where they have none.
std::string list_ranks(const Plan& plan, const std::vector<std::size_t>& processes);

}  // namespace tracefold
