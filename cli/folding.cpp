#include "cli/command.hpp"
#include "cli/did_you_mean.hpp"

#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/iteration_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace tracefold::cli {

namespace {

// Names what is called, which is what a region may be asked for.
Error no_match(const Plan& plan, const std::string& glob) {
  std::set<std::string> called;
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs)
      called.insert(plan.functions[pair.callee].name);

  return Error(ErrorKind::usage,
               fmt::format("--region '{}': no region that is entered matches", glob))
      .hint(did_you_mean(glob, {called.begin(), called.end()},
                         glob.find('*') == std::string::npos
                             ? "use * for any text, as in --region '*" + glob + "*'"
                             : "see the regions with 'tracefold profile'"));
}

}  // namespace

CLI::Validator not_empty() {
  return {[](std::string& word) { return word.empty() ? std::string("is empty") : std::string(); },
          ""};
}

std::size_t number_of(const char* option, const std::string& word) {
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code != std::errc{} || end != word.data() + word.size() || number == 0)
    throw Error(ErrorKind::usage, fmt::format("{} {}: not a number", option, word))
        .hint("1 or more");

  return number;
}

void add_folding(CLI::App* command, FoldingOptions& options, const char* otherwise) {
  command->add_option("--iterations", options.iterations, otherwise)
      ->option_text("C|off")
      ->check(not_empty());
  command
      ->add_option("--region", options.region, "Take the instances of these regions as iterations")
      ->option_text("GLOB")
      ->check(not_empty());
}

std::optional<FoldOptions> folding_of(const FoldingOptions& options,
                                      std::optional<FoldOptions> otherwise) {
  if (options.iterations == "off") {
    if (!options.region.empty())
      throw Error(ErrorKind::usage,
                  "--region says what iterations are, --iterations off that all of them stay")
          .hint("give one of them");
    return std::nullopt;
  }

  if (options.region.empty() && options.iterations.empty())
    return otherwise;

  FoldOptions fold{options.region};
  if (!options.iterations.empty())
    fold.max_clusters = number_of("--iterations", options.iterations);

  return fold;
}

std::vector<ProcessLoops> loops_of(Session& session, const Archive& archive, const Plan& plan,
                                   const std::vector<std::size_t>& members,
                                   const std::string& region) {
  auto loops = find_iterations(archive, plan, members, region, session.read_options("iterations"),
                               session.diagnostics);
  const bool any =
      std::any_of(loops.begin(), loops.end(), [](const auto& p) { return !p.loops.empty(); });
  if (!region.empty() && !any && !is_collapsed(archive.definitions()))
    throw no_match(plan, region);

  return loops;
}

void fold_plan(Session& session, const Archive& archive, Plan& plan, const FoldOptions& options) {
  const auto loops = loops_of(session, archive, plan,
                              processes_to_fold(plan, archive.definitions()), options.region);
  fold_iterations(archive, plan, loops, options, session.read_options("cluster"),
                  session.diagnostics);
  session.verbose(fmt::format("iterations: {} loops on {} processes, {:.3f} s",
                              plan.iterations->loops.size(), plan.iterations->processes.size(),
                              session.seconds()));
}

}  // namespace tracefold::cli
