#include "programs.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace heddle::bench {
namespace {

double children_seconds() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

}  // namespace

void shell(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text.push_back(static_cast<char>(c));
  if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
  return text;
}

Sample timed_command(double units, const std::string& command) {
  const double before = children_seconds();
  shell(command);
  return {children_seconds() - before, units};
}

Sample awaited_command(double units, const std::string& command) {
  const auto begin = std::chrono::steady_clock::now();
  shell(command);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return {passed.count(), units};
}

Sample memory_of_command(double units, const std::string& command) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(1);
  }
  int status = 0;
  rusage use{};
  if (wait4(child, &status, 0, &use) != child || status != 0) {
    throw std::runtime_error("failed: " + command);
  }
  return {static_cast<double>(use.ru_maxrss) * 1024, units};
}

Programs::Programs() {
  std::string pattern = std::filesystem::temp_directory_path() / "heddle-bench-XXXXXX";
  path_ = mkdtemp(pattern.data());
}

void Programs::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name) << text;
}

}  // namespace heddle::bench
