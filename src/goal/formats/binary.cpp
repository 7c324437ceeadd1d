// LogGOPSim's binary GOAL. Little endian, packed:
//
//   u64 magic, u32 ranks, u8 highest cpu, u8 highest nic, per rank u64 begin and u64 end (from byte
//   8) per rank: u32 nodes, u32 roots, u32 root[roots], node[nodes], u32 appendix[] node (39
//   bytes): u32 predecessors, u8 kind, u32 peer, u64 value, u32 tag, u8 cpu, u8 nic,
//                    u32 end successors, u32 their place in the appendix, the same two for starts
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <exception>
#include <span>
#include <thread>

#include <fmt/core.h>

#include "goal/formats/formats.hpp"
#include "goal/schedule_builder.hpp"

namespace heddle::goal {
namespace {

static_assert(std::endian::native == std::endian::little, "binary schedules are little endian");

constexpr std::uint64_t kMagic = 4223;
constexpr std::uint64_t kUsedUp = 2342;  ///< What a run that saves memory leaves behind.
constexpr std::uint64_t kOrigin = 8;     ///< Byte that offsets are counted from.
constexpr std::uint64_t kHeader = 14;
constexpr std::uint64_t kNode = 39;

#pragma pack(push, 1)
struct Node {
  std::uint32_t predecessors;
  std::uint8_t kind;  ///< 1 send, 2 receive, 3 calc.
  std::uint32_t peer;
  std::uint64_t value;
  std::uint32_t tag;
  std::uint8_t cpu;
  std::uint8_t nic;
  std::uint32_t end_count;
  std::uint32_t end_first;
  std::uint32_t start_count;
  std::uint32_t start_first;
};
#pragma pack(pop)
static_assert(sizeof(Node) == kNode);

template <class T>
T load_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// A node where it lies: its parts are read one by one, for a copy of all of them would have to be
/// in memory before the first could be taken out of it.
class NodeView {
 public:
  explicit NodeView(const char* at) : at_(at) {}
  std::uint32_t predecessors() const { return part<std::uint32_t>(offsetof(Node, predecessors)); }
  std::uint8_t kind() const { return part<std::uint8_t>(offsetof(Node, kind)); }
  std::uint32_t peer() const { return part<std::uint32_t>(offsetof(Node, peer)); }
  std::uint8_t cpu() const { return part<std::uint8_t>(offsetof(Node, cpu)); }
  std::uint8_t nic() const { return part<std::uint8_t>(offsetof(Node, nic)); }
  std::uint32_t end_count() const { return part<std::uint32_t>(offsetof(Node, end_count)); }
  std::uint32_t end_first() const { return part<std::uint32_t>(offsetof(Node, end_first)); }
  std::uint32_t start_count() const { return part<std::uint32_t>(offsetof(Node, start_count)); }
  std::uint32_t start_first() const { return part<std::uint32_t>(offsetof(Node, start_first)); }
  /// Of a kind that there is.
  Op op() const {
    const auto its_kind = static_cast<OpKind>(kind() - 1);
    return {its_kind,
            part<std::uint64_t>(offsetof(Node, value)),
            its_kind == OpKind::calc ? 0 : peer(),
            part<std::uint32_t>(offsetof(Node, tag)),
            cpu(),
            nic()};
  }

 private:
  template <class T>
  T part(std::size_t offset) const {
    return load_at<T>(at_ + offset);
  }
  const char* at_;
};

class BinaryReader {
 public:
  /// There will be room for so many operations.
  BinaryReader(std::string_view bytes, const std::string& name, const ReadLimits& limits,
               const MappedFile* file, std::uint64_t room)
      : bytes_(bytes), name_(name), limits_(limits), file_(file), room_(room) {}

  Schedule read() {
    const auto magic = load<std::uint64_t>(0, "the header");
    if (magic == kUsedUp) {
      fail(0, "this schedule was used up by a run that saved memory; make it again");
    }
    accepted_ = {load<std::uint32_t>(8, "the number of ranks"),
                 load<std::uint8_t>(12, "the highest cpu"),
                 load<std::uint8_t>(13, "the highest nic")};
    const std::uint32_t ranks = accepted_.ranks;
    if (ranks == 0) fail(8, "a schedule needs at least one rank");
    need(kHeader, std::uint64_t{ranks} * 16, "the table of ranks");
    RankPacker builder(ranks, name_);
    builder.reserve(std::min(room_, limits_.ops), room_ / 4);
    builder.keep(limits_.share);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (builder.keeps(r)) read_rank(builder, r);
    }
    return builder.finish();
  }

