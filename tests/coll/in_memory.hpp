// Collective algorithms carried out in memory: all ranks, without a simulation.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "coll/algorithms/run.hpp"
#include "coll/datatype/construct.hpp"
#include "coll/datatype/datatype.hpp"
#include "coll/op/op.hpp"
#include "coll/steps/schedule.hpp"

namespace heddle::coll {

/// The memory of the test itself.
class PlainMemory final : public AddressSpace {
 public:
  bool read(void* to, const void* address, std::size_t size) const override {
    std::memcpy(to, address, size);
    return true;
  }
  bool store(void* address, const void* from, std::size_t size) override {
    std::memcpy(address, from, size);
    return true;
  }
  const std::byte* direct(const void* address, std::size_t) const override {
    return const_cast<std::byte*>(static_cast<const std::byte*>(address));
  }
};

/// When data moves. Both are as unkind as MPI allows: an eager send takes the data at once, so that
/// what is put into the buffer later gets lost; a late one takes it when either side waits, so that
/// what is changed too early is seen. Receivers see data when they wait for it, not before.
enum class Sending { eager, late };

/// Carries out the schedules of all ranks.
class InMemory {
 public:
  InMemory(std::vector<Schedule>& schedules, const Op* op, Sending sending)
      : schedules_(schedules), op_(op), sending_(sending), ranks_(schedules.size()) {}

  /// Throws if ranks wait for one another for ever or messages are left.
  void run() {
    std::deque<int> ready(ranks_.size());
    std::iota(ready.begin(), ready.end(), 0);
    while (!ready.empty()) {
      const int rank = ready.front();
      ready.pop_front();
      advance(rank);
      ready.insert(ready.end(), woken_.begin(), woken_.end());
      woken_.clear();
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (ranks_[r].next < schedules_[r].instructions.size()) {
        throw std::runtime_error("the ranks are stuck");
      }
    }
    for (const auto& [pair, channel] : channels_) {
      if (!channel.sent.empty() || !channel.wanted.empty()) {
        throw std::runtime_error("messages are left");
      }
    }
  }
  std::int64_t messages() const { return messages_; }
  /// Whether a rank has got as far as its last instruction.
  bool reached_last(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return ranks_[r].next + 1 >= schedules_[r].instructions.size();
  }

 private:
  struct Message {
    bool send;
    int peer;
    Buffer buffer;
    std::vector<std::byte> copy;  ///< Of an eager send.
    Message* partner = nullptr;
    bool moved = false;
  };
  struct Rank {
    std::size_t next = 0;
    std::deque<Message> messages;
    std::size_t waited = 0;  ///< All before are complete.
  };
  struct Channel {
    std::deque<Message*> sent;
    std::deque<Message*> wanted;
  };

  bool advance(int r) {
    Rank& rank = ranks_[static_cast<std::size_t>(r)];
    const auto& instructions = schedules_[static_cast<std::size_t>(r)].instructions;
    const std::size_t before = rank.next;
    while (rank.next < instructions.size() && execute(r, rank, instructions[rank.next])) {
      ++rank.next;
    }
    return rank.next != before;
  }
  bool execute(int r, Rank& rank, const Schedule::Instruction& i) {
    switch (i.kind) {
      case Schedule::Kind::send:
      case Schedule::Kind::receive:
        begin(r, rank, i);
        return true;
      case Schedule::Kind::copy:
        if (move(memory_, i.target, memory_, i.buffer) != bytes(i.target)) {
          throw std::runtime_error("a copy of different lengths");
        }
        return true;
      case Schedule::Kind::reduce:
        if (i.buffer.count != i.target.count) {
          throw std::runtime_error("a reduction of different lengths");
        }
        if (i.buffer.count > 0) {
          op_->apply(i.buffer.address, i.target.address, i.buffer.count, *i.buffer.type);
        }
        return true;
      case Schedule::Kind::wait_for:
        return finish(rank.messages[static_cast<std::size_t>(i.number)]);
      case Schedule::Kind::wait:
        break;
    }
    while (rank.waited < rank.messages.size()) {
      if (!finish(rank.messages[rank.waited])) return false;
      ++rank.waited;
    }
    return true;
  }
  void begin(int r, Rank& rank, const Schedule::Instruction& i) {
    const bool send = i.kind == Schedule::Kind::send;
    if (i.number < 0 || i.number >= static_cast<int>(ranks_.size())) {
      throw std::runtime_error("no such rank");
    }
    rank.messages.push_back({send, i.number, i.buffer, {}, nullptr, false});
    Message& message = rank.messages.back();
    if (send) ++messages_;
    if (send && sending_ == Sending::eager) {
      message.copy.resize(static_cast<std::size_t>(bytes(i.buffer)));
      pack(memory_, i.buffer, message.copy.data());
    }
    const std::pair<int, int> way = send ? std::pair{r, i.number} : std::pair{i.number, r};
    Channel& channel = channels_[way];
    std::deque<Message*>& others = send ? channel.wanted : channel.sent;
    if (others.empty()) {
      (send ? channel.sent : channel.wanted).push_back(&message);
      return;
    }
    woken_.push_back(i.number);
    message.partner = others.front();
    message.partner->partner = &message;
    others.pop_front();
    if (bytes(message.buffer) != bytes(message.partner->buffer)) {
      throw std::runtime_error("a message of another length than expected");
    }
  }
  bool finish(Message& message) {
    if (message.send && sending_ == Sending::eager) return true;
    if (!message.partner) return false;
    Message& sender = message.send ? message : *message.partner;
    Message& receiver = message.send ? *message.partner : message;
    if (sender.moved) return true;
    sender.moved = true;
    if (sending_ == Sending::eager) {
      unpack(memory_, receiver.buffer, sender.copy.data(), bytes(sender.buffer));
    } else {
      move(memory_, receiver.buffer, memory_, sender.buffer);
    }
    return true;
  }

  std::vector<Schedule>& schedules_;
  const Op* op_;
  Sending sending_;
  std::vector<Rank> ranks_;
  std::vector<int> woken_;  ///< Whose messages have met others.
  std::map<std::pair<int, int>, Channel> channels_;
  PlainMemory memory_;
  std::int64_t messages_ = 0;
};

/// Nodes of `per_node` ranks, switches of two nodes; in order, or dealt out like cards.
inline Places places_of(int size, int per_node, bool dealt = false) {
  const int nodes = (size + per_node - 1) / per_node;
  const auto node = [=](int rank) {
    return static_cast<std::uint64_t>(dealt ? rank % nodes : rank / per_node);
  };
  return Places(size, node, [node](int rank) { return node(rank) / 2; });
}

/// Lets every rank run an algorithm (or what it stands for here) on `work(rank)`.
template <class Work>
void run_in_memory(std::span<const Algorithm<Work>> all, const Algorithm<Work>& algorithm,
                   const Places& places, int size, const Op* op, Sending sending,
                   const Tuning& tuning, const std::function<Work(int)>& work) {
  std::vector<Schedule> schedules(static_cast<std::size_t>(size));
  for (int r = 0; r < size; ++r) {
    Recorder recorder(schedules[static_cast<std::size_t>(r)], r, size, places);
    const Work own = work(r);
    run(recorder, fitting(all, algorithm, recorder, own), own, tuning);
    recorder.wait();
  }
  InMemory(schedules, op, sending).run();
}

}  // namespace heddle::coll
