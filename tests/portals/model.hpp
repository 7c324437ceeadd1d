// A plain model of Portals semantics, for comparison: everything happens at once and in order,
// lists are vectors that are walked from their beginning, memory is named byte by byte. It shares
// nothing with src/portals but the interface's constants.
#pragma once

#include <portals4.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
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
  bool operator==(const Event&) const = default;
};

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
  std::size_t headers = 0;
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

struct Queue {
  std::size_t capacity = 0;
  std::deque<std::pair<Event, bool>> events;  ///< And whether some were lost before it.
  bool lost = false;
};

struct Process {
  Bytes memory;
  std::vector<Portal> portals;
  Queue target_queue, initiator_queue;
  std::vector<Counter> counters;
  std::uint64_t status[PTL_SR_LAST] = {};
};

class World {
 public:
  std::vector<Process> processes;
  std::size_t max_headers = 0;
  bool matching = true;

  // Lists.

  /// The new entry's id; it may be gone again.
  std::size_t append(std::uint32_t p, std::size_t portal, const EntrySpec& spec, ptl_list_t list) {
    Portal& at = processes[p].portals[portal];
    Entry entry{spec, next_id_++, list, 0, 0};
    if (list == PTL_OVERFLOW_LIST) {
      at.overflow.push_back(entry);
    } else {
      if (take_unexpected(p, portal, entry)) {
        if (!has(spec, PTL_ME_EVENT_UNLINK_DISABLE))
          post(p, plain(PTL_EVENT_AUTO_UNLINK, spec.user));
        return entry.id;
      }
      at.priority.push_back(entry);
    }
    if (!has(spec, PTL_ME_EVENT_LINK_DISABLE)) post(p, plain(PTL_EVENT_LINK, spec.user));
    return entry.id;
  }

