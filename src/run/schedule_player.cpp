#include "run/schedule_player.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/containers/pool.hpp"
#include "core/error.hpp"
#include "goal/adapters.hpp"
#include "mpi/engine/bsend_buffer.hpp"
#include "mpi/engine/engine.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/world.hpp"
#include "run/op_order.hpp"

namespace heddle::run {

using goal::OpKind;
using goal::PackedOp;

namespace {

bool one_sided(const PackedOp& op) {
  return op.nic != goal::kMessages && op.nic != goal::kBuffered && op.kind() != OpKind::calc;
}
/// Whether it takes no time of the rank's.
bool aside(const PackedOp& op) {
  return op.cpu > 0;
}
bool acknowledges(const PackedOp& op) {
  return op.nic == goal::kAcknowledgements && aside(op);
}

/// Collectives' messages have a context of their own, as in MPI.
std::uint32_t context_of(std::uint32_t tag) {
  const bool collective = tag >= goal::kFirstCollectiveTag && tag != goal::kAnyTag;
  return static_cast<std::uint32_t>(collective ? mpi::Traffic::collective
                                               : mpi::Traffic::point_to_point);
}
int mpi_tag_of(std::uint32_t tag) {
  return tag == goal::kAnyTag ? MPI_ANY_TAG
                              : static_cast<int>(tag & (goal::kFirstCollectiveTag - 1));
}

/// The first of the receives from an operation's peer that wait for it and `fits`; or nobody.
template <class Fits>
std::uint32_t successor(const goal::RankView& ops, std::uint32_t op, Fits fits) {
  for (const goal::Edge edge : ops.successors(op)) {
    const PackedOp& later = ops.packed(edge.target);
    if (later.kind() == OpKind::recv && later.peer == ops.packed(op).peer && fits(edge, later)) {
      return edge.target;
    }
  }
  return OneSidedBox::kNobody;
}
/// What waits for the data that an operation asks for.
std::uint32_t answer_to(const goal::RankView& ops, std::uint32_t op) {
  return successor(ops, op, [](goal::Edge edge, const PackedOp& later) {
    return edge.from_start && later.nic == goal::kFetches;
  });
}

}  // namespace

/// One rank's part of a schedule, played by that rank.
class OpPlayer {
  static constexpr std::uint32_t kNobody = OneSidedBox::kNobody;

 public:
  OpPlayer(SchedulePlayer& all, host::Rank& rank, mpi::Process& process)
      : all_(all),
        rank_(rank),
        process_(process),
        ops_(all.schedule_.rank(process.id())),
        order_(ops_),
        fetched_(all.schedule_.nics() > goal::kFetches ? ops_.size() : 0) {
    if (all_.players_.empty()) return;
    all_.players_[process.id()] = this;
    mpi::rma_of(process);  // Is there before the first event.
    find_called();
  }
  ~OpPlayer() {
    if (!all_.players_.empty()) all_.players_[process_.id()] = nullptr;
  }
  OpPlayer(const OpPlayer&) = delete;
  OpPlayer& operator=(const OpPlayer&) = delete;

  void run() {
    const host::Call mark(rank_);
    process_.call = "the schedule";
    order_.first([this](std::uint32_t op) { set_free(op); });
    while (order_.left() > 0) {
      if (ready_.empty()) wait();
      if (ready_.empty()) continue;
      const std::uint32_t op = ready_.front();
      ready_.pop_front();
      // Who has waited for messages has paid for those that are there.
      if (order_.after_messages(op)) process_.settle();
      begin(op);
    }
  }

  /// A one-sided transfer is there, sent or awaited by an operation; from any code.
  void arrived(std::uint32_t op) {
    ended(op);
    process_.notify();
  }
  /// Whether the target's processor has to do something with what this rank has sent: then the
  /// parcel arrives again.
  bool keeps_target_busy(OneSidedParcel& parcel) const {
    if (std::exchange(parcel.handled, true) || parcel.target == parcel.source) return false;
    mpi::World& world = process_.world();
    const Time cost = world.config().rma_target_cost.at(parcel.touched);
    if (cost == Time::zero()) return false;
    mpi::rma_of(process_).carrier.deliver_at(parcel, world.process(parcel.target).occupy(cost));
    return true;
  }

 private:
  /// An operation of MPI that is under way.
  struct Pending final : mpi::Completion {
    OpPlayer* player = nullptr;
    std::uint32_t op = 0;
    void completed(const mpi::Outcome&) override {
      OpPlayer& of = *player;
      of.pending_.give_back(*this);
      of.ended(op);
      of.process_.notify();
    }
  };
  class Waits final : public mpi::Blocked {
   public:
    explicit Waits(const OpPlayer& player) : player_(player) {}
    std::string text() const override {
      return fmt::format("waits for {} of its {} operations, {}", player_.order_.left(),
                         player_.ops_.size(), player_.first_left());
    }

