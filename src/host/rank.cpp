#include "host/rank.hpp"

namespace heddle::host {

Rank::Rank(Job& job, RankId id, NodeId node, std::uint32_t local)
    : job_(job), id_(id), node_(node), local_(local) {}

Call::Call(Rank& rank) : rank_(rank) {}
Call::~Call() = default;

}  // namespace heddle::host
