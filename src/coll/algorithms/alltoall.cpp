// Every rank with a block for every rank.
#include <algorithm>
#include <array>

#include "coll/algorithms/grid.hpp"
#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace alltoall_ways {
namespace {

using Work = Alltoall;

void keep_own(Steps& s, const Work& w) {
  s.copy(w.out[s.rank()], w.in[s.rank()]);
}
void receive_block(Steps& s, const Work& w, int from) {
  const Buffer block = w.in[from];
  if (bytes(block) > 0) s.receive(block, from);
}
void send_block(Steps& s, const Work& w, int to) {
  const Buffer block = w.out[to];
  if (bytes(block) > 0) s.send(block, to);
}

void linear(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  keep_own(s, w);
  for (int k = 1; k < p; ++k) receive_block(s, w, (s.rank() + k) % p);
  for (int k = 1; k < p; ++k) send_block(s, w, (s.rank() + k) % p);
  s.wait();
}

/// Everybody begins with rank 0, whose blocks come from all sides at once, and so on: the last rank
/// has its own late.
void linear_in_order(Steps& s, const Work& w, const Tuning&) {
  keep_own(s, w);
  for (int from = 0; from < s.size(); ++from) {
    if (from != s.rank()) receive_block(s, w, from);
  }
  for (int to = 0; to < s.size(); ++to) {
    if (to != s.rank()) send_block(s, w, to);
  }
  s.wait();
}

/// A number of receives and sends at a time.
void batches(Steps& s, const Work& w, int most) {
  const int p = s.size();
  keep_own(s, w);
  for (int first = 1; first < p; first += most) {
    const int last = std::min(p, first + most);
    for (int k = first; k < last; ++k) receive_block(s, w, (s.rank() + k) % p);
    for (int k = first; k < last; ++k) send_block(s, w, (s.rank() - k + p) % p);
    s.wait();
  }
}
void scatter_dest(Steps& s, const Work& w, const Tuning& t) {
  batches(s, w, t.radix > 0 ? t.radix : 32);
}
void linear_sync(Steps& s, const Work& w, const Tuning& t) {
  batches(s, w, t.radix > 0 ? t.radix : s.size());
}

// One partner at a time; what keeps the rounds of the ranks together is a policy.

enum class Between : std::uint8_t { nothing, light_barrier, barrier };

void barrier(Steps& s) {
  for (int distance = 1; distance < s.size(); distance <<= 1) {
    const int p = s.size();
    s.exchange(nothing(), (s.rank() + distance) % p, nothing(), (s.rank() - distance + p) % p);
  }
}
struct Round {
  int to;
  int from;
};
template <class Partners>
void rounds(Steps& s, const Work& w, Between between, Partners partners) {
  keep_own(s, w);
  if (between == Between::nothing) {
    return s.exchanges(
        [p = s.size(), k = 0, in = w.in, out = w.out, partners](DataSteps&, Exchange& e) mutable {
          if (++k >= p) return false;
          const Round round = partners(k);
          e = {out[round.to], round.to, in[round.from], round.from};
          return true;
        });
  }
  for (int k = 1; k < s.size(); ++k) {
    const Round round = partners(k);
    s.exchange(w.out[round.to], round.to, w.in[round.from], round.from);
    if (k + 1 == s.size()) break;
    if (between == Between::barrier) barrier(s);
    if (between == Between::light_barrier) {
      // Who is the next to send here has to hear that this rank is ready.
      const Round next = partners(k + 1);
      s.exchange(nothing(), next.from, nothing(), next.to);
    }
  }
}
void ring_rounds(Steps& s, const Work& w, Between between) {
  rounds(s, w, between, [p = s.size(), rank = s.rank()](int k) {
    return Round{(rank + k) % p, (rank - k + p) % p};
  });
}
void pair_rounds(Steps& s, const Work& w, Between between) {
  rounds(s, w, between, [rank = s.rank()](int k) { return Round{rank ^ k, rank ^ k}; });
}

void ring(Steps& s, const Work& w, const Tuning&) {
  ring_rounds(s, w, Between::nothing);
}
void ring_light_barrier(Steps& s, const Work& w, const Tuning&) {
  ring_rounds(s, w, Between::light_barrier);
}
void ring_mpi_barrier(Steps& s, const Work& w, const Tuning&) {
  ring_rounds(s, w, Between::barrier);
}
void ring_one_barrier(Steps& s, const Work& w, const Tuning&) {
  barrier(s);
  ring_rounds(s, w, Between::nothing);
}
void pair(Steps& s, const Work& w, const Tuning&) {
  pair_rounds(s, w, Between::nothing);
}
void pair_light_barrier(Steps& s, const Work& w, const Tuning&) {
  pair_rounds(s, w, Between::light_barrier);
}
void pair_mpi_barrier(Steps& s, const Work& w, const Tuning&) {
  pair_rounds(s, w, Between::barrier);
}
void pair_one_barrier(Steps& s, const Work& w, const Tuning&) {
  barrier(s);
  pair_rounds(s, w, Between::nothing);
}

/// As puts into memory that all have exposed: nobody waits for what arrives before the end.
void pair_put(Steps& s, const Work& w, const Tuning&) {
  barrier(s);
  keep_own(s, w);
  for (int k = 1; k < s.size(); ++k) s.receive(w.in[s.rank() ^ k], s.rank() ^ k);
  for (int k = 1; k < s.size(); ++k) s.send(w.out[s.rank() ^ k], s.rank() ^ k);
  s.wait();
}

void two_ranks(Steps& s, const Work& w, const Tuning&) {
  const int other = 1 - s.rank();
  keep_own(s, w);
  s.exchange(w.out[other], other, w.in[other], other);
}

// Blocks that travel through other ranks.

Blocks memory_for(Steps& s, const Work& w, int blocks) {
  const Buffer one = w.in[0];
  return Blocks::equal(s.scratch(one.count * blocks, *one.type).address, one.count, *one.type);
}

/// Block i (counted from this rank) goes on by each digit of i, to the base `radix`, in turn.
void bruck_rounds(Steps& s, const Work& w, int radix) {
  const int p = s.size();
  const Blocks held = memory_for(s, w, p);
  const Blocks out = memory_for(s, w, p);
  const Blocks in = memory_for(s, w, p);
  for (int i = 0; i < p; ++i) s.copy(w.out[(s.rank() + i) % p], held[i]);
  for (std::int64_t digit = 1; digit < p; digit *= radix) {
    int used = 0;
    const auto each = [&](int value, auto action) {
      for (std::int64_t i = 0; i < p; ++i) {
        if (i / digit % radix == value) action(static_cast<int>(i));
      }
    };
    for (int value = 1; value < radix && value * digit < p; ++value) {
      const int first = used;
      each(value, [&](int i) { s.copy(held[i], out[used++]); });
      const int step = static_cast<int>(value * digit % p);
      s.receive(in.range(first, used - first), (s.rank() - step + p) % p);
      s.send(out.range(first, used - first), (s.rank() + step) % p);
    }
    s.wait();
    used = 0;
    for (int value = 1; value < radix && value * digit < p; ++value) {
      each(value, [&](int i) { s.copy(in[used++], held[i]); });
    }
  }
  for (int i = 0; i < p; ++i) s.copy(held[i], w.in[(s.rank() - i + p) % p]);
}
void bruck(Steps& s, const Work& w, const Tuning&) {
  bruck_rounds(s, w, 2);
}
void k_bruck(Steps& s, const Work& w, const Tuning& t) {
  bruck_rounds(s, w, radix_of(t, 4));
}

/// Dimension by dimension of a grid of ranks: blocks go to the rank of the line that has the
/// destination's coordinate. A block is called by the coordinates of its destination in the
/// dimensions to come and of its source in those done.
void through_grid(Steps& s, const Work& w, const std::vector<int>& sizes) {
  const int p = s.size();
  const Blocks held = memory_for(s, w, p);
  const Blocks out = memory_for(s, w, p);
  const Blocks in = memory_for(s, w, p);
  for (int i = 0; i < p; ++i) s.copy(w.out[i], held[i]);
  int stride = 1;
  for (auto size = sizes.rbegin(); size != sizes.rend(); stride *= *size, ++size) {
    const int own = s.rank() / stride % *size;
    const int line = p / *size;  // Blocks for each rank of the line.
    const auto each = [&](int coordinate, auto action) {
      int place = coordinate * line;
      for (int i = 0; i < p; ++i) {
        if (i / stride % *size == coordinate) action(i, place++);
      }
    };
    for (int k = 1; k < *size; ++k) {
      const int other = (own + k) % *size;
      const int peer = s.rank() + (other - own) * stride;
      each(other, [&](int i, int place) { s.copy(held[i], out[place]); });
      s.receive(in.range(other * line, line), peer);
      s.send(out.range(other * line, line), peer);
    }
    s.wait();
    for (int k = 1; k < *size; ++k) {
      each((own + k) % *size, [&](int i, int place) { s.copy(in[place], held[i]); });
    }
  }
  for (int i = 0; i < p; ++i) s.copy(held[i], w.in[i]);
}
void mesh_2d(Steps& s, const Work& w, const Tuning&) {
  through_grid(s, w, grid_of(s.size(), 2));
}
void mesh_3d(Steps& s, const Work& w, const Tuning&) {
  through_grid(s, w, grid_of(s.size(), 3));
}
void hypercube(Steps& s, const Work& w, const Tuning&) {
  through_grid(s, w, hypercube_of(s.size()));
}

}  // namespace
}  // namespace alltoall_ways

