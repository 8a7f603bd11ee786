// Checks that both readers of events give the same records, one by one.
//   compare_readers TRACE.otf2
//   compare_readers --mutants N SEED TRACE.otf2    (of damaged copies, N times; SEED numbers the
//   series) compare_readers --made little|big [N SEED]     (of a trace that it makes, with each
//   kind of record, in a byte order) compare_readers --seeds FOLDER                 (writes inputs
//   for tests/fuzz instead)
//
// Both must give the same records of a damaged copy, or both must refuse it, but
// that ours refuses too what the library takes from behind the end of a record.
// libotf2 is run in a process of its own, since it may crash or go on for ever;
// ours then has to refuse. Where a file ends early the library goes on with what
// its memory holds: there ours must refuse, and give the first of its records.
#include "otf2/event_reader.hpp"
#include "otf2/library_reader.hpp"
#include "tests/support/every_record.hpp"
#include "tests/support/foreign_files.hpp"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

// A hash of each record of a location.
struct Outcome {
  std::vector<std::uint64_t> records;
  enum class End : std::uint8_t {
    whole,
    refused,
    beyond,
    died
  } end = End::died;  // beyond: refused at the end of the file
};

class HashSink {
 public:
  explicit HashSink(std::vector<std::uint64_t>& out) : out_(out) {}
  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(EventKind::Enter, time, region, attributes);
  }
  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(EventKind::Leave, time, region, attributes);
  }
  void other(Event& event) {
    begin(static_cast<std::uint64_t>(event.kind), event.time);
    for (std::size_t i = 0; i < get_row(event.kind).size; ++i)
      mix(event.fields[i]);
    for (auto v : event.list)
      mix(v);
    end(event.attributes);
  }
  void unknown(std::uint64_t time) {
    begin(~std::uint64_t{0}, time);
    end({});
  }

 private:
  void begin(std::uint64_t kind, std::uint64_t time) {
    hash_ = 14695981039346656037u;
    mix(kind);
    mix(time);
  }
  void mix(std::uint64_t v) { hash_ = (hash_ ^ v) * 1099511628211u ^ hash_ >> 29; }
  void end(std::span<const Attribute> attributes) {
    for (const auto& a : attributes)
      mix(a.id), mix(a.type), mix(a.value);
    out_.push_back(hash_);
  }
  void call(EventKind kind, std::uint64_t time, std::uint64_t region,
            std::span<const Attribute> attributes) {
    begin(static_cast<std::uint64_t>(kind), time);
    mix(region);
    end(attributes);
  }
  std::uint64_t hash_ = 0;
  std::vector<std::uint64_t>& out_;
};

Outcome read_own(const Archive& archive, std::uint64_t location) {
  using enum Outcome::End;
  Outcome out;
  HashSink sink(out.records);
  ChunkBuffer buffer;
  LocalDefinitions local;
  const auto definitions =
      ChunkFile::open(archive.paths().local_definitions(location), archive.definition_chunk());
  switch (definitions ? read_local_definitions(*definitions, buffer, local) : LocalFile::read) {
    case LocalFile::read: break;
    case LocalFile::damaged: out.end = refused; return out;
  }

  const auto file = ChunkFile::open(archive.paths().events(location), archive.event_chunk());
  DecodeState state;

  for (std::size_t k = 0; file && k < file->chunks(); ++k) {
    const auto chunk = file->read(k, buffer);
    switch (decode_chunk(chunk, local, state, sink)) {
      case ChunkEnd::chunk: break;
      case ChunkEnd::file: out.end = whole; return out;
      case ChunkEnd::damage: out.end = chunk.whole ? refused : beyond; return out;
    }
  }

  out.end = beyond;

  return out;
}

Outcome read_by_library(const Archive& archive, std::uint64_t location) {
  Outcome out;
  const std::vector<std::uint64_t> batch{location};
  HashSink sink(out.records);
  SinkReceiver receiver(sink);
  std::uint64_t n = 0;
  try {
    out.end = LibraryReader(archive, batch).read(location, receiver, n) ? Outcome::End::whole
                                                                        : Outcome::End::refused;
  } catch (const Error&) {
    out.end = Outcome::End::refused;
  }

  return out;
}

