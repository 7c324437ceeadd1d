// The datatypes that a rank has made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/datatype/datatype.hpp"

namespace heddle::mpi {

/// Handles of derived datatypes. A handle lives as long as its datatype: until it has been freed
/// as often as handed out and nothing uses it any more.
class TypeTable {
 public:
  TypeTable() = default;
  ~TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  /// Gives a new datatype its handle; the program holds it once.
  std::uint32_t add(Datatype* type);
  /// The datatype, predefined ones included, or null.
  const Datatype* find(std::uint32_t handle) const;
  /// The program holds a datatype once more.
  void hold(const Datatype& type);
  /// The program lets it go; false if it does not hold it.
  bool free(const Datatype& type);
  bool committed(const Datatype& type) const;
  void commit(const Datatype& type);
  /// How many derived datatypes the program still holds.
  std::int64_t held() const;

 private:
  friend void intrusive_ptr_release(const Datatype* type);
  void forget(const Datatype& type);
  struct Slot {
    Datatype* type = nullptr;
    std::int64_t held = 0;  ///< By the program.
    bool committed = false;
  };
  Slot* slot(std::uint32_t handle);
  const Slot* slot(std::uint32_t handle) const;

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace heddle::mpi
