#include "network/fluid/fluid_params.hpp"

namespace heddle::network {
namespace {

/// SimGrid's flow models with its defaults. LV08's factors and weights are those of a TCP that was
/// measured (Velho and Legrand, 2009).
FluidParams preset_params(FluidPreset preset) {
  if (preset == FluidPreset::none) return {};
  FluidParams params{
      Weighting::simgrid,       Bytes(0),       Bytes(4 << 20), 0.05, 1, 1, SizeFactors::none,
      Occupancy::after_latency, StartCap::route};
  if (preset == FluidPreset::simgrid_lv08) {
    params.weight_s = Bytes(20537);
    params.latency_factor = 13.01;
    params.bandwidth_factor = 0.97;
  } else if (preset == FluidPreset::smpi) {
    params.weight_s = Bytes(8775);
    params.size_factors = SizeFactors::smpi;
  }
  return params;
}

template <class E>
E set_or(E value, E otherwise) {
  return value == E::automatic ? otherwise : value;
}

/// SMPI's factors of messages that are longer than so many bytes; shorter ones have the factor 1.
struct FactorsAbove {
  std::int64_t bytes;
  double latency;
  double bandwidth;
};
constexpr FactorsAbove kSmpiFactors[] = {
    {65472, 11.6436, 0.940694}, {15424, 3.48845, 0.697866}, {9376, 2.59299, 0.58729},
    {5776, 2.18796, 1.08739},   {3484, 1.88101, 0.77493},   {1426, 1.61075, 0.608902},
    {732, 1.9503, 0.341987},    {257, 1.95341, 0.338112},   {0, 2.01467, 0.812084}};

FactorsAbove factors_of(SizeFactors kind, Bytes size) {
  if (kind == SizeFactors::smpi) {
    for (const FactorsAbove& factors : kSmpiFactors) {
      if (size.count() > factors.bytes) return factors;
    }
  }
  return {0, 1, 1};
}

}  // namespace

double FluidParams::latency_factor_of(Bytes size) const {
  return latency_factor * factors_of(size_factors, size).latency;
}

double FluidParams::service_of(Bytes size) const {
  return static_cast<double>(size.count()) / factors_of(size_factors, size).bandwidth;
}

FluidParams params_of(const FluidConfig& config) {
  const FluidParams preset = preset_params(config.preset);
  return {set_or(config.weighting, preset.weighting),
          config.weight_s.value_or(preset.weight_s),
          config.tcp_gamma.value_or(preset.tcp_gamma),
          config.cross_traffic.value_or(preset.cross_traffic),
          config.latency_factor.value_or(preset.latency_factor),
          config.bandwidth_factor.value_or(preset.bandwidth_factor),
          set_or(config.size_factors, preset.size_factors),
          set_or(config.occupancy, preset.occupancy),
          set_or(config.start_cap, preset.start_cap),
          config.order};
}

const ParamTable<FluidConfig>& FluidConfig::table() {
  static const auto table = [] {
    ParamTable<FluidConfig> t("fluid",
                              "network model 'fluid': max-min fair sharing of every link; "
                              "weighting=simgrid with occupancy=after-latency is SimGrid's CM02");
    t.add_choice(
        "preset", &FluidConfig::preset, "none",
        {{"none", FluidPreset::none},
         {"simgrid-cm02", FluidPreset::simgrid_cm02},
         {"simgrid-lv08", FluidPreset::simgrid_lv08},
         {"smpi", FluidPreset::smpi}},
        "what the other parameters are where they are auto: as in SimGrid's flow models CM02 "
        "or LV08 (its default) or in SMPI, or none: all alike, no factors");
    t.add_choice("weighting", &FluidConfig::weighting, "auto",
                 {{"auto", Weighting::automatic},
                  {"none", Weighting::none},
                  {"simgrid", Weighting::simgrid}},
                 "whether messages share alike, or in inverse proportion to route latency plus "
                 "weight_s over each link's bandwidth");
    t.add("weight_s", &FluidConfig::weight_s, "auto", {"", "1000TiB"},
          "bytes that a link's bandwidth counts for in the simgrid weighting");
    t.add("tcp_gamma", &FluidConfig::tcp_gamma, "auto", {"", "1000TiB"},
          "window that bounds a message's rate to window/(2*latency); 0: no window");
    t.add("cross_traffic", &FluidConfig::cross_traffic, "auto", {"0", "1"},
          "part of a message's rate that loads the way back (acknowledgements)");
    t.add("latency_factor", &FluidConfig::latency_factor, "auto", {"0", "1000000"},
          "times the route's latency a message is delayed");
    t.add("bandwidth_factor", &FluidConfig::bandwidth_factor, "auto", {"0.000001", "1000000"},
          "payload per byte of bandwidth used");
    t.add_choice("size_factors", &FluidConfig::size_factors, "auto",
                 {{"auto", SizeFactors::automatic},
                  {"none", SizeFactors::none},
                  {"smpi", SizeFactors::smpi}},
                 "factors of latency and bandwidth by the size of the message besides: none, or "
                 "those that SMPI measured");
    t.add_choice(
        "occupancy", &FluidConfig::occupancy, "auto",
        {{"auto", Occupancy::automatic},
         {"send", Occupancy::send},
         {"after-latency", Occupancy::after_latency}},
        "whether a message uses bandwidth as it is sent, one latency before it arrives, or "
        "only once its latency has passed");
    t.add_choice(
        "start_cap", &FluidConfig::start_cap, "auto",
        {{"auto", StartCap::automatic}, {"none", StartCap::none}, {"route", StartCap::route}},
        "where bandwidths change: whether a message never gets more than the least "
        "bandwidth of its route when it began (route), as in SimGrid 3.32");
    t.add_choice("order", &FluidConfig::order, "shared",
                 {{"shared", FluidOrder::shared}, {"by-pair", FluidOrder::by_pair}},
                 "whether messages under way from one node to another share bandwidth like any "
                 "others, or follow each other as in a stream (by-pair)");
    t.add("tolerance", &FluidConfig::tolerance, "0", {"0", "0.1"},
          "part of its bandwidth by which a link may be taken for another when rates are shared: "
          "0 is exact, 0.001 several times cheaper where thousands of messages share links");
    return t;
  }();
  return table;
}

}  // namespace heddle::network
