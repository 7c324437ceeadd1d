// What the parts of a fabric cost and draw, and how far apart racks stand: a user's table.
//
//     name: ours
//     currency: EUR
//     floor: {switches_per_rack: 16, rack_width: 60cm, rack_depth: 2m, inside: 1m, between: 2m}
//     switches:                             # the smallest with enough ports is taken
//       - {name: small, ports: 36, price: 9000, power: 150W}
//       - {name: large, ports: 64, price: 20000, power: 450W}
//     optics:
//       - {name: DR4, price: 400, power: 10W}    # at each end of a cable
//     cables:                               # the shortest that is long enough is taken
//       - {name: copper, up_to: 3m, price: 40, price_per_metre: 15}
//       - {name: fibre, price: 10, price_per_metre: 1, optics: DR4}
//     adapters: {price: 900, power: 20W}
//
// Switches may have price_per_port and power_per_port (for every port in use), cables
// price_per_gbps and price_per_gbps_metre (by their bandwidth in each direction) and power.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace heddle::platform {

/// Money is in the currency of the table, power in watts, lengths in metres.
struct Prices {
  struct Switch {
    std::string name;
    double ports = 0;  ///< It has so many.
    double price = 0;
    double price_per_port = 0;
    double power = 0;
    double power_per_port = 0;
  };
  struct Optics {
    std::string name;
    double price = 0;
    double power = 0;
  };
  struct Cable {
    std::string name;
    std::optional<double> up_to;  ///< No longer than this; nothing: of any length.
    double price = 0;
    double price_per_metre = 0;
    double price_per_gbps = 0;
    double price_per_gbps_metre = 0;
    double power = 0;
    std::string optics;  ///< Name of what is at both ends, or "".
  };
  struct Adapter {
    double price = 0;
    double power = 0;
  };
  /// Racks in rows. Switches stand in the order of their numbers, nodes beside their first switch.
  struct Floor {
    double switches_per_rack = 1;
    std::optional<double> racks_per_row;  ///< As many as make a square, if not given.
    double rack_width = 1;                ///< From rack to rack of a row.
    double rack_depth = 1;                ///< From row to row.
    double inside = 1;                    ///< The length of a cable within a rack.
    double between = 2;  ///< What a cable between racks needs besides the way along the rows.
  };

  std::string name;
  std::string about;
  std::string file;  ///< Where it was read, for errors.
  std::string currency;
  Floor floor;
  std::vector<Switch> switches;  ///< By ports, fewest first.
  std::vector<Optics> optics;
  std::vector<Cable> cables;  ///< By length, shortest first.
  Adapter adapter;
};

/// Reads the published prices of that name, or the file there. Throws InputError.
Prices read_prices(const std::string& name_or_path);
/// The same from a text.
Prices read_prices_text(const std::string& text, const std::string& file);

/// Prices that come with the program: those of publications, and none of any shop.
struct PublishedPrices {
  std::string_view name;
  std::string_view text;
};
const std::vector<PublishedPrices>& published_prices();

}  // namespace heddle::platform
