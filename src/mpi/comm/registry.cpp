#include "mpi/comm/registry.hpp"

namespace heddle::mpi {
namespace {

constexpr std::uint32_t kWorldNumber = 0;
/// One for all: a message to oneself meets nobody else's.
constexpr std::uint32_t kSelfNumber = 1;

}  // namespace

Registry::Registry(std::uint32_t ranks)
    : empty_(Group::range(0, 0)),
      world_(std::make_shared<CommunicatorData>(
          CommunicatorData{kWorldNumber, Group::range(0, ranks)})) {}

CommunicatorDataRef Registry::self(const Process& process) {
  return std::make_shared<CommunicatorData>(
      CommunicatorData{kSelfNumber, Group::range(process.id(), 1)});
}

}  // namespace heddle::mpi
