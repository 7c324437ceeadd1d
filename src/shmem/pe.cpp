#include "shmem/pe.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "shmem/world.hpp"

namespace heddle::shmem {

Pe::Pe(World& world, host::Rank& rank) : world_(world), rank_(rank) {}

Pe& Pe::running(const char* call) {
  host::Rank* rank = host::current_rank();
  World* world = rank == nullptr ? nullptr : World::of(rank->job());
  if (world == nullptr) {
    std::fprintf(stderr, "%s: called outside of a simulated rank\n", call);
    std::abort();
  }
  return world->pe(static_cast<std::uint32_t>(rank->id()));
}

CallProfile& Pe::profile_of(const char* name) {
  for (CallProfile& one : calls) {
    if (one.name == name) return one;
  }
  return calls.emplace_back(CallProfile{name});
}

Membership& Pe::membership(Team& team) {
  for (std::deque<Membership>* list : {&teams, &sets_}) {
    for (Membership& one : *list) {
      if (one.team == &team) return one;
    }
  }
  return sets_.emplace_back(Membership{&team, team.members.number(number())});
}

void Pe::sleep(const WaitReason& reason) {
  const Time begin = now();
  // Where others store into this memory without a call, nothing but a look can tell.
  if (world_.stores_directly() || rank_.has_threads()) {
    rank_.thread().looks().polled(reason);
  } else {
    rank_.thread().waits().wait(reason);
  }
  counters.waiting += now() - begin;
}

void Pe::wait_for(const Watch& watch, const WaitReason& reason) {
  settle();
  if (watch.holds()) return;
  watches_.push_back(&watch);
  wait_until([&] { return watch.holds(); }, reason);
  std::erase(watches_, &watch);
}

void Pe::memory_changed() {
  if (std::ranges::any_of(watches_, [](const Watch* watch) { return watch->holds(); })) notify();
}

void Pe::await_taken(const Operation& operation) {
  rank_.thread().waits().suspend_until(operation->taken,
                                       "waits for room in the adapter's command queue");
}

void Pe::look_in_vain() {
  settle();
  rank_.thread().looks().polled([this] { return std::string("polls with ") + call; });
}

Time Pe::occupy(Time cost) {
  if (cost > Time::zero()) processor_free_ = std::max(processor_free_, now()) + cost;
  return std::max(processor_free_, now());
}

void Pe::settle() {
  if (processor_free_ > now()) rank_.thread().work().charge(processor_free_ - now());
}

}  // namespace heddle::shmem
