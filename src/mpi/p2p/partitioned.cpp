#include "mpi/p2p/partitioned.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "mpi/error.hpp"

namespace heddle::mpi {

int PartitionedPairs::join(const Key& key, Side side) {
  const Side other = side == Side::sends ? Side::receives : Side::sends;
  const auto waiting = halves_.find({key, other});
  if (waiting == halves_.end()) {
    halves_[{key, side}].push_back(next_);
    return next_++;
  }
  const int pair = waiting->second.front();
  waiting->second.pop_front();
  if (waiting->second.empty()) halves_.erase(waiting);
  return pair;
}

namespace {

int join_pair(const Process& process, const PointCall& call, PartitionedRequest::Kind kind) {
  if (call.peer < 0) return call.tag;
  using Side = PartitionedPairs::Side;
  const bool sends = kind == PartitionedRequest::Kind::send;
  const std::uint32_t peer = call.communicator->peers().process(call.peer);
  return process.world().part<PointRequests>().partitioned().join(
      {call.communicator->channel(Traffic::partitioned).context, sends ? process.id() : peer,
       sends ? peer : process.id(), call.tag},
      sends ? Side::sends : Side::receives);
}

}  // namespace

PartitionedRequest::PartitionedRequest(Process& process, PointCall call, Kind kind, int partitions)
    : Request(process, true),
      call_(std::move(call)),
      kind_(kind),
      pair_(join_pair(process, call_, kind)),
      ready_(static_cast<std::size_t>(partitions)) {}

void PartitionedRequest::completed(const Outcome& outcome) {
  Outcome told = outcome;
  if (told.source >= 0) told.tag = call_.tag;
  finish(told);
}

void PartitionedRequest::begin() {
  std::fill(ready_.begin(), ready_.end(), false);
  left_ = ready_.size();
  if (kind_ == Kind::send) {
    if (left_ == 0) send();
    return;
  }
  engine_of(process()).receive(process(), call_.communicator->channel(Traffic::partitioned),
                               call_.peer, pair_, call_.buffer(), *this);
}

void PartitionedRequest::send() {
  engine_of(process()).send(process(), call_.communicator->channel(Traffic::partitioned),
                            call_.peer, pair_, call_.buffer(), SendMode::standard, *this);
}

void PartitionedRequest::deliver(Outcome&) {
  engine_of(process()).observers().tell(
      [&](MessageObserver& one) { one.sees_end(process(), *this); });
}

void PartitionedRequest::make_ready(int first, int last) {
  check_partition(first, "partition");
  check_partition(last, "partition");
  if (!active()) throw Error{MPI_ERR_REQUEST, "argument request: it has not been started"};
  for (int i = first; i <= last; ++i) {
    if (ready_[static_cast<std::size_t>(i)]) {
      bad_argument(MPI_ERR_ARG, "partition", fmt::format("{} is ready already", i));
    }
    ready_[static_cast<std::size_t>(i)] = true;
    if (--left_ == 0) send();
  }
}

bool PartitionedRequest::arrived(int partition) const {
  check_partition(partition, "partition");
  return !active() || complete();
}

void PartitionedRequest::check_partition(int partition, const char* argument) const {
  const int count = static_cast<int>(ready_.size());
  if (partition < 0 || partition >= count) {
    bad_argument(MPI_ERR_ARG, argument,
                 fmt::format("{} is not a partition of the request: accepted are 0 to {}",
                             partition, count - 1));
  }
}

std::string PartitionedRequest::describe() const {
  const bool sends = kind_ == Kind::send;
  return fmt::format("a partitioned {} {}{}", sends ? "send" : "receive",
                     mpi::describe(call_, sends),
                     sends && left_ > 0 ? fmt::format(", {} parts not ready", left_) : "");
}

std::optional<std::uint32_t> PartitionedRequest::peer() const {
  if (call_.peer < 0) return std::nullopt;
  return call_.communicator->peers().process(call_.peer);
}

PartitionedRequest& partitioned_request(Process& process, int handle,
                                        PartitionedRequest::Kind kind) {
  auto* request = dynamic_cast<PartitionedRequest*>(find_request(process, handle));
  if (request == nullptr || request->kind() != kind) {
    bad_argument(MPI_ERR_REQUEST, "request",
                 kind == PartitionedRequest::Kind::send ? "it is not a partitioned send"
                                                        : "it is not a partitioned receive");
  }
  return *request;
}

}  // namespace heddle::mpi
