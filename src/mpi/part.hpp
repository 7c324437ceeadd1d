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

/// Somebody that modules keep parts for, at most one of each class; derives from this. A class that
/// is asked for somewhere gets its place when the program is loaded; nobody lists them.
template <class Owner>
class PartOwner {
 public:
  /// The part `T`; made by `T(Owner&)` if it is not there yet.
  template <class T>
  T& part() {
    T* const made = find_part<T>();
    return made != nullptr ? *made : make_part<T>();
  }
  /// The same, or null if there is none.
  template <class T>
  T* find_part() const {
    return static_cast<T*>(places_[place<T>]);
  }
  /// One that takes more than its owner to make; there is none yet.
  template <class T>
  T& add_part(std::unique_ptr<T> part) {
    T& made = *part;
    places_[place<T>] = &made;
    part->set_before(std::move(newest_));
    newest_ = std::move(part);
    return made;
  }

 protected:
  ~PartOwner() = default;

 private:
  /// Aside, for it happens once.
  template <class T>
  [[gnu::noinline]] T& make_part() {
    return add_part(std::make_unique<T>(static_cast<Owner&>(*this)));
  }
  /// Three lines of the cache with what owners begin with, so that the rest begins one.
  static constexpr std::size_t kMost = 22;
  static std::size_t next_place() {
    static std::size_t next = 0;
    if (next == kMost) throw std::logic_error("more kinds of parts than there are places for");
    return next++;
  }
  template <class T>
  static inline const std::size_t place = next_place();

  std::array<Part*, kMost> places_{};
  std::unique_ptr<Part> newest_;
};

}  // namespace heddle::mpi
