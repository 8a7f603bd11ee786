#include "emitters/report/report_page.hpp"

#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "base/version.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/report_data.hpp"

#include <fmt/format.h>

#include <string>

namespace tracefold {

namespace {

// What a content security policy names an element's text by.
std::string hash_for_policy(std::string_view text) {
  const auto digits = hash_text(text);
  std::string bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  return "'sha256-" + encode_base64(bytes) + "'";
}

std::string write_head(const Report& report, const PageParts& parts) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
      "style-src {}; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{} - tracefold report</title>\n<style>{}</style></head>\n<body>\n",
      hash_for_policy(parts.script), hash_for_policy(parts.style), escape_html(report.name),
      parts.style);
}

std::string write_footer(const PageParts& parts) {
  return fmt::format(
      "<footer><p>Made by tracefold {}.</p>\n<details><summary>Licences of what this page "
      "holds</summary><pre>{}</pre></details></footer>\n",
      version, escape_lines(parts.notice));
}

// Without scripts a link leads to the element whose id is its fragment: the view that it names.
void name_target(const std::string& fragment, std::string& body) {
  constexpr std::string_view begin = "#view=";
  if (!fragment.starts_with(begin))
    return;
  const auto view = fragment.substr(begin.size(), fragment.find('&') - begin.size());
  const auto mark = fmt::format("data-view=\"{}\"", view);
  if (const auto at = body.find(mark); at != body.npos)
    body.insert(at + mark.size(), fmt::format(" id=\"{}\"", escape_html(fragment.substr(1))));
}

}  // namespace

std::string write_report_page(const Report& report, const PageParts& parts) {
  const auto data = make_report_data(report);
  auto out = write_head(report, parts);
  auto body = write_page_headline(report) + "<main>\n";
  for (const auto write :
       {write_changes_section, write_overview_section, write_timeline_section, write_groups_section,
        write_critical_section, write_waits_section, write_iterations_section,
        write_functions_section, write_calls_section, write_communication_section,
        write_structure_section, write_fold_section})
    body += write(report);
  name_target(choose_finding_view(report), body);
  out += keep_numbers_whole(body);
  out += "</main>\n" + write_footer(parts);
  out += "<script type=\"application/json\" id=\"report-data\">" + data.json + "</script>\n";
  out += "<script type=\"text/plain\" id=\"report-columns\">" + data.columns + "</script>\n";
  out += "<script>";
  out += parts.script;
  return out + "</script>\n</body></html>\n";
}

}  // namespace tracefold
