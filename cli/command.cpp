#include "cli/command.hpp"

#include "cli/help.hpp"
#include "cli/options.hpp"

#include "base/memory_limit.hpp"
#include "pipeline/archives/order_ranks.hpp"

#include <string>
#include <string_view>

namespace tracefold::cli {

namespace {

constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;

}  // namespace

CLI::App* Commands::add_with_general_options(const char* name, const char* what,
                                             const char* examples) {
  auto* command = app.add_subcommand(name, what);
  command->footer(std::string("Examples:\n") + examples);
  command->add_option("--threads", general.threads, "Threads to use (default: all cores)")
      ->option_text("N")
      ->group(for_all_commands)
      ->check(in_range(1, 4096));
  command->add_option("--memory", general.memory, "Memory to do with (default: a quarter of all)")
      ->option_text("LIMIT")
      ->group(for_all_commands)
      ->transform(CLI::Validator(make_bytes, ""))
      ->check([](const std::string& bytes) {
        return std::stoull(bytes) < least_memory ? "give it 1M at least" : std::string();
      });
  command
      ->add_option("--max-size", general.max_size,
                   "Largest trace to unpack of a tar (16G, if it is free)")
      ->option_text("SIZE")
      ->group(for_all_commands)
      ->transform(CLI::Validator(make_bytes, ""));
  command->add_flag("-q,--quiet", general.quiet, "Print no notes, warnings and summaries")
      ->group(for_all_commands);
  command->add_flag("-v,--verbose", general.verbose, "Say what each stage did and took")
      ->group(for_all_commands);
  command->add_flag("--wide", general.wide, "Tables with whole names and all columns")
      ->group(for_all_commands);
  command->add_flag("--partial", general.partial, "Use what damaged event files hold")
      ->group(for_all_commands);

  if (std::string_view(name) != "expand")  // it reads what one process has written
    add_as_one(command);

  const auto choose_reader = [this](const std::string& word) {
    general.reader = word == "otf2" ? ReaderKind::otf2 : ReaderKind::own;
  };
  command
      ->add_option_function<std::string>("--reader", choose_reader,
                                         "Who reads the events: own (the default), otf2")
      ->option_text("R")
      ->group(for_experts)
      ->check(one_of("--reader", {"own", "otf2"}));

  command->set_help_flag("-h,--help", "Print this help")->group(for_all_commands);
  command->set_help_all_flag("--help-all", "Print all options")->group(for_all_commands);

  return command;
}

void Commands::add_as_one(CLI::App* command) {
  auto& options = general.of_archives;
  auto* as_one =
      command
          ->add_flag("--as-one", general.as_one, "The archives below TRACE, a folder, are one run")
          ->group(for_all_commands);
  command
      ->add_option_function<std::string>(
          "--rank-from",
          [&options](const std::string& words) {
            check_rank_from(words);
            options.rank_from = words;
          },
          "Their ranks: order, property:NAME or path:*rank{N}*")
      ->option_text("WHAT")
      ->group(for_experts)
      ->needs(as_one)
      ->check(not_empty());
  command
      ->add_option("--clocks", options.clocks, "When they begin: begin (together), or as FILE says")
      ->option_text("FILE")
      ->group(for_experts)
      ->needs(as_one)
      ->check(not_empty());
}

}  // namespace tracefold::cli
