// Operations on the memory of PEs: what they do, whenever a transport says that it is time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/containers/pool.hpp"
#include "shmem/last_writers.hpp"
#include "shmem/operation.hpp"
#include "shmem/operation_recorder.hpp"
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
  static void keep_source(Operation& operation);
  /// It is.
  void sent(Operation& operation);
  /// The initiator sees that the operation is complete.
  void completed(Operation& operation);
  /// A message can be seen by its receiver.
  void deliver(Operation& message);

  /// For transports that no adapters tell recorders of.
  const OperationRecorder& recorder() const { return recorder_; }
  const LastWriters& writers() const { return writers_; }

 private:
  bool stage_if_short(Operation& operation) const;
  void count(const Operation& operation);
  void put(Operation& operation);
  void update(Operation& operation);

  World& world_;
  std::unique_ptr<Transport> transport_;
  Pool<Operation> pool_;
  OperationRecorder recorder_;
  LastWriters writers_;
};

}  // namespace heddle::shmem
