// Makes schedules of Chakra execution traces: a file per rank, nodes and what they wait for.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <queue>
#include <unordered_map>

#include <fmt/core.h>

#include "goal/formats/mapped_file.hpp"
#include "goal/schedule_builder.hpp"
#include "goal/training/streams.hpp"
#include "traces/readers/chakra_trace.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using goal::Before;
using goal::GpuGroup;
using goal::Ring;
using goal::Stream;

// Processors: the GPU computes on the first; collectives, messages, the host and memory have
// others.
constexpr auto kCollectiveStream = Stream::tp;
constexpr auto kMessageStream = Stream::pp;
constexpr auto kHostStream = static_cast<Stream>(6);
constexpr auto kMemoryStream = static_cast<Stream>(7);

/// The collectives of process groups, which all members make in the same order.
class ChakraGroups {
 public:
  /// What the first member to be read said of one.
  struct First {
    ChakraCollective collective;
    std::uint64_t bytes;
    std::string where;
  };
  struct Group {
    std::uint32_t number = 0;
    std::vector<First> collectives;
  };

  Group& named(const std::string& name) {
    const auto [at, fresh] = groups_.try_emplace(name);
    if (fresh) at->second.number = static_cast<std::uint32_t>(groups_.size() - 1);
    return at->second;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(groups_.size()); }

 private:
  std::map<std::string, Group> groups_;
};

/// What must have ended for a node to be over, in little room.
struct ChakraEnds {
  std::array<std::uint32_t, 2> ops = {};
  std::uint32_t size = 0;
};

/// The ends of nodes that have been written, by their ids, which only grow.
class ChakraWritten {
 public:
  void add(std::uint64_t id, const ChakraEnds& ends) {
    ids_.push_back(id);
    ends_.push_back(ends);
  }
  /// Null if there is no such node yet.
  const ChakraEnds* find(std::uint64_t id) const {
    if (ids_.empty() || id < ids_.front() || id > ids_.back()) return nullptr;
    // Mostly ids have no gaps.
    const std::uint64_t guess = id - ids_.front();
    if (guess < ids_.size() && ids_[guess] == id) return &ends_[guess];
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    return *found == id ? &ends_[static_cast<std::size_t>(found - ids_.begin())] : nullptr;
  }

 private:
  std::vector<std::uint64_t> ids_;
  std::vector<ChakraEnds> ends_;
};

/// Writes what one rank does. Nodes that stand behind all that they depend on, in the order of
/// their ids, become operations as they are read; from the first that does not on, all are kept
/// until the last is known.
class ChakraWriter {
 public:
  ChakraWriter(const std::string& file, std::uint32_t rank, std::uint32_t ranks,
               ChakraGroups& groups, const ConvertConfig& config, ConversionReport& report)
      : file_(file),
        rank_(rank),
        ranks_(ranks),
        groups_(groups),
        config_(config),
        report_(report) {}

  void write(goal::ScheduleBuilder& builder) {
    goal::StreamWriter out(builder, config_.collectives);
    const goal::MappedFile bytes(file_, "trace");
    in_order_ = chakra_in_order(bytes.bytes(), file_);
    std::size_t forgotten = 0;
    read_chakra(bytes.bytes(), file_, [&](ChakraNode&& node) {
      bytes.forget(forgotten, node.offset);
      take(out, std::move(node));
    });
    ends_.resize(nodes_.size());
    for (const std::size_t i : in_order()) {
      ends_[i] = write(out, nodes_[i]);
    }
  }

