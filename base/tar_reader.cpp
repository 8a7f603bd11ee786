#include "base/tar_reader.hpp"

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/text.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t tar_block = 512;
constexpr std::size_t buffer_bytes = std::size_t{1} << 16;       // a multiple of tar_block
constexpr std::uint64_t least_member = 4096;                     // as file systems take for it
constexpr std::uint64_t most_padding = std::uint64_t{16} << 20;  // behind the end of a tar
constexpr std::size_t most_name_bytes = 255;                     // of a part

struct FreeReader {
  void operator()(::archive* reader) const { ::archive_read_free(reader); }
};
using Reader = std::unique_ptr<::archive, FreeReader>;

class TarHandle {
 public:
  explicit TarHandle(int handle) : handle_(handle) {}
  ~TarHandle() {
    if (handle_ >= 0)
      ::close(handle_);
  }
  TarHandle(TarHandle&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  TarHandle& operator=(TarHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  int get() const { return handle_; }

 private:
  int handle_;
};

constexpr const char* copy_again = "copy it again";

Error refuse_tar(const std::string& why) {
  return Error(ErrorKind::input, why);
}

Error refuse_writing(const std::string& what, int code) {
  return Error(ErrorKind::output, what + ": " + std::strerror(code));
}

std::string describe_problem(::archive* reader) {
  const char* words = ::archive_error_string(reader);
  return words ? words : "unknown";
}

Reader make_reader() {
  Reader reader(::archive_read_new());
  if (!reader)
    throw std::bad_alloc();
  return reader;
}

bool is_zero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == bytes.npos;
}

// Waits for bytes in a way that a request to stop ends.
std::size_t read_some(int handle, char* buffer, std::size_t bytes) {
  for (;;) {
    check_stop();
    ::pollfd ready{handle, POLLIN, 0};
    constexpr int milliseconds = 200;
    const int found = ::poll(&ready, 1, milliseconds);
    if (found == 0 || (found < 0 && errno == EINTR))
      continue;
    const auto n = ::read(handle, buffer, bytes);
    if (n >= 0)
      return static_cast<std::size_t>(n);
    if (errno != EINTR && errno != EAGAIN)
      throw refuse_tar(std::string("cannot be read: ") + std::strerror(errno));
  }
}

// The bytes of a tar, unpacked where they are packed. Exceptions do not go through libarchive: what
// a callback of it throws is kept, and thrown behind it.
class TarBytes {
 public:
  TarBytes(int handle, std::string begin, const TarBound& bound)
      : handle_(handle), begin_(std::move(begin)), left_(bound.most_bytes), bound_(bound) {
    auto* reader = reader_.get();
    ::archive_read_support_filter_gzip(reader);
    ::archive_read_support_filter_zstd(reader);
    ::archive_read_support_filter_bzip2(reader);
    ::archive_read_support_filter_xz(reader);
    ::archive_read_support_format_raw(reader);
    ::archive_entry* entry = nullptr;
    if (check(::archive_read_open(reader, this, nullptr, read_packed, nullptr)) != ARCHIVE_OK ||
        check(::archive_read_next_header(reader, &entry)) != ARCHIVE_OK)
      throw refuse_tar("is no tar of a trace, or cut").hint(copy_again);
  }
  TarBytes(const TarBytes&) = delete;
  TarBytes& operator=(const TarBytes&) = delete;

  // Whole buffers until the last one; empty at the end.
  std::string_view read() {
    if (has_ended_)
      return {};
    auto next = std::exchange(rest_, {});
    while (next.size() < buffer_bytes) {
      const auto more = read_block();
      if (more.empty())
        break;
      next += more;
    }
    if (next.size() > buffer_bytes) {
      rest_ = next.substr(buffer_bytes);
      next.resize(buffer_bytes);
    }

    has_ended_ = next.empty();
    if (has_ended_)
      return {};
    take(next.size());
    at_ += now_.size();
    before_ = std::exchange(now_, std::move(next));
    return now_;
  }

  // Counts bytes that nothing but their number makes large.
  void take(std::uint64_t bytes) {
    if (bytes > left_)
      refuse_size();
    left_ -= bytes;
  }

  // Whether a block of zeros ends at this place, which lies in what was read last.
  bool has_zeros_before(std::uint64_t place) const {
    const auto begin = at_ - before_.size();
    const auto both = before_ + now_;
    const auto end = static_cast<std::size_t>(place - begin);
    return place >= begin + tar_block && end <= both.size() &&
           is_zero(std::string_view(both).substr(end - tar_block, tar_block));
  }
  // Reads on to the end, where nothing but zeros may be left behind this place; so it is known
  // that what packs them is whole, too.
  void finish(std::uint64_t place) {
    const auto refuse = [] { throw refuse_tar("something follows the end of the tar"); };
    const auto begin = static_cast<std::size_t>(place - std::min(place, at_));
    if (!is_zero(std::string_view(now_).substr(std::min(begin, now_.size()))))
      refuse();
    for (std::uint64_t padding = 0;;) {
      const auto more = read();
      if (more.empty())
        return;
      padding += more.size();
      if (!is_zero(more) || padding > most_padding)
        refuse();
    }
  }

