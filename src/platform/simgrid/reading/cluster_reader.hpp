// Reads <cluster> elements.
#pragma once

#include <memory>

#include "platform/simgrid/cluster.hpp"
#include "platform/simgrid/reading/values.hpp"
#include "platform/simgrid/reading/xml_element.hpp"

namespace heddle::platform::simgrid {

/// Builds the cluster with its hosts and links. Throws InputError.
std::unique_ptr<Zone> read_cluster(const Element& element, const Zone* parent, Model& model,
                                   Warnings& warnings);

/// SHARED, SPLITDUPLEX (or FULLDUPLEX, its older name), FATPIPE; the first of `accepted` is the
/// default.
Sharing sharing_of(const Element& element, std::string_view attribute,
                   const std::vector<std::string>& accepted);

}  // namespace heddle::platform::simgrid
