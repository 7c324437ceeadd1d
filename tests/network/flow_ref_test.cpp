// SimGrid 3.32's finish times of 765 flows (tests/data/flow_ref.json), reproduced.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "network/flow_scenario.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

using nlohmann::json;

const json& reference() {
  static const json data = [] {
    std::ifstream file(HEDDLE_TEST_DATA "/flow_ref.json");
    return json::parse(file);
  }();
  return data;
}

std::int64_t whole(double value) {
  return std::llround(value);
}

std::uint32_t position(const json& list, const std::string& name) {
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if ((list[i].is_string() ? list[i] : list[i]["id"]) == name) return i;
  }
  throw std::runtime_error("no '" + name + "' in the reference data");
}

void read_routes(const json& data, FlowScenario& scenario) {
  for (const json& route : data["routes"]) {
    auto& links =
        scenario
            .routes[{position(data["hosts"], route["src"]), position(data["hosts"], route["dst"])}];
    for (const json& link : route["links"]) links.push_back(position(data["links"], link));
  }
}

FlowScenario read_scenario(const json& data) {
  FlowScenario scenario;
  scenario.hosts = static_cast<std::uint32_t>(data["hosts"].size());
  for (const json& link : data["links"]) {
    scenario.links.push_back(
        {whole(link["bw"]), whole(1e12 * link["lat"].get<double>()), link["sharing"] == "shared"});
  }
  read_routes(data, scenario);
  for (const json& flow : data["flows"]) {
    scenario.flows.push_back({position(data["hosts"], flow["src"]),
                              position(data["hosts"], flow["dst"]),
                              whole(1e12 * flow["start"].get<double>()), whole(flow["bytes"]),
                              flow["rate"].is_null() ? 0 : whole(flow["rate"])});
  }
  return scenario;
}

/// The options that a scenario adds to SimGrid's plain CM02.
FluidConfig read_config(const json& data) {
  FluidConfig config = simgrid_fluid();
  for (const std::string option : data["cfg_extra"]) {
    const std::string name = option.substr(0, option.rfind(':'));
    const double value = std::stod(option.substr(option.rfind(':') + 1));
    if (name == "--cfg=network/weight-S") {
      config.weight_s = Bytes(whole(value));
    } else if (name == "--cfg=network/TCP-gamma") {
      config.tcp_gamma = Bytes(whole(value));
    } else if (name == "--cfg=network/crosstraffic") {
      config.cross_traffic = 0.05 * value;
    } else {
      throw std::runtime_error("unknown option " + option);
    }
  }
  return config;
}

class FlowReference : public testing::TestWithParam<std::size_t> {
 protected:
  const json& data() const { return reference()["scenarios"][GetParam()]; }
};

double worst_deviation(const FlowRun& run, const json& data) {
  double worst = 0;
  for (std::size_t i = 0; i < data["flows"].size(); ++i) {
    worst = std::max(worst, deviation(run.finish()[i], data["flows"][i]["finish_simgrid"]));
  }
  return worst;
}

double worst_ratio(const FlowRun& run, const json& data) {
  double worst = 0;
  for (std::size_t i = 0; i < data["flows"].size(); ++i) {
    const double expected = data["flows"][i]["finish_simgrid"];
    worst = std::max(worst, std::abs(run.finish()[i].seconds() / expected - 1));
  }
  return worst;
}

// Every flow ends when SimGrid says, to 1e-9 of the time or 10 ps. What plain max-min gives instead
// is printed beside it: the same wherever all routes are equally long.
TEST_P(FlowReference, EveryFlowEndsWhenSimGridSays) {
  const FlowScenario scenario = read_scenario(data());
  const FlowRun run(scenario, read_config(data()));
  const double worst = worst_deviation(run, data());
  const FlowRun plain(scenario, FluidNetwork::table().defaults());
  validation_row("Fluid network against SimGrid 3.32, recorded scenarios",
                 fmt::format("{}: {} flows; plain max-min would be {:.2g} % off",
                             data()["name"].get<std::string>(), scenario.flows.size(),
                             100 * worst_ratio(plain, data())),
                 fmt::format("{:.9g} s", run.simulation().now().seconds()),
                 fmt::format("{:.9g} s", data()["makespan"].get<double>()),
                 fmt::format("{:.3f} of the tolerance", worst), "1e-9 or 10 ps");
  EXPECT_LE(worst, 1);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, FlowReference,
                         testing::Range<std::size_t>(0, reference()["scenarios"].size()));

}  // namespace
}  // namespace heddle::network
