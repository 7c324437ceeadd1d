// The outputs of a packet network, or of one part of it.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "core/containers/record_store.hpp"
#include "core/prefetch.hpp"
#include "network/packet/buffer_pool.hpp"
#include "network/packet/output_port.hpp"
#include "network/packet/used_crossbars.hpp"

namespace heddle::network {

/// Each is made when it is first used, with that of the other direction of its cable. Sources of
/// events are those of the links, in their order.
class UsedPorts {
 public:
  /// Outputs that are allocated belong to one of `crossbars`, none of which is used before.
  UsedPorts(const PacketContext& context, UsedCrossbars& crossbars);

  OutputPort& operator[](LinkId link) {
    OutputPort* const known = port_of_link_[index(link)];
    return known != nullptr ? *known : make(link);
  }
  /// Null: not used yet.
  OutputPort* find(LinkId link) const { return port_of_link_[index(link)]; }
  /// Calls `visit` for every one, in the order of the links.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const OutputPort* const port : port_of_link_) {
      if (port != nullptr) visit(*port);
    }
  }
  /// Of a link whose output is elsewhere.
  EventSource& source(LinkId link) { return sources_[index(link)]; }
  /// Asks for the memory that says where the output is.
  void foresee(LinkId link) const { prefetch(&port_of_link_[index(link)]); }

 private:
  OutputPort& make(LinkId link);
  OutputPort& make_one(LinkId link);

  const PacketContext& context_;
  UsedCrossbars& crossbars_;
  std::vector<EventSource> sources_;
  std::vector<OutputPort*> port_of_link_;
  std::set<PortKind> kinds_;
  std::unique_ptr<BufferPools> pools_;  ///< Where lanes share buffers.
  RecordStore<OutputPort, 8> ports_;
};

}  // namespace heddle::network
