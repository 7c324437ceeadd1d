// Every rank's block for every rank.
#include <algorithm>
#include <vector>

#include "coll/algorithms/allgather_places.hpp"
#include "coll/algorithms/grid.hpp"
#include "coll/algorithms/parts.hpp"
#include "coll/rules/selector.hpp"

namespace heddle::coll {
namespace allgather_ways {
namespace {

using Work = Allgather;

int wrapped(int rank, int size) {
  return ((rank % size) + size) % size;
}

/// What is gathered at rank 0, whose own block lies in its place.
Gather to_gather(Steps& s, const Work& w) {
  return {s.rank() == 0 ? Buffer{} : w.blocks[s.rank()], w.blocks, 0};
}
void then_bcast(Steps& s, const Work& w) {
  s.wait();
  const Buffer all = w.blocks.range(0, s.size());
  run_as_chosen(s, Collective::bcast, bcast_algorithms(), Bcast{all, 0}, bytes(all));
}
/// Gathered at rank 0 and broadcast from there, both as the library does these.
void gatherv_bcast(Steps& s, const Work& w, const Tuning&) {
  run_as_chosen(s, Collective::gatherv, gatherv_algorithms(), to_gather(s, w), 0);
  then_bcast(s, w);
}
void gather_bcast(Steps& s, const Work& w, const Tuning& t) {
  const std::int64_t count = w.blocks[0].count;
  for (int r = 1; r < s.size(); ++r) {
    if (w.blocks[r].count != count) return gatherv_bcast(s, w, t);
  }
  run_as_chosen(s, Collective::gather, gather_algorithms(), to_gather(s, w), bytes(w.blocks[0]));
  then_bcast(s, w);
}

/// Everybody to everybody, beginning with the next rank.
void spreading(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  for (int k = 1; k < p; ++k) s.receive(w.blocks[(s.rank() + k) % p], (s.rank() + k) % p);
  for (int k = 1; k < p; ++k) s.send(w.blocks[s.rank()], (s.rank() - k + p) % p);
  s.wait();
}

void logical_ring(Steps& s, const Work& w, const Tuning&) {
  ring_allgather(s, w.blocks, 0);
}
/// Block by block as well, but in pieces.
void ring_of_pieces(Steps& s, const Work& w, const Tuning& t) {
  const int p = s.size();
  const std::int64_t segment = segment_of(t, 32 * kKiB);
  const auto exchange_piece = [&](const Segments& out, const Segments& in, int i) {
    if (i < in.count()) s.receive(in[i], wrapped(s.rank() - 1, p));
    if (i < out.count()) s.send(out[i], (s.rank() + 1) % p);
    s.wait();
  };
  for (int k = 1; k < p; ++k) {
    const Segments out(w.blocks[wrapped(s.rank() - k + 1, p)], segment);
    const Segments in(w.blocks[wrapped(s.rank() - k, p)], segment);
    for (int i = 0; i < std::max(out.count(), in.count()); ++i) exchange_piece(out, in, i);
  }
}
/// All blocks are asked for at once and passed on as they arrive.
void eager_ring(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  std::vector<Step> arrived;
  for (int k = 1; k < p; ++k) {
    arrived.push_back(s.receive(w.blocks[wrapped(s.rank() - k, p)], wrapped(s.rank() - 1, p)));
  }
  for (int k = 0; k + 1 < p; ++k) {
    if (k > 0) s.wait(arrived[static_cast<std::size_t>(k - 1)]);
    s.send(w.blocks[wrapped(s.rank() - k, p)], (s.rank() + 1) % p);
  }
  s.wait();
}

/// Round k: own block to the rank k above.
void ring(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  for (int k = 1; k < p; ++k) {
    const int from = wrapped(s.rank() - k, p);
    s.exchange(w.blocks[s.rank()], (s.rank() + k) % p, w.blocks[from], from);
  }
}
void pair(Steps& s, const Work& w, const Tuning&) {
  for (int k = 1; k < s.size(); ++k) {
    const int other = s.rank() ^ k;
    s.exchange(w.blocks[s.rank()], other, w.blocks[other], other);
  }
}
void two_ranks(Steps& s, const Work& w, const Tuning&) {
  const int other = 1 - s.rank();
  s.exchange(w.blocks[s.rank()], other, w.blocks[other], other);
}

void doubling(Steps& s, const Work& w, const Tuning&) {
  doubling_allgather(s, w.blocks, 0);
}

/// Blocks of every `stride`-th rank from `first` on, side by side in memory.
class Strided {
 public:
  Strided(const Blocks& blocks, const Buffer& memory, int first, int stride, int size)
      : blocks_(blocks), memory_(memory), first_(first), stride_(stride), size_(size) {}
  template <class Action>
  Buffer each(Action action) const {
    std::int64_t used = 0;
    for (int r = first_; r < size_; r += stride_) {
      const Buffer block = blocks_[r];
      action(block, part(memory_, used, block.count));
      used += block.count;
    }
    return part(memory_, 0, used);
  }

