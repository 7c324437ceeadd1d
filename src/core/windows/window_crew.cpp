#include "core/windows/window_crew.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/forked_tasks.hpp"

namespace heddle {
namespace {

/// Of a clock that is never set.
std::uint64_t now_ns() {
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(now.count());
}

}  // namespace

WindowCrew::WindowCrew(std::size_t parts, std::uint64_t least_events, std::uint64_t first)
    : members_(parts),
      pace_(least_events),
      numbers_(parts, first),
      barrier_(static_cast<std::uint32_t>(parts), parts <= ForkedTasks::cores()) {}

/// An error ends the thread's part of the work, but not its visits to the barriers.
void WindowCrew::attempt(std::size_t me, const std::function<void(Member&)>& step) {
  Member& member = members_[me];
  if (member.error) return;
  try {
    step(member);
  } catch (...) {
    member.error = std::current_exception();
    member.failed_at = member.part ? member.part->now() : Time::zero();
  }
}

/// Calls `work(me)` by every thread.
template <class Work>
void WindowCrew::by_all(const Work& work) {
  {
    std::vector<std::jthread> threads;
    for (std::size_t me = 1; me < members_.size(); ++me) {
      threads.emplace_back([&work, me] { work(me); });
    }
    work(0);
  }
  throw_first_error();
}

void WindowCrew::each(const std::function<void(std::size_t)>& step) {
  by_all([&](std::size_t me) { attempt(me, [&](Member&) { step(me); }); });
}

void WindowCrew::begin(const Make& make) {
  by_all([&](std::size_t me) {
    attempt(me, [&](Member& member) {
      member.part = make(me);
      member.part->begin();
    });
    barrier_.arrive_and_wait([this] { look_for_errors(); });
    if (!failed_) settle_together(me);
  });
}

void WindowCrew::run(Time limit) {
  limit_ = limit;
  pace_.interrupt();
  by_all([this](std::size_t me) { work(me); });
}

void WindowCrew::work(std::size_t me) {
  while (!over()) {
    advance(me);
    barrier_.arrive_and_wait([this] { go_alone(); });
    if (failed_ || over()) return;
    settle_together(me);
    if (failed_) return;
    if (me == 0) ++shared_;
  }
}

void WindowCrew::settle_together(std::size_t me) {
  numbers_.number(me, logs(), [this] { barrier_.arrive_and_wait(); });
  settle(me);
  barrier_.arrive_and_wait([this] { join_window(); });
}

/// The windows that one thread goes through for all, while the others wait.
void WindowCrew::go_alone() {
  look_for_errors();
  bool alone = pace_.next_alone(happened_in_window(), now_ns);
  for (; alone && !failed_; alone = pace_.next_alone(happened_in_window(), now_ns)) {
    settle_alone();
    if (failed_ || over()) break;
    for (std::size_t part = 0; part < members_.size(); ++part) advance(part);
    look_for_errors();
  }
}

/// Of the last one, of all parts.
std::uint64_t WindowCrew::happened_in_window() {
  std::uint64_t happened = 0;
  for (const Member& member : members_) happened += member.part ? member.part->happened() : 0;
  return happened - std::exchange(happened_, happened);
}

void WindowCrew::advance(std::size_t part) {
  attempt(part, [this](Member& member) { member.part->advance(start_, limit_); });
}

void WindowCrew::settle(std::size_t part) {
  attempt(part, [&](Member& member) { member.next = member.part->settle(numbers_.of(part)); });
}

void WindowCrew::settle_alone() {
  numbers_.number_all(logs());
  for (std::size_t part = 0; part < members_.size(); ++part) settle(part);
  join_window();
}

/// All parts have settled what the last window has caused.
void WindowCrew::join_window() {
  numbers_.next_window();
  start_ = Time::never();
  for (const Member& member : members_) start_ = std::min(start_, member.next);
  look_for_errors();
  if (failed_) return;
  attempt(0, [this](Member&) { between_(); });
  look_for_errors();
}

JoinedNumbers::Logs WindowCrew::logs() const {
  JoinedNumbers::Logs logs;
  for (const Member& member : members_) logs.push_back(member.part->log().runs());
  return logs;
}

void WindowCrew::look_for_errors() {
  failed_ = std::ranges::any_of(members_, [](const Member& m) { return m.error != nullptr; });
}

/// That which one thread would have met first.
void WindowCrew::throw_first_error() {
  const Member* first = nullptr;
  for (const Member& member : members_) {
    if (member.error && (first == nullptr || member.failed_at < first->failed_at)) first = &member;
  }
  if (first != nullptr) std::rethrow_exception(first->error);
}

}  // namespace heddle
