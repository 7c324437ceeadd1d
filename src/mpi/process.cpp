#include "mpi/process.hpp"

#include <algorithm>

#include "host/job.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

Process::Process(World& world, host::Rank& rank) : world_(world), rank_(rank) {}
Process::~Process() = default;

Process* Process::of(host::Rank& rank) {
  std::unique_ptr<host::RankExtension>& place = rank.extension(host::Layer::mpi);
  if (!place) {
    World* world = World::of(rank.job());
    if (world == nullptr) return nullptr;
    place = std::make_unique<Process>(*world, rank);
  }
  return static_cast<Process*>(place.get());
}

void Process::sleep(const WaitReason& reason) {
  const bool outer = std::exchange(listening_, true);
  occupy(std::exchange(debt_, Time::zero()));
  rank_.wait(reason);
  listening_ = outer;
}

void Process::polled(const WaitReason& reason) {
  listening_ = true;
  rank_.polled(reason);
  listening_ = false;
}

void Process::advance() {
  for (std::size_t i = 0; i < progress_.size(); ++i) progress_[i]->advance();
}

void Process::add(Progress& progress) {
  progress_.push_back(&progress);
}

void Process::remove(Progress& progress) {
  std::erase(progress_, &progress);
}

Time Process::occupy(Time cost) {
  if (cost > Time::zero()) processor_free_ = std::max(processor_free_, now()) + cost;
  return std::max(processor_free_, now());
}

void Process::owe(Time cost) {
  if (listening_) {
    occupy(cost);
  } else {
    debt_ += cost;
  }
}

void Process::settle() {
  occupy(std::exchange(debt_, Time::zero()));
  if (busy()) rank_.charge(processor_free_ - now());
}

}  // namespace heddle::mpi
