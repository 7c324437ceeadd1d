#include "coll/algorithms/tree.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::coll {

Tree knomial_tree(const TreePlace& place, int radix) {
  Tree tree;
  const int own = place.relative();
  std::int64_t digit = 1;
  while (digit < place.size && own % (digit * radix) == 0) digit *= radix;
  if (own != 0) tree.parent = place.absolute(static_cast<int>(own - own % (digit * radix)));
  for (digit /= radix; digit > 0; digit /= radix) {
    for (int k = 1; k < radix && own + k * digit < place.size; ++k) {
      tree.add(place.absolute(static_cast<int>(own + k * digit)));
    }
  }
  return tree;
}

Tree doubling_tree(const TreePlace& place) {
  Tree tree;
  const auto own = static_cast<std::uint32_t>(place.relative());
  const std::uint32_t highest = std::bit_floor(own);
  if (own != 0) tree.parent = place.absolute(static_cast<int>(own - highest));
  const auto size = static_cast<std::uint32_t>(place.size);
  for (std::uint32_t bit = own == 0 ? 1 : 2 * highest; own + bit < size; bit <<= 1) {
    tree.add(place.absolute(static_cast<int>(own + bit)));
  }
  return tree;
}

Tree binary_tree(const TreePlace& place) {
  Tree tree;
  const int own = place.relative();
  if (own != 0) tree.parent = place.absolute((own - 1) / 2);
  for (const std::int64_t child : {std::int64_t{2} * own + 1, std::int64_t{2} * own + 2}) {
    if (child < place.size) tree.add(place.absolute(static_cast<int>(child)));
  }
  return tree;
}

Tree chain_tree(const TreePlace& place, int chains) {
  Tree tree;
  const int own = place.relative();
  const int others = place.size - 1;
  const int used = std::max(1, std::min({chains, others, Tree::kMostChildren}));
  // Chain c has the ranks from 1 + start(c) on; the first others % used chains have one more.
  const int length = others / used;
  const int longer = others % used;
  const auto start = [&](int c) { return 1 + c * length + std::min(c, longer); };
  if (own == 0) {
    for (int c = 0; c < used && others > 0; ++c) tree.add(place.absolute(start(c)));
    return tree;
  }
  const int in_longer = longer * (length + 1);
  const int chain =
      own - 1 < in_longer ? (own - 1) / (length + 1) : longer + (own - 1 - in_longer) / length;
  tree.parent = place.absolute(own == start(chain) ? 0 : own - 1);
  if (own + 1 < start(chain + 1)) tree.add(place.absolute(own + 1));
  return tree;
}

Tree in_order_binary_tree(int rank, int size) {
  // Ranks first to last are a subtree of which last is the root; the rest is halved below it.
  Tree tree;
  int first = 0;
  int last = size - 1;
  while (true) {
    const int rest = last - first;
    const int left = rest / 2;  // Ranks first to first + left - 1.
    if (rank == last) {
      if (left > 0) tree.add(first + left - 1);
      if (rest > left) tree.add(last - 1);
      return tree;
    }
    tree.parent = last;
    if (rank < first + left) {
      last = first + left - 1;
    } else {
      first += left;
      --last;
    }
  }
}

Tree in_order_binomial_tree(int rank, int size) {
  Tree tree;
  const int own = size - 1 - rank;
  int bit = 1;
  while (bit < size && (own & bit) == 0) bit <<= 1;
  if (own != 0) tree.parent = size - 1 - (own & ~bit);
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (own + bit < size) tree.add(size - 1 - (own + bit));
  }
  return tree;
}

int usable_radix(int wanted, int otherwise) {
  constexpr int kMost = 16;
  return std::clamp(wanted > 0 ? wanted : otherwise, 2, kMost);
}

Segments::Segments(const Buffer& data, std::int64_t bytes) : data_(data) {
  const std::int64_t size = data.type->size();
  elements_ = bytes > 0 && size > 0 ? std::max<std::int64_t>(1, bytes / size) : data.count;
  count_ = data.count == 0 ? 1 : static_cast<int>((data.count + elements_ - 1) / elements_);
}

Buffer Segments::operator[](int i) const {
  const std::int64_t first = i * elements_;
  return part(data_, first, std::min(elements_, data_.count - first));
}

namespace {

/// Steps that are waited for together.
class Batch {
 public:
  void add(Step step) { steps_[static_cast<std::size_t>(count_++)] = step; }
  void wait(Steps& steps) {
    for (int i = 0; i < count_; ++i) steps.wait(steps_[static_cast<std::size_t>(i)]);
    count_ = 0;
  }

 private:
  std::array<Step, Tree::kMostChildren> steps_;
  int count_ = 0;
};

}  // namespace

void bcast_along(Steps& steps, const Tree& tree, const Buffer& data, std::int64_t segment) {
  const Segments pieces(data, segment);
  Step next{};
  if (!tree.root()) next = steps.receive(pieces[0], tree.parent);
  Batch sent;
  for (int i = 0; i < pieces.count(); ++i) {
    if (!tree.root()) {
      const Step received = next;
      if (i + 1 < pieces.count()) next = steps.receive(pieces[i + 1], tree.parent);
      steps.wait(received);
    }
    for (const int child : tree.children()) sent.add(steps.send(pieces[i], child));
    sent.wait(steps);
  }
}

void reduce_along(Steps& steps, const Tree& tree, const Buffer& data, const Buffer& result,
                  std::int64_t segment) {
  const std::span<const int> children = tree.children();
  if (children.empty() && !tree.root()) {
    const Segments pieces(data, segment);
    for (int i = 0; i < pieces.count(); ++i) steps.send(pieces[i], tree.parent);
    return steps.wait();
  }
  const Buffer sum = tree.root() ? result : steps.scratch(data);
  if (sum.address != data.address) steps.copy(data, sum);
  if (children.empty()) return;
  // Two pieces of memory: one arrives while the other is reduced.
  const Segments pieces(sum, segment);
  Buffer here = steps.scratch(pieces[0]);
  Buffer there = pieces.count() * children.size() > 1 ? steps.scratch(pieces[0]) : here;
  const int messages = pieces.count() * static_cast<int>(children.size());
  const auto receive = [&](int message) {
    const auto n = static_cast<int>(children.size());
    const Buffer piece{here.address, pieces[message / n].count, here.type};
    return steps.receive(piece, children[static_cast<std::size_t>(n - 1 - message % n)]);
  };
  Step next = receive(0);
  for (int message = 0; message < messages; ++message) {
    const Step received = next;
    const Buffer arrived = here;
    std::swap(here, there);
    if (message + 1 < messages) next = receive(message + 1);
    steps.wait(received);
    const int i = message / static_cast<int>(children.size());
    steps.reduce({arrived.address, pieces[i].count, arrived.type}, pieces[i]);
    const bool last = (message + 1) % static_cast<int>(children.size()) == 0;
    if (last && !tree.root()) steps.send(pieces[i], tree.parent);
  }
  steps.wait();
}

}  // namespace heddle::coll
