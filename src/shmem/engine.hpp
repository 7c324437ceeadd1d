// Operations on the memory of PEs: what they do, whenever a transport says that it is time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/pool.hpp"
#include "shmem/operation.hpp"
#include "shmem/pe.hpp"
#include "shmem/transport.hpp"

namespace heddle::shmem {

class World;

class Engine {
 public:
  explicit Engine(World& world);
  ~Engine();
  void set_transport(std::unique_ptr<Transport> transport) { transport_ = std::move(transport); }
  Transport& transport() { return *transport_; }

  // For calls, on the fiber of the initiator.

  /// A new record, from one PE to another.
  Operation& begin(Operation::Kind kind, Pe& initiator, Pe& target);
  /// Starts it; `context`, which must stay, is told of its completion.
  void start(Operation& operation, Context& context);
  /// Waits until everything of a context is complete.
  void quiet(Pe& pe, const Context& context);
  /// Starts a put whose source may be used again when this returns.
  void start_blocking(Operation& operation, Context& context);
  /// Starts it and waits for its completion: its record is the caller's until give_back().
  void complete(Operation& operation, Context& context);
  void give_back(Operation& operation);
  /// Sends a message of a collective, whose data is in the payload.
  void send(Operation& operation);
  /// The same from any code, where the adapter has it already.
  void trigger(Operation& operation);
  /// Takes a message for a receive, or lets that wait for one.
  void receive(Pe& pe, Receive& receive);

  // For transports.

  /// The operation is at its target: does what it does there.
  void arrived(Operation& operation);
  /// The target can see what has arrived.
  void seen(Pe& target);
  /// The source of a put is about to be free: takes its data.
  static void keep_source(Operation& operation) { stage(operation); }
  /// It is.
  void sent(Operation& operation);
  /// The initiator sees that the operation is complete.
  void completed(Operation& operation);
  /// A message can be seen by its receiver.
  void deliver(Operation& message);

  // For transports that no adapters tell recorders of.

  /// The operation sets out, there or back, after so long.
  void record_start(Operation& operation, Time delay) const;
  /// It has come there, or back, with so many bytes.
  void record_end(Operation& operation, std::int64_t bytes) const;

  /// Who last wrote to an address of a PE by a short operation, or -1.
  int last_writer(const Pe& pe, const void* address) const;

 private:
  /// Takes the data of a put out of the program's memory.
  static void stage(Operation& operation);
  bool stage_if_short(Operation& operation) const;
  Time overhead(const Operation& operation) const;
  void count(const Operation& operation);
  void record_told(const Pe& pe, std::uint64_t number) const;
  void put(Operation& operation);
  void update(Operation& operation);
  void note_writer(const Pe& target, const void* address, std::size_t bytes, const Pe& writer);
  static void hand_over(Operation& message, Receive& receive, Pe& pe);
  [[noreturn]] static void no_memory(const Operation& operation, const char* what);

  /// Short operations that came last, by a hash of where they went.
  struct Written {
    const void* address = nullptr;
    int pe = -1;
    int writer = -1;
  };
  static std::size_t hash(int pe, const void* address);

  World& world_;
  std::unique_ptr<Transport> transport_;
  network::Pool<Operation> pool_;
  std::vector<Written> written_;
};

}  // namespace heddle::shmem
