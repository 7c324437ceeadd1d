// What a thread's code computes with, at one place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::host {

/// The registers and the words around the top of the stack, at an instruction that a signal's
/// handler interrupts.
struct CodeState {
  static constexpr std::size_t kNumbers = 15;
  static constexpr std::size_t kVectorBytes = 512;
  /// What functions that call none may use below the stack pointer.
  static constexpr std::size_t kBelow = 128;

  std::array<std::uint64_t, kNumbers> numbers{};  ///< All but the stack pointer.
  std::uint64_t flags = 0;
  std::uint64_t stack_pointer = 0;
  std::array<std::byte, kVectorBytes> vectors{};
  std::vector<std::uint64_t> words;  ///< Of the stack, from kBelow below its pointer on.
};

/// Reads it from what the handler was given. `stack` is the thread's.
CodeState state_of(const void* context, std::span<const std::byte> stack);
/// Has the code go on at `place` with these registers and words. Memory aside from those words, and
/// the stack pointer, stay.
void go_on_with(const CodeState& state, std::uint64_t place, void* context);
/// Which of the numbers adds up what `heddlecc --count` counts, where code does.
std::size_t counting_number();

}  // namespace heddle::host
