// One link alone, and all the flows that cross it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/containers/min_heap.hpp"

namespace heddle::network {

/// A flow that crosses a link. Times are picoseconds, sizes bytes on the wire.
struct LinkPassage {
  double begin = 0;  ///< When the first byte is there, and, after the simulation, has passed.
  double end = 0;    ///< The same of the last byte.
  double bytes = 0;
  std::uint32_t flow = 0;   ///< Orders those that begin at the same time.
  std::uint32_t input = 0;  ///< Where it comes from; inputs are numbered from 0.
};

/// Serves whole flows one after another, in the order in which their first bytes come.
class OrderedLink {
 public:
  /// `rate` in bytes per picosecond. Passages are to be in the order of (begin, flow).
  static void serve(double rate, std::vector<LinkPassage>& passages);
};

/// Serves its inputs in turn, by packets too small to tell from a fluid: those that have something
/// waiting share what the others leave of the link, and each input passes on its bytes in the order
/// in which they came. Between its begin and end a flow's bytes come at a steady rate. To be used
/// again and again: it keeps its memory.
class SharedLink {
 public:
  /// As OrderedLink::serve(); inputs are below `inputs`.
  void serve(double rate, std::uint32_t inputs, std::vector<LinkPassage>& passages);

 private:
  /// The byte of an input that a flow begins or ends with.
  struct Mark {
    double byte;
    std::uint32_t passage;
    bool is_end;
  };
  struct Input {
    double coming = 0;        ///< Bytes per picosecond.
    double served = 0;        ///< Bytes per picosecond.
    double arrived = 0;       ///< Bytes so far ...
    double passed = 0;        ///< ... and those of them that the link has carried.
    std::uint32_t flows = 0;  ///< That are coming.
    std::vector<Mark> marks = {};
    std::size_t first_mark = 0;
    bool active = false;
    double waiting() const { return arrived - passed; }
  };
  /// The end of a flow's coming.
  struct Ending {
    double time;
    std::uint32_t passage;
    bool operator<(const Ending& other) const {
      return time != other.time ? time < other.time : passage < other.passage;
    }
  };

  void begin(std::uint32_t passage);
  void end(std::uint32_t passage);
  void mark(Input& input, std::uint32_t passage, bool is_end);
  void reach(const Mark& mark, double time);
  double next_empty() const;
  void advance(double time);
  void pass_marks(Input& input, double until);
  void retire();
  void share();

  double rate_ = 0;
  double now_ = 0;
  std::vector<LinkPassage>* passages_ = nullptr;
  std::vector<LinkPassage> done_;
  std::vector<double> rates_;  ///< Of the flows that come, by passage.
  std::vector<Input> inputs_;
  std::vector<std::uint32_t> active_;
  MinHeap<Ending> endings_;
};

}  // namespace heddle::network
