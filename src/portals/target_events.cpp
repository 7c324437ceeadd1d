#include "portals/target_events.hpp"

namespace heddle::portals {

ptl_event_kind_t event_of(nic::Operation kind) {
  switch (kind) {
    case nic::Operation::put:
      return PTL_EVENT_PUT;
    case nic::Operation::get:
      return PTL_EVENT_GET;
    case nic::Operation::atomic:
      return PTL_EVENT_ATOMIC;
    case nic::Operation::fetch_atomic:
      return PTL_EVENT_FETCH_ATOMIC;
  }
  return PTL_EVENT_ERROR;
}

ptl_event_t event_from(const Header& header) {
  ptl_event_t event{};
  event.hdr_data = header.hdr_data;
  event.match_bits = header.match_bits;
  event.rlength = header.length;
  event.remote_offset = header.remote_offset;
  event.initiator = header.initiator;
  event.uid = header.uid;
  event.pt_index = header.pt_index;
  event.atomic_operation = header.operation;
  event.atomic_type = header.datatype;
  return event;
}

}  // namespace heddle::portals
