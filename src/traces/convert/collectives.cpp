#include "traces/convert/collectives.hpp"

#include <algorithm>
#include <optional>

#include "coll/algorithms/tree.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/patterns/step_writer.hpp"

namespace heddle::traces {

Collectives::Collectives(const Trace& trace, const Communicators& communicators) {
  collect(trace, communicators);
  for (std::uint32_t comm = 0; comm < communicators.size(); ++comm) {
    check(trace, communicators, comm);
    compare_sizes(trace, communicators, comm);
  }
}

void Collectives::collect(const Trace& trace, const Communicators& communicators) {
  calls_.resize(communicators.size());
  std::vector<bool> complete(communicators.size());
  for (std::uint32_t c = 0; c < communicators.size(); ++c) {
    calls_[c].resize(communicators.members(c).size());
    complete[c] = communicators.complete(c);
  }
  for (std::uint32_t r = 0; r < trace.ranks.size(); ++r) {
    const RankTrace& rank = trace.ranks[r];
    constexpr CallKinds kCollectives = set_of(CallKind::barrier, CallKind::reduce_scatter);
    rank.calls.for_kinds(kCollectives, [&](std::uint32_t i, const Call& call) {
      const std::uint32_t comm = communicators.id(r, call.comm);
      if (!complete[comm]) {
        throw InputError(rank.where(call), "this " + std::string(name_of(call.kind)) +
                                               " is on a communicator some of whose members could "
                                               "not be found in the traces");
      }
      calls_[comm][static_cast<std::size_t>(rank.comms[call.comm].rank)].push_back(i);
    });
  }
}

namespace {

bool is_rooted(CallKind k) {
  return k == CallKind::bcast || k == CallKind::reduce || k == CallKind::gather ||
         k == CallKind::scatter;
}

/// "rank 1 calls bcast with root 0 (file:7)"
std::string what_calls(std::uint32_t rank, const RankTrace& trace, const Call& call) {
  return "rank " + std::to_string(rank) + " calls " + std::string(name_of(call.kind)) +
         (is_rooted(call.kind) ? " with root " + std::to_string(call.peer) : "") + " (" +
         trace.where(call).str() + ")";
}

/// Compares what the members of one operation say of its sizes.
class SizeComparison {
 public:
  SizeComparison(const Collective& collective, Collectives::Contradictions& found)
      : all_(collective), found_(found) {}

  void run() {
    for (std::uint32_t m = 0; m < size(); ++m) {
      const Call& call = all_.call(m);
      if (is_rooted(call.kind) && call.kind != CallKind::bcast && call.kind != CallKind::reduce) {
        compare_root(m, call);
      } else if (call.others_list != kNoList) {
        compare_list(m, call);
      } else if (!call.per_member || call.kind == CallKind::reduce_scatter) {
        compare_common(m, call);
      }
    }
  }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.members.size()); }

  void expect(std::uint32_t m, std::uint64_t said, std::uint32_t other, std::uint64_t is) {
    if (said == is) return;
    const Call& call = all_.call(m);
    if (found_.count++ != 0) return;
    found_.first = std::string(name_of(call.kind)) + " at " + all_.rank(m).where(call).str() +
                   " has " + std::to_string(said) + " bytes where that of rank " +
                   std::to_string(all_.members[other]) + " has " + std::to_string(is) + " (" +
                   all_.rank(other).where(all_.call(other)).str() + ")";
  }

  /// All have the same, and what they get of each other is the same, too.
  void compare_common(std::uint32_t m, const Call& call) {
    const std::uint64_t bytes = all_.call(0).bytes;
    expect(m, call.bytes, 0, bytes);
    if (call.others != kUnsaid) expect(m, call.others, 0, bytes);
    if (call.kind != CallKind::reduce_scatter || call.list == kNoList || m == 0) return;
    const auto& mine = all_.rank(m).lists[call.list];
    const Call& first = all_.call(0);
    if (first.list == kNoList) return;
    const auto& others = all_.rank(0).lists[first.list];
    for (std::size_t i = 0; i < std::min(mine.size(), others.size()); ++i) {
      expect(m, mine[i], 0, others[i]);
    }
  }

  /// What the root says of the others is what they say.
  void compare_root(std::uint32_t m, const Call& call) {
    if (call.peer < 0 || static_cast<std::uint32_t>(call.peer) != m) return;
    if (call.others_list != kNoList) return compare_list(m, call);
    if (call.others == kUnsaid) return;
    for (std::uint32_t o = 0; o < size(); ++o) {
      if (o != m) expect(m, call.others, o, all_.call(o).bytes);
    }
  }

  void compare_list(std::uint32_t m, const Call& call) {
    const auto& said = all_.rank(m).lists[call.others_list];
    for (std::uint32_t o = 0; o < std::min<std::size_t>(size(), said.size()); ++o) {
      const Call& other = all_.call(o);
      if (o == m || other.untyped) continue;
      if (other.list == kNoList) {
        expect(m, said[o], o, other.bytes);
      } else if (m < all_.rank(o).lists[other.list].size()) {
        expect(m, said[o], o, all_.rank(o).lists[other.list][m]);
      }
    }
  }

