// What messages cost the processors of their ends, and whether their sender waits, by size.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi/config.hpp"
#include "mpi/engine/transport.hpp"

namespace heddle::mpi {

struct MessageClasses {
  std::int64_t eager_limit;
  std::int64_t detached_limit;
  coll::Overheads send;
  coll::Overheads isend;
  coll::Overheads receive;

  Protocol protocol(std::int64_t bytes, SendMode mode) const {
    if (mode == SendMode::synchronous) return Protocol::rendezvous;
    if (bytes < eager_limit) return Protocol::eager;
    return bytes < detached_limit || mode == SendMode::buffered ? Protocol::detached
                                                                : Protocol::rendezvous;
  }
  Time send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const {
    if (call == SendCall::nonblocking) return isend.at(bytes);
    return protocol == Protocol::rendezvous ? Time::zero() : send.at(bytes);
  }
};

MessageClasses classes_between_nodes(const MpiConfig& config);
/// Of messages between ranks of one node, if they differ.
std::optional<MessageClasses> classes_inside_nodes(const MpiConfig& config);

}  // namespace heddle::mpi
