// What modules keep for a process, or for a whole job, without its knowing of them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace heddle::mpi {

/// What a module keeps for somebody; made on first use, for a million idle ranks must fit.
class Part {
 public:
  virtual ~Part() = default;
  /// The part that was made before this one, which goes after it.
  void set_before(std::unique_ptr<Part> before) { before_ = std::move(before); }

 private:
  std::unique_ptr<Part> before_;
};

/// The parts of one owner, at most one of each class. A class that is asked for somewhere gets its
/// place when the program is loaded; nobody lists them.
template <class Owner>
class Parts {
 public:
  template <class T>
  T* find() const {
    return static_cast<T*>(places_[place<T>]);
  }
  /// Takes the place of none: there is none yet.
  template <class T>
  T& add(std::unique_ptr<T> part) {
    T& made = *part;
    places_[place<T>] = &made;
    part->set_before(std::move(newest_));
    newest_ = std::move(part);
    return made;
  }

 private:
  static constexpr std::size_t kMost = 24;
  static std::size_t next_place() {
    static std::size_t next = 0;
    if (next == kMost) throw std::logic_error("more kinds of parts than Parts has places for");
    return next++;
  }
  template <class T>
  static inline const std::size_t place = next_place();

  std::array<Part*, kMost> places_{};
  std::unique_ptr<Part> newest_;
};

}  // namespace heddle::mpi
