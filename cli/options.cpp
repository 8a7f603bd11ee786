#include "cli/options.hpp"

#include "base/error.hpp"
#include "base/publish.hpp"
#include "base/ranges.hpp"
#include "base/same_files.hpp"
#include "base/team.hpp"
#include "cli/help.hpp"
#include "cli/output_name.hpp"
#include "cli/session.hpp"
#include "model/iterations/fold_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace tracefold::cli {

std::size_t parse_number(const char* option, const std::string& text, const char* otherwise) {
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size() || number == 0)
    throw Error(ErrorKind::usage,
                fmt::format("{} {}: not a number of 1 or more{}", option, text, otherwise));

  return number;
}

std::string make_bytes(std::string& size) try {
  if (size.starts_with('-'))
    return "not a size, as in 512M or 2G";
  return CLI::AsSizeValue(false)(size).empty() ? "" : "not a size, as in 512M or 2G";
} catch (const CLI::ValidationError&) {
  return "not a size, as in 512M or 2G";
}

std::size_t find_word(const char* option, const std::string& word,
                      const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end())
    return static_cast<std::size_t>(found - words.begin());

  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  throw Error(ErrorKind::usage, fmt::format("{} {}: no such choice", option, word)).hint(list);
}

namespace {

// CLI11 keeps a name and a description with each check, and nothing else with an option.
constexpr const char* all_words = "all words";
constexpr const char* some_words = "some words";

std::string join_lines(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines{""};
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

}  // namespace

CLI::Validator one_of(const char* option, const std::vector<std::string>& words) {
  const auto check = [=](const std::string& word) {
    find_word(option, word, words);
    return std::string();
  };
  return CLI::Validator(check, join_lines(words), all_words);
}

CLI::Validator offer(const std::vector<std::string>& words) {
  return CLI::Validator([](std::string&) { return std::string(); }, join_lines(words), some_words);
}

OfferedWords list_offered(CLI::Option& option) {
  for (const auto* name : {all_words, some_words})
    try {
      return {split_lines(option.get_validator(name)->get_description()), name == all_words};
    } catch (const CLI::OptionNotFound&) {}
  return {};
}

CLI::Validator not_empty() {
  return {[](std::string& word) { return word.empty() ? std::string("is empty") : std::string(); },
          ""};
}

CLI::Validator in_range(std::int64_t least, std::int64_t most) {
  return {[=](std::string& word) {
            std::int64_t value = 0;
            const auto [end, problem] =
                std::from_chars(word.data(), word.data() + word.size(), value);
            const bool fits = problem == std::errc() && end == word.data() + word.size() &&
                              value >= least && value <= most;
            return fits ? std::string()
                        : fmt::format("'{}' is no number from {} to {}", word, least, most);
          },
          ""};
}

void add_trace(CLI::App* command, std::string& trace, const char* help) {
  command->add_option("anchor", trace, help)->option_text("TRACE.otf2");
}

void add_trace_or_plan(CLI::App* command, TraceOptions& options, const char* help) {
  add_trace(command, options.trace, help);
  command->add_option("--trace", options.moved_trace, "Where the trace of the plan on stdin is now")
      ->option_text("TRACE.otf2")
      ->check(not_empty());
}

void add_more_runs(CLI::App* command, TraceOptions& options) {
  command->add_option("more", options.more, "More runs, compared across all of them")
      ->option_text("...");
}

void add_format(CLI::App* command, std::optional<Format>& format, const char* help) {
  auto* option =
      add_choice(command, "--format", format,
                 {{"table", Format::table}, {"csv", Format::csv}, {"json", Format::json}}, help)
          ->option_text("FORMAT");
  command
      ->add_flag_callback(
          "--json", [&format] { format = Format::json; }, "Short for --format json")
      ->excludes(option);
}

void add_scaling(CLI::App* command, std::optional<Scaling>& scaling) {
  add_choice(command, "--scaling", scaling, {{"strong", Scaling::strong}, {"weak", Scaling::weak}},
             "Runs of other sizes: strong or weak (as work tells)")
      ->option_text("KIND");
}

void add_drawing(CLI::App* command, DrawingOptions& options) {
  command->add_option("-o,--output", options.out, "Draw it: FILE.svg; - is SVG to stdout")
      ->option_text("FILE");
  command->add_flag("--force", options.force, "Replace an existing output");
}

void check_drawing(const DrawingOptions& options, const std::optional<Format>& format) {
  if (options.out.empty())
    return;

  if (options.out != "-" && std::filesystem::path(options.out).extension() != ".svg")
    throw Error(ErrorKind::usage, fmt::format("-o {}: the ending tells no format", options.out))
        .hint("FILE.svg is a drawing; --format csv or json is printed");
  if (format)
    throw Error(ErrorKind::usage, "-o draws, and --format says how to print").hint("give one");
  if (options.out != "-")
    check_file_output(options.out, options.force);
}

void add_plan(CLI::App* command, PlanOptions& options) {
  add_trace_or_plan(command, options);
  add_format(command, options.format, "table (on a terminal), csv, or json: the plan (else)");
  command->footer(
      "Into a pipe or a file goes the plan, for the next command. For a table there,\n"
      "as before less or grep, give --format table.\n\n" +
      command->get_footer());
}

CLI::Option* add_grid(CLI::App* command, std::vector<std::size_t>& sizes) {
  const auto parse = [](const std::string& words) {
    std::vector<std::size_t> out;
    for (std::size_t begin = 0; begin <= words.size();) {
      const auto end = std::min(words.find('x', begin), words.size());
      const auto size = words.substr(begin, end - begin);
      if (size.empty())
        throw Error(ErrorKind::usage, fmt::format("--grid {}: a part of it is empty", words));
      std::size_t number = 0;
      const auto* last = size.data() + size.size();
      const auto [rest, code] = std::from_chars(size.data(), last, number);
      if (code != std::errc{} || rest != last || number == 0)
        throw Error(ErrorKind::usage,
                    fmt::format("--grid {}: {} is no size of an axis", words, size))
            .hint("sizes begin at 1, as in 8x8");
      out.push_back(number);
      begin = end + 1;
    }
    return out;
  };
  return add_parsed(command, "--grid", sizes, parse,
                    "Put ranks on a grid of these sizes (as messages propose)")
      ->option_text("NxMx...");
}

void check_grid(const std::vector<std::size_t>& sizes, const std::optional<RowChoice>& rows) {
  if (!sizes.empty() && rows != RowChoice::topology)
    throw Error(ErrorKind::usage, "--grid says in which order ranks are rows")
        .hint("give --rows topology, too");
}

CLI::Option* add_rows(CLI::App* command, std::optional<RowChoice>& rows, const std::string& help) {
  constexpr RowChoice choices[] = {RowChoice::rank, RowChoice::group, RowChoice::node,
                                   RowChoice::topology};
  const auto parse = [choices](const std::string& word) {
    std::vector<std::string> words;
    for (const auto choice : choices)
      words.push_back(to_text(choice));
    if (word == "iterations" || word == "processes" || word == "map")
      throw Error(ErrorKind::usage, fmt::format("--rows {}: no such choice", word))
          .hint(fmt::format("--csv {} says which CSV a map is printed as", word));
    return choices[find_word("--rows", word, words)];
  };
  std::vector<std::string> words;
  for (const auto choice : choices)
    words.push_back(to_text(choice));
  return add_parsed(command, "--rows", rows, parse, help)->option_text("ROWS")->check(offer(words));
}

namespace {

// What a command that measures processes compares them by: not signatures, which only make groups.
CompareBy parse_call_measure(const std::string& word) {
  if (word == to_text(CompareBy::signature))
    throw Error(ErrorKind::usage, "--by signature makes groups, and is not measured")
        .hint("pairs or functions; or 'tracefold group --by signature'");
  for (auto by : {CompareBy::pairs, CompareBy::functions})
    if (word == to_text(by))
      return by;

  throw Error(ErrorKind::usage, fmt::format("'{}' is nothing to compare processes by", word))
      .hint("pairs or functions");
}

void add_signature_options(CLI::App* command, ComparisonOptions& options) {
  add_parsed(command, "--level", options.level, parse_level,
             "Signatures: which clusters are groups (sub)")
      ->option_text("main|sub")
      ->group(for_experts);
  add_parsed(command, "--peers", options.peers, parse_peers,
             "Signatures: how partners are compared (relative)")
      ->option_text("relative|pattern|ignore")
      ->group(for_experts);
  add_parsed(command, "--bytes", options.compare_bytes, parse_compare_bytes,
             "Signatures: how much sizes may differ (5%)")
      ->option_text("5%|ignore")
      ->group(for_experts);
  add_parsed(command, "--order", options.keep_order, parse_keep_order,
             "Signatures: compare the order, or counts (keep)")
      ->option_text("keep|ignore")
      ->group(for_experts);
}

}  // namespace

CLI::Option* add_by_and_threshold(CLI::App* command, GroupOptions& options) {
  add_parsed(command, "--by", options.comparison.by, parse_compare_by, "What to compare (pairs)")
      ->option_text("pairs|functions|signature");

  const auto set_threshold = [&options](double threshold) {
    if (!(threshold >= 0 && threshold <= 1))
      throw Error(ErrorKind::usage, fmt::format("--threshold {}: not between 0 and 1", threshold));
    options.threshold = threshold;
  };
  return command
      ->add_option_function<double>("--threshold", set_threshold,
                                    "Merge groups of at least this similarity, as 0.83")
      ->option_text("S");
}

void add_shared_comparison(CLI::App* command, ComparisonOptions& options) {
  add_repeatable(command, "--ignore", options.ignore,
                 "Compare without these, or file:GLOB; may repeat")
      ->option_text("GLOB");
  command->add_flag("--ignore-root", options.ignore_root, "Compare without artificial roots")
      ->group(for_experts);
  add_repeatable(command, "--combine", options.combine,
                 "Compare matching processes of a rank as one; may repeat")
      ->option_text("GLOB");
}

void add_grouping(CLI::App* command, GroupOptions& options) {
  auto* threshold = add_by_and_threshold(command, options);
  command
      ->add_flag_callback(
          "--exact", [&options] { options.threshold.reset(); },
          "Only equal processes are one group (the default)")
      ->excludes(threshold);
  add_shared_comparison(command, options.comparison);
  add_signature_options(command, options.comparison);
}

void add_comparison(CLI::App* command, ComparisonOptions& options) {
  add_parsed(command, "--by", options.by, parse_call_measure,
             "What to compare: call pairs or functions (pairs)")
      ->option_text("pairs|functions");
  add_shared_comparison(command, options);
}

void add_messages(CLI::App* command, std::optional<MessageChoice>& messages) {
  add_choice(command, "--messages", messages,
             {{"drawn", MessageChoice::drawn},
              {"stored", MessageChoice::stored},
              {"off", MessageChoice::off}},
             "In trace and plan: drawn; in the plan: stored (drawn)")
      ->option_text("drawn|stored|off");
}

void choose_messages(const std::optional<MessageChoice>& messages, std::optional<HaloOptions>& halo,
                     OutputOptions& options) {
  auto& draws = options.rewrite.draws_messages;
  draws = messages.value_or(MessageChoice::drawn) == MessageChoice::drawn;
  if (draws)
    return;
  if (options.view && *messages == MessageChoice::stored)
    throw Error(ErrorKind::usage,
                "--messages stored keeps messages beside a trace, and there is nothing beside a "
                "file for viewers")
        .hint("--messages off, or name a folder");
  if (halo && halo->most_per_process > 0)
    throw Error(
        ErrorKind::usage,
        fmt::format("--halo {} keeps partners for messages that are not drawn", to_text(*halo)))
        .hint("--messages drawn, or --halo off");
  halo = parse_halo("off");
}

namespace {

// "5" or "5%,20%", in percent.
Accuracy parse_accuracy(const std::string& text) {
  const auto parse = [&](std::string_view number) {
    if (number.ends_with('%'))
      number.remove_suffix(1);
    double percent = 0;
    const auto* last = number.data() + number.size();
    const auto [end, code] = std::from_chars(number.data(), last, percent);
    if (code != std::errc{} || end != last || !(percent >= 0))
      throw Error(ErrorKind::usage, fmt::format("--accuracy {}: not a share in percent", text))
          .hint("as in 5, or 5,20");
    return percent / 100;
  };
  const std::string_view all = text;
  const auto comma = all.find(',');
  if (comma == all.npos)
    return {parse(all)};
  return {parse(all.substr(0, comma)), parse(all.substr(comma + 1))};
}

}  // namespace

CLI::Option* add_accuracy(CLI::App* command, std::optional<Accuracy>& accuracy) {
  return add_parsed(command, "--accuracy", accuracy, parse_accuracy,
                    "Largest error of all time[,communication] in %")
      ->option_text("P[,Q]")
      ->check(not_empty());
}

namespace {

// "8" rows, or "50M" bytes.
Target parse_target(const std::string& text) {
  const bool is_number =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number)
    return {.rows = parse_number("--to", text, " of rows, or a size as 50M")};
  auto bytes = text;
  if (const auto wrong = make_bytes(bytes); !wrong.empty())
    throw Error(ErrorKind::usage, fmt::format("--to {}: no number of rows, and no size", text))
        .hint("as in --to 8 or --to 50M");
  Target target;
  std::from_chars(bytes.data(), bytes.data() + bytes.size(), target.bytes);
  if (target.bytes == 0)
    throw Error(ErrorKind::usage, fmt::format("--to {}: nothing is as small as that", text))
        .hint("as in --to 8 or --to 50M");
  return target;
}

}  // namespace

