#include "portals/lists.hpp"

namespace heddle::portals {
namespace {

bool matches_id(const ptl_process_t& wanted, const ptl_process_t& id, bool logical) {
  if (logical) return wanted.rank == PTL_RANK_ANY || wanted.rank == id.rank;
  return (wanted.phys.nid == PTL_NID_ANY || wanted.phys.nid == id.phys.nid) &&
         (wanted.phys.pid == PTL_PID_ANY || wanted.phys.pid == id.phys.pid);
}

}  // namespace

bool matches(const Entry& entry, const Header& header, bool logical) {
  if (((header.match_bits ^ entry.match_bits) & ~entry.ignore_bits) != 0) return false;
  if (!matches_id(entry.match_id, header.initiator, logical)) return false;
  return !entry.has(PTL_ME_NO_TRUNCATE) || header.length <= entry.room_at(entry.offset_for(header));
}

}  // namespace heddle::portals
