#include "goal/training/streams.hpp"

#include <algorithm>
#include <bit>

namespace heddle::goal {
namespace {

/// Of `bytes` in `count` nearly equal chunks.
std::uint64_t chunk_bytes(std::uint64_t bytes, std::uint64_t count, std::uint64_t chunk) {
  return (chunk + 1) * bytes / count - chunk * bytes / count;
}

CollectiveKind collective_of(Ring kind) {
  return kind == Ring::allreduce   ? CollectiveKind::allreduce
         : kind == Ring::allgather ? CollectiveKind::allgather
                                   : CollectiveKind::reduce_scatter;
}

/// The processor of an algorithm's first thread block.
constexpr unsigned kFirstBlock = 8;

}  // namespace

std::uint32_t StreamWriter::follow(std::uint32_t op, const Before& before) {
  for (const std::uint32_t earlier : before) out_.requires_end(op, earlier);
  return op;
}

Before StreamWriter::calc(std::uint64_t duration, const Before& before, Stream stream) {
  return follow(out_.calc(duration, static_cast<std::uint8_t>(stream)), before);
}

std::uint32_t StreamWriter::send(Stream stream, std::uint64_t bytes, std::uint32_t to,
                                 std::uint32_t tag, const Before& before) {
  const auto cpu = static_cast<std::uint8_t>(stream);
  return follow(out_.add({OpKind::send, bytes, to, tag, cpu, 0}), before);
}

std::uint32_t StreamWriter::recv(Stream stream, std::uint64_t bytes, std::uint32_t from,
                                 std::uint32_t tag, const Before& before) {
  const auto cpu = static_cast<std::uint8_t>(stream);
  return follow(out_.add({OpKind::recv, bytes, from, tag, cpu, 0}), before);
}

Before StreamWriter::ring(Ring kind, TaggedStream on, const GpuGroup& group, std::uint64_t bytes,
                          const Before& before) {
  const std::uint32_t n = group.size;
  if (n == 1) return before;
  if (const auto* const algorithm = algorithm_for(collective_of(kind), group)) {
    return carry_out(*algorithm, on, group, bytes, before);
  }
  const std::uint32_t right = group.rank_of((group.me + 1) % n);
  const std::uint32_t left = group.rank_of((group.me + n - 1) % n);
  const std::uint32_t steps = kind == Ring::allreduce ? 2 * (n - 1) : n - 1;
  Before now = before;
  Before ends;
  for (std::uint32_t step = 0; step < steps; ++step) {
    // A chunk goes on to the right one step after it came from the left.
    const std::uint32_t sent = (group.me + 2 * n - step) % n;
    const std::uint32_t got = (sent + n - 1) % n;
    const std::uint32_t out = send(on.stream, chunk_bytes(bytes, n, sent), right, on.tag, now);
    const std::uint32_t in = recv(on.stream, chunk_bytes(bytes, n, got), left, on.tag, now);
    now = in;
    ends = in;
    ends.add(out);
  }
  return ends;
}

Before StreamWriter::over(Stream stream, const std::vector<std::uint32_t>& all) {
  const std::uint32_t op = out_.calc(0, static_cast<std::uint8_t>(stream));
  for (const std::uint32_t earlier : all) out_.requires_end(op, earlier);
  return op;
}

Before StreamWriter::carry_out(const CollectiveAlgorithm& algorithm, TaggedStream on,
                               const GpuGroup& group, std::uint64_t bytes, const Before& before) {
  const RankView ops = algorithm.schedule(bytes).rank(group.me);
  const std::vector<std::uint32_t> degrees = ops.in_degrees();
  const std::uint32_t first = out_.size();
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    Op op = ops.op(i);
    if (op.kind != OpKind::calc) {
      op.peer = group.rank_of(op.peer);
      op.tag = on.tag + op.tag * on.step;
    }
    op.cpu = static_cast<std::uint8_t>(std::min(op.cpu + kFirstBlock, 255U));
    out_.add(op);
    if (degrees[i] == 0) follow(first + i, before);
  }
  std::vector<std::uint32_t> last;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    bool awaited = false;
    for (const Edge edge : ops.successors(i)) {
      awaited = awaited || !edge.from_start;
      if (edge.from_start) {
        out_.requires_start(first + edge.target, first + i);
      } else {
        out_.requires_end(first + edge.target, first + i);
      }
    }
    if (!awaited) last.push_back(first + i);
  }
  return last.empty() ? before : over(on.stream, last);
}

