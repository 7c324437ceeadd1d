#include "portals/counter_store.hpp"

namespace heddle::portals {
namespace {

/// What thresholds are compared with: successes and failures, or the most there is.
ptl_size_t total(const ptl_ct_event_t& value) {
  const ptl_size_t sum = value.success + value.failure;
  return sum < value.success ? PTL_SIZE_MAX : sum;
}

}  // namespace

std::uint32_t CounterStore::allocate(Process& process) {
  const std::uint32_t counter = counters_.take();
  counters_[counter] = {};
  counters_[counter].process = &process;
  return counter;
}

void CounterStore::free(std::uint32_t counter) {
  counters_[counter].process = nullptr;
  if (!counters_[counter].writing) counters_.give_back(counter);
}

void CounterStore::add(std::uint32_t counter, const ptl_ct_event_t& change, By by) {
  counters_[counter].value.success += change.success;
  counters_[counter].value.failure += change.failure;
  changed(counter, by);
}

void CounterStore::set(std::uint32_t counter, const ptl_ct_event_t& value, By by) {
  counters_[counter].value = value;
  changed(counter, by);
}

void CounterStore::changed(std::uint32_t number, By by) {
  Counter& counter = counters_[number];
  if (by == By::program) {
    counter.visible = counter.value;
  } else if (!counter.writing) {
    counter.writing = true;
    changes.written.push_back(number);
  }
  while (counter.first != kNone && commands_[counter.first].threshold <= total(counter.value)) {
    const std::uint32_t command = counter.first;
    counter.first = commands_[command].next;
    if (counter.first == kNone) counter.last = kNone;
    --counter.waiting;
    changes.due.push_back(command);
  }
}

void CounterStore::trigger(std::uint32_t number, std::uint32_t command) {
  Counter& counter = counters_[number];
  const ptl_size_t threshold = commands_[command].threshold;
  if (threshold <= total(counter.value)) {
    changes.due.push_back(command);
    return;
  }
  // Mostly they come in the order of their thresholds.
  std::uint32_t before = counter.last;
  if (before != kNone && commands_[before].threshold > threshold) {
    before = kNone;
    for (std::uint32_t c = counter.first; commands_[c].threshold <= threshold;
         c = commands_[c].next) {
      before = c;
    }
  }
  std::uint32_t& link = before == kNone ? counter.first : commands_[before].next;
  commands_[command].next = link;
  link = command;
  if (commands_[command].next == kNone) counter.last = command;
  ++counter.waiting;
}

std::vector<std::uint32_t> CounterStore::cancel(std::uint32_t number) {
  Counter& counter = counters_[number];
  std::vector<std::uint32_t> cancelled;
  for (std::uint32_t c = counter.first; c != kNone; c = commands_[c].next) cancelled.push_back(c);
  counter.first = counter.last = kNone;
  counter.waiting = 0;
  return cancelled;
}

Process* CounterStore::arrived(std::uint32_t number) {
  Counter& counter = counters_[number];
  counter.writing = false;
  counter.visible = counter.value;
  if (!counter.process) counters_.give_back(number);
  return counter.process;
}

}  // namespace heddle::portals
