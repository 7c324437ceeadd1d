#include "mpi/comm/registry.hpp"

#include <algorithm>

namespace heddle::mpi {
namespace {

constexpr std::uint32_t kWorldNumber = 0;

}  // namespace

int Launch::application(std::uint32_t process) const {
  const auto next = std::upper_bound(applications.begin(), applications.end(), process);
  return std::max(static_cast<int>(next - applications.begin()) - 1, 0);
}

Registry::Registry(World& world) : empty_(Group::range(0, 0)) {
  launches_.push_back({0, std::make_shared<CommunicatorData>(
                              CommunicatorData{kWorldNumber, Group::range(0, world.size())})});
}

const Launch& Registry::launch_of(std::uint32_t process) const {
  const auto next = std::upper_bound(
      launches_.begin(), launches_.end(), process,
      [](std::uint32_t number, const Launch& launch) { return number < launch.first; });
  return *std::prev(next);
}

const Launch& Registry::add_launch(std::vector<std::uint32_t> applications, std::uint32_t size,
                                   const GroupRef& parents) {
  const std::uint32_t first = applications.front();
  const GroupRef children = Group::range(first, size - first);
  launches_.push_back(
      {first, std::make_shared<CommunicatorData>(CommunicatorData{new_number(), children}),
       std::make_shared<CommunicatorData>(CommunicatorData{new_number(), children, parents}),
       std::move(applications)});
  return launches_.back();
}

CommunicatorDataRef Registry::self(const Process& process) {
  return std::make_shared<CommunicatorData>(
      CommunicatorData{new_number(), Group::range(process.id(), 1)});
}

}  // namespace heddle::mpi