  const Collective& all_;
  Collectives::Contradictions& found_;
};

}  // namespace

void Collectives::check(const Trace& trace, const Communicators& communicators,
                        std::uint32_t comm) const {
  const auto& calls = calls_[comm];
  const auto& members = communicators.members(comm);
  for (std::size_t m = 1; m < calls.size(); ++m) {
    const std::size_t a = calls[0].size() >= calls[m].size() ? 0 : m;  // The longer one.
    const std::size_t b = a == 0 ? m : 0;
    for (std::size_t i = 0; i < calls[a].size(); ++i) {
      const RankTrace& rank = trace.ranks[members[a]];
      const RankTrace& other = trace.ranks[members[b]];
      const Call& call = rank.calls[calls[a][i]];
      std::optional<Call> same;
      if (i < calls[b].size()) same = other.calls[calls[b][i]];
      if (same && same->kind == call.kind && (!is_rooted(call.kind) || same->peer == call.peer)) {
        continue;
      }
      throw InputError(
          rank.where(call),
          std::string(name_of(call.kind)) + " number " + std::to_string(i + 1) +
              " of its communicator" +
              (is_rooted(call.kind) ? ", with root " + std::to_string(call.peer) + "," : "") +
              " has no counterpart: " +
              (same ? what_calls(members[b], other, *same)
                    : "rank " + std::to_string(members[b]) + " calls " +
                          std::to_string(calls[b].size()) + " only (" + other.file + ")"));
    }
  }
}

void Collectives::compare_sizes(const Trace& trace, const Communicators& communicators,
                                std::uint32_t comm) {
  if (!communicators.complete(comm)) return;
  for (std::uint32_t number = 0; number < count(comm); ++number) {
    const Collective one{trace, communicators.members(comm), *this, comm, number};
    SizeComparison(one, contradictions_).run();
  }
}

namespace {

/// One member's part of an operation.
class Expansion {
 public:
  Expansion(const goal::Side& side, const Collective& collective, const ConvertConfig& config)
      : side_(side), all_(collective), config_(config), mine_(collective.call(side.me)) {}

  void run() const {
    switch (mine_.kind) {
      case CallKind::barrier:
        return barrier();
      case CallKind::bcast:
        return bcast();
      case CallKind::reduce:
        return reduce();
      case CallKind::allreduce:
        return allreduce();
      case CallKind::gather:
        return gather();
      case CallKind::scatter:
        return scatter();
      case CallKind::allgather:
        return allgather();
      case CallKind::alltoall:
        return alltoall();
      case CallKind::scan:
      case CallKind::exscan:
        return scan();
      default:
        return reduce_scatter();
    }
  }

 private:
  std::uint32_t root() const {
    if (mine_.peer >= 0 && static_cast<std::uint32_t>(mine_.peer) < side_.size) {
      return static_cast<std::uint32_t>(mine_.peer);
    }
    fail("the root " + std::to_string(mine_.peer) +
         " is not in the communicator: accepted are 0 to " + std::to_string(side_.size - 1));
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(all_.rank(side_.me).where(mine_), problem);
  }
  /// All members have to mean the same; member 0 is believed.
  std::uint64_t common_bytes() const { return all_.call(0).bytes; }
  std::uint64_t bytes_of(std::uint32_t member) const { return all_.call(member).bytes; }
  std::uint64_t work(std::uint64_t bytes) const {
    const Time cost = config_.reduce_cost.time_for(Bytes(static_cast<std::int64_t>(bytes)));
    return static_cast<std::uint64_t>(cost.ps() / config_.unit.ps());
  }
  goal::WorkFor reducing() const {
    return [this](std::uint64_t bytes) { return work(bytes); };
  }
  /// The number for `to` in a member's list.
  std::uint64_t listed(std::uint32_t member, std::uint32_t to) const {
    const Call& call = all_.call(member);
    if (call.list == kNoList) return call.bytes;
    const auto& list = all_.rank(member).lists[call.list];
    if (list.size() != side_.size) {
      throw InputError(all_.rank(member).where(call),
                       std::to_string(list.size()) +
                           " counts are given where the communicator has " +
                           std::to_string(side_.size) + " members");
    }
    if (!call.untyped) return list[to];
    if (!config_.element) {
      throw InputError(all_.rank(member).where(call),
                       "the trace does not say how large the elements of MPI_Alltoallw are: "
                       "convert.element is expected, such as convert.element=8");
    }
    return list[to] * static_cast<std::uint64_t>(config_.element->count());
  }

