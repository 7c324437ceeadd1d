// What of a process goes on only while the process is inside a call.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::mpi {

/// Something that does: non-blocking collectives, for one.
class Progress {
 public:
  /// Does what can be done now; on the rank's own fiber. May add and remove others, and itself.
  virtual void advance() = 0;

 protected:
  ~Progress() = default;
};

/// All of that of one process.
class Background {
 public:
  void add(Progress& progress);
  void remove(Progress& progress);
  bool empty() const { return list_.empty(); }
  /// Something has happened that they may be waiting for.
  void changed() { ++changes_; }
  /// Lets all of them go on, until none can.
  void advance() {
    if (!list_.empty()) advance_all();
  }

 private:
  void advance_all();

  bool advancing_ = false;  ///< A thread is at it.
  std::uint32_t changes_ = 0;
  std::vector<Progress*> list_;
};

}  // namespace heddle::mpi
