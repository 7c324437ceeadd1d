#include "traces/convert/posts.hpp"

#include <map>

#include "goal/schedule.hpp"

namespace heddle::traces {
namespace {

struct SentMessage {
  std::uint32_t rank;
  std::uint32_t post;
  std::int32_t tag;
  bool taken = false;
};

/// The messages from one rank to another on one communicator.
struct Pair {
  std::vector<SentMessage> messages;
  std::size_t head = 0;

  SentMessage* first(std::int32_t tag) {
    while (head < messages.size() && messages[head].taken) ++head;
    for (std::size_t i = head; i < messages.size(); ++i) {
      if (!messages[i].taken && (tag == kAnyPeer || messages[i].tag == tag)) return &messages[i];
    }
    return nullptr;
  }
};

/// The messages to one rank on one communicator.
struct Inbox {
  std::map<std::uint32_t, Pair> pairs;
  bool open = false;    ///< There is a receive from any source.
  bool one_tag = true;  ///< All messages carry the same tag.
  std::int32_t tag = kAnyPeer;

  void add(std::uint32_t source, const SentMessage& message) {
    if (tag != kAnyPeer && tag != message.tag) one_tag = false;
    tag = message.tag;
    pairs[source].messages.push_back(message);
  }
};

class Pairing {
 public:
  Pairing(const Trace& trace, const std::vector<RankPosts>& ranks) : trace_(trace), ranks_(ranks) {
    for (const RankPosts& rank : ranks) pairs_.emplace_back(rank.posts.size());
  }

  std::vector<std::vector<Counterpart>> run() {
    collect();
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      for (std::uint32_t p = 0; p < ranks_[r].posts.size(); ++p) {
        if (!ranks_[r].posts[p].sends) receive(r, p);
      }
    }
    return std::move(pairs_);
  }

 private:
  void collect() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      for (std::uint32_t p = 0; p < ranks_[r].posts.size(); ++p) {
        const Post& post = ranks_[r].posts[p];
        if (post.sends) {
          inboxes_[{post.peer, post.comm}].add(r, {r, p, post.tag});
        } else if (post.peer == goal::kAnySource) {
          inboxes_[{r, post.comm}].open = true;
        }
      }
    }
  }

  std::int64_t sent_at(const SentMessage& m) const {
    return trace_.ranks[m.rank].calls[ranks_[m.rank].posts[m.post].call].start;
  }

  void receive(std::uint32_t rank, std::uint32_t number) {
    const Post& post = ranks_[rank].posts[number];
    Inbox& inbox = inboxes_[{rank, post.comm}];
    SentMessage* best = nullptr;
    if (post.peer != goal::kAnySource) {
      const auto pair = inbox.pairs.find(post.peer);
      if (pair != inbox.pairs.end()) best = pair->second.first(post.tag);
    } else {
      for (auto& [source, pair] : inbox.pairs) {
        SentMessage* next = pair.first(post.tag);
        if (next && (!best || sent_at(*next) < sent_at(*best))) best = next;
      }
    }
    if (!best) return;
    best->taken = true;
    const bool certain = !inbox.open || inbox.one_tag;
    pairs_[rank][number] = {best->rank, best->post, certain};
    pairs_[best->rank][best->post] = {rank, number, certain};
  }

  const Trace& trace_;
  const std::vector<RankPosts>& ranks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Inbox> inboxes_;
  std::vector<std::vector<Counterpart>> pairs_;
};

}  // namespace

std::vector<std::vector<Counterpart>> pair_up(const Trace& trace,
                                              const std::vector<RankPosts>& ranks) {
  return Pairing(trace, ranks).run();
}

}  // namespace heddle::traces
