#include "goal/patterns/patterns.hpp"
#include "goal/schedule_builder.hpp"

#include <algorithm>
#include <numeric>

#include "core/random.hpp"
#include "goal/patterns/room.hpp"

namespace heddle::goal {

const ParamTable<PatternConfig>& pattern_table() {
  static const auto table = [] {
    ParamTable<PatternConfig> t("pattern", "generated schedules");
    t.add("ranks", &PatternConfig::ranks, "8", {"1", "1000000000"}, "number of ranks");
    t.add("size", &PatternConfig::size, "8", {"", "1TiB"},
          "bytes of a message, or of one rank's data");
    t.add("root", &PatternConfig::root, "0", {"0", "1G"}, "the rank that sends or gets the data");
    t.add("ways", &PatternConfig::ways, "2", {"1", "1000"}, "messages per round and rank");
    t.add("segment", &PatternConfig::segment, "64KiB", {"1", "1TiB"}, "bytes of a pipelined piece");
    t.add("iterations", &PatternConfig::iterations, "1", {"1", "1G"}, "how often it is repeated");
    t.add("compute", &PatternConfig::compute, "0", {"0", "1000000G"},
          "work per step, in the schedule's time unit");
    t.add("seed", &PatternConfig::seed, "1", {"0", ""}, "decides what is random");
    t.add("skew", &PatternConfig::skew, "1", {"1", "1M"},
          "alltoallv: how much more the root gets than the largest of the others");
    t.add("width", &PatternConfig::width, "auto", {"", "1G"}, "ranks along x; auto: near square");
    t.add("height", &PatternConfig::height, "auto", {"", "1G"}, "ranks along y; auto: near square");
    t.add("periodic", &PatternConfig::periodic, "yes", {},
          "the first and last rank are neighbours");
    return t;
  }();
  return table;
}

namespace {

std::uint64_t bytes_of(const PatternConfig& c) {
  return static_cast<std::uint64_t>(c.size.count());
}
std::uint32_t root_of(const PatternConfig& c) {
  if (c.root < c.ranks) return static_cast<std::uint32_t>(c.root);
  throw ParamError({"pattern.root"}, "the root " + std::to_string(c.root) +
                                         " does not exist: accepted are 0 to " +
                                         std::to_string(c.ranks - 1));
}
std::uint64_t compute_of(const PatternConfig& c) {
  return static_cast<std::uint64_t>(c.compute);
}

template <void (*Collective)(const Side&, std::uint64_t)>
RankProgram plain(const PatternConfig& c) {
  return [bytes = bytes_of(c)](const Side& side) { Collective(side, bytes); };
}
template <void (*Collective)(const Side&, std::uint64_t, std::uint32_t)>
RankProgram rooted(const PatternConfig& c) {
  return [bytes = bytes_of(c), root = root_of(c)](const Side& s) { Collective(s, bytes, root); };
}
template <void (*Collective)(const Side&, std::uint64_t, std::uint32_t, std::uint64_t)>
RankProgram rooted_reduction(const PatternConfig& c) {
  return [bytes = bytes_of(c), root = root_of(c), work = compute_of(c)](const Side& side) {
    Collective(side, bytes, root, work);
  };
}
template <void (*Collective)(const Side&, std::uint64_t, const WorkFor&)>
RankProgram reduction(const PatternConfig& c) {
  const WorkFor work = [compute = compute_of(c)](std::uint64_t) { return compute; };
  return [bytes = bytes_of(c), work](const Side& side) { Collective(side, bytes, work); };
}

RankProgram nway(const PatternConfig& c) {
  return [bytes = bytes_of(c), ways = static_cast<std::uint32_t>(c.ways),
          work = compute_of(c)](const Side& side) { nway_dissemination(side, bytes, ways, work); };
}

RankProgram barrier(const PatternConfig&) {
  return linear_barrier;
}

template <void (*Exchange)(const Side&, const SizeBetween&)>
RankProgram alltoall(const PatternConfig& c) {
  return [bytes = bytes_of(c)](const Side& side) {
    Exchange(side, [bytes](std::uint32_t, std::uint32_t) { return bytes; });
  };
}

/// Everybody sends `size` to the root, and 1 to size / skew bytes to the others.
template <void (*Exchange)(const Side&, const SizeBetween&)>
RankProgram alltoallv(const PatternConfig& c) {
  const RandomStream random = RandomStream(static_cast<std::uint64_t>(c.seed)).split("alltoallv");
  const std::uint64_t bound =
      std::max<std::uint64_t>(1, bytes_of(c) / static_cast<std::uint64_t>(c.skew));
  const SizeBetween size = [=, most = bytes_of(c), root = root_of(c)](std::uint32_t from,
                                                                      std::uint32_t to) {
    if (to == root) return most;
    return 1 + random.split(static_cast<std::uint64_t>(from) << 32 | to).below(bound);
  };
  return [size](const Side& side) { Exchange(side, size); };
}

/// Once round the ring: everybody but the first sends on what it received.
void send_round(const Side& side, std::uint64_t bytes, std::uint32_t to, std::uint32_t from) {
  const std::uint32_t send = side.send(bytes, to);
  const std::uint32_t recv = side.recv(bytes, from);
  if (side.me > 0) side.after(send, recv);
}

void ring(const Side& side, std::uint64_t bytes) {
  send_round(side, bytes, side.right(), side.left());
}

void double_ring(const Side& side, std::uint64_t bytes) {
  send_round(side, bytes, side.right(), side.left());
  send_round(side, bytes, side.left(), side.right());
}

/// The root's data in pieces from each rank to the next; with `strict` a piece is received only
/// when the one before has been sent on.
template <bool strict>
RankProgram pipelined_ring(const PatternConfig& c) {
  return [bytes = bytes_of(c), root = root_of(c),
          segment = static_cast<std::uint64_t>(c.segment.count())](const Side& side) {
    const std::uint32_t place = swap_root(side.me, root);
    std::optional<std::uint32_t> sent;
    for (std::uint64_t at = 0; at < bytes; at += segment) {
      const std::uint64_t piece = std::min(segment, bytes - at);
      std::optional<std::uint32_t> recv;
      if (place > 0) recv = side.recv(piece, swap_root(place - 1, root));
      if (strict && recv && sent) side.after(*recv, *sent);
      if (place + 1 == side.size) continue;
      sent = side.send(piece, swap_root(place + 1, root));
      if (recv) side.after(*sent, *recv);
    }
  };
}

/// In every step a rank computes, sends to another and receives from one, all ranks over the same
/// random distance; each of these waits for one of the last few before it. Durations are 0 to twice
/// `compute`, sizes 1 to `size`.
RankProgram random_dag(const PatternConfig& c) {
  const RandomStream random = RandomStream(static_cast<std::uint64_t>(c.seed)).split("dag");
  return [=, steps = static_cast<std::uint64_t>(c.iterations)](const Side& side) {
    constexpr std::uint32_t kReach = 6;
    RandomStream mine = random.split(std::uint64_t{side.me});
    RandomStream shared = random.split("distances");
    const auto after_one = [&](std::uint32_t op) {
      if (op > 0) {
        side.after(op, op - 1 - static_cast<std::uint32_t>(mine.below(std::min(op, kReach))));
      }
    };
    for (std::uint64_t step = 0; step < steps; ++step) {
      after_one(side.calc(mine.below(2 * compute_of(c) + 1)));
      if (side.size == 1) continue;
      const std::uint64_t distance = 1 + shared.below(side.size - 1);
      const std::uint64_t bytes = 1 + shared.below(std::max<std::uint64_t>(1, bytes_of(c)));
      const auto tag = static_cast<std::uint32_t>(step % kFirstCollectiveTag);
      after_one(side.out.send(bytes, side.rank_of(side.right(distance)), tag));
      after_one(side.out.recv(bytes, side.rank_of(side.left(distance)), tag));
    }
  };
}

/// Every rank has one partner, drawn by the seed; with an odd number one rank stays alone.
template <bool both_ways>
RankProgram random_bisection(const PatternConfig& c) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(c.ranks));
  std::iota(order.begin(), order.end(), 0U);
  RandomStream random = RandomStream(static_cast<std::uint64_t>(c.seed)).split("bisection");
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return [=, bytes = bytes_of(c)](const Side& side) {
    const auto half = static_cast<std::uint32_t>(order.size() / 2);
    const std::uint32_t mine = place[side.me];
    if (mine >= 2 * half) return;
    const bool sender = mine < half;
    const std::uint32_t peer = order[sender ? mine + half : mine - half];
    if (sender || both_ways) side.send(bytes, peer);
    if (!sender || both_ways) side.recv(bytes, peer);
  };
}

