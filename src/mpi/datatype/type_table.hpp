// The datatypes that a rank has made.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mpi/datatypes.hpp"
#include "mpi/objects/attributes.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

/// Handles of derived datatypes. A handle lives as long as its datatype: until it has been freed
/// as often as handed out and nothing uses it any more.
class TypeTable final : public Part, private coll::DatatypeOwner {
 public:
  explicit TypeTable(Process& /*process*/) {}
  ~TypeTable() override;
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  /// Gives a new datatype its handle; the program holds it once.
  int add(const DatatypeRef& type);
  /// The datatype, predefined ones included, or null.
  const Datatype* find(int handle) const;
  /// The program holds a datatype once more.
  void hold(const Datatype& type);
  /// How often the program holds a datatype.
  std::int64_t held(const Datatype& type) const;
  /// The program lets it go; false if it does not hold it.
  bool free(const Datatype& type);
  bool committed(const Datatype& type) const;
  void commit(const Datatype& type);
  /// What the program calls it, if it has given it a name, else null.
  const std::string* name(int handle) const;
  void set_name(int handle, std::string name);
  Attributes& attributes(int handle) { return attributes_[handle]; }
  /// Null if the type has never had any.
  Attributes* find_attributes(int handle);
  /// The type that was made by `combiner` from `arguments`, if there is one, else null.
  const Datatype* find_f90(int combiner, const std::vector<int>& arguments) const;
  void remember_f90(const Datatype& type) { f90_.push_back(&type); }
  bool is_f90(const Datatype& type) const;
  /// How many derived datatypes the program still holds.
  std::int64_t held() const;

 private:
  void forget(const Datatype& type) override;
  struct Slot {
    const Datatype* type = nullptr;
    std::int64_t held = 0;  ///< By the program.
    bool committed = false;
  };
  Slot* slot(int handle);
  const Slot* slot(int handle) const;

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> unused_;
  std::map<int, std::string> names_;
  std::map<int, Attributes> attributes_;
  std::vector<const Datatype*> f90_;  ///< Held for ever.
};

// For calls: what a handle means. They throw Error, naming `argument`.

/// Any datatype.
const Datatype& datatype(Process& process, int handle, const char* argument = "datatype");
/// One that may describe data: committed.
const Datatype& committed(Process& process, int handle, const char* argument = "datatype");
/// The same in full, for what buffer() does not know at once.
Buffer checked_buffer(Process& process, const void* address, std::int64_t count, int type,
                      const char* argument);
/// `count` elements at an address of the process; also checks the count and the address.
inline Buffer buffer(Process& process, const void* address, std::int64_t count, int type,
                     const char* argument = "buf") {
  // What nearly all calls name: nothing can be wrong with it. Negative numbers are large ones here.
  constexpr std::uint64_t kSurelyFit = std::uint64_t{1} << 56;
  const Datatype* const predefined = Datatype::predefined(type);
  if (predefined != nullptr && address != nullptr &&
      static_cast<std::uint64_t>(count) < kSurelyFit) {
    return {const_cast<void*>(address), count, predefined};
  }
  return checked_buffer(process, address, count, type, argument);
}

}  // namespace heddle::mpi
