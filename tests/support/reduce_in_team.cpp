// reduce_in_team ANCHOR FOLDER SIZE...: reduces a trace in several ways, alone and by teams of
// these sizes whose members are threads, each into a folder of its own below FOLDER, which it
// makes. Prints what differs, and ends with 1 where anything does.
#include "base/read_file.hpp"
#include "emitters/viewers/perfetto_trace.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "tests/local_team.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace tracefold;

std::map<std::string, std::string> read_all(const fs::path& path) {
  std::map<std::string, std::string> files;
  if (fs::is_regular_file(path))
    files[""] = read_file(path).value();
  else if (fs::exists(path))
    for (const auto& entry : fs::recursive_directory_iterator(path))
      files[entry.path().lexically_relative(path).string()] =
          entry.is_regular_file() ? read_file(entry.path()).value() : "";
  return files;
}

// What a reduction tells besides its files.
std::string describe(const Reduction& made) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", made.locations, made.bytes, made.events,
                     made.sends.value_or(0), made.after.read, made.after.locations,
                     made.after.events, made.after.bytes, made.after.halo);
}

struct Way {
  std::string name;  // of what it makes
  std::function<Reduction(const std::string& anchor, const fs::path& out, const Context& context)>
      make;
};

std::vector<Way> list_ways() {
  const auto reduce_with = [](const std::function<void(ReduceOptions&)>& change) {
    return [change](const std::string& anchor, const fs::path& out, const Context& context) {
      ReduceOptions options;
      options.output.folder = out;
      change(options);
      return reduce(open_trace(anchor, context.diagnostics), options, context);
    };
  };

  std::vector<Way> ways;
  ways.push_back({"plain", reduce_with([](auto&) {})});
  ways.push_back({"halo", reduce_with([](auto& options) {
                    options.halo = parse_halo("all");
                    options.selection.per_group = 2;
                    options.output.rewrite.tree = TreeChoice::groups;
                    options.output.rewrite.verify = true;
                  })});
  ways.push_back({"iterations", reduce_with([](auto& options) {
                    options.folding.reset();
                    options.output.rewrite.verify = true;
                  })});
  ways.push_back({"estimate", reduce_with([](auto& options) { options.output.dry_run = true; })});
  ways.push_back({"view.pftrace", reduce_with([](auto& options) {
                    options.output.view = ViewFormat{make_perfetto_trace};
                  })});
  ways.push_back(
      {"small.tar", reduce_with([](auto& options) { options.output.rewrite.tar = TarOutput{}; })});
  ways.push_back(
      {"all", [](const std::string& anchor, const fs::path& out, const Context& context) {
         WriteOptions options;
         options.output.folder = out;
         return write(PlanSession(open_trace(anchor, context.diagnostics), context), options);
       }});
  return ways;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4)
    return 2;

  const std::string anchor = words[1];
  const fs::path folder = words[2];
  std::atomic<bool> differs = false;
  for (const auto& way : list_ways()) {
    Diagnostics diagnostics;
    const Context context{diagnostics};
    fs::create_directories(folder / "alone");
    const auto alone = folder / "alone" / way.name;
    const auto told = describe(way.make(anchor, alone, context));
    const auto files = read_all(alone);

    for (int k = 3; k < count; ++k) {
      const auto made = folder / words[k] / way.name;
      fs::create_directories(made.parent_path());
      testing::run_team(std::strtoul(words[k], nullptr, 10), [&](Team& team) {
        Diagnostics of_member;
        Context member{of_member};
        member.reading.team = &team;
        if (describe(way.make(anchor, made, member)) != told) {
          fmt::print("{} by {}: {} is told something else\n", way.name, words[k], team.rank());
          differs = true;
        }
      });

      const auto found = read_all(made);
      if (found.size() != files.size()) {
        fmt::print("{} by {}: other files\n", way.name, words[k]);
        differs = true;
      }
      for (const auto& [name, bytes] : files)
        if (!found.contains(name) || found.at(name) != bytes) {
          fmt::print("{} by {}: {} is not the same\n", way.name, words[k], name);
          differs = true;
        }
      fs::remove_all(made);
    }
    fs::remove_all(alone);
    std::fflush(stdout);
  }

  return differs ? 1 : 0;
}
