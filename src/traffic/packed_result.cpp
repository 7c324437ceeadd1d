#include "traffic/packed_result.hpp"

#include <cstring>
#include <type_traits>

namespace heddle::traffic {
namespace {

class ResultWriter {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    (*this)(values.size());
  }
  void text(const std::string& text) {
    (*this)(text.size());
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ResultReader {
 public:
  explicit ResultReader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  template <class T>
  void list(std::vector<T>& values) {
    std::size_t size = 0;
    (*this)(size);
    values.resize(size);
  }
  void text(std::string& text) {
    std::size_t size = 0;
    (*this)(size);
    text = bytes_.substr(at_, size);
    at_ += size;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

/// Every member once, for both directions.
template <class Archive, class Result>
void pass_members(Archive& archive, Result& r) {
  archive(r.load);
  archive(r.messages);
  archive(r.unfinished);
  archive(r.bytes);
  archive(r.latency);
  archive(r.measured);
  archive(r.warm_up);
  archive(r.last_finish);
  archive(r.senders);
  archive(r.offered);
  archive(r.accepted);
  archive(r.packets.arrived);
  archive(r.packets.out_of_order);
  archive(r.packets.marked);
  archive(r.packets.dropped);
  archive(r.packets.trimmed);
  archive(r.packets.sent_again);
  archive(r.packets.timeouts);
  archive(r.packets.pauses);
  archive(r.packets.paused);
  archive(r.packets.longest_pause);
  archive(r.packets.most_paused);
  archive(r.losses.lost);
  archive(r.losses.resent);
  archive(r.injection);
  archive(r.saturated);
  archive(r.mean_latency);
  archive(r.accepted_rate);
  archive(r.seeds);
  archive(r.links_simulated);
  archive(r.links_alike);
  archive(r.events);
  archive(r.fingerprint);
  archive(r.wall_seconds);
  archive(r.threads);
  archive.text(r.why_fewer);
  archive.list(r.flows);
  for (auto& group : r.flows) archive(group);
  archive.list(r.busiest);
  for (auto& use : r.busiest) {
    archive(use.link);
    archive(use.bytes);
    archive(use.utilisation);
    archive.list(use.more);
    for (auto& statistic : use.more) archive(statistic);
  }
}

}  // namespace

std::string packed(const TrafficResult& result) {
  ResultWriter writer;
  pass_members(writer, result);
  return writer.take();
}

TrafficResult unpacked(const std::string& bytes) {
  ResultReader reader(bytes);
  TrafficResult result;
  pass_members(reader, result);
  return result;
}

}  // namespace heddle::traffic
