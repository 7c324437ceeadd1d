#include "shmem/near_memory.hpp"

#include "shmem/engine.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {

NearMemory::NearMemory(World& world)
    : world_(world), config_(world.config()), source_(world.simulation().new_source()) {}

bool NearMemory::takes(const Operation& operation) const {
  if (operation->initiator == operation->target) return true;
  return config_.through_memory(operation->initiator->rank().node(),
                                operation->target->rank().node());
}

void NearMemory::carry(Operation& operation, Time delay) {
  world_.engine().recorder().start(operation, delay);
  Time time = delay;
  if (operation->initiator != operation->target) {
    time += config_.time_through_memory(static_cast<std::int64_t>(operation->bytes));
  }
  world_.simulation().schedule_in(operation, time, source_);
}

void NearMemory::finish(Operation& operation) {
  Engine& engine = world_.engine();
  Pe& target = *operation->target;
  engine.recorder().end(operation, static_cast<std::int64_t>(operation->bytes));
  engine.arrived(operation);
  if (operation->kind == Operation::Kind::message) {
    engine.deliver(operation);
  } else {
    if (operation->wants_sent) engine.sent(operation);
    engine.completed(operation);
  }
  engine.seen(target);
}

}  // namespace heddle::shmem
