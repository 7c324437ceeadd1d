#include "host/spinners.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <utility>

#include "host/rank.hpp"
#include "host/thread.hpp"

namespace heddle::host {
namespace {

/// Last resorts in a row, between which nobody did more than to look again.
constexpr int kMostResorts = 4;

/// Threads of the host that libraries have started, beside the simulation, may do what is waited
/// for. A system call, because nanosleep is the programs' simulated one.
void let_the_host_work() {
  constexpr timespec kPause{0, 20'000'000};
  syscall(SYS_nanosleep, &kPause, nullptr);
}

}  // namespace

void Spinners::add(Thread& thread) {
  spinning_.push_back(&thread);
  thread.rank().memory().look_begins();
}

void Spinners::remove(const Thread& thread) {
  if (std::erase(spinning_, &thread) > 0) thread.rank().memory().look_ends();
}

void Spinners::written(const AddressSpace& memory) {
  for (Thread* thread : spinning_) {
    if (&thread->rank().memory() == &memory) thread->fiber().wake();
  }
}

void Spinners::ran(const Thread& thread) {
  ++runs_;
  for (Thread* other : spinning_) {
    if (other == &thread || other->rank().node() != thread.rank().node()) continue;
    if (other->looks_in_vain() || (!other->looks_at_known() && other->spinning().lets_pass()))
      continue;
    other->fiber().wake();
  }
}

bool Spinners::last_resort() {
  if (spinning_.empty()) return false;
  resorts_ = std::exchange(runs_at_resort_, runs_) == runs_ ? resorts_ + 1 : 0;
  if (resorts_ >= kMostResorts) return false;
  if (resorts_ > 0) let_the_host_work();
  for (Thread* thread : spinning_) thread->fiber().wake();
  return true;
}

}  // namespace heddle::host
