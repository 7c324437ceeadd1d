#include "host/resting_pollers.hpp"

#include "host/rank.hpp"
#include "host/thread.hpp"

namespace heddle::host {

RestingPollers RestingPollers::the_one_;

void RestingPollers::remove(const Thread& thread) {
  std::erase(resting_, &thread);
}

void RestingPollers::ran(const Thread& thread) {
  for (Thread* other : resting_) {
    if (other != &thread && &other->rank() == &thread.rank()) other->fiber().wake();
  }
}

}  // namespace heddle::host
