// Partitioned communication: a persistent message whose parts become ready one by one.
#pragma once

#include <vector>

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

/// One end of it. The message is sent when the last part is ready, and all parts arrive together.
class PartitionedRequest final : public Request, private Completion {
 public:
  enum class Kind : std::uint8_t { send, receive };
  /// `call` says all parts together.
  PartitionedRequest(Process& process, PointCall call, Kind kind, int partitions);

  Kind kind() const { return kind_; }
  /// Parts `first` to `last` of an active send may go. Throws Error.
  void make_ready(int first, int last);
  /// Whether a part of a receive is there. Throws Error.
  bool arrived(int partition) const;
  void deliver(Outcome& outcome) override;
  std::string describe() const override;
  std::optional<std::uint32_t> peer() const override;

 private:
  void begin() override;
  void completed(const Outcome& outcome) override;
  void check_partition(int partition, const char* argument) const;
  void send();

  PointCall call_;
  Kind kind_;
  int pair_;  ///< What its messages are known by instead of the tag.
  std::vector<bool> ready_;
  std::size_t left_ = 0;  ///< Parts that are not ready.
};

/// The partitioned request of a handle and of a kind; throws MPI_ERR_REQUEST.
PartitionedRequest& partitioned_request(Process& process, int handle,
                                        PartitionedRequest::Kind kind);

}  // namespace heddle::mpi