 private:
  void take(goal::StreamWriter& out, ChakraNode&& node) {
    ++report_.calls;
    for (auto& [name, members] : chakra_groups(node)) members_[name] = members;
    node.input_values = {};
    if (in_order_ && nodes_.empty() && is_ready(node)) {
      return written_.add(node.id, write(out, node));
    }
    if (!places_.emplace(node.id, nodes_.size()).second) fail(node, "is there twice");
    nodes_.push_back(std::move(node));
  }
  /// Whether all that it needs stood before it.
  bool is_ready(const ChakraNode& node) const {
    const bool grouped = node.type == ChakraType::collective && !node.group.empty();
    if (grouped && !members_.contains(node.group)) return false;
    return std::all_of(node.after.begin(), node.after.end(),
                       [&](std::uint64_t id) { return written_.find(id) != nullptr; });
  }

  ChakraEnds write(goal::StreamWriter& out, const ChakraNode& node) {
    return kept(out, write(out, node, before(out, node)));
  }
  static ChakraEnds kept(goal::StreamWriter& out, const Before& all) {
    const std::vector<std::uint32_t> ops(all.begin(), all.end());
    ChakraEnds ends;
    if (ops.size() > ends.ops.size()) return kept(out, out.over(kHostStream, ops));
    std::copy(ops.begin(), ops.end(), ends.ops.begin());
    ends.size = static_cast<std::uint32_t>(ops.size());
    return ends;
  }

  [[noreturn]] void fail(const ChakraNode& node, const std::string& problem) const {
    throw InputError({file_}, fmt::format("at byte {}: node {} ('{}') {}", node.offset, node.id,
                                          node.name.substr(0, 100), problem));
  }

