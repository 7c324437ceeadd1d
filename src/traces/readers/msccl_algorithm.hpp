// An algorithm of MSCCL: what the thread blocks of every GPU do, and whether that is what its name
// says.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traces {

enum class MscclBuffer : std::uint8_t { input, output, scratch };

/// Chunks of a buffer.
struct MscclPlace {
  MscclBuffer buffer = MscclBuffer::input;
  std::uint32_t offset = 0;
};

/// What a step does, of: receive, reduce what came with data that is there, keep it, send it.
struct MscclStep {
  bool receives = false;
  bool reduces = false;
  bool keeps = false;
  bool sends = false;
  MscclPlace from;
  MscclPlace to;
  std::uint32_t chunks = 0;
  /// The thread block and step that must have been done before.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> after;
  std::uint32_t offset = 0;  ///< In the file, in bytes.
};

struct MscclBlock {
  std::uint32_t id = 0;
  std::optional<std::uint32_t> to;
  std::optional<std::uint32_t> from;
  std::uint32_t channel = 0;
  std::vector<MscclStep> steps;
};

struct MscclGpu {
  std::uint32_t chunks[3] = {0, 0, 0};  ///< By buffer.
  std::vector<MscclBlock> blocks;       ///< By id.
};

struct MscclAlgorithm {
  std::string name;
  std::string collective;
  std::string protocol;
  std::uint32_t chunks_per_loop = 1;
  bool in_place = false;
  std::vector<MscclGpu> gpus;
};

/// Whether a file begins like one.
bool begins_like_msccl(std::string_view beginning);

/// Called with bytes that are not needed any longer: those before an offset.
using MscclPassed = std::function<void(std::size_t offset)>;

/// Throws InputError with the line and the byte where it is wrong.
MscclAlgorithm parse_msccl(
    std::string_view text, const std::string& file, const MscclPassed& passed = [](std::size_t) {});

/// Follows every chunk through the steps, with whose data are in it. Throws InputError that names
/// the first chunk that is not what the collective promises, or who waits for whom forever.
void prove(const MscclAlgorithm& algorithm, const std::string& file);

}  // namespace heddle::traces
