#include "traces/readers/msccl_algorithm.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "traces/readers/fields.hpp"
#include "traces/readers/xml_scanner.hpp"

namespace heddle::traces {
namespace {

using Tag = XmlTag;

/// Takes an XML file apart as it is read; what is wrong is told with its place.
class MscclParser {
 public:
  MscclParser(std::string_view text, const std::string& file, const MscclPassed& passed)
      : in_(text, file), passed_(passed) {
    if (text.size() > UINT32_MAX) in_.fail(0, "accepted are at most 4 GiB");
  }

  MscclAlgorithm parse() {
    if (!in_.next() || in_.tag().name != "algo") fail(0, "an element <algo> is expected");
    const Tag root = in_.tag();
    MscclAlgorithm algorithm;
    algorithm.name = xml_text(root.attribute("name"));
    algorithm.collective = xml_text(root.attribute("coll"));
    algorithm.protocol = xml_text(root.attribute("proto"));
    algorithm.in_place = value(root, "inplace").value_or(0) != 0;
    algorithm.chunks_per_loop = number(root, "nchunksperloop", 1, kMost);
    gpus_ = number(root, "ngpus", 1, kMostGpus);
    algorithm.gpus.resize(gpus_);
    std::vector<bool> seen(gpus_);
    for_each("gpu", [&](const Tag& gpu) {
      const std::uint32_t id = number(gpu, "id", 0, gpus_ - 1);
      if (seen[id]) fail(gpu, fmt::format("GPU {} is there twice", id));
      seen[id] = true;
      algorithm.gpus[id] = parse_gpu(gpu);
    });
    if (in_.next()) fail(in_.tag(), "nothing is accepted behind </algo>");
    const auto missing = std::find(seen.begin(), seen.end(), false);
    if (missing != seen.end()) {
      fail(root, fmt::format("GPU {} of {} is missing", missing - seen.begin(), gpus_));
    }
    return algorithm;
  }

 private:
  static constexpr std::uint32_t kMost = 1 << 24;
  static constexpr std::uint32_t kMostGpus = 1 << 16;
  static constexpr std::uint32_t kMostBlocks = 256;

  /// Calls `visit(tag)` for every element of that name in the one that is open; it takes what is
  /// within.
  template <class Visitor>
  void for_each(std::string_view name, Visitor visit) {
    while (in_.next()) {
      if (in_.tag().name == name) {
        visit(in_.tag());
      } else {
        in_.skip();
      }
    }
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& problem) const {
    in_.fail(offset, problem);
  }
  [[noreturn]] void fail(const Tag& tag, const std::string& problem) const {
    fail(tag.offset, problem);
  }

  std::optional<std::int64_t> value(const Tag& tag, const char* name) const {
    const std::string_view text = tag.attribute(name);
    if (text.data() == nullptr) return std::nullopt;
    const auto read = whole_number<std::int64_t>(text);
    if (!read) {
      fail(tag, fmt::format("{}=\"{}\" of <{}> is not a whole number", name, text, tag.name));
    }
    return read;
  }
  std::uint32_t number(const Tag& node, const char* name, std::uint32_t least,
                       std::uint32_t most) const {
    const auto read = value(node, name);
    if (!read) fail(node, fmt::format("<{}> has no {}", node.name, name));
    if (*read < least || *read > most) {
      fail(node, fmt::format("{}=\"{}\" of <{}>: accepted are {} to {}", name, *read, node.name,
                             least, most));
    }
    return static_cast<std::uint32_t>(*read);
  }
  /// -1 for nobody.
  std::optional<std::uint32_t> peer(const Tag& node, const char* name) const {
    if (value(node, name).value_or(-1) == -1) return std::nullopt;
    return number(node, name, 0, gpus_ - 1);
  }

  MscclGpu parse_gpu(const Tag& node) {
    MscclGpu gpu;
    const char* const names[] = {"i_chunks", "o_chunks", "s_chunks"};
    for (int i = 0; i < 3; ++i) gpu.chunks[i] = number(node, names[i], 0, kMost / gpus_);
    for_each("tb", [&](const Tag& tb) {
      const std::uint32_t id = number(tb, "id", 0, kMostBlocks - 1);
      if (id != gpu.blocks.size()) {
        fail(tb, fmt::format("thread block {} is expected here", gpu.blocks.size()));
      }
      gpu.blocks.push_back(parse_block(tb, gpu));
    });
    for (const MscclBlock& block : gpu.blocks) check_order(block, gpu);
    return gpu;
  }

