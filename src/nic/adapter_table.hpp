// The adapters of a machine, by their numbers.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "nic/adapter_map.hpp"

namespace heddle::nic {

class Adapter;

/// Adapters are made when they are first asked for: one that is never used costs a pointer.
class AdapterTable {
 public:
  /// For those who know no more of adapters than that there are some.
  struct Delete {
    void operator()(Adapter* adapter) const;
  };
  using Owned = std::unique_ptr<Adapter, Delete>;
  using Make = std::function<Owned(AdapterId)>;
  AdapterTable(std::size_t adapters, Make make) : adapters_(adapters), make_(std::move(make)) {}

  /// The adapter of that number, made if need be.
  Adapter& at(AdapterId id) {
    if (!adapters_[index(id)]) make(id);
    return *adapters_[index(id)];
  }
  /// One that has been asked for before.
  Adapter& existing(AdapterId id) const { return *adapters_[index(id)]; }
  /// Null if it has not been asked for yet.
  const Adapter* find(AdapterId id) const { return adapters_[index(id)].get(); }

 private:
  [[gnu::noinline]] void make(AdapterId id) { adapters_[index(id)] = make_(id); }

  std::vector<Owned> adapters_;
  Make make_;
};

}  // namespace heddle::nic
