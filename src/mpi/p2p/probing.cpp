#include "mpi/p2p/probing.hpp"

#include <fmt/core.h>

#include "mpi/datatype/type_table.hpp"
#include "mpi/error.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/p2p/completing.hpp"

namespace heddle::mpi {
namespace {

/// The messages that matched probes have taken.
struct ExtractedMessages final : Part {
  explicit ExtractedMessages(Process&) {}
  HandleTable<std::shared_ptr<Extracted>, ObjectKind::message> table;
};

class WaitsForMessage final : public Blocked {
 public:
  WaitsForMessage(const Process& process, PointCall call)
      : process_(process), call_(std::move(call)) {}
  std::string text() const override {
    return fmt::format("waits in {} {}", process_.call, describe(call_, false));
  }
  std::optional<std::uint32_t> peer() const override {
    if (call_.peer < 0) return std::nullopt;
    return call_.communicator->peers().process(call_.peer);
  }

 private:
  const Process& process_;
  PointCall call_;
};

/// Counts a process among those that want to know of new messages.
class Probing {
 public:
  explicit Probing(Process& process) : mailbox_(process.mailbox) { ++mailbox_.probing; }
  ~Probing() { --mailbox_.probing; }
  Probing(const Probing&) = delete;
  Probing& operator=(const Probing&) = delete;

 private:
  Mailbox& mailbox_;
};

}  // namespace

Probe::Probe(Process& process, int source, int tag, MPI_Comm comm)
    : process_(process), communicator_(communicator(process, comm)), source_(source), tag_(tag) {
  check_source_and_tag(communicator_, source, tag);
}

std::optional<Message*> Probe::find() const {
  if (source_ == MPI_PROC_NULL) return nullptr;
  const Channel channel = communicator_.channel(Traffic::point_to_point);
  Message* found =
      engine_of(process_).probe(process_, SourceAddress{channel.context, source_}, tag_);
  return found == nullptr ? std::nullopt : std::optional(found);
}

Message* Probe::wait() const {
  const Probing probing(process_);
  const PointCall call{&communicator_, &datatype(process_, MPI_BYTE), nullptr, 0, source_, tag_};
  process_.wait_until([&] { return find().has_value(); }, WaitsForMessage(process_, call));
  return *find();
}

std::optional<Message*> Probe::look() const {
  const Probing probing(process_);
  mpi::look(process_, [&] { return find().has_value(); });
  return find();
}

Outcome outcome_of(const Message* message) {
  if (message == nullptr) return {MPI_PROC_NULL, MPI_ANY_TAG, 0, 0, false};
  return {message->key.source, message->key.tag, message->bytes, 0, false};
}

MPI_Message extracted(Process& process, Message* message, MPI_Comm comm) {
  if (message == nullptr) return MPI_MESSAGE_NO_PROC;
  engine_of(process).extract(*message);
  return process.part<ExtractedMessages>().table.add(
      std::make_shared<Extracted>(Extracted{message, &communicator(process, comm)}));
}

Extracted take_extracted(Process& process, MPI_Message* handle) {
  Extracted taken;
  if (*handle != MPI_MESSAGE_NO_PROC) {
    auto& table = process.part<ExtractedMessages>().table;
    if (table.find(*handle) == nullptr) {
      bad_argument(MPI_ERR_REQUEST, "message",
                   fmt::format("{:#x} is no message", static_cast<unsigned>(*handle)));
    }
    taken = *table.remove(*handle);
  }
  *handle = MPI_MESSAGE_NULL;
  return taken;
}

PointCall receive_call(Process& process, const Extracted& taken, void* buffer, MPI_Count count,
                       MPI_Datatype type) {
  const Buffer data = mpi::buffer(process, buffer, count, type);
  CommunicatorRef where = taken.communicator;
  if (!where) where = &communicator(process, MPI_COMM_SELF);
  return {where,
          data.type,
          data.address,
          data.count,
          taken.message == nullptr ? MPI_PROC_NULL : taken.message->key.source,
          taken.message == nullptr ? 0 : taken.message->key.tag};
}

}  // namespace heddle::mpi
