#include "base/json_text.hpp"
#include "base/publish.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/output_name.hpp"
#include "cli/report_made.hpp"
#include "emitters/show_numbers.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/expand/expand_pass.hpp"
#include "pipeline/rewrite/publish_archive.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

namespace tracefold::cli {

namespace {

struct ExpandCommandOptions {
  std::string trace, folder;
  std::optional<LocationList> locations;
  bool force = false;
  std::optional<Format> format;
};

// The locations of the reduced trace, without a halo.
std::size_t count_processes(const Archive& reduced) {
  return list_process_locations(reduced.definitions()).size();
}

std::string to_table(const Session& session, const Archive& reduced, const ExpandSummary& done) {
  std::string records;
  if (done.one_sided)
    records += fmt::format("one-sided operations {}, ", show_count(done.one_sided));
  if (done.files)
    records += fmt::format("file operations {}, ", show_count(done.files));
  return fmt::format(
      "locations {} -> {} of {}, events {}, messages {}, collectives {}, {}{:.2f} s\n",
      show_count(count_processes(reduced)), show_count(done.locations),
      show_count(done.in_original), show_count(done.events), show_count(done.messages),
      show_count(done.collectives), records, session.seconds());
}

std::string to_csv(const Archive& reduced, const ExpandSummary& done) {
  return fmt::format(
      "what,value\r\nlocations before,{}\r\nlocations,{}\r\nlocations of the original,{}\r\n"
      "events,{}\r\nmessages,{}\r\ncollectives,{}\r\none-sided operations,{}\r\n"
      "file operations,{}\r\n",
      count_processes(reduced), done.locations, done.in_original, done.events, done.messages,
      done.collectives, done.one_sided, done.files);
}

std::string to_json(const Session& session, const Archive& reduced, const ExpandSummary& done,
                    const std::string& folder) {
  const std::filesystem::path written(folder);
  const nlohmann::ordered_json out{
      {"tracefold_expand", 1},
      {"anchor", reduced.source()},
      {"output",
       std::filesystem::absolute(find_tar_output(folder) ? written : written / "traces.otf2")
           .string()},
      {"locations",
       {{"before", count_processes(reduced)},
        {"after", done.locations},
        {"in_original", done.in_original}}},
      {"events", done.events},
      {"messages", done.messages},
      {"collectives", done.collectives},
      {"one_sided_operations", done.one_sided},
      {"file_operations", done.files},
      {"seconds", session.seconds()}};

  return write_json_text(out);
}

std::string format_summary(const Session& session, const Archive& reduced,
                           const ExpandSummary& done, const ExpandCommandOptions& options) {
  return format_as(
      options.format, [&] { return to_table(session, reduced, done); },
      [&] { return to_csv(reduced, done); },
      [&] { return to_json(session, reduced, done, options.folder); });
}

int run_expand(Session& session, const ExpandCommandOptions& options) {
  if (options.trace.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold expand small/traces.otf2 -o full'");
  if (options.folder.empty())
    throw Error(ErrorKind::usage, "no output is given").hint("say where with -o FOLDER");
  const auto tar = find_tar_output(options.folder);
  check_stream(tar, options.format.has_value());
  if (tar) {
    check_tar_output(options.folder, *tar, options.force);
  } else {
    check_folder_name(options.folder);
    check_folder_output(options.folder, options.force);
  }

  session.name_trace(options.trace);
  const auto archive = open_trace(options.trace, session.diagnostics);
  const auto& reduced = *archive;
  ExpandOptions expansion;
  static_cast<ReadOptions&>(expansion) = session.context().read_as("expand");
  expansion.force = options.force;
  expansion.tar = tar;
  expansion.locations = options.locations;
  const auto done = expand(reduced, options.folder, expansion, session.diagnostics);

  report_summary(session, format_summary(session, reduced, done, options), options.format,
                 options.folder);

  return 0;
}

}  // namespace

void add_expand(Commands& commands) {
  auto options = std::make_shared<ExpandCommandOptions>();
  auto* command = commands.add("expand", "Make an approximate full trace of a reduced one.",
                               "  tracefold expand small/traces.otf2 -o full\n  tracefold expand "
                               "small/traces.otf2 -o part --locations 0-7",
                               options, run_expand);

  add_trace(command, options->trace, "Anchor file of a reduced trace that keeps its messages");
  command
      ->add_option("-o,--output", options->folder,
                   "Folder to make, or FILE.tar[.gz|.zst]; -: on stdout")
      ->option_text("OUTPUT");
  command->add_flag("--force", options->force, "Replace an existing output");
  add_format(command, options->format, "The summary on stdout: table, csv or json");
  add_parsed(command, "--locations", options->locations, parse_location_list,
             "Only these of the original, as rank:0-7 (all)")
      ->option_text("LIST");
}

}  // namespace tracefold::cli
