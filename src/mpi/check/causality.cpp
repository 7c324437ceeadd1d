#include "mpi/check/causality.hpp"

#include <algorithm>

namespace heddle::mpi {
namespace {

std::uint32_t known_of(const Causality::Knowledge& knowledge, std::uint32_t whose) {
  return whose < knowledge.size() ? knowledge[whose] : 0;
}

/// Answers whether it is more than before.
bool add_knowledge(Causality::Knowledge& to, const Causality::Knowledge& more) {
  bool grown = false;
  if (to.size() < more.size()) to.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) {
    grown = grown || more[i] > to[i];
    to[i] = std::max(to[i], more[i]);
  }
  return grown;
}

}  // namespace

Causality::OfRank& Causality::of(std::uint32_t rank) {
  if (ranks_.size() <= rank) ranks_.resize(rank + 1);
  return ranks_[rank];
}

std::uint32_t Causality::happens(std::uint32_t rank) {
  if (rank >= kMostRanks) return 0;
  OfRank& own = of(rank);
  if (own.now.size() <= rank) own.now.resize(rank + 1);
  own.last = nullptr;
  return ++own.now[rank];
}

Causality::Stamp Causality::stamp(std::uint32_t rank) {
  OfRank& own = of(rank);
  if (own.last == nullptr) own.last = std::make_shared<const Knowledge>(own.now);
  return own.last;
}

void Causality::learns(std::uint32_t rank, const Stamp& stamp) {
  OfRank& own = of(rank);
  if (stamp == nullptr || stamp == own.last) return;
  if (add_knowledge(own.now, *stamp)) own.last = nullptr;
}

bool Causality::knows(std::uint32_t rank, std::uint32_t whose, std::uint32_t event) const {
  return rank < ranks_.size() && known_of(ranks_[rank].now, whose) >= event;
}

bool Causality::knows(const Stamp& stamp, std::uint32_t whose, std::uint32_t event) {
  return stamp != nullptr && known_of(*stamp, whose) >= event;
}

Causality::Stamp Causality::both(const Stamp& one, const Stamp& other) {
  if (one == nullptr || one == other) return other;
  if (other == nullptr) return one;
  Knowledge sum = *one;
  if (!add_knowledge(sum, *other)) return one;
  return std::make_shared<const Knowledge>(std::move(sum));
}

}  // namespace heddle::mpi
