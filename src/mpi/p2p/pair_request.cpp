#include "mpi/p2p/pair_request.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/error.hpp"
#include "mpi/p2p/truncation.hpp"

namespace heddle::mpi {

void PairRequest::begin() {
  Engine& engine = engine_of(process());
  const Channel channel = sends_.communicator->channel(Traffic::point_to_point);
  engine.receive(process(), channel, receives_.peer, receives_.tag, receives_.buffer(), received_);
  engine.send(process(), channel, sends_.peer, sends_.tag, sends_.buffer(), SendMode::standard,
              sent_);
}

void PairRequest::deliver(Outcome&) {
  engine_of(process()).observers().tell([&](MessageObserver& one) {
    one.sees_end(process(), received_);
    one.sees_end(process(), sent_);
  });
}

void throw_truncation(const Outcome& outcome, const PointCall& call) {
  throw Error{MPI_ERR_TRUNCATE,
              fmt::format("the message from {}, tag {}, is longer than the {} bytes of the buffer",
                          outcome.source, outcome.tag, bytes(call.buffer()))};
}

}  // namespace heddle::mpi
