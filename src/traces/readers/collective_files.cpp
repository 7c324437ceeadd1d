#include "traces/readers/collective_files.hpp"

#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "goal/custom/flow_proof.hpp"
#include "goal/formats/formats.hpp"
#include "goal/formats/mapped_file.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using goal::CollectiveAlgorithm;
using goal::CollectiveKind;

/// A file of either kind, read and proved.
struct Loaded {
  CollectiveFile about;
  std::shared_ptr<const MscclAlgorithm> chunks;  ///< Null: it has sizes, which are these:
  std::shared_ptr<const goal::Schedule> of_sizes = {};
};

/// What is read, without sizes: in the schedule's own unit of time.
ConvertConfig config_for(Time unit, const TimePerByte& reduce_cost) {
  ConvertConfig config = convert_table().defaults();
  config.unit = unit;
  config.reduce_cost = reduce_cost;
  return config;
}

void require_kind(const std::string& path, std::optional<CollectiveKind> asked,
                  std::string_view found) {
  if (!asked || name_of(*asked) == found) return;
  throw InputError({path}, fmt::format("an {} is expected here, and the file has an algorithm for "
                                       "{}",
                                       name_of(*asked), found));
}

Loaded load_msccl(const std::string& path, const goal::MappedFile& file,
                  std::optional<CollectiveKind> kind) {
  std::size_t forgotten = 0;
  auto algorithm = std::make_shared<MscclAlgorithm>(
      parse_msccl(file.bytes(), path, [&](std::size_t offset) { file.forget(forgotten, offset); }));
  require_kind(path, kind, algorithm->collective);
  prove(*algorithm, path);
  std::uint32_t channels = 1;
  for (const MscclGpu& gpu : algorithm->gpus) {
    for (const MscclBlock& block : gpu.blocks) channels = std::max(channels, block.channel + 1);
  }
  return {{algorithm->name, fmt::format("MSCCL, {}", algorithm->protocol),
           goal::collective_kind_named(algorithm->collective),
           static_cast<std::uint32_t>(algorithm->gpus.size()), channels, "every chunk"},
          algorithm};
}

/// Of sends and receives, which do not say what they carry.
Loaded load_sizes(const std::string& path, std::string_view format, goal::Schedule schedule,
                  std::optional<CollectiveKind> kind, std::optional<Bytes> bytes) {
  if (kind) {
    prove_flow(schedule, *kind,
               bytes ? std::optional(static_cast<std::uint64_t>(bytes->count())) : std::nullopt,
               path);
  }
  const std::uint32_t gpus = schedule.ranks();
  const std::uint32_t channels = std::max(count_channels(schedule), 1U);
  if (channels > CollectiveAlgorithm::kMostChannels) {
    throw InputError({path}, fmt::format("a GPU sends another one messages with {} tags: accepted "
                                         "are at most {}",
                                         channels, CollectiveAlgorithm::kMostChannels));
  }
  return {{std::filesystem::path(path).filename(), std::string(format), kind, gpus, channels,
           !kind   ? "nothing: it does not say what it is"
           : bytes ? "flow, bytes"
                   : "flow"},
          nullptr,
          std::make_shared<const goal::Schedule>(std::move(schedule))};
}

Loaded load(const std::string& path, std::optional<CollectiveKind> kind, std::optional<Bytes> bytes,
            const ConvertConfig& config) {
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError({path},
                     "there is no such file: accepted are an algorithm of MSCCL, rank 0's "
                     "file of Chakra's traces, and a schedule");
  }
  const goal::MappedFile file(path, "algorithm");
  const TraceReader* const reader = reader_for(file.bytes());
  if (begins_like_msccl(file.bytes())) return load_msccl(path, file, kind);
  if (reader == nullptr) {
    return load_sizes(path, "schedule", goal::read_schedule(path), kind, bytes);
  }
  if (reader->schedule == nullptr) {
    throw InputError({path}, fmt::format("a {} trace is no algorithm: accepted are one of MSCCL, "
                                         "rank 0's file of Chakra's traces, and a schedule",
                                         reader->called));
  }
  Conversion conversion = convert_files(path, {}, config);
  if (conversion.report.collectives > 0) {
    throw InputError({path},
                     "there are nodes of collectives in it: an algorithm has sends, "
                     "receives and computation only");
  }
  if (!conversion.report.warnings.empty()) {
    throw InputError({path}, conversion.report.warnings.begin()->first +
                                 ": in an algorithm that is not accepted");
  }
  return load_sizes(path, reader->called, std::move(conversion.schedule), kind, bytes);
}

CollectiveAlgorithm::Make maker_of(const Loaded& loaded, std::optional<Bytes> bytes,
                                   const ConvertConfig& config, const std::string& path) {
  if (loaded.chunks != nullptr) {
    return [algorithm = loaded.chunks, config, path](std::uint64_t buffer) {
      return msccl_schedule(*algorithm, buffer, config, path);
    };
  }
  return [schedule = loaded.of_sizes, bytes](std::uint64_t buffer) {
    const auto of = bytes ? static_cast<std::uint64_t>(bytes->count()) : buffer;
    return goal::scaled(*schedule, std::max<std::uint64_t>(buffer, 1),
                        std::max<std::uint64_t>(of, 1));
  };
}

}  // namespace

const ParamTable<CollectiveConfig>& collective_table() {
  static const auto table = [] {
    using C = CollectiveConfig;
    ParamTable<C> t("collective",
                    "collectives of GPUs as files have them (pattern llm, Chakra, SimAI)");
    t.add_file("allreduce", &C::allreduce, "",
               "algorithm of all-reduces among as many GPUs as the file has: MSCCL's, Chakra's "
               "(rank 0's file) or a schedule; empty: a ring");
    t.add_file("allgather", &C::allgather, "", "the same of all-gathers");
    t.add_file("reduce_scatter", &C::reduce_scatter, "", "the same of reduce-scatters");
    t.add_file("alltoall", &C::alltoall, "", "the same of all-to-alls; empty: directly");
    t.add("bytes", &C::bytes, "auto", {"1", "1TiB"},
          "the whole buffer that files with sizes (Chakra, schedules) are written for, by which "
          "they are scaled; auto: their sizes are those of every collective");
    t.add("reduce_cost", &C::reduce_cost, "0ns/B", {"", "1s/B"},
          "time to reduce a byte, where a file says what is reduced (MSCCL)");
    return t;
  }();
  return table;
}

CollectiveFile look_at_collective(const std::string& path, std::optional<CollectiveKind> kind,
                                  std::optional<Bytes> bytes) {
  return load(path, kind, bytes, config_for(Time::ns(1), {})).about;
}

goal::CollectiveAlgorithms load_collectives(const CollectiveConfig& config, Time unit) {
  const std::pair<CollectiveKind, const std::string*> files[] = {
      {CollectiveKind::allreduce, &config.allreduce},
      {CollectiveKind::allgather, &config.allgather},
      {CollectiveKind::reduce_scatter, &config.reduce_scatter},
      {CollectiveKind::alltoall, &config.alltoall}};
  const ConvertConfig with = config_for(unit, config.reduce_cost);
  goal::CollectiveAlgorithms all;
  for (const auto& [kind, path] : files) {
    if (path->empty()) continue;
    const Loaded loaded = load(*path, kind, config.bytes, with);
    all.add(std::make_unique<const CollectiveAlgorithm>(
        kind, loaded.about.name, loaded.about.gpus, loaded.about.channels,
        maker_of(loaded, config.bytes, with, *path)));
  }
  return all;
}

}  // namespace heddle::traces