  void barrier() const {
    if (config_.barrier == Algorithm::linear) {
      if (side_.size > 1) linear_barrier(side_);
    } else {
      dissemination(side_, 1);
    }
  }
  void bcast() const {
    const std::uint64_t bytes = bytes_of(root());
    switch (config_.bcast) {
      case Algorithm::linear:
        return linear_scatter(side_, bytes, root());
      case Algorithm::binary:
        return binary_bcast(side_, bytes, root());
      default:
        return binomial_bcast(side_, bytes, root());
    }
  }
  void reduce() const {
    const std::uint64_t bytes = common_bytes();
    switch (config_.reduce) {
      case Algorithm::linear:
        return linear_gather(side_, bytes, root());
      case Algorithm::binary:
        return binary_reduce(side_, bytes, root(), work(bytes));
      default:
        return binomial_reduce(side_, bytes, root(), work(bytes));
    }
  }
  void allreduce() const {
    const std::uint64_t bytes = common_bytes();
    switch (config_.allreduce) {
      case Algorithm::dissemination:
        return dissemination(side_, bytes);
      case Algorithm::rabenseifner:
        return rabenseifner(side_, bytes, reducing());
      case Algorithm::ring:
        return ring_allreduce(side_, bytes, reducing());
      default:
        return recursive_doubling(side_, bytes, reducing());
    }
  }

  void gather() const {
    const bool linear = (mine_.per_member ? config_.gatherv : config_.gather) == Algorithm::linear;
    if (!linear) return binomial_tree(true);
    if (side_.me != root()) {
      side_.send(bytes_of(side_.me), root());
      return;
    }
    for_others([&](std::uint32_t m) { side_.recv(bytes_of(m), m); });
  }
  void scatter() const {
    const bool linear =
        (mine_.per_member ? config_.scatterv : config_.scatter) == Algorithm::linear;
    if (!linear) return binomial_tree(false);
    if (side_.me != root()) {
      side_.recv(bytes_of(side_.me), root());
      return;
    }
    for_others([&](std::uint32_t m) { side_.send(bytes_of(m), m); });
  }
  template <class Visitor>
  void for_others(Visitor visit) const {
    for (std::uint32_t step = 1; step < side_.size; ++step) visit(side_.right(step));
  }

  /// The bytes of a member that is not the root and of all below it in a binomial tree: those that
  /// follow it, as many as its number from the root on is divisible by.
  std::uint64_t subtree(std::uint32_t member) const {
    const std::uint32_t first = (member + side_.size - root()) % side_.size;
    const std::uint32_t count = std::min(first & -first, side_.size - first);
    if (!mine_.per_member) return count * bytes_of(member);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += bytes_of((member + i) % side_.size);
    return sum;
  }
  /// Each member holds the data of the members behind it up to its subtree's end.
  void binomial_tree(bool upwards) const {
    const coll::Tree tree = coll::binomial_tree(
        {static_cast<int>(side_.me), static_cast<int>(side_.size), static_cast<int>(root())});
    std::optional<std::uint32_t> up;
    if (!tree.root()) {
      const auto parent = static_cast<std::uint32_t>(tree.parent);
      const std::uint64_t bytes = subtree(side_.me);
      up = upwards ? side_.send(bytes, parent) : side_.recv(bytes, parent);
    }
    for (const int below : tree.children()) {
      const auto child = static_cast<std::uint32_t>(below);
      const std::uint64_t bytes = subtree(child);
      const std::uint32_t op = upwards ? side_.recv(bytes, child) : side_.send(bytes, child);
      if (up && upwards) side_.after(*up, op);
      if (up && !upwards) side_.after(op, *up);
    }
  }

  void allgather() const {
    switch (config_.allgather) {
      case Algorithm::ring:
        return gather_all("NTSLR");
      case Algorithm::linear:
        return linear_alltoallv(
            side_, [this](std::uint32_t from, std::uint32_t) { return bytes_of(from); });
      default:
        return gather_all("bruck");
    }
  }
  void gather_all(std::string_view name) const {
    std::vector<std::int64_t> bytes;
    for (std::uint32_t m = 0; m < side_.size; ++m) {
      bytes.push_back(static_cast<std::int64_t>(bytes_of(m)));
    }
    goal::write_steps(side_, coll::allgather_algorithms(), name,
                      coll::Allgather{goal::blocks_of(bytes)});
  }

  void alltoall() const {
    const goal::SizeBetween size = [this](std::uint32_t from, std::uint32_t to) {
      return listed(from, to);
    };
    if (config_.alltoall == Algorithm::pairwise) {
      pairwise_alltoallv(side_, size);
    } else {
      linear_alltoallv(side_, size);
    }
  }
  void reduce_scatter() const {
    const goal::SizeBetween size = [this](std::uint32_t, std::uint32_t to) {
      return listed(0, to);
    };
    if (config_.reduce_scatter == Algorithm::linear) {
      linear_alltoallv(side_, size);
    } else {
      pairwise_alltoallv(side_, size);
    }
  }

  /// What is before a member reaches it in an exclusive scan, too.
  void scan() const {
    const bool chain = config_.scan == Algorithm::linear;
    goal::write_steps(side_, coll::scan_algorithms(), chain ? "linear" : "distance_doubling",
                      coll::Scan{goal::data_of(common_bytes())}, {reducing()});
  }

  const goal::Side& side_;
  const Collective& all_;
  const ConvertConfig& config_;
  const Call mine_;
};

}  // namespace

void expand(const goal::Side& side, const Collective& collective, const ConvertConfig& config) {
  Expansion(side, collective, config).run();
}

}  // namespace heddle::traces
