// Runs of SimGrid in processes of their own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

namespace heddle::network {

/// The `count` numbers that `run` gives in a child process, since SimGrid's engine exists once per
/// process. Nothing if SimGrid gives up: its own rounding stops it now and then when weights differ
/// widely ("Cannot saturate more a constraint that has no active element"), or lets it run for
/// ever.
inline std::optional<std::vector<double>> run_apart(
    std::size_t count, const std::function<std::vector<double>()>& run) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(STDERR_FILENO);
    alarm(20);
    try {
      const std::vector<double> numbers = run();
      const std::size_t size = numbers.size() * sizeof(double);
      const bool sent = write(ends[1], numbers.data(), size) == static_cast<ssize_t>(size);
      _exit(sent ? 0 : 1);
    } catch (const std::exception& error) {
      std::puts(error.what());
      std::fflush(stdout);
      _exit(1);
    }
  }
  close(ends[1]);
  std::vector<double> numbers(count);
  char* place = reinterpret_cast<char*>(numbers.data());
  std::size_t wanted = count * sizeof(double);
  for (ssize_t n; wanted > 0 && (n = read(ends[0], place, wanted)) > 0; place += n) {
    wanted -= static_cast<std::size_t>(n);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (wanted > 0 || status != 0) return std::nullopt;
  return numbers;
}

}  // namespace heddle::network