/// The two factors of `n` nearest to each other, the larger first.
std::int64_t near_square(std::int64_t n) {
  std::int64_t width = 1;
  for (std::int64_t i = 1; i * i <= n; ++i) {
    if (n % i == 0) width = i;
  }
  return n / width;
}

/// A grid of ranks, x fastest.
struct Grid {
  std::int64_t extent[3] = {1, 1, 1};
  bool periodic = true;

  /// The rank `step` away along `axis`, or nothing at an edge.
  std::optional<std::uint32_t> neighbour(std::uint32_t rank, int axis, int step) const {
    std::int64_t stride = 1;
    for (int a = 0; a < axis; ++a) stride *= extent[a];
    const std::int64_t at = rank / stride % extent[axis];
    std::int64_t to = at + step;
    if (to < 0 || to >= extent[axis]) {
      if (!periodic || extent[axis] == 1) return std::nullopt;
      to = (to + extent[axis]) % extent[axis];
    }
    return static_cast<std::uint32_t>(rank + (to - at) * stride);
  }
};

Grid grid_of(const PatternConfig& c, int dimensions) {
  Grid grid;
  grid.periodic = c.periodic;
  std::int64_t rest = c.ranks;
  for (int axis = 0; axis + 1 < dimensions; ++axis) {
    const auto& given = axis == 0 ? c.width : c.height;
    // For three dimensions take the cube root's nearest factor first.
    std::int64_t extent = 1;
    for (std::int64_t i = 1; dimensions - axis == 3 && i * i * i <= rest; ++i) {
      if (rest % i == 0) extent = i;
    }
    if (dimensions - axis == 2) extent = near_square(rest);
    extent = given.value_or(extent);
    if (extent < 1 || rest % extent != 0) {
      throw ParamError(
          {axis == 0 ? "pattern.width" : "pattern.height"},
          std::to_string(extent) + " does not divide " + std::to_string(rest) + " ranks");
    }
    grid.extent[axis] = extent;
    rest /= extent;
  }
  grid.extent[dimensions - 1] = rest;
  return grid;
}

