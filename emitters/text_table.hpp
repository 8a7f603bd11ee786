// Tables of text for people: cells that are aligned, and made narrower where lines may not be wide.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
