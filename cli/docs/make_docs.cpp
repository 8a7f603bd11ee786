// Makes the completions of three shells, and the man page from its template, of the commands and
// options that the program itself parses, so that they cannot differ from it.
//
// usage: make_docs TEMPLATE FOLDER
//
// In the template, a line `@TAKES COMMAND@` stands for the list of the command's own options, and
// `@OPTION --NAME@`, or `@OPTION COMMAND --NAME@`, for the head of the paragraph on that option. It
// ends with an error where an option has no paragraph, or a paragraph no option.
#include "cli/command_line.hpp"
#include "cli/docs/completions.hpp"
#include "cli/docs/list_options.hpp"
#include "cli/docs/man_page.hpp"

#include "base/error.hpp"
#include "base/read_file.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw tracefold::Error(tracefold::ErrorKind::output, "cannot be written").in(file.string());
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace tracefold;
  if (argc != 3)
    throw Error(ErrorKind::usage, "usage: make_docs TEMPLATE FOLDER");
  const auto page = read_file(argv[1]);
  if (!page)
    throw Error(ErrorKind::input, "no such file").in(argv[1]);

  cli::CommandLine line;
  const auto commands = cli::list_commands(line.app);
  const std::filesystem::path folder = argv[2];
  std::filesystem::create_directories(folder);
  write_text(folder / "tracefold.1", cli::fill_man_page(*page, commands));
  write_text(folder / "tracefold.bash", cli::complete_in_bash(commands));
  write_text(folder / "_tracefold", cli::complete_in_zsh(commands));
  write_text(folder / "tracefold.fish", cli::complete_in_fish(commands));
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "make_docs: %s\n", problem.what());
  return 1;
}
