// What was thought at traps, kept.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "host/rank/code/proof.hpp"

namespace heddle::host {

/// Proofs by who came to which place: each is looked for among the same few, and takes the place of
/// an older one. None is ever wrong, whoever finds it: it says itself what it is about.
class Proofs {
 public:
  class Entry {
   public:
    Entry(std::uint64_t place, std::uint64_t stack, std::uint64_t thread)
        : place_(place), stack_(stack), thread_(thread) {}
    bool is_of(std::uint64_t place, std::uint64_t stack, std::uint64_t thread) const {
      return place == place_ && stack == stack_ && thread == thread_;
    }
    /// Whether it holds, as Proof has it. One that fails again and again is not worth its writing.
    bool holds(const Words& words, const AddressSpace& memory);
    bool worth_writing();

    Proof proof;
    Varying varying;

   private:
    std::uint64_t place_;
    std::uint64_t stack_;
    std::uint64_t thread_;
    std::uint32_t failed_ = 0;  ///< In a row.
  };

  /// For code at a place with this stack pointer and thread pointer.
  Entry& of(std::uint64_t place, std::uint64_t stack, std::uint64_t thread);

 private:
  static constexpr std::size_t kSets = 512;
  static constexpr std::size_t kEach = 4;
  std::array<std::array<std::unique_ptr<Entry>, kEach>, kSets> sets_;
  std::size_t next_ = 0;  ///< In its set, of those that take the place of others.
};

}  // namespace heddle::host
