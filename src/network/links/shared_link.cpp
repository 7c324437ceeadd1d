#include "network/links/shared_link.hpp"

#include <algorithm>
#include <limits>

namespace heddle::network {
namespace {

/// Part of a byte that is none: times and sums are rounded.
constexpr double kPartOfByte = 0.1;
constexpr double kNeverPs = std::numeric_limits<double>::infinity();

}  // namespace

void OrderedLink::serve(double rate, std::vector<LinkPassage>& passages) {
  double free_at = 0;
  for (LinkPassage& passage : passages) {
    const double busy = passage.bytes / rate;
    passage.begin = std::max(passage.begin, free_at);
    free_at = passage.begin + busy;
    passage.end = std::max(passage.end, free_at);
  }
}

void SharedLink::serve(double rate, std::uint32_t inputs, std::vector<LinkPassage>& passages) {
  rate_ = rate;
  passages_ = &passages;
  done_ = passages;
  rates_.assign(passages.size(), 0);
  if (inputs_.size() < inputs) inputs_.resize(inputs);
  now_ = passages.empty() ? 0 : passages.front().begin;
  std::size_t next = 0;
  while (next < passages.size() || !endings_.empty() || !active_.empty()) {
    const double begins = next < passages.size() ? passages[next].begin : kNeverPs;
    const double ends = endings_.empty() ? kNeverPs : endings_.top().time;
    const double empties = next_empty();
    const double time = std::max(now_, std::min({begins, ends, empties}));
    advance(time);
    if (empties <= begins && empties <= ends) {
      retire();
    } else if (ends <= begins) {
      end(endings_.top().passage);
    } else {
      begin(static_cast<std::uint32_t>(next++));
    }
    share();
  }
  passages.swap(done_);
}

void SharedLink::begin(std::uint32_t passage) {
  const LinkPassage& flow = (*passages_)[passage];
  Input& input = inputs_[flow.input];
  if (!input.active) {
    input = {.marks = std::move(input.marks), .active = true};
    input.marks.clear();
    active_.push_back(flow.input);
  }
  mark(input, passage, false);
  const double length = flow.end - flow.begin;
  if (length <= 0) {
    input.arrived += flow.bytes;
    return mark(input, passage, true);
  }
  rates_[passage] = flow.bytes / length;
  input.coming += rates_[passage];
  ++input.flows;
  endings_.push({flow.end, passage});
}

void SharedLink::end(std::uint32_t passage) {
  endings_.pop();
  Input& input = inputs_[(*passages_)[passage].input];
  input.coming = --input.flows == 0 ? 0 : input.coming - rates_[passage];
  mark(input, passage, true);
}

/// What has come so far has the flow's first or last byte at its end.
void SharedLink::mark(Input& input, std::uint32_t passage, bool is_end) {
  const Mark mark{input.arrived, passage, is_end};
  if (input.first_mark == input.marks.size() && input.waiting() <= kPartOfByte) {
    return reach(mark, now_);
  }
  input.marks.push_back(mark);
}

void SharedLink::reach(const Mark& mark, double time) {
  LinkPassage& flow = done_[mark.passage];
  (mark.is_end ? flow.end : flow.begin) = time;
}

/// When the first of the inputs that have something waiting has nothing any more.
double SharedLink::next_empty() const {
  double soonest = kNeverPs;
  for (const std::uint32_t number : active_) {
    const Input& input = inputs_[number];
    if (input.waiting() <= kPartOfByte) {
      if (input.flows == 0) return now_;
      continue;
    }
    if (input.served <= input.coming) continue;
    soonest = std::min(soonest, now_ + input.waiting() / (input.served - input.coming));
  }
  return soonest;
}

void SharedLink::advance(double time) {
  const double step = time - now_;
  for (const std::uint32_t number : active_) {
    Input& input = inputs_[number];
    const double passed = input.passed + input.served * step;
    input.arrived += input.coming * step;
    pass_marks(input, std::min(passed, input.arrived));
    input.passed = input.arrived - passed <= kPartOfByte ? input.arrived : passed;
  }
  now_ = time;
  for (const std::uint32_t number : active_) pass_marks(inputs_[number], inputs_[number].passed);
}

/// The marks up to that byte, each at its own time between now and then.
void SharedLink::pass_marks(Input& input, double until) {
  while (input.first_mark < input.marks.size() &&
         input.marks[input.first_mark].byte <= until + kPartOfByte) {
    const Mark& mark = input.marks[input.first_mark++];
    const double left = mark.byte - input.passed;
    reach(mark, left <= 0 || input.served <= 0 ? now_ : now_ + left / input.served);
  }
  if (input.first_mark != input.marks.size()) return;
  input.marks.clear();
  input.first_mark = 0;
}

/// Inputs that have nothing waiting and nothing coming take no part any more.
void SharedLink::retire() {
  std::erase_if(active_, [this](std::uint32_t number) {
    Input& input = inputs_[number];
    input.active = input.flows > 0 || input.waiting() > kPartOfByte;
    return !input.active;
  });
}

/// Max-min shares: an input with nothing waiting takes no more than comes.
void SharedLink::share() {
  double left = rate_;
  std::size_t open = active_.size();
  for (const std::uint32_t number : active_) inputs_[number].served = -1;
  for (bool changed = true; changed && open > 0;) {
    changed = false;
    for (const std::uint32_t number : active_) {
      Input& input = inputs_[number];
      if (input.served >= 0 || input.waiting() > kPartOfByte) continue;
      if (input.coming * static_cast<double>(open) > left) continue;
      input.served = input.coming;
      left -= input.coming;
      --open;
      changed = true;
    }
  }
  for (const std::uint32_t number : active_) {
    Input& input = inputs_[number];
    if (input.served < 0) input.served = std::max(left, 0.0) / static_cast<double>(open);
  }
}

}  // namespace heddle::network