 private:
  const Blocks& blocks_;
  Buffer memory_;
  int first_;
  int stride_;
  int size_;
};

/// The farthest partner first: what a rank has are the blocks of ranks that differ from it in the
/// upper bits only.
void farthest_first(Steps& s, const Work& w, const Tuning&) {
  const Buffer all = w.blocks.range(0, s.size());
  const Buffer out = s.scratch(all);
  const Buffer in = s.scratch(all);
  for (int bit = s.size() / 2; bit > 0; bit /= 2) {
    const int other = s.rank() ^ bit;
    const Strided have(w.blocks, out, s.rank() % (2 * bit), 2 * bit, s.size());
    const Strided want(w.blocks, in, other % (2 * bit), 2 * bit, s.size());
    const Buffer sent =
        have.each([&](const Buffer& block, const Buffer& at) { s.copy(block, at); });
    s.exchange(sent, other, want.each([](const Buffer&, const Buffer&) {}), other);
    want.each([&](const Buffer& block, const Buffer& at) { s.copy(at, block); });
  }
}

/// The same for any number of ranks: a rank has the blocks of those at multiples of the distance
/// below it.
void sparbit(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  for (int distance = p > 1 ? power_of_two_below(p - 1) : 0; distance > 0; distance /= 2) {
    for (int offset = distance; offset < p; offset += 2 * distance) {
      s.receive(w.blocks[wrapped(s.rank() - offset, p)], wrapped(s.rank() - distance, p));
      s.send(w.blocks[wrapped(s.rank() - offset + distance, p)], (s.rank() + distance) % p);
    }
    s.wait();
  }
}

/// Blocks are held in the order of ranks from this one on; the number doubles in each round.
void bruck(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  std::vector<std::int64_t> counts;
  for (int i = 0; i < p; ++i) counts.push_back(w.blocks[(s.rank() + i) % p].count);
  const Buffer memory = s.scratch(w.blocks.range(0, p));
  const Blocks held = Blocks::packed(memory.address, counts, *memory.type);
  s.copy(w.blocks[s.rank()], held[0]);
  for (int have = 1; have < p; have *= 2) {
    const int count = std::min(have, p - have);
    s.exchange(held.range(0, count), wrapped(s.rank() - have, p), held.range(have, count),
               (s.rank() + have) % p);
  }
  for (int i = 1; i < p; ++i) s.copy(held[i], w.blocks[(s.rank() + i) % p]);
}

/// Pairs of ranks exchange blocks; then everybody passes on the pair of blocks that came last, in
/// turn to the neighbour on the one side and on the other.
void neighbor_exchange(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  const bool even = s.rank() % 2 == 0;
  const auto side = [&](int round) { return even == (round % 2 == 0) ? 1 : -1; };
  const auto neighbour = [&](int round) { return wrapped(s.rank() + side(round), p); };
  s.exchange(w.blocks[s.rank()], neighbour(0), w.blocks[neighbour(0)], neighbour(0));
  const int own = s.rank() / 2;
  int last = own;
  for (int round = 1; round < p / 2; ++round) {
    // Pairs arrive from one farther away on each side, in turn.
    const int in = wrapped(own + side(round) * ((round + 1) / 2), p / 2);
    s.exchange(w.blocks.range(2 * last, 2), neighbour(round), w.blocks.range(2 * in, 2),
               neighbour(round));
    last = in;
  }
}

/// Dimension by dimension: along a line everybody gets what the others have, a row of blocks.
void through_grid(Steps& s, const Work& w, const std::vector<int>& sizes) {
  int have = 1;
  for (auto size = sizes.rbegin(); size != sizes.rend(); have *= *size, ++size) {
    const int own = s.rank() / have % *size;
    const int first = s.rank() - s.rank() % have;
    for (int k = 1; k < *size; ++k) {
      const int shift = ((own + k) % *size - own) * have;
      s.receive(w.blocks.range(first + shift, have), s.rank() + shift);
      s.send(w.blocks.range(first, have), s.rank() + shift);
    }
    s.wait();
  }
}
void mesh_2d(Steps& s, const Work& w, const Tuning&) {
  through_grid(s, w, grid_of(s.size(), 2));
}
void mesh_3d(Steps& s, const Work& w, const Tuning&) {
  through_grid(s, w, grid_of(s.size(), 3));
}

}  // namespace
}  // namespace allgather_ways

std::span<const Algorithm<Allgather>> allgather_algorithms() {
  using namespace allgather_ways;
  constexpr Needs kDense = Needs::dense;
  constexpr Needs kPower = Needs::power_of_two;
  static constexpr Algorithm<Allgather> kAll[] = {
      {"ring", "round k: own block to the rank k above", ring},
      {"NTSLR", "blocks go around a ring, one step after another", logical_ring},
      {"ring_pieces", "the same in pieces (segment, 32 KiB)", ring_of_pieces},
      {"NTSLR_NB", "blocks go around a ring, all asked for at once", eager_ring},
      {"spreading_simple", "everybody sends to everybody, all at once", spreading},
      {"GB", "gathered at rank 0 and broadcast, both as the library does these", gather_bcast,
       kDense},
      {"gatherv_bcast", "the same, gathered by a gatherv", gatherv_bcast, kDense},
      {"pair", "round k: exchange with the rank whose number differs by an exclusive or with k",
       pair, kPower, "ring"},
      {"rdb", "recursive doubling: the nearest partner first", doubling, kDense | kPower, "bruck"},
      {"rhv", "the farthest partner first", farthest_first, kDense | kPower, "bruck"},
      {"sparbit", "the farthest partner first, block by block, any number of ranks", sparbit},
      {"bruck", "the number of blocks doubles in each round, any number of ranks", bruck, kDense},
      {"neighborexchange", "pairs of blocks go to neighbours on both sides in turn",
       neighbor_exchange, kDense | Needs::even, "NTSLR"},
      {"two_procs", "two ranks exchange blocks", two_ranks, Needs::two, "NTSLR"},
      {"2dmesh", "along the rows of a grid of ranks, then along its columns", mesh_2d, kDense},
      {"3dmesh", "along the three dimensions of a grid of ranks", mesh_3d, kDense},
      {"loosely_lr", "rings of ranks with the same place in all nodes, then rings in nodes",
       allgather_loose_rings, Needs::equal_nodes, "NTSLR"},
      {"SMP_NTS", "gathered in nodes, a ring of leaders, each piece handed down at once",
       allgather_smp_ring, kDense},
      {"smp_simple", "gathered in nodes, leaders send to all leaders, broadcast in nodes",
       allgather_smp_simple, kDense},
      {"smp", "gathered in nodes, a ring of leaders, broadcast in nodes", allgather_smp, kDense},
      {"switch_aware", "gathered below switches, a ring of switches, broadcast below them",
       allgather_by_switch, kDense},
  };
  return kAll;
}

}  // namespace heddle::coll