  // Keeps what is thrown now, for check().
  void keep_problem() { problem_ = std::current_exception(); }
  // A code of libarchive, unless a callback has thrown.
  int check(int code) {
    if (problem_)
      std::rethrow_exception(std::exchange(problem_, nullptr));
    return code;
  }

 private:
  [[noreturn]] void refuse_size() const {
    const auto size = format_bytes(bound_.most_bytes);
    if (!bound_.free_space.empty())
      throw Error(ErrorKind::output,
                  fmt::format("unpacks to more than {}, {}", size, bound_.free_space));
    throw refuse_tar(fmt::format("unpacks to more than {}", size)).hint("`max_size` allows more");
  }

  static la_ssize_t read_packed(::archive*, void* self, const void** buffer) {
    auto& bytes = *static_cast<TarBytes*>(self);
    try {
      auto& packed = bytes.packed_;
      packed = std::exchange(bytes.begin_, {});
      if (packed.empty()) {
        packed.resize(buffer_bytes);
        packed.resize(read_some(bytes.handle_, packed.data(), packed.size()));
      }
      *buffer = packed.data();
      return static_cast<la_ssize_t>(packed.size());
    } catch (...) {
      bytes.keep_problem();
      return -1;
    }
  }

  std::string_view read_block() {
    const void* block = nullptr;
    std::size_t bytes = 0;
    la_int64_t offset = 0;
    do {
      const auto code = check(::archive_read_data_block(reader_.get(), &block, &bytes, &offset));
      if (code == ARCHIVE_EOF)
        return {};
      if (code != ARCHIVE_OK)
        throw refuse_tar("is damaged, or cut: " + describe_problem(reader_.get())).hint(copy_again);
    } while (bytes == 0);
    return {static_cast<const char*>(block), bytes};
  }

