#include "pipeline/archives/as_one.hpp"

#include "base/interrupt.hpp"
#include "base/read_file.hpp"
#include "base/tar_reader.hpp"
#include "base/text.hpp"
#include "model/trace_name.hpp"
#include "pipeline/archives/find_traces.hpp"
#include "pipeline/archives/order_ranks.hpp"
#include "pipeline/archives/tie_clocks.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/streams/packed_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_named = 4;

std::vector<fs::path> list_anchors_of(const std::string& trace) {
  std::error_code unknown;
  if (trace == "-" || !fs::exists(trace, unknown))
    throw Error(ErrorKind::input, "no such file or folder")
        .in(trace)
        .hint("give anchor files, or the folder of several archives");
  if (!fs::is_directory(trace, unknown)) {
    if (fs::is_regular_file(trace, unknown) &&
        is_packed_trace(trace, read_file_begin(trace, longest_tar_begin)))
      throw Error(ErrorKind::input, "is packed, and only what is unpacked is put together")
          .in(trace)
          .hint("unpack it");
    return {follow_links(fs::absolute(trace).parent_path()) / fs::path(trace).filename()};
  }
  const auto found = find_traces(trace, std::chrono::steady_clock::time_point::max());
  check_stop();
  if (!found.unreadable.empty())
    throw Error(ErrorKind::input, "cannot be read: " + found.unreadable.front().second.message())
        .in(found.unreadable.front().first.string());
  if (found.traces.empty())
    throw Error(ErrorKind::input, "no trace is in this folder").in(trace);
  std::vector<fs::path> anchors;
  for (const auto& one : found.traces)
    anchors.push_back(one.anchor);
  return anchors;
}

// The folder that is given, or the innermost one that all anchors are in.
fs::path find_folder(const std::vector<std::string>& given, const std::vector<fs::path>& anchors) {
  std::error_code unknown;
  if (given.size() == 1 && fs::is_directory(given.front(), unknown))
    return follow_links(given.front());
  auto folder = anchors.front().parent_path();
  for (const auto& anchor : anchors)
    while (*anchor.lexically_relative(folder).begin() == "..")
      folder = folder.parent_path();
  return folder;
}

// What cannot be put together with the others, and why, by name.
using Unfit = std::vector<std::pair<std::string, std::string>>;

// Throws where archives may not be left out.
void leave_out(const Unfit& unfit, std::size_t left, const fs::path& folder, bool partial,
               Diagnostics& diagnostics) {
  if (unfit.empty())
    return;
  std::string words;
  for (const auto& [name, why] : unfit)
    words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", name, why);
  if (!partial)
    throw Error(ErrorKind::input,
                fmt::format("{} archive{} cannot be put together with the others: {}", unfit.size(),
                            unfit.size() == 1 ? "" : "s", words))
        .in(folder.string())
        .hint("`partial` leaves them out");
  if (left == 0)
    throw Error(ErrorKind::input, "no archive is left: " + words).in(folder.string());
  for (const auto& [name, why] : unfit)
    diagnostics.warn("archives are left out of the run", fmt::format("{}: {}", name, why));
}

FoundArchives open_all(const std::vector<fs::path>& anchors, const fs::path& folder, Unfit& unfit,
                       Diagnostics& diagnostics) {
  FoundArchives archives;
  std::size_t own = 0;
  for (const auto& anchor : anchors) {
    check_stop();
    const auto name = anchor.lexically_relative(folder).string();
    try {
      auto archive = std::make_shared<const Archive>(anchor.string(), diagnostics);
      if (was_written_by_us(archive->facts()))
        ++own;
      else
        archives.push_back({std::move(archive), {name, 0, 0, 0, {}}});
    } catch (const Error& problem) {
      if (problem.kind() != ErrorKind::input)
        throw;
      std::string why = problem.what();
      if (why.starts_with(anchor.string() + ": "))
        why.erase(0, anchor.string().size() + 2);
      unfit.emplace_back(name, why);
    }
  }
  if (own > 0)
    diagnostics.note(fmt::format("{} {} that tracefold has written {} no part of the run", own,
                                 own == 1 ? "archive" : "archives", own == 1 ? "is" : "are"));
  return archives;
}

std::set<std::string_view> list_functions(const Definitions& definitions) {
  std::set<std::string_view> names;
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::Region)
      names.insert(definitions.text(get_field<"name", DefinitionKind::Region>(d)));
  return names;
}

// Takes out such as have functions, and none of those that most archives have.
void find_other_programs(FoundArchives& archives, Unfit& unfit) {
  std::vector<std::set<std::string_view>> functions;
  std::map<std::string_view, std::size_t> uses;
  for (const auto& one : archives) {
    functions.push_back(list_functions(one.archive->definitions()));
    for (const auto& name : functions.back())
      ++uses[name];
  }
  std::erase_if(uses, [&](const auto& use) { return 2 * use.second <= archives.size(); });

  FoundArchives same;
  for (std::size_t k = 0; k < archives.size(); ++k) {
    const bool is_other = !uses.empty() && !functions[k].empty() &&
                          std::none_of(functions[k].begin(), functions[k].end(),
                                       [&](const auto& name) { return uses.contains(name); });
    if (is_other)
      unfit.emplace_back(archives[k].name.anchor, "is of another program");
    else
      same.push_back(std::move(archives[k]));
  }
  archives = std::move(same);
}

}  // namespace

std::shared_ptr<const Archive> open_as_one(const std::string& trace, const AsOneOptions& options,
                                           bool partial, Diagnostics& diagnostics) {
  auto given = options.others;
  given.insert(given.begin(), trace);
  std::vector<fs::path> anchors;
  for (const auto& one : given)
    for (auto& anchor : list_anchors_of(one))
      if (std::find(anchors.begin(), anchors.end(), anchor) == anchors.end())
        anchors.push_back(std::move(anchor));
  const auto folder = find_folder(given, anchors);

  Unfit unfit;
  auto archives = open_all(anchors, folder, unfit, diagnostics);
  find_other_programs(archives, unfit);
  leave_out(unfit, archives.size(), folder, partial, diagnostics);
  if (archives.empty())
    throw Error(ErrorKind::input,
                "tracefold has written all archives there, and puts none together")
        .in(folder.string())
        .hint("give the originals");

  const auto ranks = order_ranks(archives, options.rank_from);
  const auto clocks = tie_clocks(archives, options.clocks);
  const auto merged = merge_archives(archives, folder.string(), clocks.ticks_per_second);
  diagnostics.note(fmt::format("{} {} as one run: ranks by {}; clocks by {}",
                               group_digits(archives.size()),
                               archives.size() == 1 ? "archive" : "archives", ranks, clocks.words));
  if (merged.incomplete_communicators > 0)
    diagnostics.note(fmt::format(
        "messages with processes that are in none of the archives are cut: {} {} such",
        group_digits(merged.incomplete_communicators),
        merged.incomplete_communicators == 1 ? "communicator has" : "communicators have"));
  return merged.archive;
}

std::shared_ptr<const Archive> open_as_one(const TraceSection& trace, Diagnostics& diagnostics) {
  FoundArchives archives;
  for (const auto& part : trace.parts) {
    check_stop();
    archives.push_back({std::make_shared<const Archive>(
                            (fs::path(trace.anchor) / part.anchor).string(), diagnostics),
                        part});
    archives.back().name.identity = {};
  }
  return merge_archives(archives, trace.anchor, choose_resolution(archives)).archive;
}

}  // namespace tracefold
