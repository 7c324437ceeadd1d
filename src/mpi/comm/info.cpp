#include "mpi/comm/info.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "mpi/comm/objects.hpp"
#include "mpi/error.hpp"

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

std::shared_ptr<Info> info(Process& process, int handle) {
  if (handle == MPI_INFO_NULL) return nullptr;
  if (handle == MPI_INFO_ENV) return std::make_shared<Info>(environment_info(process));
  std::shared_ptr<Info>* found = process.part<Objects>().infos.find(handle);
  if (found == nullptr) {
    bad_argument(MPI_ERR_INFO, "info",
                 fmt::format("{:#x} is no info object", static_cast<unsigned>(handle)));
  }
  return *found;
}

InfoRef info_copy(Process& process, int handle) {
  const std::shared_ptr<Info> found = info(process, handle);
  return found ? std::make_shared<const Info>(*found) : nullptr;
}

int new_info(Process& process, Info info) {
  return process.part<Objects>().infos.add(std::make_shared<Info>(std::move(info)));
}

}  // namespace heddle::mpi
