// Messages that failures have lost are sent again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/containers/pool.hpp"
#include "network/network.hpp"

namespace heddle::network {

/// In front of a model, on machines whose cables fail during a run. A message whose client does not
/// want to know of its loss is sent again, as a whole, `failures.resend_after` after it; what has
/// been lost `failures.resends` times more ends the run. Its client sees one message: each instant
/// once, the first time that it comes.
class ResendingNetwork final : public Network, private TransferClient {
 public:
  ResendingNetwork(std::unique_ptr<Network> model, Simulation& simulation,
                   const platform::Platform& platform);
  ~ResendingNetwork() override;

  void start(const Transfer& transfer) override;
  LinkBytes carried() const override { return model_->carried(); }
  Bytes delivered() const override { return model_->delivered(); }
  PacketCounts packets_arrived() const override { return model_->packets_arrived(); }
  std::vector<LinkStatistic> link_statistics(LinkId link) const override {
    return model_->link_statistics(link);
  }
  std::vector<LinkState> link_states() const override { return model_->link_states(); }
  Losses losses() const override { return {model_->losses().lost, resent_}; }
  LinkId lost_on() const override { return model_->lost_on(); }
  std::string stuck() const override { return model_->stuck(); }

 private:
  struct Attempt;

  void transfer_reached(Instant instant, std::uint64_t cookie) override;
  void begin(Attempt& attempt);
  void send_again(Attempt& attempt);
  void lost(Attempt& attempt);

  std::unique_ptr<Network> model_;
  Simulation& simulation_;
  const platform::Platform& platform_;
  EventSource source_;
  Pool<Attempt> attempts_;
  std::uint64_t resent_ = 0;
};

/// Throws RunError: a message that nobody sends (any more) has been lost.
[[noreturn]] void fail_lost(const platform::Platform& platform, const Transfer& transfer,
                            LinkId link, std::int64_t times, Time now);

}  // namespace heddle::network
