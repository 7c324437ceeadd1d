// Requests of sends and receives.
#pragma once

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "mpi/comm/communicator.hpp"
#include "mpi/request.hpp"

namespace heddle::mpi {

/// What a point-to-point call says of its message.
struct PointCall {
  CommunicatorRef communicator;
  DatatypeRef type;
  void* address = nullptr;
  std::int64_t count = 0;
  int peer = 0;
  int tag = 0;

  Buffer buffer() const { return {address, count, type.get()}; }
};

/// Of a send of mode buffered: takes space for its message.
void reserve_space(Process& process, const PointCall& call, SendMode mode);
/// "to 3, tag 7, MPI_COMM_WORLD, 800 bytes".
std::string describe(const PointCall& call, bool sends);

/// A send or a receive, persistent or not. From a pool of the world's. What its end touches is in
/// one line of the cache.
class alignas(64) PointRequest final : public Request, private Completion {
 public:
  enum class Kind : std::uint8_t { send, receive };
  explicit PointRequest(Process& process) : Request(process) {}

  /// Makes the record another request; persistent ones wait for start().
  void prepare(Process& process, PointCall&& call, Kind kind, SendMode mode, bool persistent) {
    reset(process, persistent);
    call_ = std::move(call);
    kind_ = kind;
    mode_ = mode;
  }
  void begin() override;
  /// Receives a message that a matched probe has found.
  void begin_extracted(Message& message);
  void cancel() override;
  void deliver(Outcome& outcome) override;
  void release() override;
  std::string describe() const override;
  std::optional<std::uint32_t> peer() const override;
  bool is_message() const override { return true; }
  Completion* told() override { return this; }
  const PointCall& call() const { return call_; }

 private:
  void completed(const Outcome& outcome) override;
  bool keeps_buffer() const override { return !orphaned(); }
  PointCall call_;
  SendHandle send_;
  ReceiveHandle receive_;
  Kind kind_ = Kind::send;
  SendMode mode_ = SendMode::standard;
};

/// Which partitioned sends and receives belong together: for each pair of processes, communicator
/// and tag the first of both, the second of both, and so on.
class PartitionedPairs {
 public:
  struct Key {
    std::uint32_t context;
    std::uint32_t sender;
    std::uint32_t receiver;
    int tag;
    auto operator<=>(const Key&) const = default;
  };
  enum class Side : std::uint8_t { sends, receives };
  /// The number of the pair that the next one of a side belongs to; no other pair has it.
  int join(const Key& key, Side side);

 private:
  /// Pairs of which one side has come, in their order.
  std::map<std::pair<Key, Side>, std::deque<int>> halves_;
  int next_ = 0;
};

/// Part of the world: the records of a job, used again and again.
class PointRequests final : public Part {
 public:
  explicit PointRequests(World&) {}
  PointRequest& take(Process& process, PointCall&& call, PointRequest::Kind kind,
                     SendMode mode = SendMode::standard, bool persistent = false);
  void give_back(PointRequest& request) { free_.push_back(&request); }
  PartitionedPairs& partitioned() { return partitioned_; }

 private:
  std::deque<PointRequest> records_;
  std::vector<PointRequest*> free_;
  PartitionedPairs partitioned_;
};

}  // namespace heddle::mpi
