#include "host/libc/environment.hpp"

#include <unistd.h>

#include <cstring>

namespace heddle::host {
namespace {

bool is_entry_of(const char* entry, std::string_view name) {
  return std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=';
}

}  // namespace

void Environment::own() {
  if (!entries_.empty() && environ == entries_.data()) return;
  entries_.clear();
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    entries_.push_back(*entry);
  }
  entries_.push_back(nullptr);
}

char** Environment::find(std::string_view name) {
  for (char*& entry : entries_) {
    if (entry != nullptr && is_entry_of(entry, name)) return &entry;
  }
  return nullptr;
}

void Environment::publish() {
  environ = entries_.data();
}

void Environment::set(const char* name, const char* value, bool overwrite) {
  own();
  if (!overwrite && find(name) != nullptr) return publish();
  strings_.push_back(std::make_unique<std::string>(std::string(name) + "=" + value));
  put(strings_.back()->data());
}

void Environment::put(char* text) {
  own();
  const std::string_view name(text, std::strcspn(text, "="));
  if (char** entry = find(name)) {
    *entry = text;
  } else {
    entries_.insert(entries_.end() - 1, text);
  }
  publish();
}

void Environment::unset(const char* name) {
  own();
  std::erase_if(entries_,
                [=](const char* entry) { return entry != nullptr && is_entry_of(entry, name); });
  publish();
}

void Environment::clear() {
  entries_.assign(1, nullptr);
  publish();
}

}  // namespace heddle::host
