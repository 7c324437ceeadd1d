// Makes schedules of MSCCL's algorithm files: a rank per GPU, a processor per thread block.
#include <algorithm>

#include <fmt/core.h>

#include "coll/nccl/nccl.hpp"
#include "goal/formats/mapped_file.hpp"
#include "goal/schedule_builder.hpp"
#include "traces/readers/collective_files.hpp"
#include "traces/readers/msccl_algorithm.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using coll::nccl::Protocol;

/// How data and flags are sent; nothing for a name that NCCL does not have.
std::optional<Protocol> protocol_named(std::string_view name) {
  if (name.empty() || name == "Simple") return Protocol::simple;
  if (name == "LL") return Protocol::ll;
  if (name == "LL128") return Protocol::ll128;
  return std::nullopt;
}

/// Pieces of a chunk that go through all steps one after another, as a chunk is no larger than what
/// the protocol sends as one.
class MscclLoops {
 public:
  MscclLoops(Protocol protocol, std::uint64_t chunk)
      : chunk_(chunk),
        most_(coll::nccl::division_of(coll::nccl::Operation::allreduce, coll::nccl::Algorithm::ring,
                                      protocol, chunk, 1, 2, 1)
                  .chunk) {}
  std::uint64_t count() const { return std::max<std::uint64_t>((chunk_ + most_ - 1) / most_, 1); }
  std::uint64_t piece(std::uint64_t loop) const { return std::min(most_, chunk_ - loop * most_); }

 private:
  std::uint64_t chunk_;
  std::uint64_t most_;
};

/// Writes what one GPU does.
class MscclWriter {
 public:
  MscclWriter(const MscclGpu& gpu, goal::ScheduleBuilder& out, std::uint64_t chunk,
              Protocol protocol, const ConvertConfig& config)
      : gpu_(gpu), out_(out), loops_(protocol, chunk), protocol_(protocol), config_(config) {}

  void write() {
    for (const MscclBlock& block : gpu_.blocks) write(block);
    for (std::size_t b = 0; b < gpu_.blocks.size(); ++b) {
      const std::size_t steps = gpu_.blocks[b].steps.size();
      for (std::size_t i = 0; i < loops_.count() * steps; ++i) {
        const auto& after = gpu_.blocks[b].steps[i % steps].after;
        if (!after) continue;
        const auto& others = spans_[after->first];
        const std::size_t theirs = gpu_.blocks[after->first].steps.size();
        follow(spans_[b][i].first, others[i / steps * theirs + after->second]);
      }
    }
  }

 private:
  struct Span {
    std::uint32_t first;
    std::uint32_t last;
    bool sends;  ///< At its end.
  };

  /// What is sent is in a buffer on its way: nothing waits until it is received.
  void follow(std::uint32_t op, const Span& earlier) {
    if (earlier.sends) {
      out_.requires_start(op, earlier.last);
    } else {
      out_.requires_end(op, earlier.last);
    }
  }

  void write(const MscclBlock& block) {
    std::vector<Span>& spans = spans_.emplace_back();
    for (std::uint64_t loop = 0; loop < loops_.count(); ++loop) {
      for (const MscclStep& step : block.steps) {
        const std::uint32_t first = write(block, step, loops_.piece(loop));
        const std::uint32_t last = out_.size() - 1;
        for (std::uint32_t op = first + 1; op <= last; ++op) out_.requires_end(op, op - 1);
        if (!spans.empty()) follow(first, spans.back());
        spans.push_back({first, last, step.sends});
      }
    }
  }
  /// Its operations, one after another; the first of them.
  std::uint32_t write(const MscclBlock& block, const MscclStep& step, std::uint64_t piece) {
    const auto cpu = static_cast<std::uint8_t>(block.id);
    const std::uint32_t first = out_.size();
    const std::uint64_t bytes = step.chunks * piece;
    const std::uint64_t sent = wire_bytes(protocol_, bytes);
    if (step.receives) out_.add({goal::OpKind::recv, sent, *block.from, block.channel, cpu, 0});
    if (step.reduces) {
      const Time cost = config_.reduce_cost.time_for(Bytes(static_cast<std::int64_t>(bytes)));
      out_.calc(static_cast<std::uint64_t>(cost.ps() / config_.unit.ps()), cpu);
    }
    if (step.sends) out_.add({goal::OpKind::send, sent, *block.to, block.channel, cpu, 0});
    if (out_.size() == first) out_.calc(0, cpu);
    return first;
  }

  const MscclGpu& gpu_;
  goal::ScheduleBuilder& out_;
  MscclLoops loops_;
  Protocol protocol_;
  const ConvertConfig& config_;
  std::vector<std::vector<Span>> spans_;  ///< By block; of one loop after another, by step.
};

}  // namespace

goal::Schedule msccl_schedule(const MscclAlgorithm& algorithm, std::uint64_t buffer,
                              const ConvertConfig& config, const std::string& source) {
  const std::uint64_t chunk = (buffer + algorithm.chunks_per_loop - 1) / algorithm.chunks_per_loop;
  const Protocol protocol = protocol_named(algorithm.protocol).value_or(Protocol::simple);
  const auto gpus = static_cast<std::uint32_t>(algorithm.gpus.size());
  goal::ScheduleBuilder builder(gpus, source);
  for (std::uint32_t g = 0; g < gpus; ++g) {
    builder.begin_rank(g);
    MscclWriter(algorithm.gpus[g], builder, chunk, protocol, config).write();
    builder.end_rank();
  }
  return builder.finish();
}

namespace {

Conversion schedule_msccl(const std::vector<std::string>& files, const ConvertConfig& config) {
  const goal::MappedFile file(files[0], "algorithm");
  std::size_t forgotten = 0;
  const MscclAlgorithm algorithm = parse_msccl(
      file.bytes(), files[0], [&](std::size_t offset) { file.forget(forgotten, offset); });
  prove(algorithm, files[0]);
  Conversion conversion;
  const auto gpus = static_cast<std::uint32_t>(algorithm.gpus.size());
  for (const MscclGpu& gpu : algorithm.gpus) {
    for (const MscclBlock& block : gpu.blocks) {
      conversion.report.calls += block.steps.size();
      for (const MscclStep& step : block.steps) {
        const bool copies = step.keeps && !step.receives && !step.reduces;
        if (copies) conversion.report.warn("copies within a GPU, which take no time");
      }
    }
  }
  if (!protocol_named(algorithm.protocol)) {
    conversion.report.warn("protocol " + algorithm.protocol +
                           ", which is not known: no flags are added to the bytes");
  }
  conversion.report.collectives = gpus;
  conversion.report.communicators = 1;
  conversion.schedule = msccl_schedule(algorithm, static_cast<std::uint64_t>(config.buffer.count()),
                                       config, files[0]);
  return conversion;
}

bool holds_all_gpus(const std::string&, const TraceReadOptions&) {
  return true;
}

}  // namespace

const TraceReader& msccl_reader() {
  static const TraceReader reader = {"MSCCL algorithm", "an MSCCL algorithm (<algo name=...>)",
                                     begins_like_msccl, nullptr,
                                     holds_all_gpus,    nullptr,
                                     nullptr,           schedule_msccl};
  return reader;
}

}  // namespace heddle::traces
