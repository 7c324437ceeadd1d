// A run of traffic that several threads share.
#pragma once

#include <memory>
#include <vector>

#include "core/windows/window_crew.hpp"
#include "traffic/measured_run.hpp"
#include "traffic/open_loops.hpp"
#include "traffic/parts/arrival_order.hpp"
#include "traffic/parts/division.hpp"
#include "traffic/parts/packet_traffic_part.hpp"
#include "traffic/parts/queue_traffic_part.hpp"
#include "traffic/parts/traffic_part.hpp"
#include "traffic/window_counts.hpp"

namespace heddle::traffic {

/// Does what MeasuredRun does, with the same results bit by bit. Messages that have arrived are
/// recorded when a window is over, in the order in which one thread would have seen them.
class DividedRun {
 public:
  /// `workloads` by part. All must outlive it.
  DividedRun(const Sweep& sweep, std::vector<Workload*> workloads, Window window, Division division,
             WorkloadKind kind);

  /// Nodes begin to send; those that the division names.
  void begin();
  void run_until(Time end, Time total);
  /// `total` messages are expected.
  void run_to_end(std::uint64_t total);
  bool drain(const OpenLoops& loops, std::size_t senders, Time last);

  void start_counting();
  void stop_counting(Time measured);
  Bytes delivered() const { return counts_.since_start(all_delivered()); }
  void move_to(Window window) { recorder_.move_to(window); }
  void close(Time end) { recorder_.close(end); }
  void count_unfinished(Time end);
  void check_all_moves(const std::string& where = "");
  void check_rest_moves(const Load& load);

  const MessageRecorder& recorder() const { return recorder_; }
  TrafficResult result(Time measured, std::uint32_t senders) const;

 private:
  void divide_packets();
  std::unique_ptr<WindowPart> make(std::size_t me);
  template <class Part, class Links>
  std::unique_ptr<WindowPart> make(const PartBed& bed, Links& links, std::vector<Part*>& others);
  void go(Time limit);
  void join_window();
  void feed();
  bool feed_drained();
  Bytes all_delivered() const;
  void sum_up();
  void sum_up_to(Time end);

  const Sweep& sweep_;
  std::vector<Workload*> workloads_;
  Division division_;
  WorkloadKind kind_;
  std::vector<std::unique_ptr<IdleTimes>> idle_;  ///< By part, if slowdowns are wanted.
  KnownTimes known_;
  MessageRecorder recorder_;
  network::DividedPackets* divided_packets_ = nullptr;  ///< If it is a network of packets.
  std::vector<QueueTrafficPart*> queue_parts_;
  std::vector<PacketTrafficPart*> packet_parts_;
  std::vector<TrafficPart*> parts_;
  ArrivalOrder order_;
  std::function<double()> done_;  ///< Of this run, 0 to 1.
  std::uint64_t windows_ = 0;
  const OpenLoops* draining_ = nullptr;
  std::size_t draining_senders_ = 0;
  bool drained_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t fingerprint_ = 0;
  WindowCounts counts_;
  WindowCrew crew_;
};

}  // namespace heddle::traffic