   private:
    const OpPlayer& player_;
  };

  /// Transfers that are no answers to others: the rank sends them, though they cost it nothing.
  void find_called() {
    called_.resize(ops_.size());
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      const PackedOp& packed = ops_.packed(op);
      if (one_sided(packed) && packed.kind() == OpKind::recv) continue;
      for (const goal::Edge edge : ops_.successors(op)) {
        called_[edge.target] = !acknowledges(ops_.packed(edge.target));
      }
    }
  }

  void wait() {
    process_.wait_until([this] { return !ready_.empty() || order_.left() == 0; }, Waits(*this));
  }

  std::string first_left() const {
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (order_.under_way(op)) {
        return "of which " + all_.schedule_.describe(process_.id(), op) + " is the first";
      }
    }
    return "none of which may begin";
  }

  /// All that it waited for has happened.
  void set_free(std::uint32_t op) {
    const PackedOp& packed = ops_.packed(op);
    const bool comes = one_sided(packed) && packed.kind() == OpKind::recv;
    if (comes || (aside(packed) && !called_[op])) return begin(op);
    ready_.push_back(op);
  }

  void begin(std::uint32_t op) {
    const PackedOp& packed = ops_.packed(op);
    order_.begin(op);
    if (is_by_itself(op, packed)) return pass(op);
    switch (packed.kind()) {
      case OpKind::calc:
        return calc(op);
      case OpKind::send:
        return one_sided(packed) ? put(op, packed) : send(op, packed);
      case OpKind::recv:
        return one_sided(packed) ? expect(op, packed) : receive(op, packed);
    }
  }

  void calc(std::uint32_t op) {
    const std::int64_t ps = static_cast<std::int64_t>(ops_.value(op)) * all_.config_.unit.ps();
    if (ps > 0) rank_.thread().work().compute(slowed(Time::ps(ps)));
    started(op);
    ended(op);
  }

  /// Whether MPI or the adapters do it as a part of another operation: they acknowledge, and answer
  /// what fetches.
  bool is_by_itself(std::uint32_t op, const PackedOp& packed) const {
    if (acknowledges(packed)) return true;
    return packed.nic == goal::kFetches && aside(packed) && can_fetch(packed.peer) && !fetched_[op];
  }
  void pass(std::uint32_t op) {
    started(op);
    ended(op);
  }
  bool can_fetch(std::uint32_t peer) const {
    mpi::World& world = process_.world();
    return mpi::rma_of(process_).carrier.can_fetch(process_, world.process(peer));
  }
  Time slowed(Time time) const {
    if (!all_.config_.measured_on) return time;
    const auto here = rank_.job().platform().node(rank_.node()).speed.flops();
    const double factor =
        static_cast<double>(all_.config_.measured_on->flops()) / static_cast<double>(here);
    return Time::ps(std::llround(static_cast<double>(time.ps()) * factor));
  }

  coll::Buffer buffer(std::uint32_t op) {
    return {memory_, bytes(op), coll::Datatype::predefined(MPI_BYTE)};
  }
  Pending& pending(std::uint32_t op) {
    Pending& record = pending_.take();
    record.player = this;
    record.op = op;
    return record;
  }

  mpi::SendMode mode_of(std::uint32_t op) const {
    if (ops_.packed(op).nic == goal::kBuffered) return mpi::SendMode::buffered;
    const bool synchronous = all_.schedule_.nics() > goal::kAcknowledgements &&
                             successor(ops_, op, [](goal::Edge edge, const PackedOp& later) {
                               return !edge.from_start && acknowledges(later);
                             }) != kNobody;
    return synchronous ? mpi::SendMode::synchronous : mpi::SendMode::standard;
  }

  void send(std::uint32_t op, const PackedOp& packed) {
    const mpi::Address to{context_of(packed.tag), static_cast<int>(process_.id()), packed.peer};
    const mpi::SendMode mode = mode_of(op);
    const bool buffered = mode == mpi::SendMode::buffered;
    if (buffered) reserve_space(bytes(op));
    const bool returns = packed.start_awaited() && !buffered;
    mpi::engine_of(process_).send(process_, to, mpi_tag_of(packed.tag), buffer(op), mode,
                                  pending(op),
                                  returns ? mpi::SendCall::nonblocking : mpi::SendCall::blocking);
    // MPI has copied it when its receiver has heard of it.
    if (buffered) process_.wait_until([&] { return !order_.under_way(op); }, Waits(*this));
    started(op);
  }

  /// Of a buffer for any number of buffered sends: nothing is written to it.
  void reserve_space(std::int64_t bytes) {
    mpi::BsendBuffer& space = process_.part<mpi::BsendBuffer>();
    if (space.address == nullptr) space.attach(memory_, std::numeric_limits<std::int64_t>::max());
    space.reserve(bytes);
  }

  void receive(std::uint32_t op, const PackedOp& packed) {
    const int source =
        packed.peer == goal::kAnySource ? MPI_ANY_SOURCE : static_cast<int>(packed.peer);
    mpi::engine_of(process_).receive(process_, mpi::SourceAddress{context_of(packed.tag), source},
                                     mpi_tag_of(packed.tag), buffer(op), pending(op));
    started(op);
  }

  void put(std::uint32_t op, const PackedOp& packed) {
    if (!aside(packed)) pay(op);
    const std::uint32_t answer = packed.nic == goal::kFetches ? answer_to(ops_, op) : kNobody;
    const bool fetches = answer != kNobody && can_fetch(packed.peer);
    OneSidedParcel& parcel = all_.parcels_.take();
    parcel.player = &all_;
    parcel.source = process_.id();
    parcel.target = packed.peer;
    parcel.tag = packed.tag;
    parcel.op = op;
    parcel.answer = fetches ? answer : kNobody;
    parcel.touched = bytes(answer == kNobody ? op : answer);
    parcel.handled = aside(packed) || fetches;
    if (fetches) fetched_[answer] = true;
    mpi::Carrier& carrier = mpi::rma_of(process_).carrier;
    mpi::Process& target = process_.world().process(packed.peer);
    if (fetches) {
      carrier.fetch(parcel, process_, target, bytes(answer));
    } else {
      carrier.carry(parcel, process_, target, bytes(op));
    }
    // What waits for the start, and may begin at once, is behind it on its way.
    started(op);
  }

  /// What MPI_Put costs.
  void pay(std::uint32_t op) {
    const mpi::Transport& transport = mpi::engine_of(process_).transport();
    process_.occupy(
        transport.send_overhead(bytes(op), mpi::SendCall::nonblocking,
                                transport.protocol(bytes(op), mpi::SendMode::standard)));
    process_.settle();
  }

  std::int64_t bytes(std::uint32_t op) const { return static_cast<std::int64_t>(ops_.value(op)); }

  void expect(std::uint32_t op, const PackedOp& packed) {
    if (packed.nic == goal::kFetches && fetched_[op]) return started(op);
    const bool there = all_.boxes_[process_.id()].expect(packed.peer, packed.tag, op);
    started(op);
    if (there) ended(op);
  }

  void started(std::uint32_t op) {
    order_.started(op, [this](std::uint32_t freed) { set_free(freed); });
  }
  void ended(std::uint32_t op) {
    order_.ended(op, [this](std::uint32_t freed) { set_free(freed); });
  }

  SchedulePlayer& all_;
  host::Rank& rank_;
  mpi::Process& process_;
  goal::RankView ops_;
  OpOrder order_;
  std::vector<bool> called_;   ///< By operation, if any is one-sided: by the rank itself.
  std::vector<bool> fetched_;  ///< By operation, if any fetches: awaits what was fetched.
  std::deque<std::uint32_t> ready_;
  Pool<Pending> pending_;
  char memory_[1] = {};  ///< An address that nothing is read from or written to.
};

