// A lock between processes on several hosts: a file that only one of them can create.
//
// The file is created with O_EXCL, which network file systems support, and its text names who
// created it: host, process and job. The holder removes it. A lock is taken over where its holder
// was a process of this host that has ended, or where it is older than the longest time that its
// holder, or this process, may work. Its age is measured by the clock of its file system, since
// clocks of hosts differ.
//
// On a network file system that answers late, two hosts may take over a lock at the same time and
// both believe that they hold it. So a lock only avoids double work; call is_ours() before you
// destroy anything.
//
// The lock of base/pending.hpp is different: it belongs to the system, is seen by processes of one
// host, and only tells that somebody still fills an unfinished output.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

// One thread.
class LockFile {
 public:
  // Makes no file yet. `longest` is the longest time that this process will hold the lock; `job` is
  // its batch job, or empty. A copy in a child process is the same lock.
  LockFile(std::filesystem::path file, const std::string& job, std::chrono::seconds longest);

  // The holder, as "host n1, process 17, job 4", or what is there in place of a lock. None where
  // nobody holds it, or where the lock may be taken over.
  std::optional<std::string> find_holder() const;
  // False where another process holds it. Throws Error(output) where no lock can be created.
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
