// What the result of a run says of its messages.
#pragma once

#include <algorithm>

#include "traffic/flow_statistics.hpp"
#include "traffic/idle_times.hpp"
#include "traffic/injector.hpp"
#include "traffic/settling.hpp"
#include "traffic/traffic_result.hpp"
#include "traffic/workload.hpp"

namespace heddle::traffic {

/// Collects what the result says of the messages, and passes them on.
class MessageRecorder final : public MessageSink {
 public:
  /// `idle` is null where slowdowns are not wanted.
  MessageRecorder(Window window, const TrafficWatch& watch, IdleReference* idle)
      : window_(window),
        idle_(idle),
        also_(watch.messages),
        watcher_(watch.watcher),
        batches_(window.begin, window.end) {}

  void message_finished(const MessageRecord& record) override {
    last_finish_ = std::max(last_finish_, record.finished);
    if (record.finished < window_.begin) {
      warm_up_.add(static_cast<double>((record.finished - record.created).ps()));
    }
    if (window_.contains(record.created)) {
      ++finished_;
      latencies_.add(record.finished - record.created);
      batches_.add(record.created, static_cast<double>((record.finished - record.created).ps()));
      bytes_ += record.size;
      if (idle_ != nullptr) {
        flows_.add(record.size, record.finished - record.created, idle_->of(record), record.kind);
      }
    }
    if (also_ != nullptr) also_->message_finished(record);
    if (watcher_ != nullptr) watcher_->message_finished(record);
  }

  /// A message created then has not finished by `now`: it takes longer than that.
  void message_unfinished(Time created, Time now) {
    if (window_.contains(created)) latencies_.add(now - created);
  }
  /// Another window, later than now, as the one so far is.
  void move_to(Window window) {
    window_ = window;
    batches_ = BatchMeans(window.begin, window.end);
  }
  /// Whether the latencies before the window have settled.
  bool settled() const { return warm_up_.settled(); }
  /// Ends the window at `end`; to be called before it is later than that.
  void close(Time end) { window_.end = end; }

  std::uint64_t finished() const { return finished_; }
  Time last_finish() const { return last_finish_; }
  /// Of the mean latency of messages of the window, in ps.
  Estimate mean_latency() const { return batches_.estimate(); }
  void fill(TrafficResult& result) const {
    result.messages = finished_;
    result.unfinished = latencies_.count() - finished_;
    result.bytes = bytes_;
    result.latency = latencies_.summary();
    result.last_finish = last_finish_;
    result.flows = flows_.groups();
  }

 private:
  Window window_;
  IdleReference* idle_;
  MessageSink* also_;
  RunWatcher* watcher_;
  Latencies latencies_;
  FlowStatistics flows_;
  BatchMeans batches_;
  SettlingSeries warm_up_;  ///< Latencies before the window.
  std::uint64_t finished_ = 0;
  Bytes bytes_;
  Time last_finish_;
};

}  // namespace heddle::traffic
