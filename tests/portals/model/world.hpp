// A plain model of Portals semantics, for comparison: everything happens at once and in order,
// lists are vectors that are walked from their beginning, memory is named byte by byte. It shares
// nothing with src/portals but the interface's constants.
#pragma once

#include "portals/model/entries.hpp"
#include "portals/model/memory.hpp"
#include "portals/model/types.hpp"

namespace heddle::portals::model {

class World {
 public:
  std::vector<Process> processes;
  std::size_t max_headers = 0;  ///< Of unexpected messages, in a process.
  bool matching = true;

  // Lists.

  /// The new entry's id; it may be gone again.
  std::size_t append(std::uint32_t p, std::size_t portal, const EntrySpec& spec, ptl_list_t list) {
    Portal& at = processes[p].portals[portal];
    Entry entry{spec, next_id_++, list, 0, 0};
    if (list == PTL_OVERFLOW_LIST) {
      at.overflow.push_back(entry);
    } else if (used_up_by_unexpected(p, at, entry)) {
      if (tells_unlink(spec)) post(p, plain(PTL_EVENT_AUTO_UNLINK, spec.user));
      return entry.id;
    } else {
      at.priority.push_back(entry);
    }
    if (!has(spec, PTL_ME_EVENT_LINK_DISABLE)) post(p, plain(PTL_EVENT_LINK, spec.user));
    return entry.id;
  }

  int unlink(std::uint32_t p, std::size_t portal, std::size_t id) {
    Portal& at = processes[p].portals[portal];
    if (place_of(at.unlinked, id) < at.unlinked.size()) return PTL_IN_USE;
    for (std::vector<Entry>* list : {&at.priority, &at.overflow}) {
      const std::size_t i = place_of(*list, id);
      if (i == list->size()) continue;
      if ((*list)[i].headers > 0) return PTL_IN_USE;
      erase_at(*list, i);
      return PTL_OK;
    }
    return PTL_ARG_INVALID;
  }

  void search(std::uint32_t p, std::size_t portal, const EntrySpec& spec, ptl_search_op_t what) {
    Portal& at = processes[p].portals[portal];
    const Entry entry{spec, 0, PTL_PRIORITY_LIST, 0, 0};
    bool any = false;
    for (std::size_t i = 0; (i = next_unexpected(at, entry, i)) < at.unexpected.size();) {
      any = true;
      const Header header = at.unexpected[i];
      report_found(p, spec, header, what == PTL_SEARCH_ONLY);
      if (what == PTL_SEARCH_ONLY) {
        ++i;
      } else {
        erase_at(at.unexpected, i);
        header_gone(p, at, header.entry);
      }
      if (has(spec, PTL_ME_USE_ONCE)) return;
    }
    if (!any && !has(spec, PTL_ME_EVENT_COMM_DISABLE)) {
      Event event = plain(PTL_EVENT_SEARCH, spec.user);
      event.fail = PTL_NI_NO_MATCH;
      post(p, event);
    }
    const bool counts = has(spec, PTL_ME_EVENT_CT_COMM) || has(spec, PTL_ME_EVENT_CT_OVERFLOW);
    if (counts && spec.counter) increment(p, *spec.counter, {0, 1});
  }

  // Operations.

