// What can be proved of a collective whose messages do not say which data they carry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "goal/custom/collective_algorithm.hpp"
#include "goal/schedule.hpp"

namespace heddle::goal {

/// Throws InputError, with the name of the file, for a schedule that cannot be the collective,
/// whatever its messages carry:
///
/// - a send without receive or a receive without send, a message larger than its receive, a receive
///   from any source, or operations that wait for each other in a circle;
/// - a GPU whose end cannot depend on what another one had at first, as no chain of messages and
///   dependencies leads from there to here: all of these collectives need every GPU's data on
///   every other;
/// - where `bytes`, the size of the whole buffer, are known: a GPU that sends less than others need
///   of its data, or receives less than it needs of theirs.
///
/// It is no proof that each chunk is where it belongs: only a file that says which chunks a message
/// carries can be proved to that.
void prove_flow(const Schedule& schedule, CollectiveKind kind, std::optional<std::uint64_t> bytes,
                const std::string& file);

/// The least that a GPU has to send and receive, whatever the algorithm: data of one byte cannot
/// tell of two.
struct LeastTraffic {
  std::uint64_t sent;
  std::uint64_t received;
};
LeastTraffic least_traffic(CollectiveKind kind, std::uint32_t gpus, std::uint64_t bytes);

}  // namespace heddle::goal
