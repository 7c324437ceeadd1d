// One-sided operations under way.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/datatypes.hpp"
#include "mpi/rma/carrier.hpp"

namespace heddle::mpi {

enum class RmaKind : std::uint8_t { put, get, accumulate, get_accumulate, compare_and_swap };

/// What a call says of an operation; arguments are right already.
struct RmaCall {
  RmaKind kind = RmaKind::put;
  int target = 0;  ///< A rank of the window.
  Buffer origin;   ///< What goes to the target.
  Buffer result;   ///< Where what comes from there goes.
  Buffer remote;   ///< In the target's memory.
  const Op* op = nullptr;
  const void* compare = nullptr;
};

/// One operation: travels to the target, is done there in the order of its origin's operations on
/// that target, and if it fetches something travels back.
struct RmaOperation final : Parcel {
  /// `number` is what a check knows it by.
  void begin(Window& window, const RmaCall& call, Completion* request, std::uint64_t number);
  /// At the target, when its turn has come.
  void perform();

  RmaOperation* next = nullptr;  ///< Of the same origin on the same target.
  bool at_target = false;
  bool returning = false;

 private:
  void arrived() override;
  ParcelTraits traits() const override;
  bool busy_target();
  void keep_types();
  void stage_origin();
  const std::byte* origin_bytes();
  void fetch();
  void store();
  void swap();
  void accumulate();
  void reply();
  void deliver();
  void complete(bool known);
  Process& target_process() const;
  AddressSpace& target_memory() const;

  Window* window_ = nullptr;  ///< Stays until its operations are complete.
  RmaTarget* target_ = nullptr;
  RmaCall call_;
  DatatypeRef types_[3];
  Completion* request_ = nullptr;
  std::vector<std::byte> outgoing_;  ///< The origin's data, packed, if it was taken aside.
  std::vector<std::byte> fetched_;
  bool handled_ = false;  ///< The target's processor has done its part.
  bool staged_ = false;
  bool fetched_aside_ = false;
  std::uint64_t checked_ = 0;  ///< Its number for a check.
};

/// Applies `op` element by element: memory = packed op memory.
void accumulate_packed(AddressSpace& space, const Buffer& memory, const Op& op,
                       const std::byte* packed);

/// Part of the world: what one-sided communication has under way.
class RmaState final : public Part {
 public:
  explicit RmaState(World& world) : carrier(world) {}
  Carrier carrier;
  Pool<RmaOperation> operations;
  /// Windows that not all members have joined, by communicator and number of the call.
  std::map<std::pair<std::uint32_t, std::uint32_t>, WindowDataRef> joining;
};
/// That of a process's world.
inline RmaState& rma_of(const Process& process) {
  return process.world().part<RmaState>();
}

}  // namespace heddle::mpi