/// In every step a rank computes, then exchanges with its neighbours; the next step waits for all.
template <int dimensions>
RankProgram stencil(const PatternConfig& c) {
  return [c, grid = grid_of(c, dimensions)](const Side& side) {
    std::vector<std::uint32_t> before;
    for (std::int64_t step = 0; step < c.iterations; ++step) {
      const std::uint32_t work = side.calc(compute_of(c));
      for (const std::uint32_t earlier : before) side.after(work, earlier);
      before.clear();
      const auto exchange = [&](int axis, int direction, auto emit) {
        if (const auto peer = grid.neighbour(side.me, axis, direction)) {
          before.push_back(emit(*peer));
          side.after(before.back(), work);
        }
      };
      // The tag tells the directions apart where both neighbours are the same rank.
      for (int axis = 0; axis < dimensions; ++axis) {
        for (const int direction : {-1, 1}) {
          const auto tag = static_cast<std::uint32_t>(2 * axis + (direction < 0));
          exchange(axis, direction, [&](std::uint32_t from) {
            return side.out.recv(bytes_of(c), side.rank_of(from), side.tag + tag);
          });
        }
      }
      for (int axis = 0; axis < dimensions; ++axis) {
        for (const int direction : {-1, 1}) {
          const auto tag = static_cast<std::uint32_t>(2 * axis + (direction > 0));
          exchange(axis, direction, [&](std::uint32_t to) {
            return side.out.send(bytes_of(c), side.rank_of(to), side.tag + tag);
          });
        }
      }
    }
  };
}

// How many operations there are at most.

