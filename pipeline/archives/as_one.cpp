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

// What cannot be put together with the others, and why, by name.
using Unfit = std::vector<std::pair<std::string, std::string>>;

// The anchors below a folder, or this one.
FoundTraces find_given(const std::string& trace) {
  std::error_code unknown;
  if (trace == "-" || !fs::exists(trace, unknown))
    throw Error(ErrorKind::input, "no such file or folder")
        .in(trace)
        .hint("give anchor files, or the folder of several archives");
  FoundTraces found;
  if (!fs::is_directory(trace, unknown)) {
    if (fs::is_regular_file(trace, unknown) &&
        is_packed_trace(trace, read_file_begin(trace, longest_tar_begin)))
      throw Error(ErrorKind::input, "is packed, and only what is unpacked is put together")
          .in(trace)
          .hint("unpack it");
    found.traces.push_back(
        {follow_links(fs::absolute(trace).parent_path()) / fs::path(trace).filename(), {}});
    return found;
  }
  found = find_traces(trace, std::chrono::steady_clock::time_point::max());
  check_stop();
  if (found.traces.empty() && !found.unreadable.empty())
    throw Error(ErrorKind::input, "cannot be read: " + found.unreadable.front().second.message())
        .in(found.unreadable.front().first.string());
  if (found.traces.empty() && !found.links.empty())
    throw Error(ErrorKind::input, "no trace is in this folder, and links are not followed")
        .in(trace)
        .hint("give what they lead to");
  if (found.traces.empty())
    throw Error(ErrorKind::input, "no trace is in this folder").in(trace);
  return found;
}

struct Given {
  std::vector<fs::path> anchors;
  std::vector<std::pair<fs::path, std::error_code>> unreadable;
};

// Each anchor once.
Given find_all_given(const std::vector<std::string>& given, Diagnostics& diagnostics) {
  Given all;
  std::set<fs::path> known;
  std::size_t links = 0;
  std::string first_link;
  for (const auto& one : given) {
    const auto found = find_given(one);
    for (const auto& trace : found.traces)
      if (known.insert(trace.anchor).second)
        all.anchors.push_back(trace.anchor);
    all.unreadable.insert(all.unreadable.end(), found.unreadable.begin(), found.unreadable.end());
    if (links == 0 && !found.links.empty())
      first_link = found.links.front().string();
    links += found.links.size();
  }
  if (links > 0)
    diagnostics.note(fmt::format("{}{} not followed: give what {} to as one more trace", first_link,
                                 links == 1
                                     ? " is a link, which is"
                                     : fmt::format(" and {} more are links, which are", links - 1),
                                 links == 1 ? "it leads" : "they lead"));
  return all;
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

struct Opened {
  FoundArchives archives;
  std::vector<std::shared_ptr<const Archive>> own;  // which tracefold has written
};

Opened open_all(const std::vector<fs::path>& anchors, const fs::path& folder, Unfit& unfit,
                Diagnostics& diagnostics) {
  Opened opened;
  for (const auto& anchor : anchors) {
    check_stop();
    const auto name = anchor.lexically_relative(folder).string();
    try {
      auto archive = std::make_shared<const Archive>(anchor.string(), diagnostics);
      if (was_written_by_us(archive->facts()))
        opened.own.push_back(std::move(archive));
      else
        opened.archives.push_back({std::move(archive), {name, 0, 0, 0, {}}});
    } catch (const Error& problem) {
      if (problem.kind() != ErrorKind::input)
        throw;
      std::string why = problem.what();
      if (why.starts_with(anchor.string() + ": "))
        why.erase(0, anchor.string().size() + 2);
      unfit.emplace_back(name, why);
    }
  }
  return opened;
}

// Takes out all but the first of such as have the same definitions and files of events.
void find_copies(FoundArchives& archives, Unfit& unfit) {
  std::map<std::uint64_t, std::size_t> uses;  // by the id that a measurement gives its trace
  for (const auto& one : archives)
    ++uses[one.archive->facts().trace_id];
  std::map<std::string, std::string> firsts;
  std::erase_if(archives, [&](const ArchiveInRun& one) {
    if (uses[one.archive->facts().trace_id] == 1)
      return false;
    const auto [at, is_first] = firsts.emplace(one.archive->identity().sha256, one.name.anchor);
    if (!is_first)
      unfit.emplace_back(one.name.anchor, "is a copy of " + at->second);
    return !is_first;
  });
}

std::set<std::string_view> list_functions(const Definitions& definitions) {
  std::set<std::string_view> names;
  // Each program has these.
  const auto is_of_all = [](std::string_view name) {
    return name == "main" || name.starts_with("MPI_");
  };
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::Region)
      if (const auto& name = definitions.text(get_field<"name", DefinitionKind::Region>(d));
          !is_of_all(name))
        names.insert(name);
  return names;
}

