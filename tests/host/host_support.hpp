// A small machine for ranks to run on.
#pragma once

#include <memory>
#include <string>

#include "core/fiber.hpp"
#include "core/params.hpp"
#include "platform/machine.hpp"

namespace heddle::host {

/// So many nodes on one switch, and a scheduler for their programs.
struct TestMachine {
  /// `more` are further lines of the machine's description.
  explicit TestMachine(int nodes, const std::string& more = "")
      : settings(platform::machine_sections()) {
    const auto machine = platform::read_machine_text(
        "name: test\ntopology: {kind: single-switch, nodes: " + std::to_string(nodes) + "}\n" +
            more,
        "test", settings);
    platform = platform::build_platform(machine, settings);
  }
  Settings settings;
  std::unique_ptr<platform::Platform> platform;
  Simulation simulation;
  FiberScheduler fibers{simulation, {Bytes(256 * 1024), 1024}};
};

}  // namespace heddle::host