 private:
  [[noreturn]] void fail(std::uint64_t offset, std::string_view problem) const {
    throw InputError({name_}, fmt::format("at byte {}: {}", offset, problem));
  }
  void need(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      fail(offset, fmt::format("the file ends within {}", what));
    }
  }
  template <class T>
  T load(std::uint64_t offset, std::string_view what) const {
    need(offset, sizeof(T), what);
    return stored<T>(offset);
  }

  /// Of what is known to lie within the file.
  template <class T>
  T stored(std::uint64_t offset) const {
    return load_at<T>(bytes_.data() + offset);
  }

  void read_rank(RankPacker& builder, std::uint32_t r) {
    const std::uint64_t entry = kHeader + 16 * std::uint64_t{r};
    const auto begin = load<std::uint64_t>(entry, "the table of ranks");
    const auto end = load<std::uint64_t>(entry + 8, "the table of ranks");
    const std::uint64_t size = bytes_.size() - kOrigin;
    if (begin > end || end > size) {
      fail(entry, fmt::format("rank {} lies at {} to {}, outside the file", r, begin, end));
    }
    block_end_ = kOrigin + end;
    if (remembered_ == 0) remembered_ = kOrigin + begin;
    read_block(builder, kOrigin + begin, r);
  }

  void read_block(RankPacker& builder, std::uint64_t at, std::uint32_t r) {
    nodes_ = load<std::uint32_t>(at, "a rank");
    const auto roots = load<std::uint32_t>(at + 4, "a rank");
    nodes_at_ = at + 8 + 4 * std::uint64_t{roots};
    appendix_at_ = nodes_at_ + kNode * nodes_;
    if (roots > nodes_ || appendix_at_ > block_end_) {
      fail(at, fmt::format("rank {} names {} operations and {} roots, more than fit", r, nodes_,
                           roots));
    }
    if (builder.total_ops() + nodes_ > limits_.ops) {
      fail(at, fmt::format("more than {} operations", limits_.ops));
    }
    builder.begin_rank(r);
    const RankPacker::Room room = builder.make_room(nodes_);
    read_nodes(builder, room);
    check_degrees();
    check_roots(at + 8, roots, room);
    builder.end_rank();
    if (file_ != nullptr) file_->forget(remembered_, block_end_);
  }

  std::uint64_t place_of(std::uint32_t i) const { return nodes_at_ + kNode * i; }

  /// What is read again for every node is in variables here: the compiler takes a byte that is
  /// written for a part of any object, but not of these.
  void read_nodes(RankPacker& builder, const RankPacker::Room room) {
    Extremes extremes;
    std::uint64_t dependencies = 0;
    unnamed_.assign(nodes_, 0);
    std::uint32_t* const unnamed = unnamed_.data();
    const Accepted accepted = accepted_;
    const std::uint32_t nodes = nodes_;
    const char* at = bytes_.data() + nodes_at_;
    const char* const appendix = bytes_.data() + appendix_at_;
    const std::uint64_t most_edges = (block_end_ - appendix_at_) / 4;
    for (std::uint32_t i = 0; i < nodes; ++i, at += kNode) {
      const NodeView node{at};
      if (!accepted.has(node)) refuse(node, i);
      const Op op = node.op();
      extremes.include(op);
      const std::uint64_t successors = std::uint64_t{node.end_count()} + node.start_count();
      dependencies += successors;
      RankPacker::Next next;
      if (successors != 0) {
        if (dependencies > most_edges || !within(node, most_edges)) refuse_successors(i);
        if (successors == 1) {
          const bool from_start = node.start_count() != 0;
          const std::uint32_t place = from_start ? node.start_first() : node.end_first();
          const auto target = load_at<std::uint32_t>(appendix + 4 * std::size_t{place});
          if (target >= nodes) refuse_target(place, target);
          --unnamed[target];
          next = RankPacker::only({target, from_start});
        } else {
          next = builder.next(i, read_successors(node));
        }
      }
      unnamed[i] += node.predecessors();
      builder.pack(op, next, room.ops[i]);
      room.predecessors[i] =
          static_cast<std::uint8_t>(std::min<std::uint32_t>(node.predecessors(), RankView::kMany));
    }
    builder.filled(extremes, dependencies);
  }