// The same in a process of its own, with 0.3 s of time.
Outcome read_apart(const Archive& archive, std::uint64_t location) {
  const fs::path file = fs::temp_directory_path() / fmt::format("tracefold-outcome-{}", ::getpid());
  const auto child = ::fork();

  if (child == 0) {
    ::ualarm(300'000, 0);
    if (!std::freopen("/dev/null", "w", stderr))
      ::_exit(1);

    const auto out = read_by_library(archive, location);
    std::ofstream stream(file, std::ios::binary);
    stream.put(static_cast<char>(out.end));
    stream.write(reinterpret_cast<const char*>(out.records.data()),
                 static_cast<std::streamsize>(out.records.size() * sizeof out.records[0]));
    stream.close();
    ::_exit(stream ? 0 : 1);
  }

  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome out;

  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    std::ifstream stream(file, std::ios::binary);
    out.end = static_cast<Outcome::End>(stream.get());
    std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    out.records.resize(bytes.size() / sizeof out.records[0]);
    if (!bytes.empty())
      std::memcpy(out.records.data(), bytes.data(), bytes.size());
  }

  fs::remove(file);

  return out;
}

// What differs, empty where nothing does.
std::string difference(const Outcome& own, const Outcome& library) {
  using enum Outcome::End;
  if (library.end == died)
    return own.end != whole ? "" : "libotf2 dies of it, ours does not refuse it";

  const bool stricter =
      own.end == refused &&
      (library.end == whole || library.end == refused);  // it may refuse an earlier record
  if (own.end != library.end && own.end != beyond && !stricter)
    return "ours reads what libotf2 refuses";

  const auto common = std::min(own.records.size(), library.records.size());
  for (std::size_t i = 0; i < common; ++i)
    if (own.records[i] != library.records[i])
      return fmt::format("record {} differs", i);

  if (own.records.size() > library.records.size() ||
      (own.end != beyond && !stricter && own.records.size() != library.records.size()))
    return fmt::format("{} records, libotf2 gives {}", own.records.size(), library.records.size());

  return "";
}

int compare(const std::string& anchor) {
  Diagnostics diagnostics;
  const Archive archive(anchor, diagnostics);
  if (!archive.event_chunk()) {
    fmt::print("{}: not plain files, libotf2 reads them\n", anchor);
    return 0;
  }

  std::uint64_t records = 0;
  int differ = 0;

  for (auto id : archive.definitions().locations()) {
    const auto own = read_own(archive, id);
    const auto what = own.end == Outcome::End::whole ? difference(own, read_by_library(archive, id))
                                                     : "ours refuses it";
    records += own.records.size();
    if (!what.empty())
      fmt::print("{}: location {}: {}\n", anchor, id, what), ++differ;
  }

  fmt::print("{} locations, {} records, {} differ\n", archive.definitions().locations().size(),
             records, differ);

  return differ ? 1 : 0;
}

std::vector<char> bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Changes a few bytes, or cuts, doubles or moves a piece.
std::vector<char> damaged(std::vector<char> bytes, std::mt19937& random) {
  const auto pick = [&](std::size_t n) {
    return n ? std::uniform_int_distribution<std::size_t>(0, n - 1)(random) : 0;
  };
  const auto offset = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };

  switch (pick(6)) {
    case 0: bytes.resize(pick(bytes.size())); break;
    case 1: {
      const auto from = pick(bytes.size()),
                 size = pick(std::min<std::size_t>(64, bytes.size() - from));
      bytes.erase(bytes.begin() + offset(from), bytes.begin() + offset(from + size));
      break;
    }
    case 2: {
      const auto from = pick(bytes.size()),
                 size = pick(std::min<std::size_t>(64, bytes.size() - from));
      const std::vector<char> piece(bytes.begin() + offset(from),
                                    bytes.begin() + offset(from + size));
      bytes.insert(bytes.begin() + offset(pick(bytes.size())), piece.begin(), piece.end());
      break;
    }
    default:
      for (std::size_t n = 1 + pick(4); n > 0 && !bytes.empty(); --n) {
        constexpr int odd[] = {0, 1, 2, 3, 5, 6, 8, 9, 12, 31, 127, 254, 255};
        auto& byte = bytes[pick(bytes.size())];
        byte = pick(2) ? static_cast<char>(odd[pick(std::size(odd))])
                       : static_cast<char>(byte ^ 1 << pick(8));
      }
  }

  return bytes;
}

