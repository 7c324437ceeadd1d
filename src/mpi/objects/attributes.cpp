#include "mpi/objects/attributes.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "mpi/error.hpp"

namespace heddle::mpi {

int new_key(Process& process, KeyOf of, CopyAttribute copy, DeleteAttribute remove, void* extra) {
  auto made = std::make_shared<Key>(Key{0, of, copy, remove, extra});
  made->handle = process.part<Keys>().table.add(made);
  return made->handle;
}

KeyRef key(Process& process, int handle, KeyOf of) {
  KeyRef* found = process.part<Keys>().table.find(handle);
  if (found == nullptr || (*found)->of != of) {
    bad_argument(
        MPI_ERR_KEYVAL, "keyval",
        fmt::format("{:#x} is no key of this kind of object", static_cast<unsigned>(handle)));
  }
  return *found;
}

void free_key(Process& process, int handle, KeyOf of) {
  // The table's, this one, and those of attributes: while there are any, programs may free it
  // again.
  constexpr long kOurs = 2;
  const KeyRef found = key(process, handle, of);
  if (found.use_count() <= kOurs) process.part<Keys>().table.remove(handle);
}

void Attributes::tell_removed(int object, const Attribute& attribute) {
  const Key& key = *attribute.key;
  if (key.remove == nullptr) return;
  const int code = key.remove(object, key.handle, attribute.value, key.extra);
  if (code != MPI_SUCCESS) {
    throw Error{code, fmt::format("the function for deleting attributes answered {}", code)};
  }
}

void Attributes::set(int object, const KeyRef& key, void* value) {
  for (Attribute& attribute : attributes_) {
    if (attribute.key->handle != key->handle) continue;
    tell_removed(object, attribute);
    attribute.value = value;
    return;
  }
  attributes_.push_back({key, value});
}

bool Attributes::get(int key, void** value) const {
  for (const Attribute& attribute : attributes_) {
    if (attribute.key->handle != key) continue;
    *value = attribute.value;
    return true;
  }
  return false;
}

void Attributes::remove(int object, const KeyRef& key) {
  const auto found = std::ranges::find_if(
      attributes_, [&](const Attribute& a) { return a.key->handle == key->handle; });
  if (found == attributes_.end()) return;
  tell_removed(object, *found);
  attributes_.erase(found);
}

void Attributes::copy_to(Attributes& copy, int object) const {
  for (const Attribute& attribute : attributes_) {
    const Key& key = *attribute.key;
    if (key.copy == nullptr) continue;
    void* value = nullptr;
    int wanted = 0;
    const int code = key.copy(object, key.handle, key.extra, attribute.value, &value, &wanted);
    if (code != MPI_SUCCESS) {
      throw Error{code, fmt::format("the function for copying attributes answered {}", code)};
    }
    if (wanted != 0) copy.attributes_.push_back({attribute.key, value});
  }
}

void Attributes::clear(int object) {
  while (!attributes_.empty()) {
    tell_removed(object, attributes_.back());
    attributes_.pop_back();
  }
}

}  // namespace heddle::mpi
