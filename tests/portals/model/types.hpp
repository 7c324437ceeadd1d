// What the plain model of Portals is made of: what calls take, and what a process holds.
#pragma once

#include <portals4.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::portals::model {

using Bytes = std::vector<unsigned char>;
/// Positions in a process's memory, in order: what an entry or descriptor covers.
using Positions = std::vector<std::size_t>;

struct Event {
  ptl_event_kind_t kind{};
  std::uint64_t user = 0;
  ptl_ni_fail_t fail = PTL_NI_OK;
  // The rest means something in some kinds only.
  std::int64_t start = -1;  ///< Position in memory.
  std::uint64_t hdr_data = 0, bits = 0, rlength = 0, mlength = 0, offset = 0;
  std::uint32_t initiator = 0;
  ptl_list_t list = PTL_PRIORITY_LIST;
};

/// An event that says no more than its kind and whose it is.
inline Event plain(ptl_event_kind_t kind, std::uint64_t user) {
  Event event;
  event.kind = kind;
  event.user = user;
  return event;
}

/// What PtlMEAppend and PtlMESearch take.
struct EntrySpec {
  Positions positions;
  unsigned int options = 0;
  bool right_user = true;
  std::optional<std::uint32_t> from;  ///< Any rank if none.
  std::uint64_t bits = 0, ignore = 0, min_free = 0;
  std::optional<std::size_t> counter;
  std::uint64_t user = 0;
};

struct Entry {
  EntrySpec spec;
  std::size_t id = 0;
  ptl_list_t list{};
  std::uint64_t local_offset = 0;
  std::size_t headers = 0;  ///< Of its messages that nobody has asked for.
};

enum class Kind { put, get, atomic, fetch };

struct Transfer {
  Kind kind{};
  std::uint32_t target = 0;
  std::size_t portal = 0;
  Positions source, result;  ///< In the initiator's memory.
  std::uint64_t length = 0, bits = 0, offset = 0, hdr_data = 0, user = 0;
  ptl_ack_req_t ack = PTL_NO_ACK_REQ;
  ptl_op_t op{};
  ptl_datatype_t type{};
  Bytes operand;
  unsigned int out_options = 0, in_options = 0;  ///< Of the descriptors.
  std::optional<std::size_t> out_counter, in_counter;
};

/// Whether the kind writes at the target.
inline bool puts(Kind kind) {
  return kind != Kind::get;
}
/// Whether the kind brings something back.
inline bool gets(Kind kind) {
  return kind == Kind::get || kind == Kind::fetch;
}
/// Whether the kind calculates at the target.
inline bool calculates(Kind kind) {
  return kind == Kind::atomic || kind == Kind::fetch;
}

/// What is left of a message that came before anybody asked for it.
struct Header {
  Transfer transfer;
  std::uint32_t initiator = 0;
  std::int64_t start = 0;
  std::uint64_t stored = 0;
  std::size_t entry = 0;  ///< Its id.
};

struct Portal {
  bool flow_control = false;
  bool enabled = true;
  std::vector<Entry> priority, overflow;
  std::vector<Entry> unlinked;  ///< Full ones whose headers are still there.
  std::vector<Header> unexpected;
};

/// What a counter may trigger.
struct Action {
  enum class What { transfer, increment, set } what{};
  Transfer transfer;
  std::size_t counter = 0;
  ptl_ct_event_t change{};
};

struct Counter {
  ptl_ct_event_t value{};
  std::vector<std::pair<std::uint64_t, Action>> waiting;  ///< Threshold, in the order of calls.
};

/// An event queue. What does not fit is lost; PT_DISABLED always fits and takes no room.
struct Queue {
  std::size_t capacity = 0;
  std::deque<std::pair<Event, bool>> events;  ///< And whether some were lost before it.
  bool lost = false;

  /// How much of the capacity is taken.
  std::uint64_t counted() const {
    return static_cast<std::uint64_t>(
        std::count_if(events.begin(), events.end(),
                      [](const auto& e) { return e.first.kind != PTL_EVENT_PT_DISABLED; }));
  }
  void post(const Event& event) {
    if (event.kind != PTL_EVENT_PT_DISABLED && counted() >= capacity) {
      lost = true;
      return;
    }
    events.emplace_back(event, lost);
    lost = false;
  }
  std::optional<std::pair<Event, bool>> read() {
    if (events.empty()) return std::nullopt;
    const auto first = events.front();
    events.pop_front();
    return first;
  }
};

struct Process {
  Bytes memory;
  std::vector<Portal> portals;
  Queue target_queue, initiator_queue;
  std::vector<Counter> counters;
  std::uint64_t status[PTL_SR_LAST] = {};
};

}  // namespace heddle::portals::model
