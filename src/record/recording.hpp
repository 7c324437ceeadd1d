// What was recorded of a run, to be read when it is over.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/call_names.hpp"
#include "record/chunk_store.hpp"
#include "record/groups.hpp"
#include "record/link_samples.hpp"
#include "record/record.hpp"
#include "record/wait_samples.hpp"

namespace heddle::record {

/// A thread of a rank; where a rank has one only, its number does.
struct RankThread {
  RankThread(std::uint32_t of, std::uint32_t number = 0) : rank(of), thread(number) {}
  std::uint32_t rank;
  std::uint32_t thread;
};

/// Some kinds of records.
class Kinds {
 public:
  constexpr Kinds(std::initializer_list<Kind> kinds) {
    for (const Kind kind : kinds) bits_ |= 1U << static_cast<unsigned>(kind);
  }
  constexpr bool has(Kind kind) const { return (bits_ >> static_cast<unsigned>(kind) & 1U) != 0; }

 private:
  unsigned bits_ = 0;
};

/// Reads the records of a chunk, one after another.
class RecordReader {
 public:
  /// Before the chunk there were so many `messages` and `steps`.
  RecordReader(std::span<const std::byte> chunk, std::uint64_t messages, std::uint64_t steps)
      : at_(chunk.data()), end_(at_ + chunk.size()), messages_(messages), steps_(steps) {}
  /// Answers false when there is none left.
  bool next(Record& record);

 private:
  std::uint64_t number();
  std::int64_t signed_number();
  void rest(Record& record, unsigned detail);
  void rest_of_step(Record& record);
  std::uint64_t step_back();

  const std::byte* at_;
  const std::byte* end_;
  std::uint64_t messages_;
  std::uint64_t steps_;
  std::int64_t last_ = 0;  ///< The end of the record before.
};

/// Records can be read forwards and backwards, any number of times.
class Recording {
 public:
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Of those that have worlds of their own, one alone can be looked at: then its ranks are all
  /// there are, numbered from 0, and its end is the end.
  struct Program {
    std::uint32_t first = 0;
    std::uint32_t ranks = 0;
    Time end;
  };
  void look_at(const Program& program);
  void look_at_all() { program_.reset(); }

  Time end() const { return program_ ? program_->end : end_; }
  std::uint32_t ranks() const { return program_ ? program_->ranks : rank_count_; }
  /// Who did or waited for something last.
  RankThread last_active() const { return program_ ? program_last_ : last_active_; }
  const std::vector<std::string>& call_names() const { return names_.all(); }
  std::uint64_t messages() const { return messages_; }
  /// Whether what adapters carried was recorded as messages, too.
  bool knows_adapters_messages() const { return adapters_messages_; }
  /// Whether ranks had more than their first threads.
  bool threads() const { return threads_; }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t records() const { return records_; }
  std::uint64_t kept_bytes() const { return store_.kept_bytes(); }
  /// How much of what the links carried, as time went by.
  const LinkSamples& links() const { return links_; }
  /// And what waited for them.
  const WaitSamples& waits() const { return waits_; }
  const Groups& groups() const { return groups_; }
  /// Calls `f(record)` for each, in the order of recording.
  template <class F>
  void for_each(F f) const {
    std::vector<std::byte> buffer;
    Record record;
    for (std::size_t i = 0; i < store_.chunks(); ++i) {
      for (RecordReader reader = this->reader(i, buffer); reader.next(record);) {
        if (is_looked_at(record)) f(record);
      }
    }
  }
  /// The same from the last to the first, until `f` answers false, without those that are of no
  /// kind in `kinds`.
  template <class F>
  void for_each_backwards(Kinds kinds, F f) const {
    std::vector<std::byte> buffer;
    std::vector<Record> records;
    Record record;
    for (std::size_t i = store_.chunks(); i-- > 0;) {
      records.clear();
      for (RecordReader reader = this->reader(i, buffer); reader.next(record);) {
        if (kinds.has(record.kind) && is_looked_at(record)) records.push_back(record);
      }
      for (std::size_t j = records.size(); j-- > 0;) {
        if (!f(records[j])) return;
      }
    }
  }

 protected:
  Recording() = default;
  ~Recording() = default;

  /// What there was at a time.
  struct Counts {
    std::uint64_t messages = 0;
    std::uint64_t steps = 0;
  };

  ChunkStore store_;
  std::vector<Counts> before_;  ///< By chunk: what there was before it.
  LinkSamples links_;
  WaitSamples waits_;
  Groups groups_;
  CallNames names_;
  std::uint32_t rank_count_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t records_ = 0;
  RankThread last_active_{0};
  bool threads_ = false;
  bool adapters_messages_ = false;
  Time end_;

 private:
  /// Numbers its ranks as they are looked at.
  bool is_looked_at(Record& record) const {
    if (!program_) return true;
    record.rank -= program_->first;
    record.peer -= program_->first;
    return record.rank < program_->ranks;
  }
  RecordReader reader(std::size_t chunk, std::vector<std::byte>& buffer) const {
    return {store_.read(chunk, buffer), before_[chunk].messages, before_[chunk].steps};
  }

  std::optional<Program> program_;
  RankThread program_last_{0};
};

}  // namespace heddle::record
