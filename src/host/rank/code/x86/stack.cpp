#include "host/rank/code/x86/stack.hpp"

#include "host/rank/code/x86/state.hpp"

namespace heddle::host::x86 {

void Stack::push(const Thought& what) {
  const Thought top = terms_.moved(registers_.number(kStackPointer), 0UL - kWordBytes);
  step_.store(top, kWordBytes, what);
  registers_.set_number(kStackPointer, top);
}

Thought Stack::pop() {
  const Thought top = registers_.number(kStackPointer);
  const Thought found = step_.load(top, kWordBytes);
  registers_.set_number(kStackPointer, terms_.moved(top, kWordBytes));
  return found;
}

void Stack::push_return() {
  walk_.call(registers_.number(kStackPointer).value);
  push({step_.next()});
}

void Stack::return_from_call() {
  walk_.come_back();
  step_.go_on_at(pop());
}

}  // namespace heddle::host::x86
