// The way of one message through a machine, link by link, and the time it takes.
#pragma once

#include <string>
#include <vector>

#include "core/params.hpp"
#include "platform/platform.hpp"

namespace heddle::run {

/// The links from one endpoint to another on an idle machine, as Routes::next() gives them.
struct Route {
  platform::Endpoint source;
  platform::Endpoint destination;
  std::vector<LinkId> links;
  std::vector<Time> latencies;  ///< Of each, in the direction in which it is crossed.
  Time latency;                 ///< Of all links.
  Bandwidth bandwidth;          ///< What one message gets of the narrowest.
};

/// The route of the first message of a run with these settings, whose seed random routes follow
/// from.
Route find_route(const platform::Platform& platform, platform::Endpoint source,
                 platform::Endpoint destination, const Settings& settings);

/// A message alone on its route, from its request to its receiver's knowing, and what its time is
/// made of: the parts add up to the total.
struct IdleMessage {
  std::string network;  ///< The model that timed it.
  Bytes size;
  Time send_overhead;     ///< Of the adapter.
  Time latency;           ///< Of the links.
  Time serialisation;     ///< The bytes at the narrowest link.
  Time receive_overhead;  ///< Of the adapter.
  Time model;             ///< What the model adds to these, or, negative, takes off.
  Time total;             ///< As simulated.
};

/// Sends one message of `size` along `route` through the network that `settings` choose, with
/// nothing else under way. Throws RunError if it never arrives, InputError if its size asks for
/// more than can be simulated.
IdleMessage send_alone(const platform::Platform& platform, const Route& route, Bytes size,
                       const Settings& settings);

/// What a network model's own part of the time of a message on `platform` stands for: "headers,
/// crossbar and sink".
std::string model_part(const std::string& network, const platform::Platform& platform);

}  // namespace heddle::run
