// Messages written down one by one: the traffic file.
//
// One message per line: start, source, destination, bytes (at least one) and, if wanted, a rate cap
// and a class. Lines may come in any order: a message starts when it says.
//
//     # a comment, to the end of the line
//     start  source  destination  bytes  rate       class
//     0us    0       5            64KiB
//     1.5us  n3      n7           1MiB   10GB/s
//     1us    n3      n5           64     unlimited  1
//
// Fields stand apart by blanks, or by commas (a line with a comma is split at commas only). Nodes
// are given by number or by name. The header is optional; with one, columns may come in any order,
// `start` may carry its unit (start_ps, start_ns, start_us, start_ms, start_s: plain numbers
// follow), and the columns id, finish_ps and latency_us are skipped, so that the list of messages
// that a run writes can be read again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "core/time.hpp"
#include "platform/topology.hpp"

namespace heddle::traffic {

struct FileMessage {
  Time start;
  NodeId source;
  NodeId destination;
  Bytes size;
  Bandwidth rate_cap = Bandwidth::unlimited();
  std::uint8_t traffic_class = 0;
};

/// The messages in `text`, in the order of its lines. Throws InputError at the first mistake;
/// `file_name` is for the error only. `nodes` gives the nodes their numbers and names.
std::vector<FileMessage> read_traffic_text(std::string_view text, const std::string& file_name,
                                           const platform::Topology& nodes);
/// The messages in the file `path`, or in the standard input if it is "-"; throws InputError if it
/// cannot be read or has none.
std::vector<FileMessage> read_traffic_file(const std::string& path,
                                           const platform::Topology& nodes);

}  // namespace heddle::traffic
