// What network models tell of themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace heddle::network {

/// From which size on a message is too large to be simulated alone in reasonable time.
struct SizeLimit {
  Bytes below;
  std::string more_than;  ///< What such a message would be more than: "4194304 packets".
};

/// A model's own file, `NAME/NAME_model.cpp`, defines a function NAME_model() that returns its
/// description; the build lists those files.
struct ModelDescription {
  NetworkModel model;
  int cost;                                   ///< Models are listed in ascending order of it.
  std::vector<const ParamSection*> sections;  ///< Its parameters.
  /// What its own part of the time of an idle message stands for: "headers, crossbar and sink".
  std::string (*own_part)(const platform::Platform& platform);
  SizeLimit (*limit)(const Settings& settings) = nullptr;  ///< Null: there is none.
  bool has_links = true;                                   ///< That can fail.
};

/// Makes a model whose configuration fills its table().
template <class Model>
std::unique_ptr<Network> make_model(Simulation& simulation, const platform::Platform& platform,
                                    const Settings& settings) {
  return std::make_unique<Model>(simulation, platform, settings.get(Model::table()));
}

/// Every model there is, in any order.
const std::vector<const ModelDescription*>& model_descriptions();
/// That of the model called `name`; throws InputError for an unknown one.
const ModelDescription& model_description(std::string_view name);

}  // namespace heddle::network
