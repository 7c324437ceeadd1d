// What traps have been good for in a run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "host/rank/code/code_traps.hpp"

namespace heddle::host {

/// Traps are the process's, as code is; whom they have found is a matter of the run whose threads
/// come there.
class TrapUses {
 public:
  class Use {
   public:
    /// Code that came there was found to wait.
    void waited() { in_vain_ = 0; }
    /// So many instructions it took, at most, to tell that code waits which comes there.
    void needs(std::uint32_t instructions) { needed_ = std::max(needed_, instructions); }
    std::uint32_t needed() const { return needed_; }

   private:
    friend class TrapUses;
    int in_vain_ = 0;
    bool given_up_ = false;
    std::uint32_t needed_ = 0;
  };

  /// Sets one, as CodeTraps does; null also if the one there was in vain in this run.
  CodeTraps::Trap* set(void* place, CodeTraps::Copier copier) {
    return of(place).given_up_ ? nullptr : CodeTraps::instance().set(place, copier);
  }
  Use& of(const void* place) { return uses_[place]; }
  /// Code that came to a trap was not found to wait: one to which it comes for other reasons costs
  /// more than it spares.
  void passed(const CodeTraps::Trap& trap) {
    Use& use = of(trap.place());
    if (++use.in_vain_ < kMostInVain || use.given_up_) return;
    use.given_up_ = true;
    CodeTraps::take_away(trap);
  }

 private:
  /// So often in a row may one be passed.
  static constexpr int kMostInVain = 16;
  std::unordered_map<const void*, Use> uses_;
};

}  // namespace heddle::host
