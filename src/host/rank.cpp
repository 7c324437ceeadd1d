#include "host/rank.hpp"

#include "host/job.hpp"

namespace heddle::host {
namespace {

Rank* running = nullptr;

}  // namespace

Rank::Rank(Job& job, RankId id, NodeId node, std::uint32_t local)
    : job_(job), id_(id), node_(node), local_(local) {}

void Rank::run(Fiber&) {
  job_.run(*this);
}

std::string Rank::name() const {
  return "rank " + std::to_string(static_cast<std::uint32_t>(id_));
}

void Rank::resumed() {
  running = this;
}

void Rank::paused() {
  running = nullptr;
}

Rank* current_rank() {
  return running;
}

Call::Call(Rank& rank) : rank_(rank) {}
Call::~Call() = default;

}  // namespace heddle::host
