#include "processes/child.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "host/libc/streams.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"

namespace heddle::processes {
namespace {

/// What a shell answers for a program that cannot be started.
constexpr int kNotStarted = 126;

/// The words as exec(3) wants them; they must outlive the answer.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

[[noreturn]] void fail(const char* what) {
  throw RunError(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

/// Undoes what the simulator has set for itself and a program would inherit.
void reset_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
}

}  // namespace

Child::Child(const ChildConfig& config) {
  std::array<Pipe, 2> pipes{};
  for (Pipe& pipe : pipes) {
    if (pipe2(pipe.data(), O_CLOEXEC) != 0) fail("make a pipe for a rank");
  }
  id_ = fork();
  if (id_ < 0) fail("start a process");
  if (id_ == 0) become(config, pipes);
  group_ = config.group == 0 ? id_ : config.group;
  setpgid(id_, group_);  // Both do it, for either may need it first.
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    close(pipes[i][1]);
    outputs_[i] = pipes[i][0];
    fcntl(outputs_[i], F_SETFL, O_NONBLOCK);
  }
}

void Child::become(const ChildConfig& config, const std::array<Pipe, 2>& pipes) {
  setpgid(0, config.group);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  config.process->store(static_cast<std::uint32_t>(getpid()));
  if (!config.input) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
  }
  dup2(pipes[0][1], STDOUT_FILENO);
  dup2(pipes[1][1], STDERR_FILENO);
  reset_signals();
  execve(config.program.c_str(), pointers(config.arguments).data(),
         pointers(config.environment).data());
  dprintf(STDERR_FILENO, "error: %s: cannot be started: %s\n", config.program.c_str(),
          std::strerror(errno));
  _exit(kNotStarted);
}

Child::~Child() {
  if (!ending()) {
    kill(-group_, SIGKILL);
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  for (const int output : outputs_) close(output);
}

std::optional<Ending> Child::ending() {
  int status = 0;
  if (!ending_ && waitpid(id_, &status, WNOHANG) == id_) {
    ending_ = WIFSIGNALED(status) ? Ending{0, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
  }
  return ending_;
}

void Child::drain(const host::Rank& rank) {
  std::array<pollfd, 2> ready{pollfd{outputs_[0], POLLIN, 0}, pollfd{outputs_[1], POLLIN, 0}};
  if (poll(ready.data(), ready.size(), 0) <= 0) return;
  if ((ready[0].revents & POLLIN) != 0) drain(rank, host::Stream::out);
  if ((ready[1].revents & POLLIN) != 0) drain(rank, host::Stream::err);
}

void Child::drain(const host::Rank& rank, host::Stream stream) {
  host::RankStreams* streams = rank.job().shared().streams();
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t size =
        read(outputs_[static_cast<std::size_t>(stream)], buffer.data(), buffer.size());
    if (size <= 0) return;
    if (streams == nullptr) continue;
    streams->write(stream, rank, lines_,
                   std::string_view(buffer.data(), static_cast<std::size_t>(size)));
  }
}

void Child::finish_lines(const host::Rank& rank) {
  if (host::RankStreams* streams = rank.job().shared().streams()) streams->finish(rank, lines_);
}

Activity activity_of(std::uint32_t thread) {
  if (thread == 0) return Activity::running;
  const std::string path = fmt::format("/proc/{}/stat", thread);
  std::array<char, 512> text{};
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Activity::gone;
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  // The state comes behind the name, which stands in parentheses and may contain anything.
  const char* name_end = size <= 0 ? nullptr : std::strrchr(text.data(), ')');
  const char state = name_end == nullptr || name_end[1] == '\0' ? 'X' : name_end[2];
  if (state == 'R') return Activity::running;
  if (state == 'D' || state == 't' || state == 'T') return Activity::held;
  return state == 'Z' || state == 'X' ? Activity::gone : Activity::asleep;
}

void Child::signal(int number) const {
  kill(id_, number);
}

}  // namespace heddle::processes