  MscclBlock parse_block(const Tag& node, const MscclGpu& gpu) {
    MscclBlock block;
    block.id = static_cast<std::uint32_t>(gpu.blocks.size());
    block.to = peer(node, "send");
    block.from = peer(node, "recv");
    block.channel = number(node, "chan", 0, kMostBlocks - 1);
    for_each("step", [&](const Tag& step) {
      block.steps.push_back(parse_step(step, block, gpu));
      in_.skip();
      passed_(step.offset);
    });
    block.steps.shrink_to_fit();
    return block;
  }

  MscclStep parse_step(const Tag& node, const MscclBlock& block, const MscclGpu& gpu) const {
    MscclStep step;
    step.offset = static_cast<std::uint32_t>(node.offset);
    set_type(node, step);
    if (step.sends && !block.to) fail(node, "it sends, and its thread block has no one to send to");
    if (step.receives && !block.from) {
      fail(node, "it receives, and its thread block has no one to receive from");
    }
    const bool idle = !step.receives && !step.reduces && !step.keeps && !step.sends;
    step.chunks = idle ? 0 : number(node, "cnt", 1, kMost);
    if (!idle) {
      step.from = place(node, "srcbuf", "srcoff");
      step.to = place(node, "dstbuf", "dstoff");
      if (step.keeps) require_inside(node, step.to, step.chunks, gpu);
      if (!step.receives || step.reduces) require_inside(node, step.from, step.chunks, gpu);
    }
    if (value(node, "depid").value_or(-1) >= 0) {
      step.after = {number(node, "depid", 0, kMostBlocks - 1), number(node, "deps", 0, kMost)};
    }
    return step;
  }

  void set_type(const Tag& node, MscclStep& step) const {
    struct Type {
      std::string_view name;
      bool receives, reduces, keeps, sends;
    };
    static constexpr Type kTypes[] = {
        {"s", false, false, false, true},   {"r", true, false, true, false},
        {"rcs", true, false, true, true},   {"rrs", true, true, false, true},
        {"rrc", true, true, true, false},   {"rrcs", true, true, true, true},
        {"cpy", false, false, true, false}, {"re", false, true, true, false},
        {"nop", false, false, false, false}};
    const std::string_view name = node.attribute("type");
    for (const Type& type : kTypes) {
      if (type.name != name) continue;
      step.receives = type.receives;
      step.reduces = type.reduces;
      step.keeps = type.keeps;
      step.sends = type.sends;
      return;
    }
    fail(node, fmt::format("type=\"{}\" of a step: accepted are s, r, rcs, rrs, rrc, rrcs, cpy, re "
                           "and nop",
                           name));
  }

  MscclPlace place(const Tag& node, const char* buffer, const char* offset) const {
    const std::string_view name = node.attribute(buffer);
    const std::size_t at = std::string_view("ios").find(name);
    if (name.size() != 1 || at == std::string_view::npos) {
      fail(node, fmt::format("{}=\"{}\" of a step: accepted are i, o and s", buffer, name));
    }
    // Where nothing is read or written the offset says nothing and may be -1.
    const std::int64_t chunk = value(node, offset).value_or(0);
    if (chunk < -1 || chunk > kMost) fail(node, fmt::format("{} is no chunk", offset));
    return {static_cast<MscclBuffer>(at),
            static_cast<std::uint32_t>(std::max<std::int64_t>(chunk, 0))};
  }
  void require_inside(const Tag& node, const MscclPlace& at, std::uint32_t chunks,
                      const MscclGpu& gpu) const {
    const std::uint32_t there = gpu.chunks[static_cast<std::size_t>(at.buffer)];
    if (at.offset + std::uint64_t{chunks} <= there) return;
    fail(node, fmt::format("chunks {} to {} of a buffer that has {}", at.offset,
                           at.offset + chunks - 1, there));
  }
  void check_order(const MscclBlock& block, const MscclGpu& gpu) const {
    for (const MscclStep& step : block.steps) {
      if (!step.after) continue;
      const auto [other, number] = *step.after;
      if (other < gpu.blocks.size() && number < gpu.blocks[other].steps.size()) continue;
      fail(step.offset,
           fmt::format("a step waits for step {} of thread block {}, which is not there", number,
                       other));
    }
  }

  XmlScanner in_;
  const MscclPassed& passed_;
  std::uint32_t gpus_ = 0;
};

}  // namespace

bool begins_like_msccl(std::string_view beginning) {
  const std::size_t at = beginning.find("<algo ");
  return at != std::string_view::npos && at < 512 &&
         beginning.find_first_not_of(" \t\r\n") == beginning.find('<');
}

MscclAlgorithm parse_msccl(std::string_view text, const std::string& file,
                           const MscclPassed& passed) {
  return MscclParser(text, file, passed).parse();
}

}  // namespace heddle::traces
