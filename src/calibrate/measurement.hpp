// What benchmarks measured on a real machine, whatever program printed it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coll/rules/operation.hpp"
#include "core/error.hpp"

namespace heddle::calibrate {

/// What ranks do again and again while the clock runs.
enum class Loop : std::uint8_t {
  ping_pong,       ///< Send and receive to and fro: half of it.
  stream,          ///< A window of sends, and one answer.
  both_streams,    ///< The same both ways at a time; rates are of both together.
  ping_ping,       ///< Both send, then receive.
  sendrecv,        ///< Each to the next of a ring, and from the one before.
  exchange,        ///< The same to both neighbours.
  put,             ///< A put and its completion at the target.
  get,             ///< A get and its completion.
  put_stream,      ///< A window of puts and their completion.
  get_stream,      ///< The same of gets.
  accumulate,      ///< Data combined at the target, and its completion.
  get_accumulate,  ///< The same, and what was there before.
  fetch_and_op,    ///< The same of one element.
  compare_and_swap,
  collective,      ///< One operation of all ranks, behind a barrier.
  collectives,     ///< Operations in a row, without barriers between them.
  send_call,       ///< The processor's part of a blocking send, by itself.
  isend_call,      ///< The same of a non-blocking one.
  receive_call,    ///< The same of a receive whose message is there.
  reduction,       ///< Combining two vectors where they are.
  copy,            ///< Copying one.
  wire_ping_pong,  ///< Of adapters without MPI.
  wire_stream,     ///< The same.
  other,           ///< Nothing that the simulator is held against.
};

/// A value at a size.
struct Point {
  std::int64_t bytes = 0;
  double value = 0;        ///< Microseconds, or MB/s of 10^6 bytes.
  std::uint32_t line = 0;  ///< Of the file.
  double spread = 0;       ///< Mean of what repetitions took longer than the least, if it is known.
};

/// One table of a benchmark.
struct Measurement {
  std::string program;  ///< "osu_latency".
  std::string title;    ///< As the file has it.
  std::string file;
  std::uint32_t line = 0;  ///< Of the title.
  Loop loop = Loop::other;
  coll::Collective collective = coll::Collective::barrier;  ///< Of those loops.
  bool nonblocking = false;            ///< Collectives: started, and waited for.
  bool rate = false;                   ///< MB/s instead of microseconds.
  std::uint32_t ranks = 0;             ///< 0: the file does not say.
  std::uint32_t pairs = 0;             ///< 0: the file does not say.
  std::uint32_t window = 64;           ///< Messages in flight of streams.
  std::int64_t answer = 4;             ///< Bytes of what ends a window.
  std::optional<std::uint32_t> nodes;  ///< Where the file says.
  bool inside = false;                 ///< Between ranks of one node.
  bool device = false;                 ///< Buffers of an accelerator.
  bool fitted = false;                 ///< A collective that is not predicted.
  std::vector<Point> points;           ///< By size, each once.

  /// "latency.txt:3".
  std::string place(const Point& point) const { return SourceLocation{file, point.line}.str(); }
};

/// A parameter that a file has word for word.
struct GivenValue {
  std::string parameter;  ///< "mpi.send_overhead".
  std::string value;
  SourceLocation where;
};

/// All that files say.
struct Readings {
  std::vector<Measurement> measurements;
  std::vector<GivenValue> given;
  std::vector<std::string> notes;  ///< What the user should know of how they were read.
};

}  // namespace heddle::calibrate
