#include "traces/readers/otf2_sizes.hpp"

#include <algorithm>

namespace heddle::traces {
namespace {

/// The part of each of `members`, of their sum or, where that does not go up, of the sum without
/// one's own, which is left out of it where the operation is in place.
std::uint64_t part_of(std::uint64_t sum, std::uint64_t members) {
  if (members < 2 || sum % members == 0) return sum / std::max<std::uint64_t>(members, 1);
  return sum % (members - 1) == 0 ? sum / (members - 1) : sum / members;
}

/// Of scans, each member sends to itself and those behind it, and gets from itself and those
/// before; in place, and always in MPI_Exscan, without itself.
std::uint64_t scanned(const Otf2Volume& v) {
  const std::uint64_t behind = v.members - 1 - v.member;
  const bool with_self = v.operation == Otf2Operation::scan && v.sent % (behind + 1) == 0 &&
                         v.received == v.sent / (behind + 1) * (v.member + 1);
  if (with_self) return v.sent / (behind + 1);
  return behind > 0 ? v.sent / behind : v.received / std::max<std::uint64_t>(v.member, 1);
}

}  // namespace

CallKind kind_of(Otf2Operation operation) {
  switch (operation) {
    case Otf2Operation::barrier:
      return CallKind::barrier;
    case Otf2Operation::bcast:
      return CallKind::bcast;
    case Otf2Operation::gather:
    case Otf2Operation::gatherv:
      return CallKind::gather;
    case Otf2Operation::scatter:
    case Otf2Operation::scatterv:
      return CallKind::scatter;
    case Otf2Operation::allgather:
    case Otf2Operation::allgatherv:
      return CallKind::allgather;
    case Otf2Operation::alltoall:
    case Otf2Operation::alltoallv:
    case Otf2Operation::alltoallw:
      return CallKind::alltoall;
    case Otf2Operation::allreduce:
      return CallKind::allreduce;
    case Otf2Operation::reduce:
      return CallKind::reduce;
    case Otf2Operation::reduce_scatter:
    case Otf2Operation::reduce_scatter_block:
      return CallKind::reduce_scatter;
    case Otf2Operation::scan:
      return CallKind::scan;
    case Otf2Operation::exscan:
      return CallKind::exscan;
    case Otf2Operation::others:
      return CallKind::finalize;
  }
  return CallKind::finalize;
}

std::uint64_t member_bytes(const Otf2Volume& v) {
  using enum Otf2Operation;
  switch (v.operation) {
    case bcast:
      // The root has sent it to everybody.
      return v.received > 0 ? v.received : part_of(v.sent, v.members);
    case scatter:
    case scatterv:
      // In place, the root gets nothing.
      return v.received > 0 || v.operation == scatterv
                 ? v.received
                 : v.sent / std::max<std::uint64_t>(v.members - 1, 1);
    case gather:
    case reduce:
      return v.sent > 0 ? v.sent : v.received / std::max<std::uint64_t>(v.members - 1, 1);
    case gatherv:
    case reduce_scatter:
    case alltoallv:
    case alltoallw:
      return v.sent;
    case allgather:
    case allgatherv:
    case alltoall:
    case allreduce:
    case reduce_scatter_block:
      return v.own ? v.sent : part_of(v.sent, v.members);
    case scan:
    case exscan:
      return v.own ? v.sent : scanned(v);
    case barrier:
    case others:
      break;
  }
  return 0;
}

}  // namespace heddle::traces
