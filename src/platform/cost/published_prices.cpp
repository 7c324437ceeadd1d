#include "platform/cost/prices.hpp"

namespace heddle::platform {

/// The constants are those of the model; how its authors lay cables is simplified to racks of
/// consecutive switches.
const std::vector<PublishedPrices>& published_prices() {
  static const std::vector<PublishedPrices> list = {{"slim-fly-2014", R"(name: slim-fly-2014
about: >-
  the cost and power model of M. Besta and T. Hoefler, Slim Fly: a cost effective low-diameter
  network topology, SC14 (40 Gb/s switches and cables of that year; adapters are not counted)
currency: USD
floor: {switches_per_rack: 38, rack_width: 1m, rack_depth: 1m, inside: 1m, between: 2m}
switches:
  - {name: switch, ports: 1000, price: -892.3, price_per_port: 350.4, power_per_port: 2.8W}
cables:
  - {name: electric, up_to: 1m, price_per_gbps: 0.5771, price_per_gbps_metre: 0.4079}
  - {name: optical, price_per_gbps: 2.7452, price_per_gbps_metre: 0.0919}
adapters: {price: 0, power: 0W}
)"}};
  return list;
}

}  // namespace heddle::platform
