// Attributes that programs attach to communicators, windows and datatypes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/handle.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

/// What a key is for.
enum class KeyOf : std::uint8_t { communicator, window, datatype };

/// Functions of programs that are called when an object is duplicated or an attribute goes; objects
/// of all kinds have handles of one type, and Fortran's are behind functions of this form.
using CopyAttribute = int (*)(int object, int key, void* extra, void* value, void* copy,
                              int* wanted);
using DeleteAttribute = int (*)(int object, int key, void* value, void* extra);

/// What a program has said of a key; lives as long as an attribute has it.
struct Key {
  int handle = 0;
  KeyOf of = KeyOf::communicator;
  CopyAttribute copy = nullptr;  ///< Null: attributes are not copied.
  DeleteAttribute remove = nullptr;
  void* extra = nullptr;
};
using KeyRef = std::shared_ptr<const Key>;

/// Part of a process: its keys by handle.
struct Keys final : Part {
  explicit Keys(Process&) {}
  HandleTable<KeyRef, ObjectKind::key> table;
};

/// A new key's handle.
int new_key(Process& process, KeyOf of, CopyAttribute copy, DeleteAttribute remove, void* extra);
/// Throws MPI_ERR_KEYVAL if there is no such key of this kind.
KeyRef key(Process& process, int handle, KeyOf of);
/// The handle goes; attributes that have the key keep it.
void free_key(Process& process, int handle, KeyOf of);

/// The attributes of one object, in the order in which they were set. Functions of programs that
/// answer other than MPI_SUCCESS become Errors with that code.
class Attributes {
 public:
  void set(int object, const KeyRef& key, void* value);
  /// Whether there is one; its value then.
  bool get(int key, void** value) const;
  void remove(int object, const KeyRef& key);
  /// For the new object `copy`'s attributes: those whose copy functions want it.
  void copy_to(Attributes& copy, int object) const;
  /// All go, the last one set first: the object is freed.
  void clear(int object);

 private:
  struct Attribute {
    KeyRef key;
    void* value;
  };
  static void tell_removed(int object, const Attribute& attribute);
  std::vector<Attribute> attributes_;
};

}  // namespace heddle::mpi
