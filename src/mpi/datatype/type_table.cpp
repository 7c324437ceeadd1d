#include "mpi/datatype/type_table.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>

#include "mpi/datatypes.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace heddle::mpi {
namespace {

/// Handles of derived datatypes; the first few are those of pairs of value and index.
constexpr std::uint32_t kFirstNumber = 8;
static_assert(MPI_LONG_DOUBLE_INT < handle_of(ObjectKind::datatype, kFirstNumber));

}  // namespace

TypeTable::~TypeTable() {
  for (Slot& slot : slots_) {
    if (!slot.type) continue;
    slot.type->belong(nullptr, slot.type->handle());  // Something may still use it.
    while (slot.held-- > 0) slot.type->release();
  }
}

int TypeTable::add(const DatatypeRef& type) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t index = unused_.back();
  unused_.pop_back();
  slots_[index] = {type.get(), 1, false};
  type->retain();
  type->belong(this, handle_of(ObjectKind::datatype, kFirstNumber + index));
  return type->handle();
}

TypeTable::Slot* TypeTable::slot(int handle) {
  const std::uint32_t index = number_of(handle) - kFirstNumber;
  if (handle != handle_of(ObjectKind::datatype, index + kFirstNumber)) return nullptr;
  return index < slots_.size() && slots_[index].type ? &slots_[index] : nullptr;
}
const TypeTable::Slot* TypeTable::slot(int handle) const {
  return const_cast<TypeTable*>(this)->slot(handle);
}

const Datatype* TypeTable::find(int handle) const {
  if (const Slot* found = slot(handle)) return found->type;
  return Datatype::predefined(handle);
}

void TypeTable::hold(const Datatype& type) {
  Slot* found = slot(type.handle());
  if (!found) return;
  ++found->held;
  type.retain();
}

bool TypeTable::free(const Datatype& type) {
  Slot* found = slot(type.handle());
  if (!found || found->held == 0) return false;
  --found->held;
  type.release();
  return true;
}

bool TypeTable::committed(const Datatype& type) const {
  const Slot* found = slot(type.handle());
  return !found || found->committed;
}

void TypeTable::commit(const Datatype& type) {
  if (Slot* found = slot(type.handle())) found->committed = true;
}

std::int64_t TypeTable::held() const {
  std::int64_t count = 0;
  for (const Slot& each : slots_) count += each.type && each.held > 0 ? 1 : 0;
  return count - std::ssize(f90_);
}

void TypeTable::forget(const Datatype& type) {
  const std::uint32_t index = number_of(type.handle()) - kFirstNumber;
  slots_[index] = {};
  unused_.push_back(index);
  names_.erase(type.handle());
  attributes_.erase(type.handle());
}

const std::string* TypeTable::name(int handle) const {
  const auto found = names_.find(handle);
  return found == names_.end() ? nullptr : &found->second;
}

Attributes* TypeTable::find_attributes(int handle) {
  const auto found = attributes_.find(handle);
  return found == attributes_.end() ? nullptr : &found->second;
}

std::int64_t TypeTable::held(const Datatype& type) const {
  const Slot* found = slot(type.handle());
  return found == nullptr ? 0 : found->held;
}

void TypeTable::set_name(int handle, std::string name) {
  names_[handle] = std::move(name);
}

const Datatype* TypeTable::find_f90(int combiner, const std::vector<int>& arguments) const {
  for (const Datatype* type : f90_) {
    const Contents& made = type->contents();
    if (made.combiner == combiner && made.integers == arguments) return type;
  }
  return nullptr;
}

bool TypeTable::is_f90(const Datatype& type) const {
  return std::find(f90_.begin(), f90_.end(), &type) != f90_.end();
}

const Datatype& datatype(Process& process, int handle, const char* argument) {
  if (const Datatype* type = Datatype::predefined(handle)) return *type;
  const TypeTable* table = process.find_part<TypeTable>();
  const Datatype* type = table == nullptr ? nullptr : table->find(handle);
  if (type != nullptr) return *type;
  if (handle == MPI_DATATYPE_NULL) bad_argument(MPI_ERR_TYPE, argument, "is MPI_DATATYPE_NULL");
  bad_argument(MPI_ERR_TYPE, argument, "is not a datatype");
}

const Datatype& committed(Process& process, int handle, const char* argument) {
  const Datatype& type = datatype(process, handle, argument);
  if (!type.is_predefined() && !process.part<TypeTable>().committed(type)) {
    bad_argument(MPI_ERR_TYPE, argument, "has not been committed (MPI_Type_commit)");
  }
  return type;
}

Buffer checked_buffer(Process& process, const void* address, std::int64_t count, int type,
                      const char* argument) {
  // Who sends nothing need not say of what, as with MPICH.
  const bool nothing = count == 0 && type == MPI_DATATYPE_NULL;
  const Datatype& described = committed(process, nothing ? MPI_BYTE : type);
  if (count < 0) {
    bad_argument(MPI_ERR_COUNT, "count", std::to_string(count) + ": accepted are 0 and more");
  }
  // A null pointer is MPI_BOTTOM, too, from which derived types may count.
  if (address == nullptr && count > 0 && described.is_predefined() && described.size() > 0) {
    bad_argument(MPI_ERR_BUFFER, argument,
                 "is a null pointer, for " + std::to_string(count) + " elements of " +
                     described.predefined_name());
  }
  check_elements(count, described, "count");
  return {const_cast<void*>(address), count, &described};
}

}  // namespace heddle::mpi