// Takes out such as have functions, and none of the program that most archives are of.
void find_other_programs(FoundArchives& archives, Unfit& unfit) {
  std::vector<std::size_t> same(archives.size());  // an earlier one of the same program, or itself
  const auto find_first = [&](std::size_t k) {
    while (same[k] != k)
      k = same[k] = same[same[k]];
    return k;
  };
  std::vector<bool> has_functions;
  std::map<std::string_view, std::size_t> users;
  for (std::size_t k = 0; k < archives.size(); ++k) {
    same[k] = k;
    const auto functions = list_functions(archives[k].archive->definitions());
    has_functions.push_back(!functions.empty());
    for (const auto& name : functions) {
      const auto a = find_first(users.try_emplace(name, k).first->second), b = find_first(k);
      same[std::max(a, b)] = std::min(a, b);
    }
  }

  std::vector<std::size_t> sizes(archives.size());
  for (std::size_t k = 0; k < archives.size(); ++k)
    if (has_functions[k])
      ++sizes[find_first(k)];
  const auto program =
      static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  const auto why = archives.empty() ? std::string()
                                    : "is of another program than " + archives[program].name.anchor;
  FoundArchives of_program;
  for (std::size_t k = 0; k < archives.size(); ++k)
    if (has_functions[k] && find_first(k) != program)
      unfit.emplace_back(archives[k].name.anchor, why);
    else
      of_program.push_back(std::move(archives[k]));
  archives = std::move(of_program);
}

}  // namespace

std::shared_ptr<const Archive> open_as_one(const std::string& trace, const AsOneOptions& options,
                                           bool partial, Diagnostics& diagnostics) {
  auto given = options.others;
  given.insert(given.begin(), trace);
  const auto found = find_all_given(given, diagnostics);
  const auto folder = find_folder(given, found.anchors);

  Unfit unfit;
  for (const auto& [inner, problem] : found.unreadable)
    unfit.emplace_back(inner.lexically_relative(folder).string(), problem.message());
  auto [archives, own] = open_all(found.anchors, folder, unfit, diagnostics);
  if (own.size() == 1 && archives.empty() && unfit.empty())
    return own.front();
  if (!own.empty())
    diagnostics.note(fmt::format("{} {} that tracefold has written {} no part of the run",
                                 own.size(), own.size() == 1 ? "archive" : "archives",
                                 own.size() == 1 ? "is" : "are"));
  find_copies(archives, unfit);
  find_other_programs(archives, unfit);
  leave_out(unfit, archives.size(), folder, partial, diagnostics);
  if (archives.empty())
    throw Error(ErrorKind::input,
                "tracefold has written all archives there, and puts none together")
        .in(folder.string())
        .hint("give the originals");

  const auto ranks = order_ranks(archives, options.rank_from);
  const auto clocks = tie_clocks(archives, options.clocks, folder);
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

std::shared_ptr<const Archive> open_as_one(const std::string& folder,
                                           const std::vector<TracePart>& parts,
                                           Diagnostics& diagnostics) {
  FoundArchives archives;
  for (const auto& part : parts) {
    check_stop();
    archives.push_back(
        {std::make_shared<const Archive>((fs::path(folder) / part.anchor).string(), diagnostics),
         part});
    archives.back().name.identity = {};
  }
  return merge_archives(archives, folder, choose_resolution(archives)).archive;
}

}  // namespace tracefold
