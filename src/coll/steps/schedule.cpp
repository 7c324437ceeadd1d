#include "coll/steps/schedule.hpp"

namespace heddle::coll {

Step Recorder::message(Schedule::Kind kind, const Buffer& data, int peer) {
  schedule_.instructions.push_back({kind, peer, data});
  return Step{schedule_.messages++};
}

Step Recorder::send(const Buffer& data, int peer) {
  return message(Schedule::Kind::send, data, peer);
}
Step Recorder::receive(const Buffer& data, int peer) {
  return message(Schedule::Kind::receive, data, peer);
}

void Recorder::copy(const Buffer& from, const Buffer& to) {
  schedule_.instructions.push_back({Schedule::Kind::copy, 0, from, to});
}
void Recorder::reduce(const Buffer& operand, const Buffer& result) {
  schedule_.instructions.push_back({Schedule::Kind::reduce, 0, operand, result});
}

void Recorder::wait() {
  std::vector<Schedule::Instruction>& all = schedule_.instructions;
  if (!all.empty() && all.back().kind != Schedule::Kind::wait) {
    all.push_back({Schedule::Kind::wait});
  }
}
void Recorder::wait(Step step) {
  schedule_.instructions.push_back({Schedule::Kind::wait_for, static_cast<std::int32_t>(step)});
}

bool Recorder::complete(Step step) {
  wait(step);
  return true;
}

Buffer Recorder::scratch(std::int64_t count, const Datatype& type) {
  return schedule_.memory.get(count, type);
}

}  // namespace heddle::coll
