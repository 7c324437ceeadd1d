#include "host/spinners.hpp"

#include <algorithm>

#include "host/rank.hpp"
#include "host/thread.hpp"

namespace heddle::host {
namespace {

/// Last resorts in a row, without a call of any rank between them.
constexpr int kMostResorts = 4;

}  // namespace

Spinners Spinners::the_one_;

void Spinners::add(Thread& thread) {
  spinning_.push_back(&thread);
}

void Spinners::remove(const Thread& thread) {
  std::erase(spinning_, &thread);
}

void Spinners::written(const AddressSpace& memory) {
  for (Thread* thread : spinning_) {
    if (&thread->rank().memory() == &memory) thread->fiber().wake();
  }
}

void Spinners::ran(const Thread& thread) {
  for (Thread* other : spinning_) {
    if (other == &thread || other->rank().node() != thread.rank().node()) continue;
    if (other->spinning().lets_pass()) continue;
    other->fiber().wake();
  }
}

bool Spinners::last_resort() {
  ++resorts_;
  for (Thread* thread : spinning_) {
    if (thread->spinning().called()) resorts_ = 0;
  }
  if (spinning_.empty() || resorts_ >= kMostResorts) return false;
  for (Thread* thread : spinning_) thread->fiber().wake();
  return true;
}

}  // namespace heddle::host