  /// What the header allows.
  struct Accepted {
    std::uint32_t ranks = 0;
    std::uint8_t max_cpu = 0;
    std::uint8_t max_nic = 0;

    bool has(NodeView node) const {
      return node.kind() >= 1 && node.kind() <= 3 && has_peer(node) && node.cpu() <= max_cpu &&
             node.nic() <= max_nic;
    }
    bool has_peer(NodeView node) const {
      return node.peer() < ranks || node.kind() == 3 ||
             (node.kind() == 2 && node.peer() == kAnySource);
    }
  };

  [[noreturn]] void refuse(NodeView node, std::uint32_t i) const {
    if (node.kind() < 1 || node.kind() > 3) {
      fail(place_of(i), fmt::format("{} is not a kind of operation: accepted are 1 (send), 2 "
                                    "(receive) and 3 (calc)",
                                    node.kind()));
    }
    if (!accepted_.has_peer(node)) {
      fail(place_of(i), fmt::format("rank {} does not exist: ranks are 0 to {}", node.peer(),
                                    accepted_.ranks - 1));
    }
    fail(place_of(i),
         fmt::format("cpu {} or nic {} is beyond what the header names", node.cpu(), node.nic()));
  }

  [[noreturn]] void refuse_successors(std::uint32_t i) const {
    fail(place_of(i), "its successors lie outside the rank");
  }
  [[noreturn]] void refuse_target(std::uint32_t place, std::uint32_t target) const {
    fail(appendix_at_ + 4 * std::uint64_t{place},
         fmt::format("operation {} does not exist", target));
  }

  /// Whether its successors lie in an appendix of so many.
  static bool within(NodeView node, std::uint64_t edges) {
    const auto lie = [edges](std::uint32_t first, std::uint32_t count) {
      return count == 0 || std::uint64_t{first} + count <= edges;
    };
    return lie(node.end_first(), node.end_count()) && lie(node.start_first(), node.start_count());
  }

  /// Those of a node that has some: first what waits for its end, then for its start.
  std::span<const Edge> read_successors(NodeView node) {
    const std::size_t count = std::size_t{node.end_count()} + node.start_count();
    if (count > successors_.size()) successors_.resize(count);
    Edge* const starts = read_edges(successors_.data(), node.end_first(), node.end_count(), false);
    read_edges(starts, node.start_first(), node.start_count(), true);
    return {successors_.data(), count};
  }