void add_selection(CLI::App* command, SelectionOptions& options) {
  auto& selection = options.selection;
  auto* to = add_parsed(command, "--to", options.to, parse_target,
                        "At most so many rows, or bytes, with least error")
                 ->option_text("N|SIZE");
  auto* accuracy = add_accuracy(command, options.accuracy);
  auto* representative = add_parsed(command, "--representative", selection.choice, parse_choice,
                                    "Whom: first, medoid, slowest or connected (medoid)")
                             ->option_text("WAY")
                             ->check(offer({"first", "medoid", "slowest", "connected"}));
  auto* per_group = add_parsed(command, "--per-group", selection.per_group, parse_per_group,
                               "Clusters by time per group, one kept of each (1)")
                        ->option_text("K|auto");
  auto* features = add_parsed(command, "--time-features", selection.features, parse_time_features,
                              "Functions by which clusters are found: ten or all (ten)")
                       ->option_text("WHICH")
                       ->check(offer({"ten", "all"}));
  add_parsed(command, "--always", options.always, parse_location_list,
             "Keep these, too, as 0-6:2,9, rank:0-7 or group:3")
      ->option_text("LIST")
      ->check(not_empty());

  // Whom these keep follows from all times.
  to->excludes(accuracy);
  for (auto* chooses : {representative, per_group, features}) {
    to->excludes(chooses);
    accuracy->excludes(chooses);
  }
}

