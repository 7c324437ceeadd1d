#include "network/fluid/fluid_network.hpp"
#include "network/models.hpp"

namespace heddle::network {

const ModelDescription& fluid_model() {
  static const ModelDescription model = {
      {"fluid", "max-min fair sharing of every link's bandwidth", make_model<FluidNetwork>},
      3,
      {&FluidNetwork::table()},
      [](const platform::Platform&) {
        return std::string("factors, window and acknowledgements");
      }};
  return model;
}

}  // namespace heddle::network