  void transfer(std::uint32_t p, const Transfer& t) {
    const Answer answer = deliver(p, t);
    if (puts(t.kind)) {
      if (!(t.out_options & PTL_MD_EVENT_SEND_DISABLE)) tell(p, t, PTL_EVENT_SEND, {});
      count_out(p, t, PTL_MD_EVENT_CT_SEND, PTL_NI_OK, t.length);
    }
    if (gets(t.kind)) {
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

 private:
  /// What the initiator hears.
  struct Answer {
    ptl_ni_fail_t fail = PTL_NI_OK;
    std::uint64_t stored = 0, offset = 0;
    ptl_list_t list = PTL_PRIORITY_LIST;
    bool silent = false;  ///< No acknowledgement, whatever was asked for.
  };
  static Answer failed(ptl_ni_fail_t fail) {
    Answer answer;
    answer.fail = fail;
    return answer;
  }

  /// What a message does to the entry that takes it.
  struct Landing {
    Answer answer;
    std::uint64_t next = 0;  ///< What follows it in an entry that manages its offset.
    bool full = false;       ///< Nothing more fits into the entry.
  };

  void post(std::uint32_t p, const Event& event) { processes[p].target_queue.post(event); }
  bool takes(const Entry& entry, const Transfer& t, std::uint32_t initiator) const {
    return !matching || matches(entry, t, initiator);
  }

  // The target's side.

  Answer deliver(std::uint32_t initiator, const Transfer& t) {
    Process& process = processes[t.target];
    Portal& at = process.portals[t.portal];
    if (!at.enabled) return failed(PTL_NI_PT_DISABLED);
    Entry* const entry = find(at, t, initiator);
    if (!entry) return refuse(process, at, nullptr);
    const ptl_ni_fail_t fail = violation(process, entry->spec, t);
    if (fail != PTL_NI_OK) return failed(fail);
    const Landing landing = land(*entry, t);
    if (lacks_headers(process, *entry) || lacks_events(process, at, *entry, landing)) {
      return refuse(process, at, entry);
    }
    move(t, processes[initiator].memory, process.memory, entry->spec.positions,
         landing.answer.offset, landing.answer.stored);
    const EntrySpec spec = entry->spec;
    note_landing(initiator, t, at, *entry, landing);
    count_found(t.target, spec, PTL_ME_EVENT_CT_COMM, landing.answer.stored);
    return landing.answer;
  }

  /// The entry that takes the message, if there is one.
  Entry* find(Portal& at, const Transfer& t, std::uint32_t initiator) const {
    for (std::vector<Entry>* list : {&at.priority, &at.overflow}) {
      for (Entry& entry : *list) {
        if (takes(entry, t, initiator)) return &entry;
      }
    }
    return nullptr;
  }

  /// A message for which something is missing: with flow control the portal is switched off.
  static Answer refuse(Process& process, Portal& at, const Entry* entry) {
    if (!at.flow_control) {
      ++process.status[PTL_SR_DROP_COUNT];
      return failed(PTL_NI_DROPPED);
    }
    at.enabled = false;
    if (!entry || !has(entry->spec, PTL_ME_EVENT_FLOWCTRL_DISABLE)) {
      Event event = plain(PTL_EVENT_PT_DISABLED, 0);
      event.fail = PTL_NI_PT_DISABLED;
      process.target_queue.post(event);
    }
    return failed(PTL_NI_PT_DISABLED);
  }

  /// What the entry does not allow, or PTL_NI_OK.
  static ptl_ni_fail_t violation(Process& process, const EntrySpec& spec, const Transfer& t) {
    if (!spec.right_user) {
      ++process.status[PTL_SR_PERMISSION_VIOLATIONS];
      return PTL_NI_PERM_VIOLATION;
    }
    if ((puts(t.kind) && !has(spec, PTL_ME_OP_PUT)) ||
        (gets(t.kind) && !has(spec, PTL_ME_OP_GET))) {
      ++process.status[PTL_SR_OPERATION_VIOLATIONS];
      return PTL_NI_OP_VIOLATION;
    }
    return PTL_NI_OK;
  }

  static Landing land(const Entry& entry, const Transfer& t) {
    Landing landing;
    Answer& answer = landing.answer;
    answer.offset = offset_of(entry, t);
    answer.stored = std::min(t.length, room(entry, answer.offset));
    if (calculates(t.kind)) answer.stored -= answer.stored % size_of(t.type);
    answer.list = entry.list;
    answer.silent = has(entry.spec, PTL_ME_ACK_DISABLE);
    landing.next = answer.offset + answer.stored;
    if (has(entry.spec, PTL_ME_MAY_ALIGN)) landing.next = (landing.next + 7) & ~7ULL;
    landing.full = has(entry.spec, PTL_ME_USE_ONCE) ||
                   (has(entry.spec, PTL_ME_MANAGE_LOCAL) && short_of_room(entry, landing.next));
    return landing;
  }

  bool lacks_headers(const Process& process, const Entry& entry) const {
    std::size_t headers = 0;
    for (const Portal& any : process.portals) headers += any.unexpected.size();
    return keeps_headers(entry) && headers >= max_headers;
  }
  /// With flow control all the events of a message must fit, that of a freed entry, too.
  static bool lacks_events(const Process& process, const Portal& at, const Entry& entry,
                           const Landing& landing) {
    if (!at.flow_control) return false;
    std::uint64_t events = tells_messages(entry.spec) ? 1 : 0;
    if (landing.full && tells_unlink(entry.spec)) {
      events += entry.list == PTL_OVERFLOW_LIST ? 2 : 1;
    }
    return process.target_queue.counted() + events > process.target_queue.capacity;
  }

  /// What a message leaves behind in the lists and the queue; its entry may be gone then.
  void note_landing(std::uint32_t initiator, const Transfer& t, Portal& at, Entry& entry,
                    const Landing& landing) {
    const Answer& answer = landing.answer;
    const std::int64_t start = position(entry.spec.positions, answer.offset);
    if (has(entry.spec, PTL_ME_MANAGE_LOCAL)) entry.local_offset = landing.next;
    if (keeps_headers(entry)) {
      at.unexpected.push_back({t, initiator, start, answer.stored, entry.id});
      ++entry.headers;
    }
    if (tells_messages(entry.spec)) {
      Event event = described(t, initiator);
      event.kind = landing_event(t.kind);
      event.user = entry.spec.user;
      event.start = start;
      event.mlength = answer.stored;
      event.list = answer.list;
      post(t.target, event);
    }
    if (landing.full) retire(t.target, at, entry);
  }

  /// A full entry leaves its list; one of the overflow list waits for its headers to be taken.
  void retire(std::uint32_t p, Portal& at, const Entry& full) {
    const Entry entry = full;
    if (tells_unlink(entry.spec)) post(p, plain(PTL_EVENT_AUTO_UNLINK, entry.spec.user));
    std::vector<Entry>& list = entry.list == PTL_OVERFLOW_LIST ? at.overflow : at.priority;
    erase_at(list, place_of(list, entry.id));
    if (entry.list != PTL_OVERFLOW_LIST) return;
    at.unlinked.push_back(entry);
    free_if_done(p, at, entry.id);
  }
  void free_if_done(std::uint32_t p, Portal& at, std::size_t id) {
    const std::size_t i = place_of(at.unlinked, id);
    if (i == at.unlinked.size() || at.unlinked[i].headers > 0) return;
    const Entry entry = at.unlinked[i];
    erase_at(at.unlinked, i);
    if (tells_unlink(entry.spec)) post(p, plain(PTL_EVENT_AUTO_FREE, entry.spec.user));
  }

  // Messages that came before they were asked for.

  /// The place of the first one from `i` on that the entry takes; the end if there is none.
  std::size_t next_unexpected(const Portal& at, const Entry& entry, std::size_t i) const {
    while (i < at.unexpected.size() &&
           !takes(entry, at.unexpected[i].transfer, at.unexpected[i].initiator)) {
      ++i;
    }
    return i;
  }
  void header_gone(std::uint32_t p, Portal& at, std::size_t id) {
    for (std::vector<Entry>* list : {&at.overflow, &at.unlinked}) {
      const std::size_t i = place_of(*list, id);
      if (i < list->size()) --(*list)[i].headers;
    }
    free_if_done(p, at, id);
  }

  /// A new entry takes what is there for it, until it is used up by it: then it is not linked.
  bool used_up_by_unexpected(std::uint32_t p, Portal& at, Entry& entry) {
    const EntrySpec& spec = entry.spec;
    for (std::size_t i = 0; (i = next_unexpected(at, entry, i)) < at.unexpected.size();) {
      const Header header = at.unexpected[i];
      erase_at(at.unexpected, i);
      report_found(p, spec, header, false);
      header_gone(p, at, header.entry);
      if (has(spec, PTL_ME_USE_ONCE)) return true;
      if (has(spec, PTL_ME_LOCAL_INC_UH_RLENGTH) && has(spec, PTL_ME_MANAGE_LOCAL)) {
        entry.local_offset += header.transfer.length;
        if (short_of_room(entry, entry.local_offset)) return true;
      }
    }
    return false;
  }

  void report_found(std::uint32_t p, const EntrySpec& spec, const Header& header, bool search) {
    Event event = described(header.transfer, header.initiator);
    event.kind = search ? PTL_EVENT_SEARCH : overflow_event(header.transfer.kind);
    event.user = spec.user;
    event.start = header.start;
    event.mlength = header.stored;
    event.list = PTL_OVERFLOW_LIST;
    const unsigned int disable = search ? PTL_ME_EVENT_COMM_DISABLE : PTL_ME_EVENT_OVER_DISABLE;
    if (!has(spec, disable) && !has(spec, PTL_ME_EVENT_SUCCESS_DISABLE)) post(p, event);
    count_found(p, spec, PTL_ME_EVENT_CT_OVERFLOW, header.stored);
  }
  /// Counts for an entry, if it has a counter and the option.
  void count_found(std::uint32_t p, const EntrySpec& spec, unsigned int option,
                   std::uint64_t bytes) {
    if (!spec.counter || !has(spec, option)) return;
    increment(p, *spec.counter, {has(spec, PTL_ME_EVENT_CT_BYTES) ? bytes : 1, 0});
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
    processes[p].initiator_queue.post(event);
  }
  void count_out(std::uint32_t p, const Transfer& t, unsigned int option, ptl_ni_fail_t fail,
                 std::uint64_t bytes) {
    if (!t.out_counter || !(t.out_options & option)) return;
    const bool operations = option == PTL_MD_EVENT_CT_ACK && t.ack == PTL_OC_ACK_REQ;
    const unsigned int ignored = operations ? PTL_MD_EVENT_CT_BYTES : 0U;
    count(p, *t.out_counter, t.out_options & ~ignored, fail, bytes);
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
