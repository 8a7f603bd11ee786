// An output folder that appears whole or not at all.
#pragma once

#include "base/pending.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

// A hidden folder beside the final one. Whoever fills it calls publish(); without
// that, it is removed with everything in it. One thread.
class PendingFolder {
 public:
  // Throws Error(output) where the final folder exists and `force` is not set,
  // or holds `input`, which is never replaced, or where nothing can be made
  // beside it.
  PendingFolder(const std::filesystem::path& final, bool force,
                const std::filesystem::path& input = {});

  const std::filesystem::path& path() const { return pending_->path(); }
  // Syncs all files to the device and gives the folder its final name. An
  // existing folder is exchanged in one step, where the file system can, and then
  // removed. Throws Error(output).
  void publish();

 private:
  std::filesystem::path final_, input_;
  bool force_;
  std::optional<Pending> pending_;
};

// Writes a whole file; throws Error(output).
void write_file(const std::filesystem::path& file, const std::string& content);

// The same, but the file appears whole or not at all. Throws Error(output) where
// it exists and `force` is not set.
void publish_file(const std::filesystem::path& file, const std::string& content, bool force);

}  // namespace tracefold
