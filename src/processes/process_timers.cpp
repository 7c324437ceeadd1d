#include "processes/process_timers.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "host/rank/job.hpp"

namespace heddle::processes {
namespace {

/// A file of another process, opened here, too; -1 if it cannot be.
int file_of(std::uint32_t process, int file) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (handle < 0) return -1;
  const int own = static_cast<int>(syscall(SYS_pidfd_getfd, handle, file, 0));
  close(handle);
  return own;
}

}  // namespace

SimulatedTimer::SimulatedTimer(SignalledProcess& process, host::Rank& rank, TimerSignal signal,
                               int file)
    : process_(process),
      rank_(rank),
      signal_(signal),
      file_(file),
      source_(rank.job().simulation().new_source()) {}

SimulatedTimer::~SimulatedTimer() {
  rank_.job().simulation().cancel(expiry_);
  if (file_ >= 0) close(file_);
}

void SimulatedTimer::set(Time first, Time interval) {
  rank_.job().simulation().cancel(expiry_);
  interval_ = interval;
  expirations_ = 0;
  if (first > Time::zero()) schedule(first);
}

void SimulatedTimer::schedule(Time delay) {
  rank_.job().simulation().schedule_in(expiry_, delay, source_, kProgram);
}

void SimulatedTimer::fired() {
  ++expirations_;
  if (signal_.number != 0) process_.signal(signal_);
  const std::uint64_t once = 1;
  // A full count cannot be counted further, as with the kernel's own.
  if (file_ >= 0) {
    [[maybe_unused]] const ssize_t written = write(file_, &once, sizeof once);
  }
  if (waiter_ != nullptr) waiter_->fiber().wake();
  if (interval_ > Time::zero()) schedule(interval_);
}

std::int64_t SimulatedTimer::await() {
  waiter_ = &rank_.thread();
  while (expirations_ == 0 && !over_) waiter_->waits().block("waits for a timer", Time::never());
  waiter_ = nullptr;
  return over_ ? -1 : std::exchange(expirations_, 0);
}

bool SimulatedTimer::end() {
  rank_.job().simulation().cancel(expiry_);
  over_ = true;
  if (waiter_ != nullptr) waiter_->fiber().wake();
  return waiter_ == nullptr;
}

int ProcessTimers::add(TimerSignal signal, int file) {
  const int own = file < 0 ? -1 : file_of(process_.id(), file);
  if (file >= 0 && own < 0) return -1;
  auto place = std::find(timers_.begin(), timers_.end(), nullptr);
  if (place == timers_.end()) place = timers_.insert(place, nullptr);
  *place = std::make_unique<SimulatedTimer>(process_, rank_, signal, own);
  return static_cast<int>(place - timers_.begin());
}

SimulatedTimer* ProcessTimers::find(int number) {
  const auto i = static_cast<std::size_t>(number);
  return i < timers_.size() ? timers_[i].get() : nullptr;
}

void ProcessTimers::end(int number) {
  SimulatedTimer* const timer = find(number);
  if (timer != nullptr && timer->end()) timers_[static_cast<std::size_t>(number)] = nullptr;
}

}  // namespace heddle::processes
