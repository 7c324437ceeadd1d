// What a collective call needs for a while, kept from one to the next.
#pragma once

#include <memory>
#include <vector>

#include "coll/steps/scratch.hpp"
#include "core/containers/pool.hpp"
#include "shmem/mailbox.hpp"

namespace heddle::shmem {

struct Workspace {
  coll::Scratch memory;
  Pool<Receive> pool;
  std::vector<Receive*> receives;  ///< In their order.
};

/// Those that nobody uses now.
class Workspaces {
 public:
  std::unique_ptr<Workspace> take() {
    if (unused_.empty()) return std::make_unique<Workspace>();
    std::unique_ptr<Workspace> one = std::move(unused_.back());
    unused_.pop_back();
    return one;
  }
  void give_back(std::unique_ptr<Workspace> one) {
    one->memory.clear();
    for (Receive* receive : one->receives) one->pool.give_back(*receive);
    one->receives.clear();
    unused_.push_back(std::move(one));
  }

 private:
  std::vector<std::unique_ptr<Workspace>> unused_;
};

}  // namespace heddle::shmem
