// One-sided operations: which of them, and of the program's own accesses, meet at the same memory
// in no order that the program has given them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "mpi/check/buffer_check.hpp"
#include "mpi/check/causality.hpp"
#include "mpi/check/findings.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi {

class AccessCheck final : public WindowObserver {
 public:
  AccessCheck(Findings& findings, Causality& causality, BufferCheck& buffers)
      : findings_(findings), causality_(causality), buffers_(buffers) {}

  /// Numbers of operations are owners of buffers, too.
  std::uint64_t issued(Window& origin, const RmaCall& call) override;
  void arrives(Window& origin, const RmaCall& call, std::uint64_t number) override;
  void performed(Window& origin, const RmaCall& call) override;
  void fetched(Window& origin, const RmaCall& call, std::uint64_t number) override;
  void wrote(Window& origin, std::uint64_t number) override;
  void sees_end(Window& origin, std::uint64_t number) override;
  void flushed(Window& origin, int target) override;
  void flushed_here(Window& origin, int target) override;
  void exposed(Window& window, Epoch epoch) override;
  void closed(Window& window) override;
  void told(const Window& window, int by) override;
  void released(const WindowDataRef& window, int member, int origin, LockKind kind) override;
  void granted(const Window& origin, int member, LockKind kind) override;
  void freed(Window& window) override;

  /// A message is sent from, or received into memory of a process.
  void touches(Process& process, const Buffer& buffer, BufferCheck::Use use);

 private:
  struct Access {
    std::uint64_t number = 0;
    int origin = 0;
    std::uint32_t process = 0;  ///< Of the origin, in MPI_COMM_WORLD.
    const char* call = "";
    RmaKind kind = RmaKind::put;
    Operation op = Operation::user;  ///< Of what is atomic, else user.
    bool atomic = false;
    ByteRanges bytes;
    Epoch epoch = Epoch::none;
    std::uint64_t epoch_number = 0;         ///< Of fences, or of the target's exposures.
    std::uint32_t known_by = 0;             ///< Event of the origin that knows of its end, or 0.
    std::optional<std::uint64_t> contents;  ///< Of the target's memory when it was issued,
    std::uint64_t landed = 0;               ///< and what had been done there by others.
  };
  struct Pending {
    std::uint64_t number;
    int target;
  };
  struct Member {
    std::uint64_t fences = 0;
    std::uint64_t exposures = 0;
    std::uint64_t landed = 0;         ///< Operations that have been performed here.
    std::vector<std::byte> expected;  ///< What its memory should hold, while it is exposed.
    bool watched = false;
    ByteRanges used;  ///< By others, in this epoch.
    std::vector<Access> accesses;
    std::vector<Pending> pending;      ///< Of this origin, with buffers that are not to be touched.
    Causality::Stamp told_by_all;      ///< By all that has been done to its memory,
    Causality::Stamp told_by_locks;    ///< by all that have had its lock,
    Causality::Stamp told_by_writers;  ///< and by those that had it for themselves.
  };
  struct OfWindow {
    std::vector<Member> members;
    std::size_t gone = 0;
  };

  Member& member(const WindowData& data, int rank);
  Access access_of(Window& origin, const RmaCall& call);
  void add(Window& window, int target, Access access);
  bool in_order(const Access& earlier, const Access& later) const;
  void hold_buffers(Window& origin, const RmaCall& call, std::uint64_t number);
  bool stored(Window& window, Member& at, const ByteRanges& bytes) const;
  void complain_of_store(const Window& window, const char* call, std::uint32_t origin);
  static void renew(Window& window, Member& at, const ByteRanges& bytes);
  void let_go(Window& origin, int target);

  Findings& findings_;
  Causality& causality_;
  BufferCheck& buffers_;
  std::map<const WindowData*, OfWindow> windows_;
  std::uint64_t numbers_ = 0;
};

}  // namespace heddle::mpi
