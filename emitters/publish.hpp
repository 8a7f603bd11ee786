// An output folder that appears whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace tracefold {

// Makes a hidden folder beside the final one. Whoever fills it calls
// publish(); without that, it is removed with everything in it. One thread.
class PendingFolder {
 public:
  // Throws Error(output) where the final folder exists and `force` is not set,
  // or holds `input`, which is never replaced, or where nothing can be made
  // beside it.
  PendingFolder(const std::filesystem::path& final, bool force, const std::filesystem::path& input = {});
  ~PendingFolder();
  PendingFolder(const PendingFolder&) = delete;
  PendingFolder& operator=(const PendingFolder&) = delete;

  const std::filesystem::path& path() const { return pending_; }
  // Syncs all files to the device and gives the folder its final name. An
  // existing folder is exchanged in one step and then removed.
  void publish();

 private:
  std::filesystem::path final_, pending_;
  bool force_;
};

// Writes a whole file; throws Error(output).
void write_file(const std::filesystem::path& file, const std::string& content);

// The same, but the file appears whole or not at all. Throws Error(output) where
// it exists and `force` is not set.
void publish_file(const std::filesystem::path& file, const std::string& content, bool force);

}  // namespace tracefold
