#include "host/rank/code/proofs.hpp"

#include <algorithm>

#include "host/rank/registers.hpp"

namespace heddle::host {
namespace {

/// After so many failures in a row, a proof is written at every so manieth time only.
constexpr std::uint32_t kMostFailures = 8;
constexpr std::uint32_t kSeldom = 64;

}  // namespace

bool Proofs::Entry::holds(const Words& words, const AddressSpace& memory) {
  const bool found = proof.holds(words, memory, varying);
  failed_ = found ? 0 : failed_ + 1;
  return found;
}

bool Proofs::Entry::worth_writing() {
  return failed_ <= kMostFailures || failed_ % kSeldom == 0;
}

Proofs::Entry& Proofs::of(std::uint64_t place, std::uint64_t stack, std::uint64_t thread) {
  const std::uint64_t hash = mixed(mixed(mixed(1, place), stack), thread);
  auto& set = sets_[(hash >> 32) % kSets];
  for (std::unique_ptr<Entry>& entry : set) {
    if (entry != nullptr && entry->is_of(place, stack, thread)) return *entry;
  }
  const auto free = std::find(set.begin(), set.end(), nullptr);
  std::unique_ptr<Entry>& entry = free != set.end() ? *free : set[next_++ % kEach];
  entry = std::make_unique<Entry>(place, stack, thread);
  return *entry;
}

}  // namespace heddle::host
