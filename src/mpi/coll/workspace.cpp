#include "mpi/coll/workspace.hpp"

namespace heddle::mpi::coll {

void Ticket::completed(const Outcome& outcome) {
  done_ = true;
  messages_->completed(*this, outcome);
}

Ticket& Messages::begin(int peer, bool sends) {
  if (open_ == 0) {
    // Nobody is under way: the tickets can be used again.
    begin_ += used_;
    used_ = 0;
  }
  if (used_ == tickets_.size()) tickets_.emplace_back(*this);
  Ticket& ticket = tickets_[used_++];
  ++open_;
  ticket.begin(peer, sends);
  return ticket;
}

void Messages::completed(const Ticket& ticket, const Outcome& outcome) {
  if (outcome.error != 0 && error_ == 0) error_ = outcome.error;
  --open_;
  const bool expected = awaited_ == nullptr ? open_ == 0 : awaited_ == &ticket;
  if (expected && listener_ != nullptr) listener_->messages_done();
}

const Ticket* Messages::first_open() const {
  for (std::uint32_t i = 0; i < used_; ++i) {
    if (!tickets_[i].done()) return &tickets_[i];
  }
  return nullptr;
}

void Messages::clear() {
  constexpr std::size_t kKept = 64;
  if (tickets_.size() > kKept) tickets_.clear();
  begin_ = used_ = 0;
  error_ = 0;
  awaited_ = nullptr;
  listener_ = nullptr;
}

}  // namespace heddle::mpi::coll
