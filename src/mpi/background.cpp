#include "mpi/background.hpp"

namespace heddle::mpi {

void Background::add(Progress& progress) {
  ++changes_;
  list_.push_back(&progress);
}

void Background::remove(Progress& progress) {
  ++changes_;
  std::erase(list_, &progress);
}

void Background::advance_all() {
  if (advancing_) return;
  const struct Turn {
    explicit Turn(bool& taken) : taken_(taken) { taken_ = true; }
    ~Turn() { taken_ = false; }
    bool& taken_;
  } turn(advancing_);
  // What one does may be what another waits for.
  for (std::uint32_t seen = changes_ - 1; seen != changes_;) {
    seen = changes_;
    for (std::size_t i = list_.size(); i-- > 0;) {
      if (i < list_.size()) list_[i]->advance();
    }
  }
}

}  // namespace heddle::mpi
