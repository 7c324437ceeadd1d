#include "core/forked_tasks.hpp"

#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <utility>

#include "core/error.hpp"

namespace heddle {
namespace {

constexpr std::chrono::milliseconds kPatience(100);

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

/// How many tasks may have begun: those whose numbers are less have their turns. All processes
/// share it.
class ForkedTasks::Turns {
 public:
  explicit Turns(std::size_t at_once) : at_once_(static_cast<std::uint32_t>(at_once)) {
    void* const page =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw_system_error("cannot start tasks");
    shared_ = new (page) Shared{at_once_, kNoCore};
  }
  ~Turns() { munmap(shared_, sizeof(Shared)); }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  void await(std::size_t number) const {
    const auto task = static_cast<std::uint32_t>(number);
    for (std::uint32_t given = shared_->given; given <= task; given = shared_->given) {
      syscall(SYS_futex, &shared_->given, FUTEX_WAIT_BITSET, given, nullptr, nullptr, bit_of(task));
    }
    move_to(shared_->free_core.exchange(kNoCore));
  }
  /// A task is through, and its core has nothing to do.
  void give() {
    shared_->free_core = sched_getcpu();
    wake(bit_of(shared_->given++));
  }
  /// So many processes are gone: as many turns are given, also if some of them had no time to.
  void give_for(std::size_t ended) {
    const std::uint32_t least = at_once_ + static_cast<std::uint32_t>(ended);
    for (std::uint32_t given = shared_->given; given < least;) {
      if (shared_->given.compare_exchange_weak(given, least)) {
        return wake(FUTEX_BITSET_MATCH_ANY);
      }
    }
  }

 private:
  static constexpr int kNoCore = -1;
  struct Shared {
    std::atomic<std::uint32_t> given;
    std::atomic<int> free_core;  ///< Where the last task ended, if none has begun there.
  };
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
                sizeof(Shared::given) == sizeof(std::uint32_t));

  static std::uint32_t bit_of(std::uint32_t task) { return 1U << task % 32; }
  void wake(std::uint32_t bits) const {
    syscall(SYS_futex, &shared_->given, FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr, bits);
  }
  /// Goes on there, from where the system may move it again. Left to itself the system lets short
  /// tasks queue for one core beside another that is idle, for milliseconds at a time.
  static void move_to(int core) {
    cpu_set_t all;
    if (core == kNoCore || core == sched_getcpu()) return;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || !CPU_ISSET(core, &all)) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    sched_setaffinity(0, sizeof all, &all);
  }

  std::uint32_t at_once_;
  Shared* shared_;
};

ForkedTasks::ForkedTasks(Task task, std::size_t count, std::size_t at_once)
    : task_(std::move(task)),
      most_(2 * std::max<std::size_t>(at_once, 1)),
      turns_(std::make_unique<Turns>(most_ / 2)),
      results_(count) {}

ForkedTasks::~ForkedTasks() {
  for (Child& child : running_) {
    kill(child.process, SIGKILL);
    end(child);
  }
}

void ForkedTasks::start() {
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
  running_.push_back({process, ends[0], next_++});
}

/// Ends without what the end of a program does: buffers and temporary files are the parent's. The
/// result is complete, and the next task has its turn, before the memory goes, which takes a while.
void ForkedTasks::be_child(int socket, std::size_t number) {
  bool well = false;
  try {
    turns_->await(number);
    well = write_all(socket, task_(number));
  } catch (...) {
    well = false;
  }
  shutdown(socket, SHUT_WR);
  turns_->give();
  _exit(well ? 0 : 1);
}

void ForkedTasks::start_some() {
  while (next_ < results_.size() && running_.size() < most_) start();
}

void ForkedTasks::end_large_ones() {
  const auto now = std::chrono::steady_clock::now();
  if (now - measured_ < kPatience) return;
  measured_ = now;
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
  if (poll(sockets.data(), sockets.size(), static_cast<int>(kPatience.count())) <= 0) return true;
  std::vector<Child> ended;
  std::vector<Child> others;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    const bool over = sockets[i].revents != 0 && !read_some(running_[i]);
    (over ? ended : others).push_back(std::move(running_[i]));
  }
  running_.swap(others);
  start_some();
  for (Child& child : ended) {
    end(child);
    turns_->give_for(++done_);
  }
  return done_ < results_.size();
}

/// Reads all that there is. False at the end of what the child writes.
bool ForkedTasks::read_some(Child& child) {
  char buffer[1 << 14];
  for (;;) {
    const ssize_t count = recv(child.socket, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    if (count == 0) return false;
    child.bytes.append(buffer, static_cast<std::size_t>(count));
  }
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