int compare_mutants(const std::string& anchor, int count, unsigned seed) {
  Diagnostics diagnostics;
  const Archive original(anchor, diagnostics);
  const testing::TestFolder folder;
  const fs::path copy = folder.path() / "copy";
  fs::create_directories(copy);
  fs::copy(original.paths().anchor.parent_path(), copy, fs::copy_options::recursive);
  const Archive archive((copy / original.paths().anchor.filename()).string(), diagnostics);
  const auto ids = archive.definitions().locations();
  std::mt19937 random(seed);
  int refused = 0, died = 0, differ = 0;

  for (int n = 0; n < count; ++n) {
    const auto id = ids[std::uniform_int_distribution<std::size_t>(0, ids.size() - 1)(random)];
    const bool of_definitions = random() % 4 == 0;
    const auto file =
        of_definitions ? archive.paths().local_definitions(id) : archive.paths().events(id);
    const auto whole = bytes_of(file);
    auto bad = damaged(whole, random);
    if (of_definitions)
      bad.resize(std::max(
          bad.size(), archive.definition_chunk()));  // what lies behind is then the same for both

    std::ofstream(file, std::ios::binary)
        .write(bad.data(), static_cast<std::streamsize>(bad.size()));
    const auto own = read_own(archive, id);
    const auto library = read_apart(archive, id);
    const auto what = difference(own, library);
    refused += own.end == Outcome::End::refused || own.end == Outcome::End::beyond;
    died += library.end == Outcome::End::died;

    if (!what.empty()) {
      ++differ;
      const auto kept = fs::temp_directory_path() /
                        fmt::format("tracefold-mutant-{}-{}{}", seed, n, file.extension().string());
      fs::copy_file(file, kept, fs::copy_options::overwrite_existing);
      fmt::print("mutant {} of series {}, {}: {}; kept as {}\n", n, seed, file.filename().string(),
                 what, kept.string());
    }

    std::ofstream(file, std::ios::binary)
        .write(whole.data(), static_cast<std::streamsize>(whole.size()));
  }

  fmt::print("{} mutants, {} refused, libotf2 died of {}, {} differ\n", count, refused, died,
             differ);

  return differ ? 1 : 0;
}

// Repeats the events until they fill several chunks.
void lengthen(std::vector<Event>& events) {
  const auto once = events;
  while (events.size() < 60'000) {
    const auto last = events.back().time;
    for (auto event : once) {
      event.time += last;
      events.push_back(std::move(event));
    }
  }
}

// An input of the fuzzer: two bytes that say the sizes, definitions, events.
int write_seeds(const fs::path& out) {
  for (const bool big : {false, true}) {
    const auto content = testing::every_record();
    const testing::TestFolder folder;
    testing::write_archive(content, folder.path());
    testing::make_foreign(folder.path(), content.events, big);
    for (const auto& [id, events] : content.events) {
      auto definitions = bytes_of(folder.path() / "traces" / fmt::format("{}.def", id));
      definitions.resize((definitions.size() + 3) / 4 * 4);
      std::ofstream seed(out / fmt::format("{}-{}", big ? "big" : "little", id), std::ios::binary);
      seed.put('\xff').put(static_cast<char>(definitions.size() / 4));
      for (const auto& part :
           {definitions, bytes_of(folder.path() / "traces" / fmt::format("{}.evt", id))})
        seed.write(part.data(), static_cast<std::streamsize>(part.size()));
    }
  }

  return 0;
}

int usage() {
  fmt::print(stderr,
             "usage: compare_readers [--mutants N SEED] TRACE.otf2 | --made little|big [N SEED] | "
             "--seeds FOLDER\n");
  return 2;
}

int run(const std::vector<std::string>& args) {
  if (args.size() == 1)
    return compare(args[0]);
  if (args.size() == 2 && args[0] == "--seeds")
    return write_seeds(args[1]);
  if (args.size() == 4 && args[0] == "--mutants")
    return compare_mutants(args[3], std::stoi(args[1]), static_cast<unsigned>(std::stoul(args[2])));
  if ((args.size() != 2 && args.size() != 4) || args[0] != "--made")
    return usage();

  const testing::TestFolder folder;
  auto content = testing::every_record();
  lengthen(content.events.begin()->second);
  testing::write_archive(content, folder.path());
  testing::make_foreign(folder.path(), content.events, args[1] == "big");
  const auto anchor = (folder.path() / "traces.otf2").string();

  return args.size() == 2 ? compare(anchor)
                          : compare_mutants(anchor, std::stoi(args[2]),
                                            static_cast<unsigned>(std::stoul(args[3])));
}

}  // namespace
}  // namespace tracefold

int main(int argc, char** argv) {
  try {
    return tracefold::run({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    fmt::print(stderr, "compare_readers: {}\n", problem.what());
    return 3;
  }
}