void check_selection(const Selection& options) {
  if (options.features != TimeFeatures::ten && options.per_group == 1)
    throw Error(
        ErrorKind::usage,
        "--time-features says how clusters by time are found, and each group is one cluster")
        .hint("--per-group K or --per-group auto");
}

HaloOptions choose_halo_of(const std::optional<HaloOptions>& asked,
                           const std::optional<Target>& to) {
  return asked ? *asked : to ? parse_halo("off") : HaloOptions{};
}

void add_halo(CLI::App* command, std::optional<HaloOptions>& options, const char* otherwise) {
  add_parsed(command, "--halo", options, parse_halo,
             fmt::format("Partners kept for messages ({})", otherwise))
      ->option_text("auto|N|all|off");
}

namespace {

// "GLOB", or "GLOB#k": at every k-th call. A name may hold a '#', as long as no number alone is
// behind it.
void set_begin_at(AskedIterations& asked, const std::string& text) {
  asked.begin_at = text;
  asked.every = 1;
  const auto mark = text.rfind('#');
  if (mark == std::string::npos || mark + 1 == text.size() ||
      text.find_first_not_of("0123456789", mark + 1) != std::string::npos)
    return;

  asked.begin_at = text.substr(0, mark);
  const auto every = text.substr(mark + 1);
  if (every.find_first_not_of('0') == std::string::npos)
    throw Error(ErrorKind::usage, fmt::format("--begin-at {}: at every 0th call", text))
        .hint("#1 or more");
  asked.every = parse_number("--begin-at", every);
  if (asked.begin_at.empty())
    throw Error(ErrorKind::usage, fmt::format("--begin-at {}: names no function", text))
        .hint("as in 'exchange*' or 'exchange*#2'");
}

}  // namespace

