// The stack of code of x86-64, in thought.
#pragma once

#include "host/rank/code/thought.hpp"
#include "host/rank/code/walk.hpp"
#include "host/rank/code/x86/registers.hpp"
#include "host/rank/code/x86/step.hpp"
#include "host/rank/code/x86/terms.hpp"

namespace heddle::host::x86 {

/// What is pushed is below the stack pointer, which moves with it. Calls and returns are told to
/// the walk.
class Stack {
 public:
  Stack(Walk& walk, Step& step, Registers& registers, Terms terms)
      : walk_(walk), step_(step), registers_(registers), terms_(terms) {}

  void push(const Thought& what);
  Thought pop();
  /// Of a call: where the code would go on.
  void push_return();
  void return_from_call();

 private:
  Walk& walk_;
  Step& step_;
  Registers& registers_;
  Terms terms_;
};

}  // namespace heddle::host::x86
