#include "base/tar_writer.hpp"

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/output_error.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr std::time_t fixed_time = 315532800;  // 1980, which no tar finds implausible
constexpr std::size_t piece_bytes = std::size_t{1} << 17;

// Bytes of one write. A file always takes them; a pipe with room takes this much without waiting,
// so that a request to stop is seen where nobody reads.
std::size_t choose_most_at_once(int handle) {
  struct ::stat status {};
  const bool is_file = ::fstat(handle, &status) == 0 && S_ISREG(status.st_mode);
  return is_file ? piece_bytes : PIPE_BUF;
}

class TarWriter {
 public:
  TarWriter(TarPacking packing, int handle)
      : handle_(handle), most_at_once_(choose_most_at_once(handle)) {
    auto* writer = writer_.get();
    if (!writer)
      throw std::bad_alloc();
    ::archive_write_set_format_pax_restricted(writer);
    if (packing == TarPacking::gzip) {
      check(::archive_write_add_filter_gzip(writer));
      check(::archive_write_set_filter_option(writer, "gzip", "timestamp", nullptr));
    } else if (packing == TarPacking::zstd) {
      check(::archive_write_add_filter_zstd(writer));
    }
    check(::archive_write_set_bytes_per_block(writer, static_cast<int>(piece_bytes)));
    check(::archive_write_set_bytes_in_last_block(writer, 1));  // no padding to a whole block
    check(::archive_write_open(writer, this, nullptr, write_packed, nullptr));
  }
  // A tar that was not closed gets no end.
  ~TarWriter() { is_given_up_ = true; }
  TarWriter(const TarWriter&) = delete;
  TarWriter& operator=(const TarWriter&) = delete;

  void add_folder(const std::string& name) {
    constexpr auto rights = 0755;
    add_header(name, AE_IFDIR, rights, 0);
  }

  void add_file(const std::string& name, const fs::path& file) {
    std::error_code unknown;
    const auto size = fs::file_size(file, unknown);
    std::ifstream in(file, std::ios::binary);
    const auto unreadable = [&] {
      return Error(ErrorKind::input, "cannot be read").in(file.string());
    };
    if (unknown || !in)
      throw unreadable();

    constexpr auto rights = 0644;
    add_header(name, AE_IFREG, rights, size);
    std::vector<char> piece(piece_bytes);
    std::uint64_t done = 0;
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
      check_stop();
      const auto bytes = static_cast<std::size_t>(in.gcount());
      const auto written = ::archive_write_data(writer_.get(), piece.data(), bytes);
      check(written < 0 ? ARCHIVE_FATAL : ARCHIVE_OK);
      done += bytes;
    }
    if (done != size)
      throw unreadable();
  }

  // Nothing is a whole tar before that.
  void close() { check(::archive_write_close(writer_.get())); }

  std::uint64_t bytes() const { return bytes_; }

 private:
  struct FreeWriter {
    void operator()(::archive* writer) const { ::archive_write_free(writer); }
  };

  static la_ssize_t write_packed(::archive*, void* self, const void* buffer, std::size_t size) {
    auto& writer = *static_cast<TarWriter*>(self);
    // libarchive does not free what it holds once it was told of an error: check() tells it
    // instead, and what comes behind it goes nowhere.
    try {
      if (!writer.problem_ && !writer.is_given_up_)
        writer.write_all(static_cast<const char*>(buffer), size);
    } catch (...) {
      writer.problem_ = std::current_exception();
    }
    return static_cast<la_ssize_t>(size);
  }

  void write_all(const char* data, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
      check_stop();
      ::pollfd ready{handle_, POLLOUT, 0};
      constexpr int milliseconds = 200;
      const int found = ::poll(&ready, 1, milliseconds);
      if (found == 0 || (found < 0 && errno == EINTR))
        continue;
      const auto n = ::write(handle_, data + done, std::min(size - done, most_at_once_));
      if (n >= 0)
        done += static_cast<std::size_t>(n);
      else if (errno != EINTR && errno != EAGAIN)
        throw output_error("cannot be written", errno);
    }
    bytes_ += size;
  }

  void add_header(const std::string& name, unsigned type, unsigned rights, std::uint64_t size) {
    const std::unique_ptr<::archive_entry, void (*)(::archive_entry*)> entry(::archive_entry_new(),
                                                                             ::archive_entry_free);
    if (!entry)
      throw std::bad_alloc();
    ::archive_entry_set_pathname(entry.get(), name.c_str());
    ::archive_entry_set_filetype(entry.get(), type);
    ::archive_entry_set_perm(entry.get(), static_cast<__LA_MODE_T>(rights));
    ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
    ::archive_entry_set_mtime(entry.get(), fixed_time, 0);
    ::archive_entry_set_uid(entry.get(), 0);
    ::archive_entry_set_gid(entry.get(), 0);
    check(::archive_write_header(writer_.get(), entry.get()));
  }

  void check(int code) {
    if (problem_)
      std::rethrow_exception(std::exchange(problem_, nullptr));
    if (code == ARCHIVE_OK)
      return;
    const char* words = ::archive_error_string(writer_.get());
    throw Error(ErrorKind::output, std::string("cannot be packed: ") + (words ? words : "unknown"));
  }

  int handle_;
  std::size_t most_at_once_;
  std::uint64_t bytes_ = 0;
  std::exception_ptr problem_;
  bool is_given_up_ = false;
  std::unique_ptr<::archive, FreeWriter> writer_{::archive_write_new()};
};

}  // namespace

std::uint64_t pack_tar(const fs::path& folder, std::span<const std::string> names,
                       TarPacking packing, int handle) {
  TarWriter writer(packing, handle);
  for (const auto& name : names) {
    check_stop();
    if (name.ends_with('/'))
      writer.add_folder(name);
    else
      writer.add_file(name, folder / name);
  }
  writer.close();

  return writer.bytes();
}

}  // namespace tracefold
