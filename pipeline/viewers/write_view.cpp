#include "pipeline/viewers/write_view.hpp"

#include "base/gzip.hpp"
#include "base/output_error.hpp"
#include "model/plan.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/viewers/make_view.hpp"
#include "pipeline/viewers/message_links.hpp"
#include "pipeline/viewers/view_events.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// A file that is written from its begin to its end.
class NewFile {
 public:
  explicit NewFile(const fs::path& file) : out_(file, std::ios::binary) { check(); }

  void add(std::string_view bytes) {
    errno = 0;
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    check();
  }
  void close() {
    errno = 0;
    out_.close();
    check();
  }

 private:
  void check() const {
    if (!out_)
      throw output_error("cannot be written", errno ? errno : EIO);
  }

  std::ofstream out_;
};

// A part of the file on its way there, packed or not.
class PartFile {
 public:
  PartFile(const fs::path& file, bool is_packed) : file_(file) {
    if (is_packed)
      packer_ = std::make_unique<GzipPart>();
  }

  // Takes what is there, and leaves nothing.
  void take(std::string& bytes) {
    if (packer_)
      packer_->add(bytes, packed_);
    write(packer_ ? packed_ : bytes);
    bytes.clear();
  }
  // The sum of what it holds.
  GzipSum finish() {
    if (packer_)
      packer_->finish(packed_);
    write(packed_);
    file_.close();

    return packer_ ? packer_->sum() : GzipSum();
  }

 private:
  void write(std::string& bytes) {
    file_.add(bytes);
    bytes.clear();
  }

  NewFile file_;
  std::unique_ptr<GzipPart> packer_;
  std::string packed_;
};

// Hands the bytes of a part to its file whenever they are many.
class FlushedSink {
 public:
  static constexpr bool keeps_order = true;  // see OrderedSink

  FlushedSink(ViewSink& sink, ViewPart& part, PartFile& file)
      : sink_(sink), part_(part), file_(file) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    sink_.enter(call, attributes);
    flush();
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    sink_.leave(call, attributes);
    flush();
  }
  void other(const Event& event) {
    sink_.other(event);
    flush();
  }
  void unknown(std::uint64_t time) { sink_.unknown(time); }

 private:
  void flush() {
    constexpr std::size_t many = std::size_t{1} << 16;
    if (part_.bytes().size() >= many)
      file_.take(part_.bytes());
  }

  ViewSink& sink_;
  ViewPart& part_;
  PartFile& file_;
};

fs::path name_part(const fs::path& folder, std::size_t thread) {
  return folder / ("part-" + std::to_string(thread));
}

void append_file(const fs::path& file, NewFile& out) {
  std::ifstream in(file, std::ios::binary);
  std::string buffer(std::size_t{1} << 20, '\0');
  for (;;) {
    errno = 0;
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    out.add(std::string_view(buffer).substr(0, static_cast<std::size_t>(in.gcount())));
    if (in.eof())
      return;
    if (!in)
      throw output_error("what was written cannot be read again", errno ? errno : EIO);
  }
}

// What the first reading finds of all locations.
struct Surveys {
  std::vector<ViewSurvey> found;
  std::vector<MessageCounts> messages;

  std::uint64_t first_time() const {
    std::optional<std::uint64_t> first;
    for (const auto& survey : found)
      if (survey.first_time)
        first = std::min(first.value_or(*survey.first_time), *survey.first_time);

    return first.value_or(0);
  }
};

Surveys survey_locations(const Archive& archive, const ReadOptions& options,
                         Diagnostics& diagnostics) {
  const auto& ids = archive.definitions().locations();
  Surveys surveys{std::vector<ViewSurvey>(ids.size()), std::vector<MessageCounts>(ids.size())};
  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    ViewSurveySink sink(archive.definitions(), ids[i]);
    reader.read(ids[i], sink);
    surveys.found[i] = sink.found();
    surveys.messages[i] = sink.take_messages();
  });

  return surveys;
}

}  // namespace

void write_view(const Archive& archive, const RepresentativeNames& names, const ViewFormat& format,
                const fs::path& folder, const fs::path& file, const ReadOptions& options,
                Diagnostics& diagnostics) {
  const auto& definitions = archive.definitions();
  const auto& ids = definitions.locations();
  auto surveys = survey_locations(archive, options, diagnostics);
  const MessageLinks links(std::move(surveys.messages));
  const ViewClock clock(definitions, surveys.first_time());
  auto placed = place_definitions(definitions, names);
  complete_view(placed, archive.facts(), surveys.found, links, clock);

  const auto writer = format.make_writer(placed.view);
  const FunctionTable functions(definitions, {});
  std::vector<GzipSum> sums(ids.size());
  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    const auto part = writer->open(i);
    PartFile part_file(name_part(folder, i), format.is_packed);
    ViewSink sink(placed, definitions, clock, links, i, ids[i], *part);
    FlushedSink flushed(sink, *part, part_file);
    read_calls(reader, ids[i], functions, flushed);
    part_file.take(part->bytes());
    sums[i] = part_file.finish();
  });

  NewFile out(file);
  GzipSum all;
  // What is not of a location is packed as a part, too.
  const auto add = [&](const std::string& bytes) {
    if (!format.is_packed) {
      out.add(bytes);
      return;
    }
    GzipPart packer;
    std::string packed;
    packer.add(bytes, packed);
    packer.finish(packed);
    out.add(packed);
    all.append(packer.sum());
  };

  if (format.is_packed)
    out.add(gzip_begin);
  add(writer->begin());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    check_stop();
    append_file(name_part(folder, i), out);
    all.append(sums[i]);
    fs::remove(name_part(folder, i));
  }
  add(writer->end());
  if (format.is_packed)
    out.add(end_gzip(all));
  out.close();
}

}  // namespace tracefold
