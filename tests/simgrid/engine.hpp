// SimGrid's engine in our tests: its options for a configuration of ours, and flows on it.
#pragma once

#include <optional>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "network/flow_scenario.hpp"

namespace heddle::network {

/// One of a process. Options are those of `config`, and more.
class SimGridEngine {
 public:
  SimGridEngine(const FluidConfig& config, const std::vector<std::string>& more)
      : words_(options(config)) {
    words_.insert(words_.end(), more.begin(), more.end());
    for (std::string& word : words_) argv_.push_back(word.data());
    argc_ = static_cast<int>(argv_.size());
    argv_.push_back(nullptr);
    engine_.emplace(&argc_, argv_.data());
  }

  static std::vector<std::string> options(const FluidConfig& config) {
    const FluidParams params = params_of(config);
    return {"test",
            "--log=root.thres:critical",
            "--cfg=network/model:CM02",
            "--cfg=network/TCP-gamma:" + std::to_string(params.tcp_gamma.count()),
            "--cfg=network/latency-factor:" + std::to_string(params.latency_factor),
            "--cfg=network/bandwidth-factor:" + std::to_string(params.bandwidth_factor),
            "--cfg=network/weight-S:" + std::to_string(params.weight_s.count()),
            "--cfg=network/crosstraffic:" + std::to_string(params.cross_traffic > 0 ? 1 : 0),
            "--cfg=surf/precision:1e-12"};
  }

  simgrid::s4u::Engine& operator*() { return *engine_; }

  /// When each flow ends, between hosts by `host(number)`.
  template <class HostByNumber>
  std::vector<double> finish(const std::vector<FlowScenario::Flow>& flows, HostByNumber host) {
    namespace sg = simgrid::s4u;
    std::vector<double> finish(flows.size());
    static int payload;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const FlowScenario::Flow flow = flows[i];
      const std::string name = "f" + std::to_string(i);
      sg::Actor::create(name, host(flow.source), [flow, name, &finish, i] {
        sg::this_actor::sleep_until(static_cast<double>(flow.start_ps) * 1e-12);
        auto comm =
            sg::Mailbox::by_name(name)->put_init(&payload, static_cast<std::uint64_t>(flow.bytes));
        if (flow.bytes_per_second > 0) comm->set_rate(static_cast<double>(flow.bytes_per_second));
        comm->wait();
        finish[i] = sg::Engine::get_clock();
      });
      sg::Actor::create(name, host(flow.destination),
                        [name] { sg::Mailbox::by_name(name)->get<int>(); });
    }
    engine_->run();
    return finish;
  }

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
  int argc_ = 0;
  std::optional<simgrid::s4u::Engine> engine_;
};

}  // namespace heddle::network
