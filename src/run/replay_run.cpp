#include "run/replay_run.hpp"

#include <algorithm>

#include "goal/check.hpp"
#include "network/loggops/loggops_network.hpp"
#include "platform/noise.hpp"
#include "platform/placement.hpp"
#include "replay/inner_switches.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "run/link_waits.hpp"

namespace heddle::run {
namespace {

/// If a stalled schedule could never have ended, that is a mistake of its file.
void blame_schedule(const goal::Schedule& schedule, Time unit) {
  constexpr std::size_t kMost = 5;
  const auto findings = goal::check(schedule, {kMost, goal::limits_for(unit)});
  if (findings.empty()) return;
  std::string text = "the schedule can never end (`heddle goal check` says more):";
  for (const goal::Finding& finding : findings) text += "\n  " + finding.text;
  throw InputError({schedule.source()}, text);
}

/// The replay while it is put together.
class ReplayRun {
 public:
  explicit ReplayRun(const ReplayRequest& request)
      : request_(request),
        settings_(request.machine.settings),
        noise_(settings_.get(platform::noise_table())),
        simulation_(static_cast<std::uint64_t>(noise_.seed)) {
    outcome_.network = settings_.get(network::network_choice_table()).model;
    outcome_.operations = request.schedule.ops();
    options_.parameters.replay = settings_.get(replay::replay_table());
    options_.noise = platform::Noise(noise_, request.schedule.ranks());
    options_.recorder = request.recorder;
    options_.idle = request.idle;
    options_.threads = request.threads;
    if (request.recorder != nullptr) request.recorder->at_least(request.schedule.ranks());
    if (request.progress) {
      options_.progress = [this](std::uint64_t done, std::uint64_t total) {
        if (background_ && done == total) background_->stop();
        request_.progress(static_cast<double>(done) / static_cast<double>(total),
                          done + simulation_.events_fired());
      };
    }
  }

  ReplayOutcome run() {
    try {
      if (outcome_.over_loggops()) {
        over_loggops();
      } else {
        over_network();
      }
    } catch (const replay::StallError&) {
      blame_schedule(request_.schedule, options_.parameters.replay.unit);
      throw;
    }
    return std::move(outcome_);
  }

 private:
  bool is_placed() const {
    return !request_.map.empty() || !request_.nodes.empty() || !request_.places.empty();
  }

  /// The node of every rank: rank r on node r / N or r modulo the nodes, or as the map and the
  /// choice of nodes say.
  std::vector<NodeId> places() const {
    if (!request_.places.empty()) return request_.places;
    const platform::Platform& platform = *request_.machine.platform;
    const replay::ReplayConfig& config = options_.parameters.replay;
    const std::uint32_t ranks = request_.schedule.ranks();
    if (request_.switches > 0) {
      if (is_placed()) {
        throw ParamError({"replay.switches"},
                         "ranks fill one node after another where switches inside nodes reduce: "
                         "accepted without a placement of their own");
      }
      return replay::place_with_switches(ranks, request_.switches, platform.nodes(), config);
    }
    if (!is_placed()) return replay::place_ranks(ranks, platform.nodes(), config);
    platform::PlacementRequest request{ranks, {}, request_.map, request_.nodes};
    if (config.ranks_per_node) {
      request.per_node = static_cast<std::uint32_t>(*config.ranks_per_node);
    }
    return platform::place_ranks(platform, request);
  }

  void over_loggops() {
    network::LogGopsConfig config = settings_.get(network::LogGopsNetwork::table());
    if (request_.machine.platform) {
      const platform::Platform& platform = *request_.machine.platform;
      const replay::ReplayConfig& replay = options_.parameters.replay;
      if (replay.measured_on || is_placed()) {
        options_.slowdown = replay::slowdown_of(platform, places(), replay);
      }
      config = network::LogGopsNetwork::on_platform(platform, config);
    }
    options_.parameters = replay::combine(config, options_.parameters.replay);
    outcome_.parameters = options_.parameters;
    if (request_.others == nullptr) {
      alone();
    } else {
      shared();
    }
  }