std::array<CLI::Option*, 2> add_asked_iterations(CLI::App* command, AskedIterations& asked) {
  auto* region = command
                     ->add_option("--region", asked.region,
                                  "Take instances of these, or file:GLOB, as iterations")
                     ->option_text("GLOB")
                     ->check(not_empty());
  auto* begin_at =
      command
          ->add_option_function<std::string>(
              "--begin-at", [&asked](const std::string& text) { set_begin_at(asked, text); },
              "Begin an iteration at every (k-th) call of these")
          ->option_text("GLOB[#k]")
          ->check(not_empty())
          ->excludes(region);

  return {region, begin_at};
}

void add_fold_details(CLI::App* command, FoldingOptions& options) {
  for (const auto* asked : add_asked_iterations(command, options.fold.asked))
    options.details.emplace_back(
        asked, "says what iterations are, --iterations off that all of them stay");

  const auto parse_iterations = [](const std::string& text) { return parse_ranges(text); };
  options.details.emplace_back(
      add_parsed(command, "--keep-iterations", options.fold.keep, parse_iterations,
                 "Keep these, too, counted from 0, as in 0-4,9")
          ->option_text("RANGES")
          ->check(not_empty()),
      "keeps some iterations, --iterations off all of them");

  options.details.emplace_back(command
                                   ->add_flag("--fold-unsure", options.fold.folds_unsure,
                                              "Fold loops whose iterations are unsure, too")
                                   ->group(for_experts),
                               "folds iterations, --iterations off none");
}