  int handle_;
  std::string begin_, packed_;
  std::uint64_t left_;
  TarBound bound_;
  std::exception_ptr problem_;
  std::string before_, now_, rest_;  // buffers that were read last, and what is ahead of them
  std::uint64_t at_ = 0;             // of the first byte of now_
  bool has_ended_ = false;
  Reader reader_ = make_reader();
};

std::vector<std::string> split_name(std::string_view name) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const auto end = std::min(name.find('/', begin), name.size());
    const auto part = name.substr(begin, end - begin);
    if (!part.empty() && part != ".")
      parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

void check_member_name(const std::string& name, const std::vector<std::string>& parts) {
  const auto refuse = [&](std::string_view why) {
    throw refuse_tar(fmt::format("has a member '{}', {}", name.substr(0, most_name_bytes), why));
  };
  if (name.starts_with('/'))
    refuse("whose name is absolute");
  if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    refuse("whose name has control characters");
  if (std::find(parts.begin(), parts.end(), "..") != parts.end())
    refuse("whose name leads out of it");
  if (std::any_of(parts.begin(), parts.end(),
                  [](const auto& part) { return part.size() > most_name_bytes; }))
    refuse("whose name is too long");
}

std::string read_member_name(::archive_entry* entry) {
  const char* name = ::archive_entry_pathname_utf8(entry);
  if (!name)
    name = ::archive_entry_pathname(entry);
  if (!name || !*name)
    throw refuse_tar("has a member without a name");
  return name;
}

std::string_view describe_type(::archive_entry* entry) {
  if (::archive_entry_hardlink(entry))
    return "a hard link";
  switch (::archive_entry_filetype(entry)) {
    case AE_IFLNK: return "a symbolic link";
    case AE_IFCHR:
    case AE_IFBLK: return "a device";
    case AE_IFIFO: return "a pipe";
    case AE_IFSOCK: return "a socket";
    default: return "neither a file nor a folder";
  }
}

// Below a folder that is ours alone; no link is followed, and nothing that is there is opened.
class NewFile {
 public:
  NewFile(int folder, const std::vector<std::string>& parts) {
    TarHandle at(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
      const auto* name = parts[k].c_str();
      if (::mkdirat(at.get(), name, 0700) != 0 && errno != EEXIST)
        fail(parts, errno);
      TarHandle inner(::openat(at.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (inner.get() < 0)
        fail(parts, errno);
      at = std::move(inner);
    }
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    handle_ = TarHandle(::openat(at.get(), parts.back().c_str(), flags, 0600));
    if (handle_.get() < 0)
      fail(parts, errno);
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto n = ::write(handle_.get(), bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        throw refuse_writing("cannot be unpacked", errno);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

 private:
  [[noreturn]] static void fail(const std::vector<std::string>& parts, int code) {
    if (code == EEXIST || code == ENOTDIR || code == EISDIR)
      throw refuse_tar(fmt::format("has two members '{}'", fmt::join(parts, "/")));
    throw refuse_writing(fmt::format("'{}' cannot be unpacked", fmt::join(parts, "/")), code);
  }

  TarHandle handle_{-1};
};

class TarReader {
 public:
  TarReader(TarBytes& bytes, int folder, const IsWanted& is_wanted)
      : bytes_(bytes), folder_(folder), is_wanted_(is_wanted) {}

  UnpackedTar unpack() {
    auto* reader = reader_.get();
    ::archive_read_support_format_tar(reader);
    if (bytes_.check(::archive_read_open(reader, &bytes_, nullptr, read_bytes, nullptr)) !=
        ARCHIVE_OK)
      refuse();
    for (::archive_entry* entry = nullptr;; unpack_member(entry)) {
      const auto code = bytes_.check(::archive_read_next_header(reader, &entry));
      if (code == ARCHIVE_EOF)
        break;
      if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
        refuse();
      has_members_ = true;
      bytes_.take(least_member);
    }

    const auto end = static_cast<std::uint64_t>(::archive_filter_bytes(reader, 0));
    if (!bytes_.has_zeros_before(end))
      throw refuse_tar("is cut: the end of the tar is missing").hint(copy_again);
    bytes_.finish(end);
    return std::move(unpacked_);
  }

 private:
  static la_ssize_t read_bytes(::archive*, void* self, const void** buffer) {
    auto& bytes = *static_cast<TarBytes*>(self);
    try {
      const auto block = bytes.read();
      *buffer = block.data();
      return static_cast<la_ssize_t>(block.size());
    } catch (...) {
      bytes.keep_problem();
      return -1;
    }
  }

  [[noreturn]] void refuse() const {
    if (!has_members_)
      throw refuse_tar("is no tar of a trace, or cut").hint(copy_again);
    throw refuse_tar("is damaged, or cut: " + describe_problem(reader_.get())).hint(copy_again);
  }

  void unpack_member(::archive_entry* entry) {
    const auto name = read_member_name(entry);
    const auto parts = split_name(name);
    check_member_name(name, parts);
    const auto type = ::archive_entry_filetype(entry);
    const bool is_link = ::archive_entry_hardlink(entry) != nullptr;
    if (type == AE_IFDIR && !is_link)
      return;
    if (type != AE_IFREG || is_link)
      throw refuse_tar(fmt::format("has a member '{}', which is {}", name, describe_type(entry)));
    if (parts.empty())
      throw refuse_tar("has a member without a name");

    if (is_wanted_(parts)) {
      NewFile file(folder_, parts);
      copy_content(entry, name, &file);
      unpacked_.files.push_back(fmt::format("{}", fmt::join(parts, "/")));
    } else {
      copy_content(entry, name, nullptr);
      ++unpacked_.skipped;
    }
  }

  // Only what the tar brings is written: nothing in place of a hole.
  void copy_content(::archive_entry* entry, const std::string& name, NewFile* file) {
    const auto refuse_holes = [&] {
      throw refuse_tar(fmt::format("has a member '{}', which has holes", name));
    };
    la_int64_t written = 0;
    for (;;) {
      check_stop();
      const void* block = nullptr;
      std::size_t bytes = 0;
      la_int64_t offset = 0;
      const auto code =
          bytes_.check(::archive_read_data_block(reader_.get(), &block, &bytes, &offset));
      if (code == ARCHIVE_EOF)
        break;
      if (code != ARCHIVE_OK)
        refuse();
      if (offset != written)
        refuse_holes();
      if (file)
        file->write({static_cast<const char*>(block), bytes});
      written += static_cast<la_int64_t>(bytes);
    }
    if (written != ::archive_entry_size(entry))
      refuse_holes();
  }

  TarBytes& bytes_;
  int folder_;
  const IsWanted& is_wanted_;
  bool has_members_ = false;
  UnpackedTar unpacked_;
  Reader reader_ = make_reader();
};

}  // namespace

bool begins_as_plain_tar(std::string_view begin) {
  constexpr std::size_t place = 257;  // of the word
  return begin.size() > place && begin.substr(place).starts_with("ustar");
}

bool begins_as_tar(std::string_view begin) {
  constexpr std::string_view gzip("\x1f\x8b", 2), zstd("\x28\xb5\x2f\xfd", 4), bzip2("BZh"),
      xz("\xfd\x37\x7a\x58\x5a\x00", 6);
  for (const auto packed : {gzip, zstd, bzip2, xz})
    if (begin.starts_with(packed))
      return true;
  return begins_as_plain_tar(begin);
}

std::string_view find_tar_ending(std::string_view file) {
  constexpr std::array endings =
      std::to_array<std::string_view>({".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst", ".tar.xz",
                                       ".txz", ".tar.bz2", ".tbz2", ".tbz"});
  const auto name = to_lower(std::string(file));
  const auto* found = std::find_if(endings.begin(), endings.end(),
                                   [&](auto ending) { return name.ends_with(ending); });
  return found == endings.end() ? std::string_view() : *found;
}

UnpackedTar unpack_tar(int handle, std::string begin, const std::filesystem::path& folder,
                       const TarBound& bound, const IsWanted& is_wanted) {
  const TarHandle into(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (into.get() < 0)
    throw refuse_writing("cannot be opened", errno);
  TarBytes bytes(handle, std::move(begin), bound);
  return TarReader(bytes, into.get(), is_wanted).unpack();
}

}  // namespace tracefold