Before StreamWriter::alltoall(TaggedStream on, const GpuGroup& group, std::uint64_t bytes,
                              const Before& before) {
  const std::uint32_t n = group.size;
  if (n == 1) return before;
  if (const auto* const algorithm = algorithm_for(CollectiveKind::alltoall, group)) {
    return carry_out(*algorithm, on, group, bytes, before);
  }
  std::vector<std::uint32_t> all;
  for (std::uint32_t step = 1; step < n; ++step) {
    const std::uint32_t to = (group.me + step) % n;
    const std::uint32_t from = (group.me + n - step) % n;
    all.push_back(send(on.stream, chunk_bytes(bytes, n, to), group.rank_of(to), on.tag, before));
    all.push_back(
        recv(on.stream, chunk_bytes(bytes, n, group.me), group.rank_of(from), on.tag, before));
  }
  return over(on.stream, all);
}

Before StreamWriter::broadcast(TaggedStream on, const GpuGroup& group, std::uint32_t root,
                               std::uint64_t bytes, const Before& before) {
  const std::uint32_t n = group.size;
  const std::uint32_t me = (group.me + n - root) % n;
  const auto rank_at = [&](std::uint32_t place) { return group.rank_of((place + root) % n); };
  std::vector<std::uint32_t> all;
  Before there = before;
  const std::uint32_t from = me == 0 ? 0 : me - std::bit_floor(me);
  if (me != 0) there = all.emplace_back(recv(on.stream, bytes, rank_at(from), on.tag, before));
  for (std::uint32_t bit = me == 0 ? 1 : 2 * std::bit_floor(me); bit < n - me; bit *= 2) {
    all.push_back(send(on.stream, bytes, rank_at(me + bit), on.tag, there));
  }
  return n == 1 ? before : over(on.stream, all);
}

Before StreamWriter::reduce(TaggedStream on, const GpuGroup& group, std::uint32_t root,
                            std::uint64_t bytes, const Before& before) {
  const std::uint32_t n = group.size;
  const std::uint32_t me = (group.me + n - root) % n;
  const auto rank_at = [&](std::uint32_t place) { return group.rank_of((place + root) % n); };
  std::vector<std::uint32_t> all;
  for (std::uint32_t bit = me == 0 ? 1 : 2 * std::bit_floor(me); bit < n - me; bit *= 2) {
    all.push_back(recv(on.stream, bytes, rank_at(me + bit), on.tag, before));
  }
  const Before there = all.empty() ? before : over(on.stream, all);
  if (me == 0) return there;
  return send(on.stream, bytes, rank_at(me - std::bit_floor(me)), on.tag, there);
}

Before StreamWriter::gather(TaggedStream on, const GpuGroup& group, std::uint32_t root,
                            std::uint64_t bytes, const Before& before) {
  if (group.me != root) return send(on.stream, bytes, group.rank_of(root), on.tag, before);
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < group.size; ++i) {
    if (i != root) all.push_back(recv(on.stream, bytes, group.rank_of(i), on.tag, before));
  }
  return all.empty() ? before : over(on.stream, all);
}

Before StreamWriter::scatter(TaggedStream on, const GpuGroup& group, std::uint32_t root,
                             std::uint64_t bytes, const Before& before) {
  if (group.me != root) return recv(on.stream, bytes, group.rank_of(root), on.tag, before);
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < group.size; ++i) {
    if (i != root) all.push_back(send(on.stream, bytes, group.rank_of(i), on.tag, before));
  }
  return all.empty() ? before : over(on.stream, all);
}

}  // namespace heddle::goal
