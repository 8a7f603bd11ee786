#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

namespace {

// Calls with so large a part of the time of the longest one are open, so that what takes long is
// seen.
constexpr double least_open_share = 0.1;

class CallTree {
 public:
  explicit CallTree(const std::vector<ReportCall>& calls) : calls_(calls) {
    for (const auto& call : calls)
      most_ = std::max(most_, call.inclusive);
  }

  // The callees of a call, from the next one in the list on.
  std::string write(std::optional<std::size_t> caller = {}) {
    std::string out = "<ul>";
    while (next_ < calls_.size() && calls_[next_].caller == caller)
      out += "<li>" + write_call() + "</li>\n";
    if (const auto left_out = caller ? calls_[*caller].left_out : 0; left_out > 0)
      out += fmt::format("<li class=\"rest\">{} more</li>\n", show_count(left_out));
    return out + "</ul>";
  }

 private:
  std::string write_call() {
    const auto at = next_++;
    const auto& call = calls_[at];
    const auto row = fmt::format("{}<span class=\"{}\">{}</span><span>{}</span><span>{}</span>",
                                 write_name(call.name), choose_style(call.kind),
                                 draw_share(call.inclusive, call.exclusive, most_),
                                 format_seconds(call.inclusive), format_seconds(call.exclusive));
    const bool has_callees = next_ < calls_.size() && calls_[next_].caller == at;
    if (!has_callees && call.left_out == 0)
      return fmt::format("<div class=\"call\" data-call=\"{}\">{}</div>", at, row);
    return fmt::format(
        "<details{}><summary class=\"call\" data-call=\"{}\">{}</summary>{}</details>",
        call.inclusive >= least_open_share * most_ ? " open" : "", at, row, write(at));
  }

  const std::vector<ReportCall>& calls_;
  double most_ = 0;
  std::size_t next_ = 0;
};

// What the colours of the bars mean.
std::string write_call_legend(const std::vector<ReportCall>& calls) {
  std::map<std::string, std::string> names;  // by style
  for (const auto& call : calls) {
    const std::string style = choose_style(call.kind);
    names.emplace(style, style == "mpi" ? "MPI" : name_paradigm(call.kind));
  }
  std::string out;
  for (const auto& [style, name] : names)
    out += fmt::format("<li class=\"{}\">{}</li>", style, name);
  return "<ul class=\"kinds\">" + out + "</ul>\n";
}

}  // namespace

std::string write_calls_section(const Report& report) {
  std::string out = "<section id=\"calls\"><h2>Call tree</h2>\n";
  if (report.calls.empty())
    return out + write_unknown("No calls were recorded.") + "</section>\n";
  return out +
         fmt::format(
             "<p class=\"key\">Time of all processes in {}: with what a call calls (inclusive), "
             "and "
             "the part of it in the call itself (exclusive, in full colour).</p>\n"
             "<div class=\"view\" data-view=\"calls\"></div>\n<div class=\"calls\">"
             "<div class=\"call head\"><span>call path</span><span></span><span>inclusive</span>"
             "<span>exclusive</span></div>\n{}</div>\n",
             escape_html(describe_function_part(report)), CallTree(report.calls).write()) +
         write_call_legend(report.calls) + "</section>\n";
}

}  // namespace tracefold
