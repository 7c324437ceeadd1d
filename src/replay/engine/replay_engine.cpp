// The engines there are: each kind of wire with the ends that it is used with.
#include "replay/engine/replay_engine.hpp"

#include "replay/engine/wires/link_wire.hpp"
#include "replay/engine/wires/loggops_wire.hpp"
#include "replay/engine/wires/network_wire.hpp"
#include "replay/engine/wires/packet_wire.hpp"

namespace heddle::replay {
namespace {

/// Whether PlainEnds will do.
bool are_plain(const EngineInput& input) {
  const ReplayOptions& options = input.options;
  return input.units.cpus == 1 && input.units.nics == 1 && options.noise.silent() &&
         options.slowdown.empty() && options.recorder == nullptr;
}

}  // namespace

ReplayResult replay_alone(const goal::Schedule& schedule, const ReplayOptions& options,
                          Carrier* carrier) {
  EngineInput input{schedule, options, UnitPairs::of(schedule)};
  input.carrier = carrier;
  if (carrier != nullptr) return ReplayEngine<AnyEnds, NetworkWire>(input).run();
  if (are_plain(input)) return ReplayEngine<PlainEnds, LogGopsWire>(input).run();
  return ReplayEngine<AnyEnds, LogGopsWire>(input).run();
}

std::unique_ptr<PartReplay> make_part_replay(const EngineInput& input) {
  if (input.fabric != nullptr) return std::make_unique<ReplayEngine<AnyEnds, LinkWire>>(input);
  if (input.packets != nullptr) return std::make_unique<ReplayEngine<AnyEnds, PacketWire>>(input);
  if (are_plain(input)) return std::make_unique<ReplayEngine<PlainEnds, LogGopsWire>>(input);
  return std::make_unique<ReplayEngine<AnyEnds, LogGopsWire>>(input);
}

}  // namespace heddle::replay
