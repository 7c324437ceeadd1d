// What travels between processes without messages: one-sided transfers and their notices.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/containers/pool.hpp"
#include "core/simulation.hpp"
#include "mpi/rma/window.hpp"
#include "mpi/world.hpp"
#include "network/network.hpp"
#include "portals/courier.hpp"
#include "record/run_recorder.hpp"

namespace heddle::portals {
class Machine;
}

namespace heddle::mpi {

class Carrier;
struct ParcelTraits;

/// Something on its way from one process to another.
class Parcel : public Event {
 public:
  virtual ~Parcel() = default;

 protected:
  /// It is there.
  virtual void arrived() = 0;
  /// For the log of calls, as it sets out.
  virtual ParcelTraits traits() const;

 private:
  friend class Carrier;
  void fire() override;

  Carrier* by_ = nullptr;       ///< Who has carried it.
  record::MessageRecord way_;   ///< For recorders: of the way that it is on,
  bool under_way_ = false;      ///< if it is on one that they want to know of,
  std::uint64_t recorded_ = 0;  ///< and its number there since it has arrived.
};

/// Says something about a window to another process.
class Notice final : public Parcel {
 public:
  using Kind = NoticeKind;
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
  ParcelTraits traits() const override;
};

/// Moves parcels through the network of a job, or through its adapters where messages go that way.
class Carrier final : public Notices, private network::TransferClient, private portals::Courier {
 public:
  explicit Carrier(World& world);
  /// Whether one process can have data of another fetched, without a parcel that asks for it.
  bool can_fetch(const Process& origin, const Process& target) const;
  /// Fetches so many bytes: the parcel arrives at the origin with them.
  void fetch(Parcel& parcel, Process& origin, Process& target, std::int64_t bytes);
  /// So many bytes; the parcel arrives later, or at once within one process.
  void carry(Parcel& parcel, Process& from, Process& to, std::int64_t bytes);
  /// The parcel arrives (again) at a time.
  void deliver_at(Parcel& parcel, Time when);
  void tell(const WindowDataRef& window, int from, int to, NoticeKind kind, LockKind lock) override;
  void give_back(Notice& notice) { notices_.give_back(notice); }
  /// What a process may be waiting for has come with the parcel that has just arrived.
  void concerns(const Process& process) const;
  /// A notice has arrived.
  void deliver(const WindowDataRef& window, const Notice::Said& said);

 private:
  friend class Parcel;
  void begin_way(Parcel& parcel, const Process& from, const Process& to, std::int64_t bytes);
  void landed(Parcel& parcel);
  void hand_over(Parcel& parcel);
  void note_arrival(Parcel& parcel, record::RunRecorder& recorder);
  std::uint32_t recorded_as(const Process& process) const;
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void matched(std::uint64_t) override {}
  void arrived(std::uint64_t cookie) override;
  void fetched(std::uint64_t cookie) override;
  [[noreturn]] void lost(std::uint64_t cookie) override;
  bool within_node(const Process& from, const Process& to) const;

  World& world_;
  portals::Machine* portals_;  ///< Null: parcels are the network's business.
  EventSource source_;
  Pool<Notice> notices_;
  std::uint64_t cause_ = 0;  ///< What recorders know the parcel by that arrives just now; 0: none.
};

}  // namespace heddle::mpi
