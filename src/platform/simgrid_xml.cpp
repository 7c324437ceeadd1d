#include "platform/simgrid_xml.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include "platform/routing.hpp"
#include "platform/simgrid/reading/platform_reader.hpp"
#include "platform/simgrid/topology.hpp"
#include "platform/simgrid/zone.hpp"
#include "platform/text_file.hpp"

namespace heddle::platform {
namespace {

LinkParams params_of(const simgrid::Cable& cable) {
  if (cable.sharing == simgrid::Sharing::fatpipe) {
    return {Bandwidth::unlimited(), cable.bandwidth, cable.latency, Duplex::half};
  }
  const bool split = cable.sharing == simgrid::Sharing::split_duplex;
  return {cable.bandwidth, {}, cable.latency, split ? Duplex::full : Duplex::half};
}

NodeParams params_of(const simgrid::Host& host, const simgrid::Model& model) {
  const simgrid::Loopback loopback = host.point->zone->loopback(*host.point, model);
  NodeParams params;
  params.cores = host.cores;
  params.speed = host.speed;
  params.loopback_flow_cap = loopback.bandwidth;
  params.loopback_latency = loopback.latency;
  return params;
}

std::string stem(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

std::unique_ptr<Platform> assemble(const std::string& name, std::unique_ptr<simgrid::Model> owned) {
  const simgrid::Model& model = *owned;
  LinkProfiles profiles = std::move(owned->profiles);
  auto topology = std::make_unique<simgrid::SimgridTopology>(std::move(owned));
  auto routing = make_routing("minimal", *topology);
  auto platform =
      std::make_unique<Platform>(name, std::move(topology), std::move(routing), LinkParams{},
                                 SwitchParams{}, NodeParams{}, NicParams{});
  for (std::uint32_t cable = 0; cable < model.cables().size(); ++cable) {
    platform->set_cable(cable, params_of(model.cables()[cable]));
  }
  for (std::uint32_t node = 0; node < model.hosts().size(); ++node) {
    platform->set_node(NodeId{node}, params_of(model.hosts()[node], model));
  }
  platform->set_profiles(std::move(profiles));
  return platform;
}

std::unique_ptr<Platform> read_text(std::string_view text, const std::string& file_name,
                                    const std::string& name, const simgrid::Limits& limits) {
  const simgrid::XmlDocument document(text, file_name);
  auto model = std::make_unique<simgrid::Model>(limits);
  simgrid::Warnings warnings;
  simgrid::PlatformReader(*model, warnings).read(document.root());
  auto platform = assemble(name, std::move(model));
  for (std::string& warning : warnings) platform->add_warning(std::move(warning));
  return platform;
}

}  // namespace

std::unique_ptr<Platform> read_simgrid_platform_text(std::string_view text,
                                                     const std::string& file_name,
                                                     const simgrid::Limits& limits) {
  return read_text(text, file_name, stem(file_name), limits);
}

std::unique_ptr<Platform> read_simgrid_platform(const std::string& path, const std::string& name,
                                                const SourceLocation& named_at) {
  return read_text(read_text_file(path, named_at), path, name.empty() ? stem(path) : name, {});
}

}  // namespace heddle::platform
