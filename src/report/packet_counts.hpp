// What became of packets on their way.
#pragma once

#include <string>

#include "network/network.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// "12 arrived; 3 marked, 2 dropped, ..."; nothing where there is no more to say than that they
/// arrived.
std::string packets_words(const network::PacketCounts& packets);
Json packets_json(const network::PacketCounts& packets);

}  // namespace heddle::report
