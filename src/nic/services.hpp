// What the engines of an adapter work with.
#pragma once

namespace heddle::nic {

class Bus;
class Clock;
class EventWriter;
class Exchanges;
class Software;
class Wire;

/// The same for all adapters of a machine, and as long-lived: one line of the cache that is always
/// at hand, where an engine has room for one reference.
struct Services {
  Clock& clock;
  Exchanges& exchanges;
  Software& software;
  Wire& wire;
  Bus& bus;
  EventWriter& events;
};

}  // namespace heddle::nic