void add_folding(CLI::App* command, FoldingOptions& options, const std::string& help) {
  const auto set_clusters = [&options](const std::string& text) {
    options.off = text == "off";
    if (!options.off)
      options.fold.max_clusters = parse_number("--iterations", text, ", or off");
  };
  options.clusters = command->add_option_function<std::string>("--iterations", set_clusters, help)
                         ->option_text("C|off")
                         ->check(not_empty());
  add_fold_details(command, options);
}

std::optional<FoldOptions> choose_folding(const FoldingOptions& options,
                                          const std::optional<FoldOptions>& otherwise) {
  const auto detail = std::find_if(options.details.begin(), options.details.end(),
                                   [](const auto& option) { return option.first->count() > 0; });
  const bool has_detail = detail != options.details.end();
  if (!options.off)
    return has_detail || options.clusters->count() > 0 ? options.fold : otherwise;
  if (has_detail)
    throw Error(ErrorKind::usage, fmt::format("{} {}", detail->first->get_name(), detail->second))
        .hint("give one of them");

  return std::nullopt;
}

namespace {

// Room for what every process does.
void add_profiles(CLI::App* command, std::optional<std::uint64_t>& most_bytes) {
  const auto parse = [](const std::string& word) -> std::optional<std::uint64_t> {
    if (word == "auto")
      return std::nullopt;
    if (word == "off")
      return 0;
    auto bytes = word;
    if (const auto wrong = make_bytes(bytes); !wrong.empty())
      throw Error(ErrorKind::usage, fmt::format("--profiles {}: {}", word, wrong))
          .hint("auto, a size or off");
    return std::stoull(bytes);
  };
  add_parsed(command, "--profiles", most_bytes, parse,
             "Room for all processes' profiles: auto, 4M or off (auto)")
      ->option_text("SIZE")
      ->check(offer({"auto", "off"}));
}

}  // namespace

void add_output(CLI::App* command, OutputOptions& options) {
  auto& rewrite = options.rewrite;
  command
      ->add_option_function<std::string>(
          "-o,--output",
          [&options](const std::string& name) {
            options.folder = name;
            options.rewrite.tar = find_tar_output(name);
            options.view = options.rewrite.tar ? std::nullopt : find_view_format(name);
          },
          "Folder, .tar[.gz|.zst], .json[.gz], .pftrace[.gz], -")
      ->option_text("OUTPUT");
  command->add_flag("--force", rewrite.force, "Replace an existing output");
  command->add_flag("--dry-run", options.dry_run, "Only say what would be kept, and how large");
  command->add_flag("--keep-ids", rewrite.keep_ids, "Leave location ids as they were")
      ->group(for_experts);
  command->add_flag("--verify", rewrite.verify, "Read the output again to check it");
  add_profiles(command, rewrite.most_profiles);
  add_choice(command, "--member-metrics", rewrite.member_metrics, {{"on", true}, {"off", false}},
             "Record how members differ in each iteration")
      ->option_text("on|off");
  add_choice(command, "--tree", rewrite.tree,
             {{"machine", TreeChoice::machine}, {"groups", TreeChoice::groups}},
             "What the system tree shows")
      ->option_text("machine|groups");
  command->add_flag("--plain-names", rewrite.plain_names,
                    "Do not put counts, or ◌ of halo, into names");
}

namespace {

std::filesystem::path find_folder_of(const std::filesystem::path& output) {
  const auto path = std::filesystem::absolute(output).lexically_normal();
  return path.has_filename() ? path.parent_path() : path.parent_path().parent_path();
}

}  // namespace

void check_output_options(const OutputOptions& options, bool prints_summary) {
  if (!options.dry_run && options.folder.empty())
    throw Error(ErrorKind::usage, "no output is given").hint("say where with -o FOLDER");
  if (options.view && options.rewrite.most_profiles.value_or(0) > 0)
    throw Error(
        ErrorKind::usage,
        "--profiles keeps a file beside a trace, and there is none beside a file for viewers")
        .hint("give one of them, or name a folder");
  if (!options.dry_run)
    check_stream(options.rewrite.tar, prints_summary);
  decide_once(membership().team, [&] { check_output(options); });

  const bool writes_file =
      !options.dry_run && !(options.rewrite.tar && options.rewrite.tar->stream);
  if (writes_file)
    check_same_folder(membership().team, find_folder_of(options.folder));
}

}  // namespace tracefold::cli
