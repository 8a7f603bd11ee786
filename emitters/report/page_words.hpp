// Words that several sections of a report page have. Pure. Texts are not escaped unless that is
// said.
#pragma once

#include "model/report/report.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

std::string begin_with_capital(std::string text);

// "good", "fair" or "poor".
const char* rate_efficiency(double value);

// A sentence, as HTML: what the fold costs, or that nothing was left out.
std::string describe_fold(const Report& report);

// "rank 3", of a place in the plan.
std::string name_report_process(const Report& report, std::size_t process);

// The part of the run that functions and calls are of: "the main loop".
std::string describe_function_part(const Report& report);

// What the style of the page calls what a function does: "mpi", "computation", ….
const char* choose_style(Paradigm paradigm);

// "<p class="unknown">…</p>": what is not known, and why.
std::string write_unknown(const std::string& sentence);

// A bar from 0 to `most`, as an inline picture that screen readers skip. The range is drawn as a
// box from its least to its most with a mark at its mean.
std::string draw_range(const ReportRange& range, double most);
// A bar of a length, of which a part is marked.
std::string draw_share(double length, double part, double most);

// A list as "1-6,8" or "calls a, b; lacks c", as HTML: cut behind one of its items where it is
// longer than `most`, with a title that has all of it. It may be broken behind commas.
std::string show_list(const std::string& list, std::size_t most);

// "12 groups more are not in this table.", a paragraph; nothing where all are.
std::string describe_rest(std::size_t shown, std::size_t all, const std::string& what);

}  // namespace tracefold
