// What travels between processes without messages: one-sided transfers and their notices.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/simulation.hpp"
#include "mpi/process.hpp"
#include "mpi/rma/window.hpp"
#include "network/network.hpp"
#include "network/pool.hpp"

namespace heddle::mpi {

class Carrier;

/// Something on its way from one process to another.
class Parcel : public Event {
 public:
  virtual ~Parcel() = default;

 protected:
  /// It is there.
  virtual void arrived() = 0;

 private:
  friend class Carrier;
  void fire() override { arrived(); }
};

/// Says something about a window to another process.
class Notice final : public Parcel {
 public:
  enum class Kind : std::uint8_t { lock, grant, unlock, post, complete, acknowledge };
  struct Said {
    Kind kind;
    LockKind lock;
    int from;
    int to;
  };
  Kind kind = Kind::lock;
  LockKind lock = LockKind::shared;
  WindowDataRef window;
  int from = 0;
  int to = 0;
  Carrier* carrier = nullptr;

 private:
  void arrived() override;
};

/// Moves parcels through the network of a job.
class Carrier final : private network::TransferClient {
 public:
  explicit Carrier(World& world);
  /// So many bytes; the parcel arrives later, or at once within one process.
  void carry(Parcel& parcel, Process& from, Process& to, std::int64_t bytes);
  /// The parcel arrives (again) at a time.
  void deliver_at(Parcel& parcel, Time when);
  /// Tells a member of a window something.
  void tell(Window& from, int to, Notice::Kind kind, LockKind lock = LockKind::shared);
  void tell(const WindowDataRef& window, int from, int to, Notice::Kind kind, LockKind lock);
  void give_back(Notice& notice) { notices_.give_back(notice); }
  /// A notice has arrived.
  void deliver(const WindowDataRef& window, const Notice::Said& said);

 private:
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  World& world_;
  EventSource source_;
  network::Pool<Notice> notices_;
};

}  // namespace heddle::mpi
