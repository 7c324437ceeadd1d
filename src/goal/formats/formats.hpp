// Reading and writing schedules: GOAL text, LogGOPSim's binary GOAL, and Heddle's compact format.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "goal/formats/mapped_file.hpp"
#include "goal/schedule.hpp"

namespace heddle::goal {

enum class Format : std::uint8_t { text, binary, compact };

/// What a reader keeps, and what it refuses to exceed: a few bytes of a hostile file can stand for
/// any number of operations.
struct ReadLimits {
  std::uint64_t ops = std::uint64_t{1} << 34;
  RankShare share = {};  ///< Ranks of other shares stay empty.
  unsigned threads = 1;  ///< That share the work where that is possible.
};

/// What the bytes are, judged by how they begin.
Format recognise(std::string_view bytes);

/// Reads a schedule of any format from a file or pipe; "-" is the standard input. Throws InputError
/// with the place of the mistake.
Schedule read_schedule(const std::string& path, const ReadLimits& limits = {});
/// The same from memory; `name` stands for the file in errors.
Schedule parse_schedule(std::string_view bytes, const std::string& name,
                        const ReadLimits& limits = {}, const MappedFile* file = nullptr);

/// `file`, if given, is what the text comes from: it is told what was read.
Schedule parse_text(std::string_view text, const std::string& name, const ReadLimits& limits = {},
                    const MappedFile* file = nullptr);
Schedule parse_binary(std::string_view bytes, const std::string& name,
                      const ReadLimits& limits = {}, const MappedFile* file = nullptr);
Schedule parse_compact(std::string_view bytes, const std::string& name,
                       const ReadLimits& limits = {});

/// Text as Schedgen writes it; operations without a label get l1, l2, ...
void write_text(const Schedule& schedule, std::ostream& out);
/// Byte for byte what LogGOPSim's txt2bin makes of the same schedule.
void write_binary(const Schedule& schedule, std::ostream& out);
/// Small where ranks do alike: equal ranks (peers seen from the rank) are stored once.
void write_compact(const Schedule& schedule, std::ostream& out);
void write_schedule(const Schedule& schedule, Format format, std::ostream& out);

}  // namespace heddle::goal
