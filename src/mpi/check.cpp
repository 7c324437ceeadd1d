#include "mpi/check.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "mpi/comm/objects.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/p2p/engine.hpp"
#include "mpi/p2p/request.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

using Findings = std::vector<std::pair<std::uint32_t, std::string>>;

std::string label_of(std::uint32_t context) {
  const std::uint32_t number = context / kTraffics;
  return number == 0 ? "MPI_COMM_WORLD" : fmt::format("communicator {}", number);
}

void look_at_messages(World& world, Findings& findings) {
  world.engine().for_each_unexpected([&](const Message& message) {
    const MatchKey& key = message.key;
    if (key.context % kTraffics != static_cast<std::uint32_t>(Traffic::point_to_point)) return;
    findings.emplace_back(key.receiver,
                          fmt::format("never received a message from {}, tag {}, {}, {} bytes",
                                      key.source, key.tag, label_of(key.context), message.bytes));
  });
}

void look_at_objects(Process& process, Findings& findings) {
  const auto add = [&](std::string text) { findings.emplace_back(process.id(), std::move(text)); };
  if (Requests* requests = process.find_part<Requests>()) {
    requests->table.for_each([&](int, const Request* request) {
      add((request->active() ? "never completed " : "never freed ") + request->describe());
    });
  }
  if (Objects* objects = process.find_part<Objects>()) {
    objects->communicators.for_each([&](int, const CommunicatorRef& communicator) {
      add("never freed " + communicator->label());
    });
  }
  const TypeTable* types = process.find_part<TypeTable>();
  if (types != nullptr && types->held() > 0)
    add(fmt::format("never freed {} datatypes", types->held()));
}

}  // namespace

bool is_untyped(const Datatype& type) {
  const Basic* basic = type.unit() == nullptr ? nullptr : type.unit()->basic();
  return basic != nullptr && (basic->kind == Kind::byte || basic->kind == Kind::packed);
}

void Check::report(std::uint32_t rank, const std::string& finding) {
  found_.emplace_back(rank, finding);
}

void Check::met(const Message& message, const Buffer& buffer, std::uint32_t receiver) {
  if (message.untyped || is_untyped(*buffer.type) || message.bytes > bytes(buffer)) return;
  if (buffer.type->size() == 0) return;
  const Signature wanted = signature(*buffer.type, message.bytes);
  if (wanted.hash == message.signature.hash && wanted.elements == message.signature.elements)
    return;
  report(receiver, fmt::format("received other types than were sent: {} bytes from {}, tag {}, {}",
                               message.bytes, message.key.source, message.key.tag,
                               label_of(message.key.context)));
}

std::vector<std::string> Check::findings(World& world) const {
  Findings all = found_;
  look_at_messages(world, all);
  for (std::uint32_t id = 0; id < world.size(); ++id) {
    if (Process* process = world.find_process(id)) look_at_objects(*process, all);
  }
  std::ranges::sort(all);
  std::vector<std::string> lines;
  for (const auto& [rank, text] : all) lines.push_back(fmt::format("rank {}: {}", rank, text));
  return lines;
}

std::uint64_t contents(const Process& process, const Buffer& buffer) {
  std::vector<std::byte> copy(static_cast<std::size_t>(bytes(buffer)));
  pack(process.memory(), buffer, copy.data());
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const std::byte byte : copy)
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace heddle::mpi
