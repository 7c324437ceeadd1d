// Runs of the program: a process each, in a folder each, that can be stopped.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "orders.hpp"

namespace heddle::serve {

/// All runs of a server. What they write goes into a folder of the server's own inside that of the
/// user, which is removed with all in it at the end.
class Runs {
 public:
  Runs(std::filesystem::path heddle, std::filesystem::path folder);
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// Starts a process; answers the run's name. Throws Refused.
  std::string start(const Order& order);
  /// State, progress, error and, when it is done, the result. Throws Refused if there is none.
  nlohmann::json status(const std::string& name);
  /// Ends the process and removes what it has written.
  void remove(const std::string& name);
  /// The text of one of the files that a run writes ("page.html"), or "".
  std::string file(const std::string& name, const std::string& file);

 private:
  struct Run {
    pid_t process = 0;
    int status = 0;
    bool ended = false;
    std::filesystem::path folder;
    std::vector<std::string> shown;  ///< The command line, without the server's own files.
  };

  std::vector<std::string> outputs(const Order& order, const std::filesystem::path& folder) const;
  Run& find(const std::string& name);
  void look(Run& run);
  static void end(Run& run);
  void forget_oldest();
  std::size_t under_way();

  std::filesystem::path heddle_;
  std::filesystem::path folder_;
  std::filesystem::path own_;
  std::mutex mutex_;
  std::map<std::string, Run> runs_;
  unsigned long next_ = 1;
};

}  // namespace heddle::serve
