#include "host/resting_pollers.hpp"

#include "host/rank.hpp"
#include "host/thread.hpp"

namespace heddle::host {

void RestingPollers::add(Thread& thread) {
  resting_.push_back(&thread);
  thread.rank().memory().look_begins();
}

void RestingPollers::remove(const Thread& thread) {
  if (std::erase(resting_, &thread) > 0) thread.rank().memory().look_ends();
}

void RestingPollers::written(const AddressSpace& memory) {
  for (Thread* thread : resting_) {
    if (&thread->rank().memory() == &memory) thread->fiber().wake();
  }
}

void RestingPollers::ran(const Thread& thread) {
  for (Thread* other : resting_) {
    if (other != &thread && &other->rank() == &thread.rank()) other->fiber().wake();
  }
}

}  // namespace heddle::host
