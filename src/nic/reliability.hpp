// End-to-end reliability (E2E): messages are sent again until they are acknowledged.
#pragma once

#include "nic/contexts.hpp"
#include "nic/services.hpp"
#include "nic/statistics.hpp"

namespace heddle::nic {

class Completion;
class Transmitter;

/// Decides over what one adapter remembers: the requests that it has sent, on the virtual networks
/// of requests, and the responses and Portals ACKs, on those of answers.
class Reliability final : public ContextOwner {
 public:
  /// All must outlive the reliability.
  Reliability(const Services& services, const platform::NicParams& params, Contexts& contexts,
              Transmitter& transmitter, Completion& completion, AdapterStatistics& statistics)
      : services_(services),
        params_(params),
        contexts_(contexts),
        transmitter_(transmitter),
        completion_(completion),
        statistics_(statistics) {}

  /// The message need not be remembered any longer: an ACK has come, or it is given up.
  void forget(Exchange& exchange, Half half);
  /// A NACK has come: the message is sent again, unless it waits for that already.
  void nacked(Exchange& exchange, Half half);

 private:
  void context_ready(Message& message) override;
  void context_expired(Exchange& exchange, Half half) override;
  void send_again(Exchange& exchange, Half half);
  void give_up(Exchange& exchange, Half half);

  const Services& services_;
  const platform::NicParams& params_;
  Contexts& contexts_;
  Transmitter& transmitter_;
  Completion& completion_;
  AdapterStatistics& statistics_;
};

}  // namespace heddle::nic
