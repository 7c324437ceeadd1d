// Places in programs' code at which whoever comes there is looked at.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace heddle::host {

/// Traps stand where threads have been seen to wait by looking: one that comes to wait there again
/// is looked at in that moment, which no timer can be as quick to do. An instruction of the
/// program's, whose first byte makes way for the trap, is carried out at a copy.
///
/// They belong to the process, as code does, and are found from handlers of signals, of any thread.
/// None is ever forgotten: what a program that is gone has had there, another one may load again,
/// and threads of libraries may come to a trap when its run is over. What they were good for is a
/// matter of each run (TrapUses).
class CodeTraps {
 public:
  class Trap {
   public:
    void* place() const { return reinterpret_cast<void*>(place_.load(std::memory_order_acquire)); }
    /// Does what the instruction at `place` does, and goes on behind that.
    void* copy() const { return copy_; }

   private:
    friend class CodeTraps;
    std::atomic<std::uintptr_t> place_ = 0;
    void* copy_ = nullptr;
    std::uint8_t byte_ = 0;  ///< That it stands for.
  };

  /// Whether this kind of processor can have any, and nobody looks at the process by traps of their
  /// own.
  static bool possible();
  static CodeTraps& instance();

  /// Writes a copy of the instruction at `place`, of which so many bytes can be read, to where
  /// there are 32 bytes; false: that cannot be.
  using Copier = bool (*)(std::uintptr_t place, std::size_t readable, std::uintptr_t copy);
  /// Sets one, unless there is one; null if there cannot be one at this instruction.
  Trap* set(void* place, Copier copier);
  /// Nobody comes to it any more.
  static void take_away(const Trap& trap);
  /// Whether one is there to which code comes.
  bool stands(const void* place);
  /// The one at a place, or that was there; null: there was none.
  Trap* find(const void* place);
  /// Where code stands that may be at a copy.
  const void* original(const void* place) const;
  /// Puts back into code that was read what the program has there.
  static void restore(std::uint64_t place, void* code, std::size_t size) {
    if (!any_ || std::memchr(code, kTrap, size) == nullptr) return;
    instance().restore_all(place, code, size);
  }

 private:
  struct Copies;
  CodeTraps();
  ~CodeTraps();
  Trap& entry(std::uintptr_t place);
  void restore_all(std::uint64_t place, void* code, std::size_t size);

  static constexpr std::uint8_t kTrap = 0xcc;
  static inline bool any_ = false;
  std::unique_ptr<Trap[]> traps_;
  std::size_t used_ = 0;
  std::unique_ptr<Copies> copies_;
};

}  // namespace heddle::host
