// Requests of MPI_Isendrecv: a send and a receive that end together.
#pragma once

#include <vector>

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

class PairRequest final : public Request {
 public:
  /// `aside` is what the send refers to, if that is not the program's memory.
  PairRequest(Process& process, PointCall sends, PointCall receives,
              std::vector<std::byte> aside = {})
      : Request(process),
        sends_(std::move(sends)),
        receives_(std::move(receives)),
        aside_(std::move(aside)) {}
  void begin() override;
  void deliver(Outcome& outcome) override;
  std::string describe() const override { return mpi::describe(receives_, false); }

 private:
  /// Tells the request of the end of one of the two.
  struct Half final : Completion {
    explicit Half(PairRequest& owner) : pair(owner) {}
    void completed(const Outcome& outcome) override {
      ended = outcome;
      pair.half_done();
    }
    PairRequest& pair;
    Outcome ended;
  };
  void half_done() {
    if (--left_ == 0) finish(received_.ended);
  }
  PointCall sends_;
  PointCall receives_;
  std::vector<std::byte> aside_;
  Half sent_{*this};
  Half received_{*this};
  int left_ = 2;
};

}  // namespace heddle::mpi
