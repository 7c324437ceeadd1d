// Makes schedules of MSCCL's algorithm files: a rank per GPU, a processor per thread block.
#include <fmt/core.h>

#include "coll/nccl/nccl.hpp"
#include "goal/formats/mapped_file.hpp"
#include "goal/schedule_builder.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/msccl_algorithm.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using coll::nccl::Protocol;

bool begins_like_msccl(std::string_view beginning) {
  const std::size_t at = beginning.find("<algo ");
  return at != std::string_view::npos && at < 512 &&
         beginning.find_first_not_of(" \t\r\n") == beginning.find('<');
}

/// How data and flags are sent; nothing for a name that NCCL does not have.
std::optional<Protocol> protocol_named(std::string_view name) {
  if (name.empty() || name == "Simple") return Protocol::simple;
  if (name == "LL") return Protocol::ll;
  if (name == "LL128") return Protocol::ll128;
  return std::nullopt;
}

/// Writes what one GPU does.
class MscclWriter {
 public:
  MscclWriter(const MscclGpu& gpu, goal::ScheduleBuilder& out, std::uint64_t chunk,
              Protocol protocol, const ConvertConfig& config)
      : gpu_(gpu), out_(out), chunk_(chunk), protocol_(protocol), config_(config) {}

  void write() {
    for (const MscclBlock& block : gpu_.blocks) write(block);
    for (std::size_t b = 0; b < gpu_.blocks.size(); ++b) {
      for (std::size_t s = 0; s < gpu_.blocks[b].steps.size(); ++s) {
        if (const auto& after = gpu_.blocks[b].steps[s].after) {
          follow(spans_[b][s].first, spans_[after->first][after->second]);
        }
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
    for (const MscclStep& step : block.steps) {
      const std::uint32_t first = write(block, step);
      const std::uint32_t last = out_.size() - 1;
      for (std::uint32_t op = first + 1; op <= last; ++op) out_.requires_end(op, op - 1);
      if (!spans.empty()) follow(first, spans.back());
      spans.push_back({first, last, step.sends});
    }
  }
  /// Its operations, one after another; the first of them.
  std::uint32_t write(const MscclBlock& block, const MscclStep& step) {
    const auto cpu = static_cast<std::uint8_t>(block.id);
    const std::uint32_t first = out_.size();
    const std::uint64_t bytes = step.chunks * chunk_;
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
  std::uint64_t chunk_;
  Protocol protocol_;
  const ConvertConfig& config_;
  std::vector<std::vector<Span>> spans_;  ///< By block and step.
};

Conversion schedule_msccl(const std::vector<std::string>& files, const ConvertConfig& config) {
  const goal::MappedFile file(files[0], "algorithm");
  const MscclAlgorithm algorithm = parse_msccl(file.bytes(), files[0]);
  prove(algorithm, files[0]);
  Conversion conversion;
  const auto buffer = static_cast<std::uint64_t>(config.buffer.count());
  const std::uint64_t chunk = (buffer + algorithm.chunks_per_loop - 1) / algorithm.chunks_per_loop;
  const auto gpus = static_cast<std::uint32_t>(algorithm.gpus.size());
  const std::optional<Protocol> protocol = protocol_named(algorithm.protocol);
  goal::ScheduleBuilder builder(gpus, files[0]);
  for (std::uint32_t g = 0; g < gpus; ++g) {
    builder.begin_rank(g);
    MscclWriter(algorithm.gpus[g], builder, chunk, protocol.value_or(Protocol::simple), config)
        .write();
    builder.end_rank();
    for (const MscclBlock& block : algorithm.gpus[g].blocks) {
      conversion.report.calls += block.steps.size();
      for (const MscclStep& step : block.steps) {
        const bool copies = step.keeps && !step.receives && !step.reduces;
        if (copies) conversion.report.warn("copies within a GPU, which take no time");
      }
    }
  }
  if (!protocol) {
    conversion.report.warn("protocol " + algorithm.protocol +
                           ", which is not known: no flags are added to the bytes");
  }
  conversion.report.collectives = gpus;
  conversion.report.communicators = 1;
  conversion.schedule = builder.finish();
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
