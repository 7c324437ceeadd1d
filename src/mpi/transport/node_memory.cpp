#include "mpi/transport/node_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mpi/engine/engine.hpp"

namespace heddle::mpi {
namespace {

double bytes_per_ps(Bandwidth bandwidth) {
  return bandwidth.is_unlimited() ? std::numeric_limits<double>::infinity()
                                  : bandwidth.bytes_per_ps();
}

}  // namespace

NodeMemory::NodeMemory(Simulation& simulation, Bandwidth alone, Bandwidth shared)
    : simulation_(simulation),
      alone_(bytes_per_ps(alone)),
      shared_(bytes_per_ps(shared)),
      source_(simulation.new_source()) {}

double NodeMemory::rate(const Memory& memory) const {
  return std::min(alone_, shared_ / static_cast<double>(memory.copies.size()));
}

NodeMemory::Memory& NodeMemory::memory_of(NodeId node) {
  const auto number = static_cast<std::size_t>(node);
  if (number >= nodes_.size()) nodes_.resize(number + 1);
  if (!nodes_[number]) nodes_[number] = std::make_unique<Memory>(*this);
  return *nodes_[number];
}

void NodeMemory::copy(Message& message, NodeId node) {
  Memory& memory = memory_of(node);
  advance(memory);
  memory.copies.push({memory.service + static_cast<double>(message.bytes), numbers_++, &message});
  expect_next(memory);
}

void NodeMemory::advance(Memory& memory) const {
  const Time now = simulation_.now();
  if (memory.copies.empty()) {
    memory.service = 0;
  } else {
    memory.service += rate(memory) * static_cast<double>((now - memory.since).ps());
  }
  memory.since = now;
}

void NodeMemory::expect_next(Memory& memory) {
  simulation_.cancel(memory);
  if (memory.copies.empty()) return;
  const double left = std::max(0.0, memory.copies.top().mark - memory.service);
  simulation_.schedule_in(memory, Time::whole_ps(std::ceil(left / rate(memory))), source_);
}

void NodeMemory::finish(Memory& memory) {
  // What is left of one that rounding to picoseconds has brought here.
  constexpr double kNothing = 1e-6;
  advance(memory);
  through_.clear();
  while (!memory.copies.empty() && memory.copies.top().mark <= memory.service + kNothing) {
    through_.push_back(memory.copies.top().message);
    memory.copies.pop();
  }
  expect_next(memory);
  // Others may be copied from now on, but none ends from within.
  for (Message* message : through_) message->engine->delivered(*message);
}

}  // namespace heddle::mpi
