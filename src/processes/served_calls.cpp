#include "processes/served_calls.hpp"

#include <heddle.h>
#include <pmi.h>
#include <pmi2.h>
#include <portals4.h>

#include <array>

#include "host/rank/job.hpp"
#include "host/rank/processor_use.hpp"
#include "host/rank/rank.hpp"
#include "processes/calls.hpp"
#include "processes/packing.hpp"
#include "processes/process_program.hpp"

namespace heddle::processes {
namespace served {
namespace {

RankProcess& current_process() {
  host::Rank& rank = *host::current_rank();
  return static_cast<ProcessProgram&>(rank.program()).process(rank);
}

/// Describes memory by the copy of its list of pieces, if there is one, which the process has sent.
template <class Description>
Description with_pieces(const Description& description, const ptl_iovec_t* pieces) {
  Description copy = description;
  if (pieces != nullptr) copy.start = const_cast<ptl_iovec_t*>(pieces);
  return copy;
}

int begin() {
  return 0;
}

int end_thread() {
  return 0;
}

int md_bind(ptl_handle_ni_t ni, const ptl_md_t* md, const ptl_iovec_t* pieces,
            ptl_handle_md_t* handle) {
  if (md == nullptr) return PtlMDBind(ni, md, handle);
  const ptl_md_t described = with_pieces(*md, pieces);
  return PtlMDBind(ni, &described, handle);
}

int le_append(ptl_handle_ni_t ni, ptl_pt_index_t index, const ptl_le_t* le,
              const ptl_iovec_t* pieces, ptl_list_t list, void* user_ptr, ptl_handle_le_t* handle) {
  if (le == nullptr) return PtlLEAppend(ni, index, le, list, user_ptr, handle);
  const ptl_le_t described = with_pieces(*le, pieces);
  return PtlLEAppend(ni, index, &described, list, user_ptr, handle);
}

int me_append(ptl_handle_ni_t ni, ptl_pt_index_t index, const ptl_me_t* me,
              const ptl_iovec_t* pieces, ptl_list_t list, void* user_ptr, ptl_handle_me_t* handle) {
  if (me == nullptr) return PtlMEAppend(ni, index, me, list, user_ptr, handle);
  const ptl_me_t described = with_pieces(*me, pieces);
  return PtlMEAppend(ni, index, &described, list, user_ptr, handle);
}

int le_search(ptl_handle_ni_t ni, ptl_pt_index_t index, const ptl_le_t* le,
              const ptl_iovec_t* pieces, ptl_search_op_t what, void* user_ptr) {
  if (le == nullptr) return PtlLESearch(ni, index, le, what, user_ptr);
  const ptl_le_t described = with_pieces(*le, pieces);
  return PtlLESearch(ni, index, &described, what, user_ptr);
}

int me_search(ptl_handle_ni_t ni, ptl_pt_index_t index, const ptl_me_t* me,
              const ptl_iovec_t* pieces, ptl_search_op_t what, void* user_ptr) {
  if (me == nullptr) return PtlMESearch(ni, index, me, what, user_ptr);
  const ptl_me_t described = with_pieces(*me, pieces);
  return PtlMESearch(ni, index, &described, what, user_ptr);
}

int triggered_me_append(ptl_handle_ni_t ni, ptl_pt_index_t index, const ptl_me_t* me,
                        const ptl_iovec_t* pieces, ptl_list_t list, void* user_ptr,
                        ptl_handle_me_t* handle, ptl_handle_ct_t trigger, ptl_size_t threshold) {
  if (me == nullptr) {
    return PtlTriggeredMEAppend(ni, index, me, list, user_ptr, handle, trigger, threshold);
  }
  const ptl_me_t described = with_pieces(*me, pieces);
  return PtlTriggeredMEAppend(ni, index, &described, list, user_ptr, handle, trigger, threshold);
}

long get(int rank, const char* key, char* value, std::size_t size) {
  return heddle_get(rank, key, value, size);
}

long find(const char* key, char* value, std::size_t size) {
  return heddle_find(key, value, size);
}

/// Looks at the clock where that is charged at once.
std::int64_t look_at_clock() {
  host::Rank& rank = *host::current_rank();
  const host::Call call(rank);
  rank.thread().looks().saw_clock();
  rank.thread().work().charge(rank.job().params().clock_cost);
  return rank.now().ps();
}

std::int64_t processor_ns() {
  look_at_clock();
  return host::current_rank()->threads().processor_time().ps() / 1000;
}

/// Sleeps; answers what was left when a signal ended it.
std::int64_t sleep(std::int64_t duration_ps) {
  const host::Call call(*host::current_rank());
  return current_process().sleep(Time::ps(duration_ps)).ps();
}

void yield() {
  host::Rank& rank = *host::current_rank();
  const host::Call call(rank);
  rank.thread().looks().polled("lets others go first");
}

/// Waits until another thread of the process has done something, at most to the deadline.
void wait_for_others(std::int64_t deadline_ps) {
  const host::Call call(*host::current_rank());
  current_process().wait_for_others(Time::ps(deadline_ps));
}

/// No call of the program's: it is interrupted where it looks at its memory, in a loop that it has
/// come to anew or not.
void spin(void* place, bool anew) {
  current_process().spin(place, anew);
}

/// A timer that sends a signal (0: none) to a thread (0: any), counts in a file (-1: none), or is
/// waited for; answers its number.
int new_timer(int signal, std::uint32_t thread, void* value, int file) {
  const host::Call call(*host::current_rank());
  return current_process().timers().add({signal, thread, value}, file);
}

void set_timer(int number, std::int64_t first_ps, std::int64_t interval_ps) {
  const host::Call call(*host::current_rank());
  if (SimulatedTimer* timer = current_process().timers().find(number)) {
    timer->set(Time::ps(first_ps), Time::ps(interval_ps));
  }
}

/// Answers how often it has expired, or -1 when it has ended.
std::int64_t await_timer(int number) {
  const host::Call call(*host::current_rank());
  SimulatedTimer* timer = current_process().timers().find(number);
  return timer == nullptr ? -1 : timer->await();
}

void end_timer(int number) {
  const host::Call call(*host::current_rank());
  current_process().timers().end(number);
}

void wait_for_signal() {
  const host::Call call(*host::current_rank());
  current_process().sleep(Time::never());
}

}  // namespace
}  // namespace served

namespace {

using Serve = bool (*)(Room room, std::uint64_t& answer);

template <auto Function>
bool serve_function(Room room, std::uint64_t& answer) {
  return call_packed(Function, room, answer);
}

constexpr std::array<Serve, static_cast<std::size_t>(CallNumber::count)> kServed = {
#define HEDDLE_ENTRY(name) serve_function<&::name>,
    HEDDLE_PUBLIC_CALLS(HEDDLE_ENTRY)
#undef HEDDLE_ENTRY
#define HEDDLE_ENTRY(name) serve_function<&served::name>,
        HEDDLE_OWN_CALLS(HEDDLE_ENTRY)
#undef HEDDLE_ENTRY
};

}  // namespace

bool serve(Slot& slot, std::byte* room) {
  return slot.call < kServed.size() && kServed[slot.call](Room(room, kRoom), slot.answer);
}

}  // namespace heddle::processes
