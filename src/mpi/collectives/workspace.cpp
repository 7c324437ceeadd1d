#include "mpi/collectives/workspace.hpp"

#include <mpi.h>

namespace heddle::mpi::collectives {

void Ticket::completed(const Outcome& outcome) {
  done_ = true;
  // All members of a collective say how much there is: less than expected is as wrong as more.
  const bool shorter = !sends() && outcome.bytes < expected_;
  messages_->completed(*this, outcome.error == 0 && shorter ? MPI_ERR_COUNT : outcome.error);
}

Ticket& Messages::begin(int peer, std::int64_t expected) {
  if (open_ == 0) {
    // Nobody is under way: the tickets can be used again.
    begin_ += used_;
    used_ = 0;
  }
  if (used_ >= kFew && used_ - kFew == more_.size()) more_.emplace_back(*this);
  Ticket& next = ticket(used_);
  ++used_;
  ++open_;
  next.begin(peer, expected);
  return next;
}

void Messages::completed(const Ticket& ticket, int error) {
  if (error_ == 0) error_ = error;
  --open_;
  const bool expected = awaited_ == nullptr ? open_ == 0 : awaited_ == &ticket;
  if (!expected || process_ == nullptr) return;
  if (how_ == Tell::satisfied) return process_->satisfied();
  process_->notify();
}

bool Messages::list_awaited(std::vector<Completion*>& list) {
  for (std::uint32_t i = 0; i < used_; ++i) {
    Ticket& one = ticket(i);
    if (one.done()) continue;
    if (awaited_ != nullptr && awaited_ != &one) return false;
    list.push_back(&one);
  }
  return true;
}

const Ticket* Messages::first_open() const {
  for (std::uint32_t i = 0; i < used_; ++i) {
    if (!ticket(i).done()) return &ticket(i);
  }
  return nullptr;
}

void Messages::clear() {
  constexpr std::size_t kKept = 64;
  if (more_.size() > kKept) more_.clear();
  begin_ = used_ = 0;
  error_ = 0;
  awaited_ = nullptr;
  process_ = nullptr;
}

}  // namespace heddle::mpi::collectives
