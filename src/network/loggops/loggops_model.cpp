#include "network/loggops/loggops_network.hpp"
#include "network/models.hpp"

namespace heddle::network {

const ModelDescription& loggops_model() {
  static const ModelDescription model = {
      {"loggops", "no topology: latency, gap and overhead of the ends only",
       make_model<LogGopsNetwork>},
      1,
      {&LogGopsNetwork::table()},
      [](const platform::Platform&) {
        return std::string("L, o, G and O in place of latency and bandwidth");
      },
      nullptr,
      false};
  return model;
}

}  // namespace heddle::network
