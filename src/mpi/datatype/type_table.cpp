#include "mpi/datatype/type_table.hpp"

namespace heddle::mpi {
namespace {

/// Handles of derived datatypes; the first few are those of pairs of value and index.
constexpr std::uint32_t kFirstHandle = 0x8c000008;

}  // namespace

TypeTable::~TypeTable() {
  for (Slot& slot : slots_) {
    if (!slot.type) continue;
    slot.type->table_ = nullptr;  // Something may still use it.
    while (slot.held-- > 0) intrusive_ptr_release(slot.type);
  }
}

std::uint32_t TypeTable::add(Datatype* type) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t index = unused_.back();
  unused_.pop_back();
  slots_[index] = {type, 1, false};
  intrusive_ptr_add_ref(type);
  type->table_ = this;
  type->handle_ = kFirstHandle + index;
  return type->handle_;
}

TypeTable::Slot* TypeTable::slot(std::uint32_t handle) {
  const std::uint32_t index = handle - kFirstHandle;
  return index < slots_.size() && slots_[index].type ? &slots_[index] : nullptr;
}
const TypeTable::Slot* TypeTable::slot(std::uint32_t handle) const {
  return const_cast<TypeTable*>(this)->slot(handle);
}

const Datatype* TypeTable::find(std::uint32_t handle) const {
  if (const Slot* found = slot(handle)) return found->type;
  return Datatype::predefined(handle);
}

void TypeTable::hold(const Datatype& type) {
  Slot* found = slot(type.handle());
  if (!found) return;
  ++found->held;
  intrusive_ptr_add_ref(&type);
}

bool TypeTable::free(const Datatype& type) {
  Slot* found = slot(type.handle());
  if (!found || found->held == 0) return false;
  --found->held;
  intrusive_ptr_release(&type);
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
  return count;
}

void TypeTable::forget(const Datatype& type) {
  slots_[type.handle() - kFirstHandle] = {};
  unused_.push_back(type.handle() - kFirstHandle);
}

}  // namespace heddle::mpi
