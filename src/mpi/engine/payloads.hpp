// The data of messages: from one process's memory to the other's, or aside where the receive is not
// there yet.
#pragma once

#include <cstdint>

#include "mpi/engine/message.hpp"
#include "mpi/engine/stage_pool.hpp"
#include "mpi/mailbox.hpp"
#include "mpi/process.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

class Payloads final : private Leaver {
 public:
  explicit Payloads(const MpiConfig& config) : config_(config) {}

  /// Whether messages of so many bytes have any.
  bool carried(std::int64_t bytes) const { return config_.carries(bytes); }
  /// To where a receive has its buffer. A part of who calls it.
  [[gnu::always_inline]] void copy(const Message& message, const Buffer& to,
                                   Process& process) const {
    try {
      if (message.data != nullptr) {
        unpack(process.memory(), to, message.data, message.bytes);
      } else {
        move(process.memory(), to, message.sender->memory(), message.buffer);
      }
    } catch (const NoSuchMemory& error) {
      blame(error.space == &process.memory() ? process : *message.sender, error);
    }
  }
  /// The send of a message is going to be complete that nobody has received: keeps its payload.
  void keep(Message& message);
  /// The message goes.
  void release(const Message& message) {
    if (message.data != nullptr && message.data != message.inside.data()) {
      stages_.give_back(message.data, message.bytes);
    }
  }
  /// The process goes on: what it has sent and nobody has received yet is copied out of its memory.
  void save_sent(Process& process) override;
  /// A message is going to be copied: fetches both ends from memory.
  void foresee(const Message& message, const Buffer& to) const;

 private:
  /// It is this process's buffer, whoever runs now.
  [[noreturn, gnu::cold]] static void blame(Process& process, const NoSuchMemory& error);
  void stage(Message& message);

  const MpiConfig& config_;
  StagePool stages_;
};

}  // namespace heddle::mpi