  void alone() {
    outcome_.result = replay::loggops_replay(request_.schedule, options_);
    finish_recording();
  }

  void shared() {
    replay::SharedResult shared =
        replay::shared_replay(request_.schedule, options_, *request_.others);
    outcome_.result = std::move(shared.result);
    outcome_.operations = shared.operations;
    outcome_.processes = request_.others->size();
  }

  void over_network() {
    const platform::Platform& platform = *request_.machine.platform;
    options_.parameters = replay::combine_for_network(
        settings_.get(network::LogGopsNetwork::table()), options_.parameters.replay);
    outcome_.parameters = options_.parameters;
    const auto network = network::make_network(simulation_, platform, settings_);
    replay::Carrier carrier{simulation_, *network, places()};
    carrier.memory = replay::bind_ranks(platform, carrier.nodes);
    if (request_.switches > 0) add_switches(carrier);
    outcome_.nodes = carrier.nodes;
    options_.slowdown = replay::slowdown_of(platform, carrier.nodes, options_.parameters.replay);
    if (options_.recorder != nullptr) {
      options_.recorder->watch_links(platform.links().ids(), [&] { return network->carried(); });
      options_.recorder->watch_waits(waits_of(*network));
    }
    if (request_.background) begin_background(*network);
    outcome_.result = replay::network_replay(request_.schedule, options_, carrier);
    if (background_) outcome_.background = background_->result();
    background_.reset();
    finish_recording();
    outcome_.busiest = network::busiest_links(
        platform, *network, {{}, network->carried(), carried_until()}, request_.top_links);
    outcome_.network_events = outcome_.result.network_events;
    outcome_.losses = network->losses();
    outcome_.packets = network->packets_arrived();
    outcome_.network_fingerprint = outcome_.result.network_fingerprint;
  }

  void add_switches(replay::Carrier& carrier) const {
    if (outcome_.network == "packet") {
      throw ParamError({"network.model"},
                       "packets are not added up by switches inside nodes: accepted for this "
                       "schedule are loggops, queue and fluid");
    }
    replay::check_switches(request_.schedule, request_.switches, *request_.machine.platform,
                           carrier.nodes);
    replay::bind_switches(request_.switches, carrier.nodes, carrier.memory);
  }

  /// A schedule that can never end would be waited for, as flows keep coming.
  void begin_background(network::Network& network) {
    blame_schedule(request_.schedule, options_.parameters.replay.unit);
    background_.emplace(simulation_, network, settings_.get(traffic::traffic_table()),
                        *request_.machine.platform, outcome_.network, settings_);
  }

  /// Flows in the background go on when the schedule is through.
  Time carried_until() const {
    const Time makespan = outcome_.result.makespan();
    return request_.background ? std::max(makespan, simulation_.now()) : makespan;
  }

  void finish_recording() {
    if (options_.recorder != nullptr) options_.recorder->finish(outcome_.result.makespan());
  }

  const ReplayRequest& request_;
  const Settings& settings_;
  platform::NoiseConfig noise_;
  Simulation simulation_;
  replay::ReplayOptions options_;
  ReplayOutcome outcome_;
  std::optional<traffic::BackgroundFlows> background_;
};

}  // namespace

ReplayOutcome replay_schedule(const ReplayRequest& request) {
  return ReplayRun(request).run();
}

Time ideal_makespan(const goal::Schedule& schedule, Time unit) {
  replay::ReplayOptions options{};
  options.parameters.replay = replay::replay_table().defaults();
  options.parameters.replay.unit = unit;
  options.parameters.replay.rendezvous = Bytes(INT64_MAX);
  return replay::loggops_replay(schedule, options).makespan();
}

}  // namespace heddle::run
