// What tests/tracer/program.c did, once by its own words and once by its traces.
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "goal/formats/mapped_file.hpp"
#include "traces/readers/recorded_trace.hpp"

namespace heddle::traces::test {

/// The lines that say what was done, in order.
inline std::vector<std::string> told(const std::string& output) {
  std::vector<std::string> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("sent ") || line.starts_with("received ") || line.starts_with("called ")) {
      lines.push_back(line);
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// The same lines from the traces in `folder`.
class Tally {
 public:
  static constexpr int kRanks = 4;

  enum class Only { decode, count };

  explicit Tally(const std::string& folder, Only only = Only::count) {
    for (int r = 0; r < kRanks; ++r) collect(r, folder + fmt::format("/rank-{:06}.htrace", r));
    for (int r = 0; r < kRanks && only == Only::count; ++r) count(r);
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines = called_;
    for (int r = 0; r < kRanks; ++r) {
      for (int to = 0; to < kRanks; ++to) {
        lines.push_back(fmt::format("sent {} {} {}", r, to, sent_[r][to].text()));
      }
      lines.push_back(fmt::format("received {} {}", r, received_[r].text()));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  const RecordedHeader& header(int rank) const { return headers_[rank]; }
  const std::vector<RecordedCall>& calls(int rank) const { return calls_[rank]; }
  const std::string& name(int rank, const RecordedCall& call) const {
    return headers_[rank].functions[call.function].name;
  }
  const std::map<std::uint64_t, std::vector<std::int64_t>>& comms() const { return comms_; }

 private:
  struct Sum {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    void add(std::uint64_t b) { ++messages, bytes += b; }
    std::string text() const { return fmt::format("{} {}", messages, bytes); }
  };

  void collect(int rank, const std::string& path) {
    const goal::MappedFile file(path);
    RecordedTrace trace(file.bytes(), path);
    headers_[rank] = trace.header();
    for (RecordedCall call; trace.next(call);) {
      if (call.made && call.made->rank == 0) comms_[call.made->id] = call.made->members;
      calls_[rank].push_back(call);
    }
  }

  void count(int rank) {
    std::map<std::uint64_t, const RecordedCall*> persistent;
    for (const RecordedCall& call : calls_[rank]) {
      const std::string& function = name(rank, call);
      const std::string& letters = headers_[rank].functions[call.function].letters;
      const bool sends = letters.find('d') != std::string::npos;
      if (function.ends_with("_init")) {
        persistent[call.request] = &call;
      } else if (sends) {
        send(rank, call);
      }
      if (function.starts_with("Start")) {
        for (const std::uint64_t request : call.requests) {
          const RecordedCall& init = *persistent.at(request);
          if (name(rank, init) == "Send_init") send(rank, init);
        }
      }
      receive(rank, function, call);
      const bool collective = letters.find('c') != std::string::npos && !sends && !call.status &&
                              letters.find_first_of("sMCgQ") == std::string::npos &&
                              function != "Abort";
      if (collective) {
        called_.push_back(fmt::format("called {} {} {}", rank, function, put_in(call)));
      }
    }
  }

  void send(int rank, const RecordedCall& call) {
    if (call.peer < 0) return;
    const auto peer = static_cast<std::size_t>(call.peer);
    const std::int64_t to = call.comm == kRecordedWorld ? call.peer : comms_.at(call.comm).at(peer);
    sent_[rank][to].add(put_in(call));
  }
  void receive(int rank, const std::string& function, const RecordedCall& call) {
    const bool receives = function.find("recv") != std::string::npos || function == "Recv";
    if (receives && call.status) received_[rank].add(call.status->bytes);
    for (const RecordedCompletion& completion : call.completed) {
      if (completion.status) received_[rank].add(completion.status->bytes);
    }
  }
  static std::uint64_t put_in(const RecordedCall& call) {
    std::int64_t elements = call.count;
    for (const std::int64_t n : call.counts) elements += n;
    return static_cast<std::uint64_t>(elements) * call.size;
  }

  RecordedHeader headers_[kRanks];
  std::vector<RecordedCall> calls_[kRanks];
  std::map<std::uint64_t, std::vector<std::int64_t>> comms_;
  Sum sent_[kRanks][kRanks];
  Sum received_[kRanks];
  std::vector<std::string> called_;
};

}  // namespace heddle::traces::test
