// The hosts of a packet network, or of one part of it.
#pragma once

#include <cstddef>
#include <vector>

#include "core/containers/record_store.hpp"
#include "core/prefetch.hpp"
#include "network/packet/packet_host.hpp"

namespace heddle::network {

/// Each is made when it is first used. Sources of events are those of the adapters, in their order.
class UsedHosts {
 public:
  explicit UsedHosts(const PacketContext& context);

  /// Of an endpoint's adapter.
  PacketHost& operator[](const platform::Endpoint& end) {
    PacketHost* const known = host_of_adapter_[place(end)];
    return known != nullptr ? *known : make(place(end));
  }
  /// Null: not used yet.
  const PacketHost* find(const platform::Endpoint& end) const {
    return host_of_adapter_[place(end)];
  }
  /// Calls `visit` for every one, in the order of the adapters.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const PacketHost* const host : host_of_adapter_) {
      if (host != nullptr) visit(*host);
    }
  }

 private:
  PacketHost& make(std::size_t place);
  std::size_t place(const platform::Endpoint& end) const {
    return context_.plan.platform.adapter_index(end);
  }

  const PacketContext& context_;
  std::vector<EventSource> sources_;
  std::vector<PacketHost*> host_of_adapter_;
  RecordStore<PacketHost, 8> hosts_;
};

}  // namespace heddle::network
