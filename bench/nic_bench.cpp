// Puts through the whole adapter model, beside one communication of SimGrid's.
#include <malloc.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "cases.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "nic/adapters.hpp"
#include "platform/machine.hpp"

namespace heddle::bench {
namespace {

/// A process that puts 8 B at a time to another node and waits for each acknowledgement, or for all
/// of them at the end.
class Putter final : public nic::Software {
 public:
  Putter(const std::string& machine, const std::string& model)
      : settings_(network::fabric_sections()) {
    const auto description = platform::read_machine(machine, settings_);
    platform_ = platform::build_platform(description, settings_);
    network_ = network::make_network(model, simulation_, *platform_, settings_);
    adapters_ = std::make_unique<nic::Adapters>(simulation_, *platform_, *network_, *this);
  }

  void run(std::int64_t puts, bool wait) {
    left_ = puts;
    wait_ = wait;
    seen_ = 0;
    put();
    simulation_.run();
    if (seen_ != puts) throw std::runtime_error("a put was not acknowledged");
  }
  /// A process on every node has given its adapter a command.
  void start_everywhere() {
    for (std::uint32_t n = 0; n < platform_->nodes(); ++n) adapters_->command({NodeId{n}, 1}, 0);
    wait_ = true;
    simulation_.run();
  }
  std::uint32_t nodes() const { return platform_->nodes(); }

 private:
  void put() {
    --left_;
    nic::Request request;
    request.initiator = {NodeId{0}, 1};
    request.target = {NodeId{1}, 1};
    request.payload = Bytes(8);
    request.wants_ack = true;
    adapters_->issue(request);
  }
  void accepted(std::uint32_t) override {
    if (!wait_ && left_ > 0) put();
  }
  nic::EventTokens sent(std::uint32_t) override { return {}; }
  nic::Verdict arrive(std::uint32_t) override { return {Bytes(8), true, {}}; }
  nic::EventTokens completed(std::uint32_t, nic::Outcome) override { return {1, {}}; }
  void released(std::uint32_t) override {}
  void event_visible(nic::EventToken) override {
    ++seen_;
    if (wait_ && left_ > 0) put();
  }
  void counter_visible(std::uint32_t) override {}

  Simulation simulation_;
  Settings settings_;
  std::unique_ptr<platform::Platform> platform_;
  std::unique_ptr<network::Network> network_;
  std::unique_ptr<nic::Adapters> adapters_;
  std::int64_t left_ = 0;
  std::int64_t seen_ = 0;
  bool wait_ = true;
};

/// One run of `count` puts, the mean of some.
Sample puts(const std::string& machine, const std::string& model, std::int64_t count, bool wait,
            std::int64_t repetitions = 1) {
  Putter putter(machine, model);
  const Sample all = timed(1, [&] {
    for (std::int64_t i = 0; i < repetitions; ++i) putter.run(count, wait);
  });
  return {all.amount / static_cast<double>(repetitions), static_cast<double>(count)};
}

Sample memory_of_adapters() {
  Putter putter("bxi-v2-1k", "queue");
  const auto before = mallinfo2().uordblks;
  putter.start_everywhere();
  const auto after = mallinfo2().uordblks;
  return {static_cast<double>(after - before), static_cast<double>(putter.nodes())};
}

Sample one_communication() {
  return simgrid_pingpong(10'000);
}

}  // namespace

void add_nic_cases(Suite& suite) {
  const Scale per_put{1e9, "ns/put"};
  suite.cases.push_back({"nic", "waited puts of 8 B, E2E, queue", per_put,
                         [] { return puts("bxi-v2", "queue", 100'000, true); }, one_communication,
                         4});
  suite.cases.push_back({"nic", "waited puts of 8 B, E2E, fluid as on quito", per_put,
                         [] { return puts("quito", "fluid", 50'000, true); }, one_communication,
                         1});
  suite.cases.push_back({"nic", "500 puts in flight", per_put,
                         [] { return puts("bxi-v2", "queue", 500, false, 100); }});
  suite.cases.push_back({"nic", "20000 puts in flight", per_put,
                         [] { return puts("bxi-v2", "queue", 20'000, false, 3); }});
  // At most 1.5 times the cost per put: 40^1.11 = 1.5 * 40.
  suite.growths.push_back({"500 puts in flight", "20000 puts in flight", 40, 1.11});
  suite.cases.push_back(
      {"nic", "memory of an idle adapter", {1, "bytes/node"}, memory_of_adapters});
}

}  // namespace heddle::bench
