#include "network/models.hpp"
#include "network/queue/queue_network.hpp"

namespace heddle::network {

const ModelDescription& queue_model() {
  static const ModelDescription model = {
      {"queue", "a first-in-first-out queue per link, cut-through, one event per hop",
       make_model<QueueNetwork>},
      2,
      {&QueueNetwork::table()},
      [](const platform::Platform&) { return std::string("whole messages stored at switches"); }};
  return model;
}

}  // namespace heddle::network
