// Programs that are compiled and run as users do it, here and by a peer.
#pragma once

#include <filesystem>
#include <string>

#include "harness.hpp"

namespace heddle::bench {

/// Throws std::runtime_error if the command fails.
void shell(const std::string& command);
/// What a command writes to standard output. Throws as shell().
std::string output_of(const std::string& command);
/// The processor time of a command and everything that it starts.
Sample timed_command(double units, const std::string& command);
/// The real time of a command: of one that uses several cores, on a machine that has them free.
Sample awaited_command(double units, const std::string& command);
/// The most memory, in bytes, that any one process of a command had at a time.
Sample memory_of_command(double units, const std::string& command);

/// A folder with the programs, made for one sample.
class Programs {
 public:
  Programs();
  ~Programs() { std::filesystem::remove_all(path_); }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  void write(const std::string& name, const std::string& text) const;
  std::string in(const std::string& command) const {
    return "cd " + path_.string() + " && " + command;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::bench
