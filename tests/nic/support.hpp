// What tests of the adapters share: a machine, and software above it that notes what it is told.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "network/network.hpp"
#include "network/sections.hpp"
#include "nic/adapters.hpp"
#include "platform/machine.hpp"

namespace heddle::nic {

/// Notes when it is told what, by cookie, and answers as its members say.
class Notebook final : public Software {
 public:
  /// The instants of one request.
  struct Page {
    std::vector<Time> accepted, sent, arrived, completed, released;
    Outcome outcome{};
  };

  explicit Notebook(const Simulation& simulation) : simulation_(simulation) {}

  std::uint8_t sent_events = 0;       ///< Written when a request is sent.
  std::uint8_t target_events = 0;     ///< Written at the target.
  std::uint8_t completed_events = 0;  ///< Written when a request is completed.
  bool send_event_late = false;       ///< One more with those, unless it was written when sent.
  std::function<Verdict(std::uint32_t)> verdict = {};  ///< Else all of the request, acknowledged.
  std::function<void(std::uint32_t)> on_accepted = {};

  std::map<std::uint32_t, Page> pages;
  std::map<std::uint32_t, Request> requests;
  std::vector<std::uint32_t> arrivals;  ///< Cookies, in the order they arrived.
  std::vector<Time> seen;               ///< When events became visible at initiators.
  std::vector<Time> seen_at_target;
  std::vector<Time> counted;       ///< When counters became visible.
  std::vector<std::string> calls;  ///< "accepted 1", ...

  void accepted(std::uint32_t cookie) override {
    note("accepted", cookie, &Page::accepted);
    if (on_accepted) on_accepted(cookie);
  }
  EventTokens sent(std::uint32_t cookie) override {
    note("sent", cookie, &Page::sent);
    return events(sent_events);
  }
  Verdict arrive(std::uint32_t cookie) override {
    note("arrive", cookie, &Page::arrived);
    arrivals.push_back(cookie);
    Verdict result;
    if (verdict) {
      result = verdict(cookie);
    } else {
      result.length = requests.at(cookie).payload;
      result.acknowledge = requests.at(cookie).wants_ack;
    }
    result.events = events(target_events, kAtTarget);
    return result;
  }
  EventTokens completed(std::uint32_t cookie, Outcome outcome) override {
    note("completed", cookie, &Page::completed);
    pages[cookie].outcome = outcome;
    const bool late = send_event_late && pages[cookie].sent.empty();
    return events(static_cast<std::uint8_t>(completed_events + (late ? 1 : 0)));
  }
  void released(std::uint32_t cookie) override { note("released", cookie, &Page::released); }
  void event_visible(EventToken token) override {
    (token == kAtTarget ? seen_at_target : seen).push_back(simulation_.now());
  }
  void counter_visible(std::uint32_t) override { counted.push_back(simulation_.now()); }

 private:
  void note(const std::string& what, std::uint32_t cookie, std::vector<Time> Page::*when) {
    (pages[cookie].*when).push_back(simulation_.now());
    calls.push_back(what + " " + std::to_string(cookie));
  }
  static constexpr EventToken kAtInitiator = 0;
  static constexpr EventToken kAtTarget = 1;
  EventTokens events(std::uint8_t count, EventToken token = kAtInitiator) {
    EventTokens tokens;
    for (std::uint8_t i = 0; i < count; ++i) tokens.add(token);
    return tokens;
  }

  const Simulation& simulation_;
};

/// Keeps every record; the first has the number 1.
class Records final : public Observer {
 public:
  std::uint64_t ended(const ActivityRecord& record) override {
    all.push_back(record);
    return all.size();
  }
  /// What led to it; it must not have been its process.
  const ActivityRecord& cause_of(const ActivityRecord& record) const {
    return all.at(record.cause.activity - 1);
  }
  std::vector<ActivityRecord> all;
  std::vector<ActivityRecord> of(Activity activity) const {
    std::vector<ActivityRecord> result;
    for (const ActivityRecord& record : all) {
      if (record.activity == activity) result.push_back(record);
    }
    return result;
  }
};

/// Two nodes of 10 GB/s and 1 us between adapters, 10 GB/s and 250 ns between memory and adapter.
inline const std::string kPair =
    "topology: {kind: single-switch, nodes: 2}\n"
    "link: {bandwidth: 10GBps, latency: 500ns}\n"
    "switch: {latency: 0ns}\n"
    "node: {pcie_bandwidth: 10GBps, pcie_latency: 250ns, loopback_latency: 100ns}\n";

/// A machine with adapters and the notebook above them.
class Bed {
 public:
  explicit Bed(const std::vector<std::string>& sets = {}, const std::string& machine = kPair,
               const Faults& faults = {})
      : Bed(platform::read_machine_text, machine, sets, faults, true) {}
  /// A built-in machine.
  static std::unique_ptr<Bed> builtin(const std::string& name,
                                      const std::vector<std::string>& sets = {}) {
    const auto read = [](const std::string& machine, const std::string&, Settings& settings) {
      return platform::read_machine(machine, settings);
    };
    return std::unique_ptr<Bed>(new Bed(read, name, sets, {}, false));
  }

  /// A request of `size` bytes from process 1 of node 0 to process 2 of node 1, with a cookie of
  /// its own.
  Request request(Operation operation, std::int64_t size) {
    Request r;
    r.operation = operation;
    r.initiator = {NodeId{0}, 1};
    r.target = {NodeId{1}, 2};
    r.payload = Bytes(size);
    r.cookie = next_cookie_++;
    r.wants_ack = operation == Operation::put || operation == Operation::atomic;
    return r;
  }
  std::uint32_t issue(const Request& request) {
    notebook.requests[request.cookie] = request;
    adapters->issue(request);
    return request.cookie;
  }
  std::uint32_t put(std::int64_t size) { return issue(request(Operation::put, size)); }
  const Notebook::Page& page(std::uint32_t cookie) { return notebook.pages[cookie]; }
  /// Issues a request and runs to the end; what was noted of it.
  const Notebook::Page& run(const Request& request) {
    const std::uint32_t cookie = issue(request);
    simulation.run();
    return page(cookie);
  }
  const Notebook::Page& run_put(std::int64_t size) { return run(request(Operation::put, size)); }

  Simulation simulation;
  Settings settings;
  std::unique_ptr<platform::Platform> platform;
  std::unique_ptr<network::Network> network;
  Notebook notebook{simulation};
  Records records;
  std::unique_ptr<Adapters> adapters;

 private:
  template <class Read>
  Bed(Read read, const std::string& machine, const std::vector<std::string>& sets,
      const Faults& faults, bool observed)
      : settings(network::fabric_sections()) {
    const platform::MachineDescription description = read(machine, "m.yaml", settings);
    for (const std::string& set : sets) settings.assign(set, {"--set"});
    platform = platform::build_platform(description, settings);
    const std::string model = settings.get(network::network_choice_table()).model;
    network = network::make_network(model, simulation, *platform, settings);
    adapters = std::make_unique<Adapters>(simulation, *platform, *network, notebook, faults,
                                          observed ? &records : nullptr);
  }

  std::uint32_t next_cookie_ = 1;
};

}  // namespace heddle::nic
