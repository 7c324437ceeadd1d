// The memory of a simulated process, as everybody but the process itself must reach it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

class AddressSpace;

/// Is told of what becomes of memory that somebody looks at.
class MemoryWatch {
 public:
  /// Something is about to be written to this memory from outside.
  virtual void written(const AddressSpace& memory) = 0;

 protected:
  ~MemoryWatch() = default;
};

/// One process's memory. A process may share the simulator's address space (a fiber), have parts of
/// it elsewhere while it sleeps (globals that are swapped), or live in another process altogether:
/// addresses are the process's own and mean nothing without its AddressSpace.
class AddressSpace {
 public:
  virtual ~AddressSpace() = default;
  /// Who is to be told of what is written from outside, or null; nobody looks at it yet.
  void tell(MemoryWatch* watch) {
    watch_ = watch;
    lookers_ = 0;
  }
  /// A thread waits by looking at this memory, and no longer.
  void look_begins() { ++lookers_; }
  void look_ends() { --lookers_; }
  /// Something is about to be written from outside: whoever looks at it looks again afterwards.
  void about_to_change() const {
    if (lookers_ > 0 && watch_ != nullptr) watch_->written(*this);
  }
  /// Copies out of the process; false, and `to` undefined, where the process has no such memory.
  virtual bool read(void* to, const void* address, std::size_t size) const = 0;
  /// Copies into the process; false where it has no such memory it may write.
  bool write(void* address, const void* from, std::size_t size) {
    about_to_change();
    return store(address, from, size);
  }
  /// Where `size` bytes at `address` can be reached directly until another fiber runs, or null if
  /// they cannot: then read and write are the way. Does not check that the memory exists.
  virtual const std::byte* direct(const void* address, std::size_t size) const = 0;
  /// The same, to change them at once.
  std::byte* direct_to_change(void* address, std::size_t size) {
    about_to_change();
    return const_cast<std::byte*>(direct(address, size));
  }
  /// Copies from another process that cannot be reached directly, to this one, which cannot either;
  /// false as read and write. In pieces, through the simulator's memory, unless there is a better
  /// way.
  virtual bool fetch(void* to, const AddressSpace& from_space, const void* from, std::size_t size);

 protected:
  /// What write() does, once everybody has been told.
  virtual bool store(void* address, const void* from, std::size_t size) = 0;

 private:
  friend bool copy(AddressSpace& to_space, void* to, const AddressSpace& from_space,
                   const void* from, std::size_t size);
  /// What cannot be reached directly.
  bool copy_from_afar(void* to, const AddressSpace& from_space, const void* from, std::size_t size);

  MemoryWatch* watch_ = nullptr;
  std::uint32_t lookers_ = 0;
};

/// Copies from one process to another (or within one; the ranges may overlap); false as read and
/// write. A part of who calls it: there is one for every message.
[[gnu::always_inline]] inline bool copy(AddressSpace& to_space, void* to,
                                        const AddressSpace& from_space, const void* from,
                                        std::size_t size) {
  to_space.about_to_change();
  if (const std::byte* source = from_space.direct(from, size)) {
    return to_space.store(to, source, size);
  }
  return to_space.copy_from_afar(to, from_space, from, size);
}

}  // namespace heddle