  /// Of those that were kept: behind those they depend on, by their ids where that leaves a choice.
  std::vector<std::size_t> in_order() {
    std::vector<std::vector<std::size_t>> waiting(nodes_.size());
    std::vector<std::uint32_t> missing(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const std::uint64_t id : nodes_[i].after) {
        if (written_.find(id) != nullptr) continue;
        const auto place = places_.find(id);
        if (place == places_.end()) {
          report_.warn("dependencies on nodes that are not in the trace");
          continue;
        }
        waiting[place->second].push_back(i);
        ++missing[i];
      }
    }
    using Entry = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (missing[i] == 0) ready.emplace(nodes_[i].id, i);
    }
    std::vector<std::size_t> order;
    while (!ready.empty()) {
      const std::size_t i = ready.top().second;
      ready.pop();
      order.push_back(i);
      for (const std::size_t next : waiting[i]) {
        if (--missing[next] == 0) ready.emplace(nodes_[next].id, next);
      }
    }
    if (order.size() < nodes_.size()) {
      const auto stuck = std::find_if(missing.begin(), missing.end(), [](auto n) { return n > 0; });
      fail(nodes_[static_cast<std::size_t>(stuck - missing.begin())],
           "waits for itself, by way of others");
    }
    return order;
  }

  Before before(goal::StreamWriter& out, const ChakraNode& node) const {
    constexpr std::size_t kMost = 8;
    std::vector<std::uint32_t> all;
    for (const std::uint64_t id : node.after) {
      if (const ChakraEnds* ends = ends_of(id)) {
        all.insert(all.end(), ends->ops.begin(), ends->ops.begin() + ends->size);
      }
    }
    if (all.size() > kMost) return out.over(kHostStream, all);
    Before few;
    for (const std::uint32_t op : all) few.add(op);
    return few;
  }

  /// Null of a node that is not there.
  const ChakraEnds* ends_of(std::uint64_t id) const {
    if (const ChakraEnds* const ends = written_.find(id)) return ends;
    const auto place = places_.find(id);
    return place == places_.end() ? nullptr : &ends_[place->second];
  }

  /// In the schedule's time unit.
  std::uint64_t scaled(double ps) const {
    constexpr double kMost = 9e18;
    const auto unit = static_cast<double>(config_.unit.ps());
    return static_cast<std::uint64_t>(std::min(ps * config_.compute_scale / unit + 0.5, kMost));
  }
  std::uint64_t duration(const ChakraNode& node) const {
    if (node.picoseconds > 0) return scaled(static_cast<double>(node.picoseconds));
    if (node.microseconds > 0) return scaled(static_cast<double>(node.microseconds) * 1e6);
    const double counting =
        static_cast<double>(node.flops) * 1e12 / static_cast<double>(config_.speed.flops());
    if (config_.memory_bandwidth.is_unlimited()) return scaled(counting);
    return scaled(std::max(
        counting, static_cast<double>(node.touched) / config_.memory_bandwidth.bytes_per_ps()));
  }

  Before write(goal::StreamWriter& out, const ChakraNode& node, const Before& before) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 44;
    if (node.bytes > kMost || node.microseconds > kMost) fail(node, "has a size beyond any memory");
    switch (node.type) {
      case ChakraType::compute:
        return out.calc(duration(node), before, node.on_host ? kHostStream : Stream::compute);
      case ChakraType::memory_load:
      case ChakraType::memory_store:
        report_.warn("loads and stores of remote memory, kept as time");
        return out.calc(duration(node), before, kMemoryStream);
      case ChakraType::send:
        return out.send(kMessageStream, node.bytes, peer(node, node.target), node.tag, before);
      case ChakraType::receive:
        return out.recv(kMessageStream, node.bytes, peer(node, node.source), node.tag, before);
      case ChakraType::collective:
        return collective(out, node, before);
      case ChakraType::metadata:
        return out.calc(0, before, kHostStream);
      case ChakraType::invalid:
        break;
    }
    fail(node, "has no type: accepted are 1 to 7");
  }

  std::uint32_t peer(const ChakraNode& node, std::uint32_t other) const {
    if (other >= ranks_) fail(node, fmt::format("names rank {} of {}", other, ranks_));
    if (node.tag >= goal::kFirstCollectiveTag) fail(node, "has a tag of 2^31 or more");
    return other;
  }

  GpuGroup group_of(const ChakraNode& node) {
    const auto known = members_.find(node.group);
    if (known == members_.end() || known->second.empty()) return {0, 1, ranks_, rank_};
    const std::vector<std::uint32_t>& ranks = known->second;
    const auto me = std::find(ranks.begin(), ranks.end(), rank_);
    const bool exist = std::all_of(ranks.begin(), ranks.end(), [&](auto r) { return r < ranks_; });
    if (me == ranks.end() || !exist) {
      fail(node,
           fmt::format("is a collective of group '{}', {}", node.group,
                       exist ? "which this rank is not in" : "which has ranks without trace"));
    }
    return {0, 1, static_cast<std::uint32_t>(ranks.size()),
            static_cast<std::uint32_t>(me - ranks.begin()), ranks.data()};
  }

  /// Of the tags that it has the first, once it is seen to be the same as other members have in its
  /// place.
  std::uint32_t tag_of(const ChakraNode& node, std::uint32_t channels) {
    constexpr std::uint32_t kNumbers = 1 << 16;
    ChakraGroups::Group& group = groups_.named(members_.contains(node.group) ? node.group : "");
    Made& made = made_[group.number];
    const std::uint32_t number = made.collectives++;
    if (number == group.collectives.size()) {
      group.collectives.push_back(
          {node.collective, node.bytes, fmt::format("{}, node {}", file_, node.id)});
    }
    const ChakraGroups::First& first = group.collectives[number];
    if (first.collective != node.collective || first.bytes != node.bytes) {
      fail(node, fmt::format("is collective {} of {} bytes, and {} has {} of {} in its place",
                             static_cast<int>(node.collective), node.bytes, first.where,
                             static_cast<int>(first.collective), first.bytes));
    }
    const std::uint32_t tag = made.tags % kNumbers;
    made.tags += channels;
    return goal::kFirstCollectiveTag | (group.number % (kNumbers / 2)) * kNumbers | tag;
  }

  /// How many messages at once two GPUs may have under way.
  std::uint32_t channels_of(const ChakraNode& node, std::uint32_t gpus) const {
    using enum ChakraCollective;
    using goal::CollectiveKind;
    static constexpr std::pair<ChakraCollective, CollectiveKind> kKinds[] = {
        {allreduce, CollectiveKind::allreduce},
        {barrier, CollectiveKind::allreduce},
        {allgather, CollectiveKind::allgather},
        {reduce_scatter, CollectiveKind::reduce_scatter},
        {reduce_scatter_block, CollectiveKind::reduce_scatter},
        {alltoall, CollectiveKind::alltoall}};
    if (config_.collectives == nullptr || gpus == 1) return 1;
    for (const auto& [collective, kind] : kKinds) {
      if (collective != node.collective) continue;
      const auto* const algorithm = config_.collectives->find(kind, gpus);
      return algorithm == nullptr ? 1 : algorithm->channels();
    }
    return 1;
  }

  Before collective(goal::StreamWriter& out, const ChakraNode& node, const Before& before) {
    ++report_.collectives;
    const GpuGroup group = group_of(node);
    const goal::TaggedStream on(kCollectiveStream, tag_of(node, channels_of(node, group.size)));
    report_.communicators = groups_.size();
    const std::uint64_t n = group.size;
    const std::uint32_t root = node.root < n ? node.root : 0;
    using enum ChakraCollective;
    switch (node.collective) {
      case allreduce:
        return out.ring(Ring::allreduce, on, group, node.bytes, before);
      case allgather:
        return out.ring(Ring::allgather, on, group, node.bytes * n, before);
      case reduce_scatter:
      case reduce_scatter_block:
        return out.ring(Ring::reduce_scatter, on, group, node.bytes, before);
      case alltoall:
        return out.alltoall(on, group, node.bytes, before);
      case broadcast:
        return out.broadcast(on, group, root, node.bytes, before);
      case reduce:
        return out.reduce(on, group, root, node.bytes, before);
      case gather:
        return out.gather(on, group, root, node.bytes, before);
      case scatter:
        return out.scatter(on, group, root, node.bytes, before);
      case barrier:
        return out.ring(Ring::allreduce, on, group, n, before);
    }
    return before;
  }

  const std::string& file_;
  std::uint32_t rank_;
  std::uint32_t ranks_;
  ChakraGroups& groups_;
  const ConvertConfig& config_;
  ConversionReport& report_;
  bool in_order_ = false;  ///< The nodes of the file.
  ChakraWritten written_;
  std::vector<ChakraNode> nodes_;                          ///< Those that are kept,
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< and where, by id.
  std::vector<ChakraEnds> ends_;                           ///< Of these.
  std::map<std::string, std::vector<std::uint32_t>> members_;
  struct Made {
    std::uint32_t collectives = 0;
    std::uint32_t tags = 0;
  };
  std::map<std::uint32_t, Made> made_;  ///< So far, by number of the group.
};

/// Operations that nodes of these files may be, if no collective is among them. Room costs nothing
/// until it is used, but to find more later is to have all twice for a time.
std::uint64_t room_for(const std::vector<std::string>& files) {
  constexpr std::uint64_t kBytesOfNode = 40;
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    if (!unknown) bytes += size;
  }
  return bytes / kBytesOfNode;
}

Conversion schedule_chakra(const std::vector<std::string>& files, const ConvertConfig& config) {
  Conversion conversion;
  const auto ranks = static_cast<std::uint32_t>(files.size());
  goal::ScheduleBuilder builder(ranks, files[0]);
  ChakraGroups groups;
  builder.reserve(room_for(files), 0);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    ChakraWriter writer(files[r], r, ranks, groups, config, conversion.report);
    builder.begin_rank(r);
    writer.write(builder);
    builder.end_rank();
  }
  conversion.schedule = builder.finish();
  return conversion;
}

}  // namespace

const TraceReader& chakra_reader() {
  static const TraceReader reader = {"Chakra",
                                     "a Chakra execution trace (.et, or its JSON)",
                                     begins_like_chakra,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     schedule_chakra};
  return reader;
}

}  // namespace heddle::traces