double ranks_of(const PatternConfig& c) {
  return static_cast<double>(c.ranks);
}
/// Rounds of an exchange that reaches `base` times as many ranks in each.
double rounds_of(const PatternConfig& c, double base) {
  double rounds = 0;
  for (double reached = 1; reached < ranks_of(c); reached *= base) ++rounds;
  return rounds;
}
template <int ops>
double per_rank(const PatternConfig& c) {
  return ops * ranks_of(c);
}
template <int ops>
double per_round(const PatternConfig& c) {
  return ops * ranks_of(c) * (rounds_of(c, 2) + 1);
}
template <int ops>
double per_pair(const PatternConfig& c) {
  return ops * ranks_of(c) * ranks_of(c);
}
double per_way(const PatternConfig& c) {
  const auto ways = static_cast<double>(c.ways);
  return (2 * ways + 1) * ranks_of(c) * rounds_of(c, ways + 1);
}
double per_segment(const PatternConfig& c) {
  const auto segments =
      static_cast<double>(c.size.count()) / static_cast<double>(c.segment.count()) + 1;
  return 2 * ranks_of(c) * segments;
}
template <int ops>
double per_step(const PatternConfig& c) {
  return ops * ranks_of(c) * static_cast<double>(c.iterations);
}

}  // namespace

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> list = {
      {"binary-bcast",
       "broadcast along a binary tree",
       {"size", "root"},
       rooted<binary_bcast>,
       per_rank<3>},
      {"binary-reduce",
       "reduction along a binary tree",
       {"size", "root", "compute"},
       rooted_reduction<binary_reduce>,
       per_rank<3>},
      {"binomial-bcast",
       "broadcast along a binomial tree",
       {"size", "root"},
       rooted<binomial_bcast>,
       per_rank<3>},
      {"binomial-reduce",
       "reduction along a binomial tree",
       {"size", "root", "compute"},
       rooted_reduction<binomial_reduce>,
       per_rank<3>},
      {"dissemination",
       "every rank hears of every other in log2 rounds",
       {"size"},
       plain<dissemination>,
       per_round<2>},
      {"double-ring",
       "once round the ring in both directions",
       {"size"},
       plain<double_ring>,
       per_rank<4>},
      {"gather",
       "every rank sends to the root",
       {"size", "root"},
       rooted<linear_gather>,
       per_rank<2>},
      {"linear-alltoall",
       "every rank sends to every other, all at once",
       {"size"},
       alltoall<linear_alltoallv>,
       per_pair<2>},
      {"linear-alltoallv",
       "the same with random sizes",
       {"size", "root", "skew", "seed"},
       alltoallv<linear_alltoallv>,
       per_pair<2>},
      {"linear-barrier", "all report to rank 0, which lets them go", {}, barrier, per_rank<5>},
      {"nearest-neighbour",
       "compute and exchange with both neighbours on a ring",
       {"size", "compute", "iterations", "periodic"},
       stencil<1>,
       per_step<5>},
      {"nway-dissemination",
       "dissemination with several messages per round",
       {"size", "ways", "compute"},
       nway,
       per_way},
      {"pairwise-alltoall",
       "every rank sends to every other, one after another",
       {"size"},
       alltoall<pairwise_alltoallv>,
       per_pair<3>},
      {"pairwise-alltoallv",
       "the same with random sizes",
       {"size", "root", "skew", "seed"},
       alltoallv<pairwise_alltoallv>,
       per_pair<3>},
      {"pipelined-ring",
       "the root's data from rank to rank in pieces",
       {"size", "root", "segment"},
       pipelined_ring<false>,
       per_segment},
      {"pipelined-ring-dep",
       "the same; a piece is received when the one before was sent on",
       {"size", "root", "segment"},
       pipelined_ring<true>,
       per_segment},
      {"rabenseifner-allreduce",
       "reduction to all: reduce-scatter by halving, allgather by doubling",
       {"size", "compute"},
       reduction<rabenseifner>,
       per_round<5>},
      {"random-bisection",
       "half of the ranks send to the other half, drawn at random",
       {"size", "seed"},
       random_bisection<false>,
       per_rank<1>},
      {"random-bisection-duplex",
       "the same in both directions at once",
       {"size", "seed"},
       random_bisection<true>,
       per_rank<2>},
      {"random-dag",
       "compute, send and receive at random distances, each after one of the last few",
       {"size", "compute", "iterations", "seed"},
       random_dag,
       per_step<3>},
      {"recursive-doubling-allreduce",
       "reduction to all by exchanges over doubling distances",
       {"size", "compute"},
       reduction<recursive_doubling>,
       per_round<3>},
      {"ring", "once round the ring", {"size"}, plain<ring>, per_rank<2>},
      {"ring-allreduce",
       "reduction to all by pieces round the ring, twice",
       {"size", "compute"},
       reduction<ring_allreduce>,
       per_pair<5>},
      {"scatter",
       "the root sends to every rank",
       {"size", "root"},
       rooted<linear_scatter>,
       per_rank<2>},
      {"stencil2d",
       "compute and exchange with four neighbours",
       {"size", "compute", "iterations", "width", "periodic"},
       stencil<2>,
       per_step<9>},
      {"stencil3d",
       "compute and exchange with six neighbours",
       {"size", "compute", "iterations", "width", "height", "periodic"},
       stencil<3>,
       per_step<13>},
  };
  return list;
}

const Pattern& find_pattern(std::string_view name) {
  std::vector<std::string> names;
  for (const Pattern& pattern : patterns()) {
    if (pattern.name == name) return pattern;
    names.emplace_back(pattern.name);
  }
  throw InputError({"pattern"}, "'" + std::string(name) + "' is not a pattern: accepted are " +
                                    joined(names) + did_you_mean(name, names));
}

Schedule generate(std::string_view name, const PatternConfig& config, const RankShare& share) {
  const Pattern& pattern = find_pattern(name);
  require_room(pattern.name, config.ranks, pattern.operations(config));
  const RankProgram program = pattern.make(config);
  const auto ranks = static_cast<std::uint32_t>(config.ranks);
  ScheduleBuilder builder(ranks, std::string(name));
  builder.keep(share);
  for (std::uint32_t r = share.begin(ranks); r < share.end(ranks); ++r) {
    builder.begin_rank(r);
    program({builder, r, ranks});
    builder.end_rank();
  }
  return builder.finish();
}

}  // namespace heddle::goal
