// A rank: one process of a simulated job.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "core/fiber.hpp"
#include "core/ids.hpp"
#include "host/address_space.hpp"

namespace heddle::host {

enum class RankId : std::uint32_t {};

class Job;

/// What a layer above keeps for a rank; destroyed with the rank's process.
class RankExtension {
 public:
  virtual ~RankExtension() = default;
};
/// Which layer an extension belongs to.
enum class Layer : std::uint8_t { portals, mpi, shmem };
inline constexpr std::size_t kLayers = 3;

/// One process of the job; made by Job, valid as long as it.
class Rank final : private FiberTask {
 public:
  Rank(Job& job, RankId id, NodeId node, std::uint32_t local);
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  Job& job() const { return job_; }
  RankId id() const { return id_; }
  NodeId node() const { return node_; }
  std::uint32_t local() const { return local_; }  ///< Its number among the ranks of its node.
  Fiber& fiber() const { return *fiber_; }
  AddressSpace& memory() const { return *memory_; }

  /// The place of a layer's extension, null until the layer fills it.
  std::unique_ptr<RankExtension>& extension(Layer layer) {
    return extensions_[static_cast<std::size_t>(layer)];
  }

 private:
  friend class Job;
  void run(Fiber& fiber) override;
  std::string name() const override;
  void resumed() override;
  void paused() override;

  Job& job_;
  RankId id_;
  NodeId node_;
  std::uint32_t local_;
  Fiber* fiber_ = nullptr;
  AddressSpace* memory_ = nullptr;
  std::array<std::unique_ptr<RankExtension>, kLayers> extensions_;
};

/// The rank whose code is running. The one global that C interfaces need; null outside of ranks.
Rank* current_rank();

/// Marks the time a rank spends in a call of ours: its computation up to here is charged (the rank
/// sleeps for it, if computation costs time), and what follows until the end of the call is not.
/// Every call that a program makes to a simulated interface begins with one.
class Call {
 public:
  explicit Call(Rank& rank);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  Rank& rank_;
};

}  // namespace heddle::host
