#include "mpi/objects/info.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdlib>

namespace heddle::mpi {

void Info::set(std::string_view key, std::string_view value) {
  for (auto& [name, text] : entries_) {
    if (name != key) continue;
    text = value;
    return;
  }
  entries_.emplace_back(key, value);
}

bool Info::remove(std::string_view key) {
  return std::erase_if(entries_, [&](const auto& entry) { return entry.first == key; }) > 0;
}

const std::string* Info::find(std::string_view key) const {
  for (const auto& [name, text] : entries_) {
    if (name == key) return &text;
  }
  return nullptr;
}

std::size_t wanted_alignment(const InfoRef& info) {
  constexpr std::size_t kMost = std::size_t{1} << 40;
  const std::string* const text =
      info == nullptr ? nullptr : info->find("mpi_minimum_memory_alignment");
  if (text == nullptr) return 0;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  const bool whole = error == std::errc() && end == text->data() + text->size();
  return whole && std::has_single_bit(value) && value <= kMost ? value : 0;
}

void* aligned_memory(std::size_t alignment, std::size_t size) {
  void* memory = nullptr;
  const int error = posix_memalign(&memory, std::max(alignment, alignof(std::max_align_t)), size);
  return error == 0 ? memory : nullptr;
}

}  // namespace heddle::mpi
