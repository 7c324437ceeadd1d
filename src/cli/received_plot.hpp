// A plot of what nodes receive over time, for runs without loads.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "report/plot.hpp"
#include "traffic/injector.hpp"

namespace heddle::cli {

/// Notes when every message finished, and passes it on.
class ReceivedPlot final : public traffic::MessageSink {
 public:
  /// `also` may be null.
  explicit ReceivedPlot(traffic::MessageSink* also) : also_(also) {}

  void message_finished(const traffic::MessageRecord& record) override;
  /// Bytes over time of the nodes that received most: a message counts when it is complete, so that
  /// no curve is steeper than the cables allow for longer than a message takes.
  std::string svg(const platform::Platform& platform, const std::string& subtitle) const;

 private:
  struct Receipt {
    Time when;
    Bytes size;
  };
  std::vector<NodeId> largest_receivers() const;
  Time last() const;
  report::Series curve(const std::vector<Receipt>& receipts, std::string name) const;

  traffic::MessageSink* also_;
  std::map<NodeId, std::vector<Receipt>> receipts_;
};

}  // namespace heddle::cli
