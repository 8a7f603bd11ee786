// A folder of its own for each test, which goes with all that is in it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace tracefold::testing {

class TestFolder {
 public:
  TestFolder() {
    auto name = (std::filesystem::temp_directory_path() / "tracefold-test-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw std::runtime_error("no folder can be made for a test");
    path_ = std::filesystem::canonical(name);
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Writes a file, with the folders that lead to it.
  std::filesystem::path write(const std::filesystem::path& name,
                              const std::string& content = "x") const {
    auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tracefold::testing
