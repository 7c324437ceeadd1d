#include "host/rank/spinners.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace heddle::host {
namespace {

/// Last resorts in a row, between which nobody did more than to look again.
constexpr int kMostResorts = 4;

/// How often a thread that has waited by looking goes on before it is looked at as others are,
/// unless it waits so again.
constexpr std::uint32_t kWatches = 1000;

/// The same where a trap has been set for it: it may wait elsewhere, too.
constexpr std::uint32_t kWatchesBesideTrap = 50;

/// So often in a row is another loop taken for progress, if no call comes in between.
constexpr std::uint32_t kMostChanges = 1000;

/// Threads of the host that libraries have started, beside the simulation, may do what is waited
/// for. A system call, because nanosleep is the programs' simulated one.
void let_the_host_work() {
  constexpr timespec kPause{0, 20'000'000};
  syscall(SYS_nanosleep, &kPause, nullptr);
}

}  // namespace

bool Spinner::set_aside(const Look& look, std::uint64_t calls) {
  const bool called = std::exchange(calls_, calls) != calls;
  changes_ = called || !look.new_state ? 0 : changes_ + 1;
  const bool changed = changes_ > 0 && changes_ < kMostChanges;
  if (called || changed) patience_.start_anew();
  if (look.looked_at == nullptr) looked_at_.clear();
  if (look.looked_at != nullptr) looked_at_ = *look.looked_at;
  found_ = look.found;
  instructions_ = look.instructions;
  if (look.found == Look::Found::by_looks) watches_ = kWatches;
  if (look.found == Look::Found::by_new_trap) watches_ = std::max(watches_, kWatchesBesideTrap);
  return called || released_ || changed;
}

void Spinners::add(Spinner& spinner) {
  spinning_.push_back(&spinner);
  spinner.memory().look_begins();
}

void Spinners::remove(const Fiber& fiber) {
  std::erase_if(spinning_, [&](const Spinner* spinner) {
    if (&spinner->fiber() != &fiber) return false;
    spinner->memory().look_ends();
    return true;
  });
}

void Spinners::written(const AddressSpace& memory) {
  for (Spinner* spinner : spinning_) {
    if (&spinner->memory() == &memory) spinner->fiber().wake();
  }
}

void Spinners::ran(const Fiber& fiber, NodeId node) {
  ++runs_;
  for (Spinner* other : spinning_) {
    if (&other->fiber() == &fiber || other->node() != node || other->lets_pass()) continue;
    other->fiber().wake();
  }
}

bool Spinners::last_resort() {
  if (spinning_.empty()) return false;
  resorts_ = std::exchange(runs_at_resort_, runs_) == runs_ ? resorts_ + 1 : 0;
  if (resorts_ >= kMostResorts) return false;
  if (resorts_ > 0) let_the_host_work();
  for (Spinner* spinner : spinning_) spinner->fiber().wake();
  return true;
}

}  // namespace heddle::host
