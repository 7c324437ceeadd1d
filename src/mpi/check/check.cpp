#include "mpi/check/check.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/comm/objects.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/engine/engine.hpp"
#include "mpi/io/file.hpp"
#include "mpi/op/op_table.hpp"
#include "mpi/request.hpp"

namespace heddle::mpi {
namespace {

bool is_point_to_point(const MatchKey& key) {
  return key.context % kTraffics == static_cast<std::uint32_t>(Traffic::point_to_point);
}

void look_at_messages(World& world, Findings& findings) {
  world.find_part<Engine>()->queues().for_each_message([&](const Message& message) {
    const MatchKey& key = message.key;
    if (!is_point_to_point(key) || !has_ended(*message.receiver)) return;
    findings.add(key.receiver,
                 fmt::format("never received a message from {}, tag {}, {}, {} bytes", key.source,
                             key.tag, label_of(key.context), message.bytes));
  });
}

/// "never freed 3 groups", of a table of handles.
template <class Table>
void look_at_table(Process& process, const Table& table, const char* what, Findings& findings) {
  if (const std::size_t held = table.size(); held > 0) {
    findings.add(process.id(), fmt::format("never freed {} {}{}", held, what, held > 1 ? "s" : ""));
  }
}

void look_at_objects(Process& process, Findings& findings) {
  const auto add = [&](std::string text) { findings.add(process.id(), std::move(text)); };
  if (Requests* requests = process.find_part<Requests>()) {
    requests->table.for_each([&](int, const Request* request) {
      add((request->active() ? "never completed " : "never freed ") + request->describe());
    });
  }
  if (Objects* objects = process.find_part<Objects>()) {
    objects->communicators.for_each([&](int, const CommunicatorRef& communicator) {
      add("never freed " + communicator->label());
    });
    look_at_table(process, objects->groups, "group", findings);
  }
  if (const OpTable* operations = process.find_part<OpTable>()) {
    look_at_table(process, *operations, "operation", findings);
  }
  if (Windows* windows = process.find_part<Windows>()) {
    windows->table.for_each(
        [&](int, const std::unique_ptr<Window>& window) { add("never freed " + window->label()); });
  }
  const TypeTable* types = process.find_part<TypeTable>();
  if (types != nullptr && types->held() > 0) {
    add(fmt::format("never freed {} datatypes", types->held()));
  }
}

}  // namespace

bool is_untyped(const Datatype& type) {
  const Basic* basic = type.unit() == nullptr ? nullptr : type.unit()->basic();
  return basic != nullptr && (basic->kind == Kind::byte || basic->kind == Kind::packed);
}

bool has_ended(const Process& process) {
  return process.phase == Phase::finalised || process.rank().ending().over();
}

std::uint64_t owner_of(const Completion& completion) {
  return reinterpret_cast<std::uintptr_t>(&completion);
}

std::uint64_t owner_of(std::uint32_t context, int tag) {
  return std::uint64_t{1} << 63 | std::uint64_t{context} << 30 | static_cast<std::uint32_t>(tag);
}

std::uint64_t owner_of(const Message& message) {
  if (is_point_to_point(message.key)) return owner_of(*message.received);
  return owner_of(message.key.context, message.key.tag);
}

Check::Check(World& world) : world_(world) {
  world.find_part<Engine>()->observers().add(*this);
  world.add_part(std::make_unique<ObservedWindows>(accesses_));
}

void Check::sends(const Message& message, SendCall /*call*/) {
  messages_.sent(message);
  if (is_point_to_point(message.key)) {
    accesses_.touches(*message.sender, message.buffer, BufferCheck::Use::reads);
  }
}

void Check::receives(Process& process, const MatchKey& key, const Buffer& buffer,
                     const Completion& completion) {
  messages_.posted(process, key, completion);
  if (is_point_to_point(key)) accesses_.touches(process, buffer, BufferCheck::Use::writes);
}

void Check::cancelled(Process& /*process*/, const Completion& completion) {
  messages_.cancelled(completion);
}

void Check::meets(Message& message, const Buffer& buffer, const Completion& completion) {
  messages_.met(message, buffer, completion);
}

void Check::writes(Process& process, const Message& message) {
  buffers_.look(process, owner_of(message));
}

void Check::wrote(Process& process, const Message& message) {
  buffers_.renew(process, owner_of(message));
}

void Check::sees_end(Process& process, const Completion& completion) {
  messages_.sees_end(process, completion);
}

void Check::lends(Process& process, const Completion& completion, const Lent& lent) {
  buffers_.begin(process, {owner_of(completion), lent.borrower.describe(), lent.receives},
                 ByteRanges(lent.memory),
                 lent.receives ? BufferCheck::Use::writes : BufferCheck::Use::reads);
}

void Check::has_back(Process& process, const Completion& completion) {
  buffers_.end(process, owner_of(completion));
}

void Check::forgets(Process& process, const Completion& completion) {
  buffers_.forget(process, owner_of(completion));
}

std::vector<std::string> Check::findings() {
  messages_.look_at_races();
  collectives_.look_at_open_calls(world_);
  look_at_messages(world_, found_);
  for (std::uint32_t id = 0; id < world_.size(); ++id) {
    Process* const process = world_.find_process(id);
    if (process != nullptr && has_ended(*process)) look_at_objects(*process, found_);
  }
  std::vector<std::string> lines;
  for (const auto& [rank, text] : found_.all()) {
    lines.push_back(fmt::format("rank {}: {}", rank, text));
  }
  return lines;
}

}  // namespace heddle::mpi