  int unlink(std::uint32_t p, std::size_t portal, std::size_t id) {
    Portal& at = processes[p].portals[portal];
    for (const Entry& entry : at.unlinked) {
      if (entry.id == id) return PTL_IN_USE;
    }
    for (std::vector<Entry>* list : {&at.priority, &at.overflow}) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        if ((*list)[i].id != id) continue;
        if ((*list)[i].headers > 0) return PTL_IN_USE;
        list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
        return PTL_OK;
      }
    }
    return PTL_ARG_INVALID;
  }

  void search(std::uint32_t p, std::size_t portal, const EntrySpec& spec, ptl_search_op_t what) {
    Portal& at = processes[p].portals[portal];
    const Entry entry{spec, 0, PTL_PRIORITY_LIST, 0, 0};
    bool any = false;
    for (std::size_t i = 0; i < at.unexpected.size();) {
      if (!fits(entry, at.unexpected[i].transfer, at.unexpected[i].initiator)) {
        ++i;
        continue;
      }
      any = true;
      const Header header = at.unexpected[i];
      report_found(p, spec, header, what == PTL_SEARCH_ONLY);
      if (what == PTL_SEARCH_ONLY) {
        ++i;
      } else {
        at.unexpected.erase(at.unexpected.begin() + static_cast<std::ptrdiff_t>(i));
        header_gone(p, at, header.entry);
      }
      if (has(spec, PTL_ME_USE_ONCE)) return;
    }
    if (any || has(spec, PTL_ME_EVENT_COMM_DISABLE)) return;
    Event event = plain(PTL_EVENT_SEARCH, spec.user);
    event.fail = PTL_NI_NO_MATCH;
    post(p, event);
  }

  // Operations.

  void transfer(std::uint32_t p, const Transfer& t) {
    const Answer answer = deliver(p, t);
    if (t.kind != Kind::get) {
      if (!(t.out_options & PTL_MD_EVENT_SEND_DISABLE)) tell(p, t, PTL_EVENT_SEND, {});
      count_out(p, t, PTL_MD_EVENT_CT_SEND, PTL_NI_OK, t.length);
    }
    if (t.kind == Kind::get || t.kind == Kind::fetch) {
      tell(p, t, PTL_EVENT_REPLY, answer);
      count_in(p, t, answer);
    } else if (t.ack != PTL_NO_ACK_REQ && !answer.silent) {
      if (t.ack == PTL_ACK_REQ) tell(p, t, PTL_EVENT_ACK, answer);
      count_out(p, t, PTL_MD_EVENT_CT_ACK, answer.fail, answer.stored);
    }
  }

  // Counters.

  void increment(std::uint32_t p, std::size_t counter, const ptl_ct_event_t& by) {
    processes[p].counters[counter].value.success += by.success;
    processes[p].counters[counter].value.failure += by.failure;
    look_at_triggers(p, counter);
  }
  void set(std::uint32_t p, std::size_t counter, const ptl_ct_event_t& to) {
    processes[p].counters[counter].value = to;
    look_at_triggers(p, counter);
  }
  void trigger(std::uint32_t p, std::size_t counter, std::uint64_t threshold,
               const Action& action) {
    processes[p].counters[counter].waiting.emplace_back(threshold, action);
    look_at_triggers(p, counter);
  }
  void cancel(std::uint32_t p, std::size_t counter) {
    processes[p].counters[counter].waiting.clear();
  }

  // Queues.

  std::optional<std::pair<Event, bool>> read(Queue& queue) {
    if (queue.events.empty()) return std::nullopt;
    const auto first = queue.events.front();
    queue.events.pop_front();
    return first;
  }

 private:
  struct Answer {
    ptl_ni_fail_t fail = PTL_NI_OK;
    std::uint64_t stored = 0, offset = 0;
    ptl_list_t list = PTL_PRIORITY_LIST;
    bool silent = false;
  };

  static bool has(const EntrySpec& spec, unsigned int option) {
    return (spec.options & option) != 0;
  }
  static Event plain(ptl_event_kind_t kind, std::uint64_t user) {
    Event event;
    event.kind = kind;
    event.user = user;
    return event;
  }

  static std::uint64_t room(const Entry& entry, std::uint64_t offset) {
    const std::uint64_t size = entry.spec.positions.size();
    return offset >= size ? 0 : size - offset;
  }
  static std::uint64_t offset_of(const Entry& entry, const Transfer& t) {
    return has(entry.spec, PTL_ME_MANAGE_LOCAL) ? entry.local_offset : t.offset;
  }
  bool fits(const Entry& entry, const Transfer& t, std::uint32_t initiator) const {
    if (!matching) return true;
    if ((entry.spec.bits | entry.spec.ignore) != (t.bits | entry.spec.ignore)) return false;
    if (entry.spec.from && *entry.spec.from != initiator) return false;
    return !has(entry.spec, PTL_ME_NO_TRUNCATE) || t.length <= room(entry, offset_of(entry, t));
  }

  static std::uint64_t counted(const Queue& queue) {
    return static_cast<std::uint64_t>(
        std::count_if(queue.events.begin(), queue.events.end(),
                      [](const auto& e) { return e.first.kind != PTL_EVENT_PT_DISABLED; }));
  }
  void post(std::uint32_t p, const Event& event) { post(processes[p].target_queue, event); }
  static void post(Queue& queue, const Event& event) {
    if (event.kind != PTL_EVENT_PT_DISABLED && counted(queue) >= queue.capacity) {
      queue.lost = true;
      return;
    }
    queue.events.emplace_back(event, queue.lost);
    queue.lost = false;
  }

  Answer refuse(std::uint32_t p, Portal& at, const Entry* entry) {
    Answer answer;
    if (!at.flow_control) {
      ++processes[p].status[PTL_SR_DROP_COUNT];
      answer.fail = PTL_NI_DROPPED;
      return answer;
    }
    at.enabled = false;
    if (!entry || !has(entry->spec, PTL_ME_EVENT_FLOWCTRL_DISABLE)) {
      post(p, plain(PTL_EVENT_PT_DISABLED, 0));
    }
    answer.fail = PTL_NI_PT_DISABLED;
    return answer;
  }

  Entry* find(Portal& at, const Transfer& t, std::uint32_t initiator) {
    for (std::vector<Entry>* list : {&at.priority, &at.overflow}) {
      for (Entry& entry : *list) {
        if (fits(entry, t, initiator)) return &entry;
      }
    }
    return nullptr;
  }

  Answer deliver(std::uint32_t initiator, const Transfer& t) {
    const std::uint32_t p = t.target;
    Process& process = processes[p];
    Portal& at = process.portals[t.portal];
    Answer answer;
    if (!at.enabled) {
      answer.fail = PTL_NI_PT_DISABLED;
      return answer;
    }
    Entry* entry = find(at, t, initiator);
    if (!entry) return refuse(p, at, nullptr);
    const EntrySpec spec = entry->spec;
    if (!spec.right_user) {
      ++process.status[PTL_SR_PERMISSION_VIOLATIONS];
      answer.fail = PTL_NI_PERM_VIOLATION;
      return answer;
    }
    if ((t.kind != Kind::get && !has(spec, PTL_ME_OP_PUT)) ||
        ((t.kind == Kind::get || t.kind == Kind::fetch) && !has(spec, PTL_ME_OP_GET))) {
      ++process.status[PTL_SR_OPERATION_VIOLATIONS];
      answer.fail = PTL_NI_OP_VIOLATION;
      return answer;
    }

    answer.offset = offset_of(*entry, t);
    answer.stored = std::min(t.length, room(*entry, answer.offset));
    if (t.kind == Kind::atomic || t.kind == Kind::fetch)
      answer.stored -= answer.stored % size_of(t.type);
    answer.list = entry->list;
    answer.silent = has(spec, PTL_ME_ACK_DISABLE);
    std::uint64_t next = answer.offset + answer.stored;
    if (has(spec, PTL_ME_MAY_ALIGN)) next = (next + 7) & ~7ULL;
    bool full = has(spec, PTL_ME_USE_ONCE);
    if (has(spec, PTL_ME_MANAGE_LOCAL) && spec.min_free != 0 && room(*entry, next) < spec.min_free)
      full = true;
    const bool overflow = entry->list == PTL_OVERFLOW_LIST;
    const bool keeps = overflow && !has(spec, PTL_ME_UNEXPECTED_HDR_DISABLE);
    const bool tells =
        !has(spec, PTL_ME_EVENT_COMM_DISABLE) && !has(spec, PTL_ME_EVENT_SUCCESS_DISABLE);
    const bool tells_unlink = !has(spec, PTL_ME_EVENT_UNLINK_DISABLE);

    std::size_t headers = 0;
    for (const Portal& any : process.portals) headers += any.unexpected.size();
    if (keeps && headers >= max_headers) return refuse(p, at, entry);
    std::uint64_t events = tells ? 1 : 0;
    if (full && tells_unlink) events += overflow ? 2 : 1;
    if (at.flow_control && counted(process.target_queue) + events > process.target_queue.capacity) {
      return refuse(p, at, entry);
    }

    move(initiator, t, spec.positions, answer);
    if (has(spec, PTL_ME_MANAGE_LOCAL)) entry->local_offset = next;
    const std::int64_t start = position(spec.positions, answer.offset);
    if (keeps) {
      at.unexpected.push_back({t, initiator, start, answer.stored, entry->id});
      ++entry->headers;
    }
    if (tells) {
      Event event = described(t, initiator);
      event.kind = t.kind == Kind::put      ? PTL_EVENT_PUT
                   : t.kind == Kind::get    ? PTL_EVENT_GET
                   : t.kind == Kind::atomic ? PTL_EVENT_ATOMIC
                                            : PTL_EVENT_FETCH_ATOMIC;
      event.user = spec.user;
      event.start = start;
      event.mlength = answer.stored;
      event.list = answer.list;
      post(p, event);
    }
    const std::size_t id = entry->id;
    if (full) {
      if (tells_unlink) post(p, plain(PTL_EVENT_AUTO_UNLINK, spec.user));
      retire(p, at, id);
    }
    if (spec.counter && has(spec, PTL_ME_EVENT_CT_COMM)) {
      increment(p, *spec.counter, {has(spec, PTL_ME_EVENT_CT_BYTES) ? answer.stored : 1, 0});
    }
    return answer;
  }

  /// Where a byte of an entry lies; its end lies behind its last byte.
  static std::int64_t position(const Positions& positions, std::uint64_t offset) {
    if (offset < positions.size()) return static_cast<std::int64_t>(positions[offset]);
    return -1;
  }

  /// A full entry leaves its list; one of the overflow list waits for its headers to be taken.
  void retire(std::uint32_t p, Portal& at, std::size_t id) {
    for (std::vector<Entry>* list : {&at.priority, &at.overflow}) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        if ((*list)[i].id != id) continue;
        const Entry entry = (*list)[i];
        list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
        if (entry.list != PTL_OVERFLOW_LIST) return;
        at.unlinked.push_back(entry);
        free_if_done(p, at, id);
        return;
      }
    }
  }
  void free_if_done(std::uint32_t p, Portal& at, std::size_t id) {
    for (std::size_t i = 0; i < at.unlinked.size(); ++i) {
      if (at.unlinked[i].id != id || at.unlinked[i].headers > 0) continue;
      const Entry entry = at.unlinked[i];
      at.unlinked.erase(at.unlinked.begin() + static_cast<std::ptrdiff_t>(i));
      if (!has(entry.spec, PTL_ME_EVENT_UNLINK_DISABLE))
        post(p, plain(PTL_EVENT_AUTO_FREE, entry.spec.user));
      return;
    }
  }
  void header_gone(std::uint32_t p, Portal& at, std::size_t id) {
    for (std::vector<Entry>* list : {&at.overflow, &at.unlinked}) {
      for (Entry& entry : *list) {
        if (entry.id == id) --entry.headers;
      }
    }
    free_if_done(p, at, id);
  }

  /// Whether the entry is used up by messages that came before it.
  bool take_unexpected(std::uint32_t p, std::size_t portal, Entry& entry) {
    Portal& at = processes[p].portals[portal];
    const EntrySpec& spec = entry.spec;
    for (std::size_t i = 0; i < at.unexpected.size();) {
      if (!fits(entry, at.unexpected[i].transfer, at.unexpected[i].initiator)) {
        ++i;
        continue;
      }
      const Header header = at.unexpected[i];
      at.unexpected.erase(at.unexpected.begin() + static_cast<std::ptrdiff_t>(i));
      report_found(p, spec, header, false);
      header_gone(p, at, header.entry);
      if (has(spec, PTL_ME_USE_ONCE)) return true;
      if (has(spec, PTL_ME_LOCAL_INC_UH_RLENGTH) && has(spec, PTL_ME_MANAGE_LOCAL)) {
        entry.local_offset += header.transfer.length;
        if (spec.min_free != 0 && room(entry, entry.local_offset) < spec.min_free) return true;
      }
    }
    return false;
  }

  void report_found(std::uint32_t p, const EntrySpec& spec, const Header& header, bool search) {
    Event event = described(header.transfer, header.initiator);
    const Kind kind = header.transfer.kind;
    event.kind = search                 ? PTL_EVENT_SEARCH
                 : kind == Kind::put    ? PTL_EVENT_PUT_OVERFLOW
                 : kind == Kind::get    ? PTL_EVENT_GET_OVERFLOW
                 : kind == Kind::atomic ? PTL_EVENT_ATOMIC_OVERFLOW
                                        : PTL_EVENT_FETCH_ATOMIC_OVERFLOW;
    event.user = spec.user;
    event.start = header.start;
    event.mlength = header.stored;
    event.list = PTL_OVERFLOW_LIST;
    const unsigned int disable = search ? PTL_ME_EVENT_COMM_DISABLE : PTL_ME_EVENT_OVER_DISABLE;
    if (!has(spec, disable) && !has(spec, PTL_ME_EVENT_SUCCESS_DISABLE)) post(p, event);
    if (spec.counter && has(spec, PTL_ME_EVENT_CT_OVERFLOW)) {
      increment(p, *spec.counter, {has(spec, PTL_ME_EVENT_CT_BYTES) ? header.stored : 1, 0});
    }
  }

  static Event described(const Transfer& t, std::uint32_t initiator) {
    Event event;
    event.hdr_data = t.hdr_data;
    event.bits = t.bits;
    event.rlength = t.length;
    event.offset = t.offset;
    event.initiator = initiator;
    return event;
  }

  // The initiator's side.

  void tell(std::uint32_t p, const Transfer& t, ptl_event_kind_t kind, const Answer& answer) {
    const unsigned int options = kind == PTL_EVENT_REPLY ? t.in_options : t.out_options;
    if (answer.fail == PTL_NI_OK && (options & PTL_MD_EVENT_SUCCESS_DISABLE)) return;
    Event event = plain(kind, t.user);
    event.fail = answer.fail;
    if (kind != PTL_EVENT_SEND) {
      event.mlength = answer.stored;
      event.offset = answer.offset;
      event.list = answer.list;
    }
    post(processes[p].initiator_queue, event);
  }
  void count_out(std::uint32_t p, const Transfer& t, unsigned int option, ptl_ni_fail_t fail,
                 std::uint64_t bytes) {
    if (t.out_counter && (t.out_options & option))
      count(p, *t.out_counter, t.out_options, fail, bytes);
  }
  void count_in(std::uint32_t p, const Transfer& t, const Answer& answer) {
    if (t.in_counter && (t.in_options & PTL_MD_EVENT_CT_REPLY)) {
      count(p, *t.in_counter, t.in_options, answer.fail, answer.stored);
    }
  }
  void count(std::uint32_t p, std::size_t counter, unsigned int options, ptl_ni_fail_t fail,
             std::uint64_t bytes) {
    const std::uint64_t amount = (options & PTL_MD_EVENT_CT_BYTES) ? bytes : 1;
    increment(p, counter, fail == PTL_NI_OK ? ptl_ct_event_t{amount, 0} : ptl_ct_event_t{0, 1});
  }

  // Memory.

  void move(std::uint32_t initiator, const Transfer& t, const Positions& positions,
            const Answer& answer) {
    Bytes& here = processes[t.target].memory;
    Bytes& there = processes[initiator].memory;
    if (t.kind == Kind::put) {
      for (std::uint64_t i = 0; i < answer.stored; ++i)
        here[positions[answer.offset + i]] = there[t.source[i]];
      return;
    }
    if (t.kind == Kind::get) {
      for (std::uint64_t i = 0; i < answer.stored; ++i)
        there[t.result[i]] = here[positions[answer.offset + i]];
      return;
    }
    const std::size_t size = size_of(t.type);
    for (std::uint64_t i = 0; i + size <= answer.stored; i += size) {
      Bytes old(size), come(size);
      for (std::size_t b = 0; b < size; ++b) {
        old[b] = here[positions[answer.offset + i + b]];
        come[b] = there[t.source[i + b]];
      }
      const Bytes now = combined(t, old, come);
      for (std::size_t b = 0; b < size; ++b) {
        if (t.kind == Kind::fetch) there[t.result[i + b]] = old[b];
        here[positions[answer.offset + i + b]] = now[b];
      }
    }
  }

  static std::size_t size_of(ptl_datatype_t type) {
    return type == PTL_UINT8_T ? 1 : type == PTL_INT32_T ? 4 : 8;
  }
  static Bytes combined(const Transfer& t, const Bytes& old, const Bytes& come) {
    if (t.type == PTL_UINT8_T) return combined_as<std::uint8_t>(t, old, come);
    if (t.type == PTL_INT32_T) return combined_as<std::int32_t>(t, old, come);
    return combined_as<std::uint64_t>(t, old, come);
  }
  template <class T>
  static Bytes combined_as(const Transfer& t, const Bytes& old, const Bytes& come) {
    T a, b, c{};
    std::memcpy(&a, old.data(), sizeof(T));
    std::memcpy(&b, come.data(), sizeof(T));
    if (!t.operand.empty()) std::memcpy(&c, t.operand.data(), sizeof(T));
    const T r = result<T>(t.op, a, b, c);
    Bytes bytes(sizeof(T));
    std::memcpy(bytes.data(), &r, sizeof(T));
    return bytes;
  }
  template <class T>
  static T result(ptl_op_t op, T a, T b, T c) {
    switch (op) {
      case PTL_MIN:
        return std::min(a, b);
      case PTL_MAX:
        return std::max(a, b);
      case PTL_SUM:
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
      case PTL_BAND:
        return static_cast<T>(a & b);
      case PTL_BXOR:
        return static_cast<T>(a ^ b);
      case PTL_LOR:
        return static_cast<T>(a != 0 || b != 0);
      case PTL_SWAP:
        return b;
      case PTL_CSWAP:
        return c == a ? b : a;
      case PTL_CSWAP_GT:
        return c > a ? b : a;
      case PTL_CSWAP_LE:
        return c <= a ? b : a;
      case PTL_MSWAP:
        return static_cast<T>((b & c) | (a & ~c));
      default:
        return a;
    }
  }

  // Triggers.

  /// What is due has happened by being due, smallest threshold first, whatever it does to the
  /// counter; what it makes due comes after it.
  void look_at_triggers(std::uint32_t p, std::size_t counter) {
    auto& waiting = processes[p].counters[counter].waiting;
    const ptl_ct_event_t value = processes[p].counters[counter].value;
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    while (!waiting.empty() && waiting.front().first <= value.success + value.failure) {
      due_.emplace_back(p, waiting.front().second);
      waiting.erase(waiting.begin());
    }
    if (carrying_out_) return;
    carrying_out_ = true;
    while (!due_.empty()) {
      const auto [who, action] = due_.front();
      due_.pop_front();
      carry_out(who, action);
    }
    carrying_out_ = false;
  }
  void carry_out(std::uint32_t p, const Action& action) {
    switch (action.what) {
      case Action::What::transfer:
        return transfer(p, action.transfer);
      case Action::What::increment:
        return increment(p, action.counter, action.change);
      case Action::What::set:
        return set(p, action.counter, action.change);
    }
  }

  std::size_t next_id_ = 1;
  std::deque<std::pair<std::uint32_t, Action>> due_;
  bool carrying_out_ = false;
};

}  // namespace heddle::portals::model
