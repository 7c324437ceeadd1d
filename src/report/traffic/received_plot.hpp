// A plot of what nodes receive over time, for runs without loads.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::report {

/// Notes when every message finished, and passes it on.
class ReceivedPlot final : public traffic::MessageSink {
 public:
  /// `also` may be null.
  explicit ReceivedPlot(traffic::MessageSink* also) : also_(also) {}

  void message_finished(const traffic::MessageRecord& record) override;
  /// Bandwidth over time of the nodes that received most; `from` as in the traffic's configuration.
  std::string svg(const platform::Platform& platform, traffic::From from,
                  const std::string& subtitle) const;

 private:
  struct Receipt {
    Time when;
    Bytes size;
  };
  std::vector<NodeId> largest_receivers() const;
  Time last() const;
  static std::vector<double> arrivals(const std::vector<Receipt>& receipts, double interval,
                                      Bandwidth bandwidth);

  traffic::MessageSink* also_;
  std::map<NodeId, std::vector<Receipt>> receipts_;
};

}  // namespace heddle::report