SchedulePlayer::SchedulePlayer(const goal::Schedule& schedule, const replay::ReplayConfig& config)
    : schedule_(schedule), config_(config) {
  if (schedule.nics() > 1) {
    boxes_.resize(schedule.ranks());
    players_.resize(schedule.ranks());
  }
  if (schedule.cpus() == 1) return;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const goal::RankView rank = schedule.rank(r);
    for (std::uint32_t op = 0; op < rank.size(); ++op) {
      if (!aside(rank.packed(op)) || one_sided(rank.packed(op))) continue;
      throw InputError({schedule.source()},
                       schedule.describe(r, op) +
                           ": ranks of MPI have one processor; accepted on others are messages of "
                           "nic 1 and more, which are one-sided");
    }
  }
}

SchedulePlayer::~SchedulePlayer() = default;

void OneSidedParcel::arrived() {
  player->reached(*this);
}

void SchedulePlayer::reached(OneSidedParcel& parcel) {
  OpPlayer* const source = players_[parcel.source];
  OpPlayer* const target = players_[parcel.target];
  if (source->keeps_target_busy(parcel)) return;
  const bool fetched = parcel.answer != OneSidedBox::kNobody;
  const std::uint32_t waiting =
      fetched ? parcel.answer : boxes_[parcel.target].arrived(parcel.source, parcel.tag);
  const std::uint32_t op = parcel.op;
  parcels_.give_back(parcel);
  if (waiting != OneSidedBox::kNobody) (fetched ? source : target)->arrived(waiting);
  source->arrived(op);
}

int SchedulePlayer::run(host::Rank& rank) {
  PMPI_Init(nullptr, nullptr);
  {
    OpPlayer player(*this, rank, *mpi::Process::of(rank));
    player.run();
  }
  PMPI_Finalize();
  return 0;
}

}  // namespace heddle::run
