// Nodes with several adapters: which of them each message takes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/containers/pool.hpp"
#include "core/containers/sparse_vector.hpp"
#include "network/network.hpp"

namespace heddle::network {

/// In front of a model, on machines whose nodes have several adapters: chooses the adapters of each
/// message as the machine's `node.adapter_choice` says, and divides those that all of them share.
/// Messages within a node keep what they have.
class AdapterNetwork final : public Network, private TransferClient {
 public:
  AdapterNetwork(std::unique_ptr<Network> model, const platform::Platform& platform);

  void start(const Transfer& transfer) override;
  LinkBytes carried() const override { return model_->carried(); }
  Bytes delivered() const override { return model_->delivered(); }
  PacketCounts packets_arrived() const override { return model_->packets_arrived(); }
  std::vector<LinkStatistic> link_statistics(LinkId link) const override {
    return model_->link_statistics(link);
  }
  std::vector<LinkState> link_states() const override { return model_->link_states(); }
  Losses losses() const override { return model_->losses(); }
  LinkId lost_on() const override { return model_->lost_on(); }
  std::string stuck() const override { return model_->stuck(); }

 private:
  /// A message that several adapters share.
  struct Stripes {
    Transfer whole;
    std::uint32_t to_leave = 0;   ///< Parts whose last byte has not left its source, ...
    std::uint32_t to_arrive = 0;  ///< ... or is not at its destination.
    bool begun = false;           ///< The first byte of a part is there.
    bool lost = false;            ///< A part is.
  };

  void transfer_reached(Instant instant, std::uint64_t cookie) override;
  void start_stripes(const Transfer& whole);
  std::uint8_t chosen(const Transfer& transfer);
  std::uint8_t in_turn(NodeId node);

  std::unique_ptr<Network> model_;
  std::uint32_t adapters_;
  platform::AdapterChoice choice_;
  bool planes_;  ///< There is no way from one adapter to another one's place.
  Bytes stripe_from_;
  SparseVector<std::uint8_t> next_;  ///< By node.
  Pool<Stripes> stripes_;
};

}  // namespace heddle::network
