#include "emitters/groups/graphviz.hpp"

#include "base/error.hpp"
#include "base/publish.hpp"
#include "base/read_file.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace tracefold {

namespace {

// A file in memory, so that neither program waits for the other.
class MemoryFile {
 public:
  MemoryFile() : handle_(::memfd_create("tracefold", MFD_CLOEXEC)) {
    if (handle_ < 0)
      throw Error(ErrorKind::output,
                  std::string("no memory for the picture: ") + std::strerror(errno));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(handle_); }

  int handle() const { return handle_; }
  void write(const std::string& text) const { write_file(path(), text); }
  std::string read() const { return read_file(path()).value_or(""); }

 private:
  std::string path() const { return "/proc/self/fd/" + std::to_string(handle_); }

  int handle_;
};

// Starts the program; 0 or an error number.
int spawn(pid_t& child, std::array<int, 3> handles) {
  ::posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (int k = 0; k < 3; ++k)
    ::posix_spawn_file_actions_adddup2(&actions, handles[static_cast<std::size_t>(k)], k);

  std::array<char*, 3> words{const_cast<char*>("dot"), const_cast<char*>("-Tsvg"), nullptr};
  const int code = ::posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);

  return code;
}

}  // namespace

std::string draw_svg(const std::string& dot) {
  MemoryFile in, out, errors;
  in.write(dot);
  ::pid_t child = 0;
  if (const int code = spawn(child, {in.handle(), out.handle(), errors.handle()}); code != 0)
    throw Error(ErrorKind::output, code == ENOENT
                                       ? "Graphviz, which makes SVG, is not installed"
                                       : std::string("'dot' cannot be run: ") + std::strerror(code))
        .hint("install the package graphviz, or write .dot");

  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}

  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    auto words = errors.read();
    words.resize(std::min(words.find('\n'), words.size()));
    throw Error(ErrorKind::output, "Graphviz failed: " + words)
        .hint("write .dot, and draw it with another program");
  }

  return out.read();
}

}  // namespace tracefold
