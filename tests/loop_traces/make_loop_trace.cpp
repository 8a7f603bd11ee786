// Writes FOLDER/traces.otf2, a trace of an iterative MPI program, and what is known of
// its iterations beside it, FOLDER/truth.json; see truth.hpp. The same options always
// give the same events and definitions.

#include "tests/loop_traces/definitions.hpp"
#include "tests/loop_traces/truth.hpp"
#include "tests/support/trace_tool.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>

namespace {

using namespace tracefold::testing;

template <class T, std::size_t N>
void choice(CLI::App& app, const char* name, T& value, const std::array<const char*, N>& names,
            const char* what) {
  std::map<std::string, T> values;
  std::string all;
  for (std::size_t k = 0; k < N; ++k)
    values[names[k]] = static_cast<T>(k), all += (k ? "|" : "") + std::string(names[k]);
  app.add_option(name, value, what)->transform(CLI::CheckedTransformer(values))->option_text(all);
}

template <class T>
void number(CLI::App& app, const char* name, T& value, T least, T most, const char* what) {
  app.add_option(name, value, what)
      ->check(CLI::Range(least, most))
      ->option_text("N [" + std::to_string(value) + "]");
}

void add_options(CLI::App& app, Options& o) {
  app.add_option("folder", o.folder, "For traces.otf2 and truth.json; made, or empty")
      ->option_text("FOLDER")
      ->required();
  number(app, "--processes", o.processes, 1u, 65'536u, "MPI processes");
  number(app, "--threads", o.threads, 1u, 256u, "Threads of each process; from 2 on with OpenMP");
  number(app, "--iterations", o.iterations, 1u, 10'000'000u, "Iterations of the main loop");
  choice(app, "--loop", o.style, style_names,
         "An iteration is a call of an ordinary function\n(the default), some calls in main, a "
         "region\nmarked by flags, or one numbered by a parameter");
  choice(app, "--shape", o.shape, shape_names, "How iterations change over time (steady)");
  number(app, "--period", o.period, 2u, 1'000'000u, "Of peaks, in iterations");
  number(app, "--noise", o.noise, 0u, 100u, "Of computing times, in percent");
  number(app, "--inner", o.inner, 0u, 10'000u, "Passes of an inner loop in each iteration");
  number(app, "--checkpoint", o.checkpoint, 0u, 1'000'000u,
         "Each N-th iteration writes a checkpoint; 0: none");
  number(app, "--second-loop", o.second_loop, 0u, 10'000'000u,
         "Iterations of a second main loop; 0: there is none");
  number(app, "--warm-up", o.warm_up, 0u, 1'000u, "Passes before the loop, which starts anew then");
  number(app, "--odd", o.odd, 0u, 10'000'000u,
         "Iterations of the last process, which works\nalone; 0: it is as the others");
  app.add_flag("--frame", o.frame, "Set-up and tear-down, with the same functions");
  app.add_flag("--uneven-visits", o.uneven_visits,
               "Not as many calls in each iteration and process");
  app.add_flag("--counters", o.counters, "A hardware counter at each Enter and Leave");
  number(app, "--resolution", o.resolution, std::uint64_t{1}, std::uint64_t{1'000'000'000},
         "Of the clock, in ns");
  app.footer(
      "Examples:\n  make_loop_trace t --loop inline --frame --checkpoint 10 --shape drift\n"
      "  make_loop_trace t --processes 64 --iterations 2000 --counters --uneven-visits");
}

void write_trace(const Options& options) {
  auto* archive = open_archive(options.folder, 256 << 10, 4 << 20, "tracefold make_loop_trace");
  CallTrees trees;
  Program program(archive, options, trees);
  program.run();
  std::vector<std::uint64_t> events;
  for (auto& location : program.locations())
    events.push_back(location.close());

  check(OTF2_Archive_CloseEvtFiles(archive), "closing the event files");
  check(OTF2_Archive_OpenDefFiles(archive), "opening the definition files");
  for (const auto& location : program.locations())
    check(
        OTF2_Archive_CloseDefWriter(
            archive, need(OTF2_Archive_GetDefWriter(archive, location.id()), "definition writer")),
        "closing a definition file");

  check(OTF2_Archive_CloseDefFiles(archive), "closing the definition files");
  write_definitions(archive, options, program, events);
  check(OTF2_Archive_Close(archive), "closing the archive");
  check_files(options.folder);
  write_truth(std::filesystem::path(options.folder) / "truth.json", options, trees, program);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Write a trace of an iterative MPI program, and what is known of its iterations.\nThe form "
      "of truth.json is told in tests/loop_traces/truth.hpp.");
  app.name("make_loop_trace");
  add_options(app, options);

  try {
    app.parse(argc, argv);
    if (options.odd && options.processes < 2)
      throw CLI::ValidationError("--odd", "wants two processes at least");
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }

  try {
    silence_library();
    write_trace(options);
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "make_loop_trace: %s: %s\n", options.folder.c_str(), problem.what());
    return 4;
  }
}
