#include "emitters/summary/describe_files.hpp"

#include "base/text.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tracefold {

namespace {

// A file that is read or written.
struct FilePart {
  const FileTimes* file;
  const FileTimes::Amount* amount;
  bool is_written;
};

class FileWriter {
 public:
  FileWriter(const Summary& summary, const HeadlineNames& names)
      : summary_(summary), names_(names) {}

  std::vector<std::string> write() const {
    constexpr double least = 0.02;
    constexpr std::size_t most = 3;
    if (!summary_.files)
      return {};
    const auto& spent = summary_.paradigms[static_cast<std::size_t>(Paradigm::io)];
    if (summary_.files->empty())
      return summary_.time > 0 && spent.seconds >= least * summary_.time
                 ? std::vector<std::string>{"no I/O operations recorded, so files are not known"}
                 : std::vector<std::string>();

    std::vector<FilePart> parts;
    double share = 0;
    for (const auto& file : *summary_.files) {
      share += file.share;
      for (const auto& part : {FilePart{&file, &file.read, false}, {&file, &file.written, true}})
        if (part.amount->operations > 0)
          parts.push_back(part);
    }
    if (share < least)
      return {};
    std::stable_sort(parts.begin(), parts.end(), [](const FilePart& a, const FilePart& b) {
      return a.amount->seconds > b.amount->seconds;
    });
    constexpr double least_of_all = 0.1;  // of the time for files
    const auto is_small = [&](const FilePart& part) {
      return part.file->name.empty() ||
             find_share(part) < std::max(least_told_share, least_of_all * share);
    };
    const auto first_small = std::stable_partition(
        parts.begin(), parts.end(), [&](const FilePart& part) { return !is_small(part); });
    const auto large = static_cast<std::size_t>(first_small - parts.begin());
    const auto named =
        parts.size() <= most && large == parts.size() ? large : std::min(large, most - 1);

    std::vector<std::string> lines;
    for (std::size_t k = 0; k < named; ++k)
      lines.push_back(write_file(parts[k]));
    parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(named));
    if (auto rest = write_other_files(parts, named > 0); !rest.empty())
      lines.push_back(std::move(rest));
    return lines;
  }

 private:
  static double find_share(const FilePart& part) {
    return part.file->seconds > 0 ? part.file->share * part.amount->seconds / part.file->seconds
                                  : 0;
  }
  // "38.1 MiB written to shared.out by all 4 ranks in 30.3 ms each, 314 MiB/s each (59 % of the
  // run)"
  std::string write_file(const FilePart& part) const {
    const auto& [file, amount, is_written] = part;
    const auto* const verb = is_written ? "written to" : "read from";
    // Whose of them reads and who writes is not known.
    if (file->count > 1 && file->read.operations > 0 && file->written.operations > 0)
      return fmt::format("{} {} {}, which {} read or write, in {} together ({} of the run)",
                         show_bytes(amount->bytes), verb, make_printable(file->name),
                         name_users(*file), format_seconds(amount->seconds),
                         show_percent(find_share(part)));
    const auto each = file->count > 1 ? " each" : "";
    auto out =
        fmt::format("{} {} {} by {} in {}{}", show_bytes(amount->bytes), verb,
                    make_printable(file->name), name_users(*file),
                    format_seconds(amount->seconds /
                                   static_cast<double>(std::max<std::size_t>(file->count, 1))),
                    each);
    if (const auto bandwidth = amount->find_bandwidth())
      out += fmt::format(", {}/s{}", format_bytes(static_cast<std::uint64_t>(*bandwidth)), each);
    return out + fmt::format(" ({} of the run)", show_percent(find_share(part)));
  }
  static std::string show_bytes(const std::optional<std::uint64_t>& bytes) {
    return bytes ? format_bytes(*bytes) : "data";
  }
  // "all 16 ranks", "ranks 0,8 of 16"
  std::string name_users(const FileTimes& file) const {
    const auto ranks = summary_.ranks.size();
    std::vector<std::size_t> masters;
    for (const auto& rank : summary_.ranks)
      masters.push_back(rank.master);
    std::sort(masters.begin(), masters.end());
    const auto is_rank = [&](std::size_t process) {
      return std::binary_search(masters.begin(), masters.end(), process);
    };
    const bool are_ranks =
        summary_.has_ranks && std::all_of(file.who.begin(), file.who.end(), is_rank);
    if (file.who.empty() || !are_ranks)
      return file.who.empty() ? fmt::format("{} processes", show_count(file.count))
                              : names_.name(file.who);
    if (file.count == ranks && ranks > 1)
      return fmt::format("all {} ranks", show_count(ranks));
    return names_.name(file.who) + (ranks > 1 ? fmt::format(" of {}", show_count(ranks)) : "");
  }
  // "1.20 GiB written to 1 022 other files, 3.10 MiB read from 4 in 20.2 s together (12 % of the
  // run)"
  std::string write_other_files(const std::vector<FilePart>& parts, bool are_others) const {
    double seconds = 0, share = 0;
    std::string out;
    for (const bool is_written : {true, false}) {
      std::optional<std::uint64_t> bytes = 0;
      std::uint64_t files = 0;
      for (const auto& part : parts) {
        if (part.is_written != is_written)
          continue;
        files += part.file->files;
        seconds += part.amount->seconds;
        share += find_share(part);
        bytes = bytes && part.amount->bytes ? std::optional(*bytes + *part.amount->bytes)
                                            : std::nullopt;
      }
      if (files > 0)
        out += fmt::format("{}{} {} {}{} file{}", out.empty() ? "" : ", ", show_bytes(bytes),
                           is_written ? "written to" : "read from", show_count(files),
                           are_others ? " other" : "", files == 1 ? "" : "s");
    }
    if (share < least_told_share)
      return {};
    return out + fmt::format(" in {} together ({} of the run)", format_seconds(seconds),
                             show_percent(share));
  }

  const Summary& summary_;
  const HeadlineNames& names_;
};

}  // namespace

std::vector<std::string> describe_files(const Summary& summary, const HeadlineNames& names) {
  return FileWriter(summary, names).write();
}

}  // namespace tracefold
