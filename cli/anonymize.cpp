#include "cli/anonymize.hpp"

#include "base/error.hpp"
#include "base/publish.hpp"
#include "base/read_file.hpp"
#include "model/trace_name.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <utility>

namespace tracefold::cli {

namespace fs = std::filesystem;

std::optional<NameCodes> read_name_codes(const std::string& table) {
  const auto text = read_file(table);
  if (!text)
    return std::nullopt;
  try {
    return NameCodes(*text);
  } catch (Error& problem) {
    throw problem.in(table).hint("--anonymize names a table that it made, or a new file");
  }
}

std::shared_ptr<const Archive> replace_names(std::shared_ptr<const Archive> archive,
                                             NameCodes& codes) {
  if (was_reduced(*archive))
    throw Error(ErrorKind::input,
                "was reduced before, and what is kept beside it has the original's names")
        .in(archive->paths().anchor.string())
        .hint("--anonymize takes the original");

  // What was unpacked stays as long as the copy.
  struct Both {
    std::shared_ptr<const Archive> named;
    Archive coded;
  };
  auto both = std::make_shared<const Both>(Both{archive, Archive(*archive, codes)});
  return {both, &both->coded};
}

void check_table(const std::string& table, const fs::path& output) {
  if (output.empty())
    return;
  const auto inside = follow_links(table).lexically_relative(follow_links(output));
  if (!inside.empty() && *inside.begin() != "..")
    throw Error(ErrorKind::usage, "--anonymize " + table +
                                      ": the table of names is in the output, which is given away")
        .hint("name a file elsewhere");
}

void write_name_codes(const std::string& table, const NameCodes& codes) {
  publish_file(table, codes.to_json(), true, FileReaders::owner);
}

}  // namespace tracefold::cli