  /// Where the next belongs.
  Edge* read_edges(Edge* edge, std::uint32_t first, std::uint32_t count, bool from_start) {
    const char* const at = bytes_.data() + appendix_at_ + 4 * std::uint64_t{first};
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto target = load_at<std::uint32_t>(at + 4 * std::uint64_t{k});
      if (target >= nodes_) refuse_target(first, target);
      --unnamed_[target];
      *edge++ = {target, from_start};
    }
    return edge;
  }

  void check_degrees() const {
    std::uint32_t any = 0;
    for (const std::uint32_t unnamed : unnamed_) any |= unnamed;
    if (any == 0) return;
    for (std::uint32_t i = 0; i < nodes_; ++i) {
      if (unnamed_[i] == 0) continue;
      const auto stated = stored<std::uint32_t>(place_of(i));
      fail(place_of(i), fmt::format("the operation states {} predecessors but {} name it", stated,
                                    stated - unnamed_[i]));
    }
  }

  void check_roots(std::uint64_t at, std::uint32_t roots, const RankPacker::Room& room) const {
    for (std::uint32_t k = 0; k < roots; ++k) {
      const auto root = stored<std::uint32_t>(at + 4 * std::uint64_t{k});
      if (root >= nodes_ || room.predecessors[root] != 0) {
        fail(at + 4 * std::uint64_t{k},
             fmt::format("{} is named as a root: accepted is one of the {} operations that waits "
                         "for none",
                         root, nodes_));
      }
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  const ReadLimits& limits_;
  const MappedFile* file_;
  std::uint64_t room_;
  std::size_t remembered_ = 0;  ///< Where the part of the file begins that takes memory.
  Accepted accepted_;
  // Of the rank being read:
  std::uint32_t nodes_ = 0;
  std::uint64_t nodes_at_ = 0;
  std::uint64_t appendix_at_ = 0;
  std::uint64_t block_end_ = 0;
  std::vector<std::uint32_t> unnamed_;  ///< By operation: predecessors stated, less those found.
  std::vector<Edge> successors_;        ///< Scratch.
};

/// Each thread reads a share of the ranks. The first mistake in the file is told, as one thread
/// would do.
Schedule read_by_threads(std::string_view bytes, const std::string& name, const ReadLimits& limits,
                         const MappedFile* file) {
  const std::uint64_t most = bytes.size() / kNode;
  std::vector<Schedule> parts(limits.threads);
  std::vector<std::exception_ptr> errors(limits.threads);
  std::vector<std::jthread> threads;
  for (std::uint32_t t = 0; t < limits.threads; ++t) {
    threads.emplace_back([&, t] {
      try {
        const ReadLimits mine{limits.ops, {t, limits.threads}, 1};
        const std::uint64_t room = t == 0 ? most : most / limits.threads;
        parts[t] = BinaryReader(bytes, name, mine, file, room).read();
      } catch (...) {
        errors[t] = std::current_exception();
      }
    });
  }
  threads.clear();
  std::uint64_t ops = 0;
  for (std::uint32_t t = 0; t < limits.threads; ++t) {
    if (errors[t]) std::rethrow_exception(errors[t]);
    ops += parts[t].ops();
  }
  if (ops > limits.ops) {
    throw InputError({name}, fmt::format("more than {} operations", limits.ops));
  }
  return joined_shares(std::move(parts));
}

template <class T>
void put(std::string& buffer, const T& value) {
  buffer.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// A node whose successors stand from `first` on in the appendix.
Node node_of(const RankView& rank, std::uint32_t i, std::uint32_t degree, std::uint32_t first) {
  const Op op = rank.op(i);
  const auto successors = rank.successors(i);
  std::uint32_t ends = 0;
  while (ends < successors.size() && !successors[ends].from_start) ++ends;
  return {degree,      static_cast<std::uint8_t>(static_cast<int>(op.kind) + 1),
          op.peer,     op.value,
          op.tag,      op.cpu,
          op.nic,      ends,
          first,       static_cast<std::uint32_t>(successors.size()) - ends,
          first + ends};
}

void put_rank(std::string& buffer, const RankView& rank) {
  const std::vector<std::uint32_t> degrees = rank.in_degrees();
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    if (degrees[i] == 0) roots.push_back(i);
  }
  put(buffer, rank.size());
  put(buffer, static_cast<std::uint32_t>(roots.size()));
  for (const std::uint32_t root : roots) put(buffer, root);
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    put(buffer, node_of(rank, i, degrees[i], first));
    first += static_cast<std::uint32_t>(rank.successors(i).size());
  }
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    for (const Edge edge : rank.successors(i)) put(buffer, std::uint32_t{edge.target});
  }
}

std::uint64_t size_of(const RankView& rank) {
  const auto degrees = rank.in_degrees();
  const auto roots = static_cast<std::uint64_t>(std::count(degrees.begin(), degrees.end(), 0U));
  return 8 + 4 * roots + kNode * rank.size() + 4 * rank.edges();
}

}  // namespace

Schedule parse_binary(std::string_view bytes, const std::string& name, const ReadLimits& limits,
                      const MappedFile* file) {
  constexpr std::size_t kWorthThreads = std::size_t{1} << 24;
  if (limits.threads > 1 && limits.share.count == 1 && bytes.size() >= kWorthThreads) {
    return read_by_threads(bytes, name, limits, file);
  }
  return BinaryReader(bytes, name, limits, file, bytes.size() / kNode / limits.share.count).read();
}

void write_binary(const Schedule& schedule, std::ostream& out) {
  std::string buffer;
  const auto flush = [&] {
    out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    buffer.clear();
  };
  put(buffer, kMagic);
  put(buffer, schedule.ranks());
  put(buffer, static_cast<std::uint8_t>(schedule.cpus() - 1));
  put(buffer, static_cast<std::uint8_t>(schedule.nics() - 1));
  std::uint64_t at = kHeader - kOrigin + 16 * std::uint64_t{schedule.ranks()};
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    put(buffer, at);
    put(buffer, at += size_of(schedule.rank(r)));
  }
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    put_rank(buffer, schedule.rank(r));
    if (buffer.size() > 1 << 20) flush();
  }
  flush();
}

}  // namespace heddle::goal
