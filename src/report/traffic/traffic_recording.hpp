// What a study of traffic shows besides its results: who sent to whom, and how its last run went.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "platform/platform.hpp"
#include "record/link_samples.hpp"
#include "record/overview.hpp"
#include "record/wait_samples.hpp"
#include "report/json.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::report {

/// One run as it went by, its messages counted by pair and by size.
class TrafficRecording final : public traffic::RunWatcher {
 public:
  /// The platform must outlive it.
  explicit TrafficRecording(const platform::Platform& platform);

  void begins(const network::Network& network, const traffic::Injector& injector) override;
  void passes(Time now) override {
    if (running_->due(now.ps())) running_->advance(now.ps(), finished_);
    ++events_;
    if (running_waits_->due(now.ps())) running_waits_->advance(now.ps(), events_);
  }
  void message_finished(const traffic::MessageRecord& record) override;
  void ends(Time now) override;

  // When a run has ended, of the last that has:

  Time end() const { return end_; }
  const record::LinkSamples& samples() const { return *samples_; }
  const record::WaitSamples& waits() const { return *waits_; }
  std::uint32_t group() const { return group_; }
  std::uint32_t groups() const { return groups_; }
  const std::vector<record::Volume>& matrix() const { return matrix_; }
  const std::array<record::Volume, 64>& by_size() const { return by_size_; }
  /// Bytes that arrived in each slice of time, and messages under way at its end.
  Json flow_json() const;

 private:
  /// What is looked at besides the links, after them.
  enum Column : std::uint32_t { delivered, started, finished, columns };

  const platform::Platform& platform_;
  std::uint32_t links_ = 0;  ///< That the model of the network knows of.
  std::unique_ptr<record::LinkSamples> running_;
  std::unique_ptr<record::LinkSamples> samples_;
  std::unique_ptr<record::WaitSamples> running_waits_;
  std::unique_ptr<record::WaitSamples> waits_;
  std::uint64_t finished_ = 0;
  std::uint64_t events_ = 0;
  Time end_;
  std::uint32_t group_ = 1;
  std::uint32_t groups_ = 0;
  std::vector<record::Volume> matrix_;
  std::array<record::Volume, 64> by_size_{};
};

}  // namespace heddle::report
