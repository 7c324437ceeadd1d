#include "core/forked_tasks.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/error.hpp"

namespace heddle {
namespace {

constexpr int kPatienceMs = 100;

[[noreturn]] void throw_system_error(const char* what) {
  throw RunError(std::string(what) + ": " + std::strerror(errno));
}

bool write_all(int socket, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) at += static_cast<std::size_t>(written);
  }
  return true;
}

/// Waits for the word to begin; false if nobody is left to give it.
bool told_to_begin(int socket) {
  char word = 0;
  ssize_t count = 0;
  do {
    count = read(socket, &word, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1;
}

/// What a process has in memory, or nothing if it is gone.
Bytes memory_of(pid_t process) {
  std::ifstream statm("/proc/" + std::to_string(process) + "/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  statm >> size >> resident;
  return statm ? Bytes(resident * sysconf(_SC_PAGESIZE)) : Bytes();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ForkedTasks::ForkedTasks(Task task, std::size_t count, std::size_t at_once)
    : task_(std::move(task)), at_once_(std::max<std::size_t>(at_once, 1)), results_(count) {}

ForkedTasks::~ForkedTasks() {
  if (prepared_) running_.push_back(std::move(*prepared_));
  for (Child& child : running_) {
    kill(child.process, SIGKILL);
    end(child);
  }
}

void ForkedTasks::prepare() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw_system_error("cannot start a task");
  }
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) {
    close(ends[0]);
    close(ends[1]);
    throw_system_error("cannot start a task");
  }
  if (process == 0) {
    // Nobody would read the result if this process's parent were killed.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    close(ends[0]);
    be_child(ends[1], next_);
  }
  close(ends[1]);
  prepared_ = Child{process, ends[0], next_++};
}

/// Ends without what the end of a program does: buffers and temporary files are the parent's. That
/// the result is complete is told before the memory goes, which takes a while.
void ForkedTasks::be_child(int socket, std::size_t number) {
  bool well = false;
  try {
    well = told_to_begin(socket) && write_all(socket, task_(number));
  } catch (...) {
    well = false;
  }
  shutdown(socket, SHUT_WR);
  _exit(well ? 0 : 1);
}

/// Tasks that may begin do so, and the next one is prepared for when another is through.
void ForkedTasks::start_some() {
  for (;;) {
    if (!prepared_) {
      if (next_ == results_.size()) return;
      prepare();
    }
    if (running_.size() >= at_once_) return;
    // If it has been killed, its end says so.
    send(prepared_->socket, "", 1, MSG_NOSIGNAL);
    running_.push_back(std::move(*prepared_));
    prepared_.reset();
  }
}

void ForkedTasks::end_large_ones() {
  for (Child& child : running_) {
    if (child.too_large || memory_of(child.process) <= most_memory_) continue;
    child.too_large = true;
    kill(child.process, SIGKILL);
  }
}

bool ForkedTasks::wait() {
  start_some();
  if (running_.empty()) return false;
  if (most_memory_ < Bytes(INT64_MAX)) end_large_ones();
  std::vector<pollfd> sockets;
  for (const Child& child : running_) sockets.push_back({child.socket, POLLIN, 0});
  if (poll(sockets.data(), sockets.size(), kPatienceMs) <= 0) return true;
  std::vector<Child> ended;
  for (std::size_t i = sockets.size(); i-- > 0;) {
    if (sockets[i].revents == 0 || read_some(running_[i])) continue;
    ended.push_back(std::move(running_[i]));
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  // The cores have work while processes go and the caller looks at what is done.
  start_some();
  for (Child& child : ended) {
    end(child);
    ++done_;
  }
  return done_ < results_.size();
}

/// False at the end of what the child writes.
bool ForkedTasks::read_some(Child& child) {
  char buffer[1 << 14];
  const ssize_t count = read(child.socket, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR;
  child.bytes.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

void ForkedTasks::end(Child& child) {
  close(child.socket);
  int status = 0;
  rusage used{};
  while (wait4(child.process, &status, 0, &used) < 0 && errno == EINTR) {
  }
  Ending& ending = endings_.emplace_back();
  ending.number = child.number;
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.too_large = child.too_large;
  ending.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  ending.memory = Bytes(used.ru_maxrss * 1024);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    results_[child.number] = std::move(child.bytes);
  }
}

std::vector<ForkedTasks::Ending> ForkedTasks::take_endings() {
  std::vector<Ending> endings;
  endings.swap(endings_);
  for (Ending& ending : endings) ending.result = std::exchange(results_[ending.number], {});
  return endings;
}

std::size_t ForkedTasks::cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&cores)));
}

}  // namespace heddle
