#include "mpi/tools/tools.hpp"

#include <cstring>

namespace heddle::mpi {

void give_text(std::string_view text, char* to, int* length) {
  if (length == nullptr) return;
  if (to != nullptr && *length > 0) {
    const std::size_t size = std::min(text.size(), static_cast<std::size_t>(*length) - 1);
    std::memcpy(to, text.data(), size);
    to[size] = '\0';
  }
  *length = static_cast<int>(text.size()) + 1;
}

}  // namespace heddle::mpi
