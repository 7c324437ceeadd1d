#include "goal/training/streams.hpp"

namespace heddle::goal {
namespace {

/// Of `bytes` in `count` nearly equal chunks.
std::uint64_t chunk_bytes(std::uint64_t bytes, std::uint64_t count, std::uint64_t chunk) {
  return (chunk + 1) * bytes / count - chunk * bytes / count;
}

std::uint32_t tag_of(Stream stream) {
  return static_cast<std::uint32_t>(stream);
}

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

Before StreamWriter::ring(Ring kind, Stream stream, const GpuGroup& group, std::uint64_t bytes,
                          const Before& before) {
  const std::uint32_t n = group.size;
  if (n == 1) return before;
  const std::uint32_t right = group.rank_of((group.me + 1) % n);
  const std::uint32_t left = group.rank_of((group.me + n - 1) % n);
  const std::uint32_t steps = kind == Ring::allreduce ? 2 * (n - 1) : n - 1;
  Before now = before;
  Before ends;
  for (std::uint32_t step = 0; step < steps; ++step) {
    // A chunk goes on to the right one step after it came from the left.
    const std::uint32_t sent = (group.me + 2 * n - step) % n;
    const std::uint32_t got = (sent + n - 1) % n;
    const std::uint32_t out = send(stream, chunk_bytes(bytes, n, sent), right, tag_of(stream), now);
    const std::uint32_t in = recv(stream, chunk_bytes(bytes, n, got), left, tag_of(stream), now);
    now = in;
    ends = in;
    ends.add(out);
  }
  return ends;
}

Before StreamWriter::alltoall(Stream stream, const GpuGroup& group, std::uint64_t bytes,
                              const Before& before) {
  const std::uint32_t n = group.size;
  if (n == 1) return before;
  const std::uint32_t tag = tag_of(stream);
  std::vector<std::uint32_t> all;
  for (std::uint32_t step = 1; step < n; ++step) {
    const std::uint32_t to = (group.me + step) % n;
    const std::uint32_t from = (group.me + n - step) % n;
    all.push_back(send(stream, chunk_bytes(bytes, n, to), group.rank_of(to), tag, before));
    all.push_back(recv(stream, chunk_bytes(bytes, n, group.me), group.rank_of(from), tag, before));
  }
  // One operation that is over when all are.
  const std::uint32_t over = out_.calc(0, static_cast<std::uint8_t>(stream));
  for (const std::uint32_t op : all) out_.requires_end(over, op);
  return over;
}

}  // namespace heddle::goal
