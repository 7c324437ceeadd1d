// Follows chunks symbolically through an algorithm of MSCCL.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>

#include <fmt/core.h>

#include "core/error.hpp"
#include "traces/readers/chunk_contents.hpp"
#include "traces/readers/msccl_algorithm.hpp"

namespace heddle::traces {
namespace {

class MscclProof {
 public:
  MscclProof(const MscclAlgorithm& algorithm, const std::string& file)
      : algorithm_(algorithm), file_(file), gpus_(algorithm.gpus.size()) {
    for (std::uint32_t g = 0; g < gpus_; ++g) begin(g);
  }

  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t g = 0; g < gpus_; ++g) {
        for (std::uint32_t b = 0; b < next_[g].size(); ++b) moved = go_on(g, b) || moved;
      }
    }
    require_done();
    for (std::uint32_t g = 0; g < gpus_; ++g) require_output(g);
  }

 private:
  using Contents = ChunkContents::Id;
  using Chunks = std::vector<Contents>;
  /// From whom, to whom, on which channel.
  using Way = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({file_}, fmt::format("{} '{}' is not what it says: {}", algorithm_.collective,
                                          algorithm_.name, problem));
  }

  std::uint32_t chunks(std::uint32_t gpu, MscclBuffer buffer) const {
    return algorithm_.gpus[gpu].chunks[static_cast<std::size_t>(buffer)];
  }

  void begin(std::uint32_t gpu) {
    auto& buffers = buffers_.emplace_back();
    for (const MscclBuffer b : {MscclBuffer::input, MscclBuffer::output, MscclBuffer::scratch}) {
      buffers[static_cast<std::size_t>(b)].resize(chunks(gpu, b));
    }
    const std::uint32_t own = chunks(gpu, MscclBuffer::input);
    next_.emplace_back(algorithm_.gpus[gpu].blocks.size(), 0);
    for (std::uint32_t i = 0; i < own; ++i) {
      const ChunkPart part{gpu, i};
      at(gpu, {MscclBuffer::input, i}) = contents_.of({&part, 1});
    }
  }

  /// In place the smaller of input and output is a part of the larger.
  Contents& at(std::uint32_t gpu, MscclPlace place) {
    auto& buffers = buffers_[gpu];
    if (algorithm_.in_place && place.buffer != MscclBuffer::scratch) {
      const std::size_t in = buffers[0].size();
      const std::size_t out = buffers[1].size();
      const bool small = (place.buffer == MscclBuffer::input) == (in < out) && in != out;
      const std::size_t first = small ? gpu * std::min(in, out) : 0;
      const std::size_t index = first + place.offset;
      auto& larger = in > out ? buffers[0] : buffers[1];
      if (index < larger.size()) return larger[index];
    }
    return buffers[static_cast<std::size_t>(place.buffer)][place.offset];
  }

  /// Does what the block can do; whether that was anything.
  bool go_on(std::uint32_t gpu, std::uint32_t number) {
    const MscclBlock& block = algorithm_.gpus[gpu].blocks[number];
    bool moved = false;
    for (std::size_t& next = next_[gpu][number]; next < block.steps.size(); ++next, moved = true) {
      const MscclStep& step = block.steps[next];
      if (step.after && next_[gpu][step.after->first] <= step.after->second) break;
      if (step.receives && sent_[way_in(gpu, block)].sizes.empty()) break;
      do_step(gpu, block, step);
    }
    return moved;
  }
  static Way way_in(std::uint32_t gpu, const MscclBlock& block) {
    return {*block.from, gpu, block.channel};
  }

  void do_step(std::uint32_t gpu, const MscclBlock& block, const MscclStep& step) {
    data_.assign(step.chunks, ChunkContents::kNothing);
    if (step.receives) receive(gpu, block, step);
    for (std::uint32_t i = 0; i < step.chunks; ++i) {
      const auto moved = [&](MscclPlace place) {
        return MscclPlace{place.buffer, place.offset + i};
      };
      if (!step.receives) data_[i] = at(gpu, moved(step.from));
      // What came is added to what is there; a local reduction adds the source to its destination.
      if (step.reduces) {
        data_[i] = contents_.sum(data_[i], at(gpu, moved(step.receives ? step.from : step.to)));
      }
      if (step.keeps) at(gpu, moved(step.to)) = data_[i];
    }
    if (!step.sends) return;
    Sent& sent = sent_[{gpu, *block.to, block.channel}];
    sent.sizes.push_back(step.chunks);
    sent.chunks.insert(sent.chunks.end(), data_.begin(), data_.end());
  }
  void receive(std::uint32_t gpu, const MscclBlock& block, const MscclStep& step) {
    Sent& sent = sent_[way_in(gpu, block)];
    if (sent.sizes.front() != step.chunks) {
      fail(fmt::format("GPU {} receives {} chunks at byte {}, and GPU {} sends {}", gpu,
                       step.chunks, step.offset, *block.from, sent.sizes.front()));
    }
    sent.sizes.pop_front();
    for (Contents& one : data_) {
      one = sent.chunks.front();
      sent.chunks.pop_front();
    }
  }

  void require_done() {
    for (std::uint32_t g = 0; g < gpus_; ++g) {
      for (std::uint32_t b = 0; b < next_[g].size(); ++b) {
        const MscclBlock& block = algorithm_.gpus[g].blocks[b];
        if (next_[g][b] == block.steps.size()) continue;
        fail(fmt::format("step {} of thread block {} of GPU {} (at byte {}) waits forever",
                         next_[g][b], b, g, block.steps[next_[g][b]].offset));
      }
    }
    for (const auto& [way, sent] : sent_) {
      if (sent.sizes.empty()) continue;
      fail(fmt::format("nobody receives what GPU {} sends to GPU {} on channel {}",
                       std::get<0>(way), std::get<1>(way), std::get<2>(way)));
    }
  }

  /// What the collective promises of an output chunk.
  std::vector<ChunkPart> expected(std::uint32_t gpu, std::uint32_t chunk) const {
    const std::string& what = algorithm_.collective;
    if (what == "allgather") {
      const std::uint32_t each = std::max(1U, chunks(gpu, MscclBuffer::output) / gpus());
      return {{chunk / each, chunk % each}};
    }
    if (what == "alltoall") {
      const std::uint32_t each = std::max(1U, chunks(gpu, MscclBuffer::input) / gpus());
      return {{chunk / each, gpu * each + chunk % each}};
    }
    const std::uint32_t first =
        what == "reduce_scatter" ? gpu * (chunks(gpu, MscclBuffer::input) / gpus()) : 0;
    std::vector<ChunkPart> all;
    for (std::uint32_t g = 0; g < gpus(); ++g) all.push_back({g, first + chunk});
    return all;
  }
  std::uint32_t gpus() const { return static_cast<std::uint32_t>(gpus_); }

  void require_output(std::uint32_t gpu) {
    const bool in_one = algorithm_.collective == "allreduce" && algorithm_.in_place;
    const std::uint32_t out = chunks(gpu, in_one ? MscclBuffer::input : MscclBuffer::output);
    const std::uint32_t promised =
        algorithm_.collective == "reduce_scatter" ? chunks(gpu, MscclBuffer::input) / gpus() : out;
    for (std::uint32_t i = 0; i < promised; ++i) {
      const MscclPlace place = result_place(gpu, i, in_one);
      const auto found = contents_.parts(at(gpu, place));
      const std::vector<ChunkPart> wanted = expected(gpu, i);
      if (std::ranges::equal(found, wanted)) continue;
      fail(fmt::format("output chunk {} of GPU {} has {} in the end, and {} is expected", i, gpu,
                       text_of(found), text_of(wanted)));
    }
  }
  /// In place a scattered result may be where the input of its GPU was.
  MscclPlace result_place(std::uint32_t gpu, std::uint32_t chunk, bool in_one) const {
    if (in_one) return {MscclBuffer::input, chunk};
    const std::uint32_t own = chunks(gpu, MscclBuffer::input) / gpus();
    const bool whole = chunks(gpu, MscclBuffer::output) == chunks(gpu, MscclBuffer::input);
    const bool scattered = algorithm_.collective == "reduce_scatter" && whole && gpus() > 1;
    return {MscclBuffer::output, (scattered ? gpu * own : 0) + chunk};
  }

  const MscclAlgorithm& algorithm_;
  const std::string& file_;
  const std::size_t gpus_;
  std::vector<std::array<Chunks, 3>> buffers_;  ///< By GPU and buffer.
  std::vector<std::vector<std::size_t>> next_;  ///< By GPU and block: the step that comes.
  /// What is on one way, in its order: how many chunks each message has, and the chunks of all.
  struct Sent {
    std::deque<std::uint32_t> sizes;
    std::deque<Contents> chunks;
  };
  std::map<Way, Sent> sent_;
  ChunkContents contents_;
  Chunks data_;  ///< Of the step that is done.
};

}  // namespace

void prove(const MscclAlgorithm& algorithm, const std::string& file) {
  constexpr std::string_view kKnown[] = {"allreduce", "allgather", "reduce_scatter", "alltoall"};
  if (std::find(std::begin(kKnown), std::end(kKnown), algorithm.collective) == std::end(kKnown)) {
    throw InputError({file}, fmt::format("what '{}' is to deliver is not known: accepted are "
                                         "allreduce, allgather, reduce_scatter and alltoall",
                                         algorithm.collective));
  }
  MscclProof(algorithm, file).run();
}

}  // namespace heddle::traces
