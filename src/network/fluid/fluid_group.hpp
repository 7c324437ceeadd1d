// Groups of equal messages of the fluid model, and the table that finds them by their route.
#pragma once

#include <deque>

#include "network/fluid/fluid_network.hpp"

namespace heddle::network {

/// Messages with the same ends, route and cap.
struct FluidNetwork::Group {
  /// A message that is through when the service has reached `mark`; numbers order equal marks.
  struct Entry {
    double mark;
    std::uint64_t number;
    Message* message;
    /// For a heap with the least mark on top.
    bool operator<(const Entry& other) const {
      return mark != other.mark ? mark > other.mark : number > other.number;
    }
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t number = 0;
  std::uint32_t next = kNone;  ///< In the table's chain.
  std::uint64_t hash = 0;
  platform::Endpoint source;
  platform::Endpoint destination;
  Bandwidth cap;
  std::vector<LinkId> route;
  Time latency;  ///< Of the route, without factor.

  std::uint32_t messages = 0;  ///< All of the group, those not using bandwidth yet included.
  bool unlimited = false;      ///< Nothing holds its messages back.
  double weight = 1;
  double bound = 0;
  MaxMinSolver::Variable variable = kNone;  ///< While messages use bandwidth.

  double speed = 0;    ///< Progress of each message, bytes per ps.
  double service = 0;  ///< Bytes each message got since the group began, at `counted`.
  Time counted;
  std::vector<Entry> heap;  ///< Messages that use bandwidth.
};

/// Finds a group by ends, route and cap; hands out and takes back the records.
class FluidNetwork::GroupTable {
 public:
  /// The group of that description, or null.
  Group* find(const Transfer& transfer, const std::vector<LinkId>& route);
  /// A new group of that description, in the table; its other members are as of a new record.
  Group& insert(const Transfer& transfer, const std::vector<LinkId>& route);
  void erase(Group& group);
  Group& operator[](std::size_t number) { return records_[number]; }
  /// One past the largest number of a group.
  std::size_t size() const { return records_.size(); }

 private:
  static std::uint64_t hash_of(const Transfer& transfer, const std::vector<LinkId>& route);
  std::uint32_t& chain(std::uint64_t hash) { return chains_[hash & (chains_.size() - 1)]; }
  void grow();

  std::deque<Group> records_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> chains_ = std::vector<std::uint32_t>(64, Group::kNone);
};

}  // namespace heddle::network
