#include "traces/readers/msccl_algorithm.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>
#include <pugixml.hpp>

#include "core/error.hpp"
#include "traces/readers/fields.hpp"

namespace heddle::traces {
namespace {

/// Takes an XML file apart; what is wrong is told with its place.
class MscclParser {
 public:
  MscclParser(std::string_view text, const std::string& file) : file_(file) {
    const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size());
    if (!result) {
      fail(static_cast<std::size_t>(result.offset),
           std::string("this is not XML: ") + result.description());
    }
  }

  MscclAlgorithm parse() {
    const pugi::xml_node root = document_.child("algo");
    if (!root) fail(0, "an element <algo> is expected");
    MscclAlgorithm algorithm;
    algorithm.name = root.attribute("name").value();
    algorithm.collective = root.attribute("coll").value();
    algorithm.protocol = root.attribute("proto").value();
    algorithm.in_place = root.attribute("inplace").as_int() != 0;
    algorithm.chunks_per_loop = number(root, "nchunksperloop", 1, kMost);
    gpus_ = number(root, "ngpus", 1, kMostGpus);
    algorithm.gpus.resize(gpus_);
    std::vector<bool> seen(gpus_);
    for (const pugi::xml_node gpu : root.children("gpu")) {
      const std::uint32_t id = number(gpu, "id", 0, gpus_ - 1);
      if (seen[id]) fail(gpu, fmt::format("GPU {} is there twice", id));
      seen[id] = true;
      algorithm.gpus[id] = parse_gpu(gpu);
    }
    const auto missing = std::find(seen.begin(), seen.end(), false);
    if (missing != seen.end()) {
      fail(root, fmt::format("GPU {} of {} is missing", missing - seen.begin(), gpus_));
    }
    return algorithm;
  }

 private:
  static constexpr std::uint32_t kMost = 1 << 20;
  static constexpr std::uint32_t kMostGpus = 1 << 16;
  static constexpr std::uint32_t kMostBlocks = 256;

  [[noreturn]] void fail(std::size_t offset, const std::string& problem) const {
    throw InputError({file_}, fmt::format("at byte {}: {}", offset, problem));
  }
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& problem) const {
    fail(static_cast<std::size_t>(node.offset_debug()), problem);
  }

  std::optional<std::int64_t> value(const pugi::xml_node& node, const char* name) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return std::nullopt;
    const auto read = whole_number<std::int64_t>(attribute.value());
    if (!read) {
      fail(node, fmt::format("{}=\"{}\" of <{}> is not a whole number", name, attribute.value(),
                             node.name()));
    }
    return read;
  }
  std::uint32_t number(const pugi::xml_node& node, const char* name, std::uint32_t least,
                       std::uint32_t most) const {
    const auto read = value(node, name);
    if (!read) fail(node, fmt::format("<{}> has no {}", node.name(), name));
    if (*read < least || *read > most) {
      fail(node, fmt::format("{}=\"{}\" of <{}>: accepted are {} to {}", name, *read, node.name(),
                             least, most));
    }
    return static_cast<std::uint32_t>(*read);
  }
  /// -1 for nobody.
  std::optional<std::uint32_t> peer(const pugi::xml_node& node, const char* name) const {
    if (value(node, name).value_or(-1) == -1) return std::nullopt;
    return number(node, name, 0, gpus_ - 1);
  }

  MscclGpu parse_gpu(const pugi::xml_node& node) const {
    MscclGpu gpu;
    const char* const names[] = {"i_chunks", "o_chunks", "s_chunks"};
    for (int i = 0; i < 3; ++i) gpu.chunks[i] = number(node, names[i], 0, kMost / gpus_);
    for (const pugi::xml_node tb : node.children("tb")) {
      const std::uint32_t id = number(tb, "id", 0, kMostBlocks - 1);
      if (id != gpu.blocks.size()) {
        fail(tb, fmt::format("thread block {} is expected here", gpu.blocks.size()));
      }
      gpu.blocks.push_back(parse_block(tb, gpu));
    }
    for (const MscclBlock& block : gpu.blocks) check_order(block, gpu, node);
    return gpu;
  }

  MscclBlock parse_block(const pugi::xml_node& node, const MscclGpu& gpu) const {
    MscclBlock block;
    block.id = static_cast<std::uint32_t>(gpu.blocks.size());
    block.to = peer(node, "send");
    block.from = peer(node, "recv");
    block.channel = number(node, "chan", 0, kMostBlocks - 1);
    for (const pugi::xml_node step : node.children("step")) {
      block.steps.push_back(parse_step(step, block, gpu));
    }
    return block;
  }

  MscclStep parse_step(const pugi::xml_node& node, const MscclBlock& block,
                       const MscclGpu& gpu) const {
    MscclStep step;
    step.offset = static_cast<std::uint32_t>(node.offset_debug());
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

  void set_type(const pugi::xml_node& node, MscclStep& step) const {
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
    const std::string_view name = node.attribute("type").value();
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

  MscclPlace place(const pugi::xml_node& node, const char* buffer, const char* offset) const {
    const std::string_view name = node.attribute(buffer).value();
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
  void require_inside(const pugi::xml_node& node, const MscclPlace& at, std::uint32_t chunks,
                      const MscclGpu& gpu) const {
    const std::uint32_t there = gpu.chunks[static_cast<std::size_t>(at.buffer)];
    if (at.offset + std::uint64_t{chunks} <= there) return;
    fail(node, fmt::format("chunks {} to {} of a buffer that has {}", at.offset,
                           at.offset + chunks - 1, there));
  }
  void check_order(const MscclBlock& block, const MscclGpu& gpu, const pugi::xml_node& node) const {
    for (const MscclStep& step : block.steps) {
      if (!step.after) continue;
      const auto [other, number] = *step.after;
      if (other < gpu.blocks.size() && number < gpu.blocks[other].steps.size()) continue;
      fail(node, fmt::format("a step waits for step {} of thread block {}, which is not there",
                             number, other));
    }
  }

  const std::string& file_;
  pugi::xml_document document_;
  std::uint32_t gpus_ = 0;
};

}  // namespace

MscclAlgorithm parse_msccl(std::string_view text, const std::string& file) {
  return MscclParser(text, file).parse();
}

}  // namespace heddle::traces
