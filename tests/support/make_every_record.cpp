// Writes an archive that holds every kind of event and of definition.
//   make_every_record FOLDER own|little|big
// `own` as this program writes archives; else with event and local definition
// files as other tools write them, in that byte order.
#include "tests/support/every_record.hpp"
#include "tests/support/foreign_files.hpp"

#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) {
  const std::string kind = argc == 3 ? argv[2] : "";
  if (kind != "own" && kind != "little" && kind != "big") {
    std::fputs("usage: make_every_record FOLDER own|little|big\n", stderr);
    return 2;
  }

  try {
    const auto content = tracefold::testing::every_record();
    tracefold::testing::write_archive(content, argv[1]);
    if (kind != "own")
      tracefold::testing::make_foreign(argv[1], content.events, kind == "big");
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "make_every_record: %s\n", problem.what());
    return 4;
  }
}
