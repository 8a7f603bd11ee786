// A lock that processes on several hosts respect: a file that only one of them can make.
//
// It is made with O_EXCL, which network file systems honour, too, and holds who made it: host,
// process and job. The holder removes it. A lock that was left behind is taken over: that of a
// process of this host that has gone, and any that is older than its holder, or who asks, may work
// for. How old it is is told by the clock of the file system that it lies on, since clocks of hosts
// differ.
//
// Two hosts may take over the same lock in one moment, and both believe they have it, on a network
// file system that answers late. So a lock saves double work; who destroys anything asks is_ours()
// before.
//
// The lock of base/pending.hpp is another one: it is the system's, for processes of one host, and
// only tells which unfinished output somebody still fills.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

// One thread.
class LockFile {
 public:
  // Nothing is made yet. `longest` is how long this process will hold it at most; `job` is the
  // batch job that it belongs to, or empty. A copy of it in a child process is the same lock.
  LockFile(std::filesystem::path file, const std::string& job, std::chrono::seconds longest);

  // Who holds it: "host n1, process 17, job 4", or what there is in place of a lock. None where
  // nobody does, or only what was left behind.
  std::optional<std::string> find_holder() const;
  // False where somebody else holds it. Throws Error(output) where no lock can be made there.
  bool take();
  bool is_ours() const;
  // Removes it where it is ours.
  void release();

 private:
  std::filesystem::path file_;
  std::chrono::seconds longest_;
  std::string content_;  // nobody else's is equal
};

}  // namespace tracefold