std::span<const Algorithm<Alltoall>> alltoall_algorithms() {
  using namespace alltoall_ways;
  constexpr Needs kPower = Needs::power_of_two;
  static constexpr Algorithm<Alltoall> kAll[] = {
      // Those that send blocks straight to whom they are for.
      {"basic_linear", "all receives and all sends at once", linear},
      {"ring", "round k: to the rank k above, from the rank k below", ring},
      {"ring_light_barrier", "the same; a rank sends when its partner is ready",
       ring_light_barrier},
      {"ring_mpi_barrier", "the same with a barrier after each round", ring_mpi_barrier},
      {"ring_one_barrier", "the same after one barrier", ring_one_barrier},
      {"pair", "round k: exchange with the rank whose number differs by an exclusive or with k",
       pair, kPower, "ring"},
      {"pair_light_barrier", "the same; a rank sends when its partner is ready", pair_light_barrier,
       kPower, "ring_light_barrier"},
      {"pair_mpi_barrier", "the same with a barrier after each round", pair_mpi_barrier, kPower,
       "ring_mpi_barrier"},
      {"pair_one_barrier", "the same after one barrier", pair_one_barrier, kPower,
       "ring_one_barrier"},
      {"pair_rma", "as puts: everybody is ready, then all sends at once", pair_put, kPower,
       "basic_linear"},
      {"scatter_dest", "receives and sends in batches (radix, 32)", scatter_dest},
      {"linear_sync",
       "receives from the ranks above, sends to those below, in batches (radix, all)", linear_sync},
      {"two_procs", "two ranks exchange blocks", two_ranks, Needs::two, "basic_linear"},
      // Those that send them through other ranks.
      {"bruck", "blocks go on by the bits of the distance they have to go", bruck},
      {"k_bruck", "blocks go on by the digits of the distance (radix, 4)", k_bruck},
      {"2dmesh", "along the rows of a grid of ranks, then along its columns", mesh_2d},
      {"3dmesh", "along the three dimensions of a grid of ranks", mesh_3d},
      {"rdb", "along the dimensions of a hypercube of ranks", hypercube, kPower, "bruck"},
  };
  return kAll;
}

std::span<const Algorithm<Alltoall>> alltoallv_algorithms() {
  using namespace alltoall_ways;
  constexpr std::size_t kDirect = 13;
  static const auto all = [] {
    // In front of the one whose name it has without a library's.
    std::array<Algorithm<Alltoall>, kDirect + 1> list = {
        {{"ompi_basic_linear", "all receives and all sends at once, from rank 0 on",
          linear_in_order}}};
    std::ranges::copy(alltoall_algorithms().first(kDirect), list.begin() + 1);
    return list;
  }();
  return all;
}

}  // namespace heddle::coll
