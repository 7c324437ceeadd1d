// Making windows.
#pragma once

#include "mpi/rma/window.hpp"

namespace heddle::mpi {

/// What one member brings along.
struct WindowOffer {
  int flavor = 0;  ///< MPI_WIN_FLAVOR_...
  void* base = nullptr;
  std::int64_t size = 0;
  std::int64_t unit = 1;
  InfoRef info;
};

/// Collective over the communicator; memory of windows that are not given any is allocated.
Window& create_window(Communicator& communicator, const WindowOffer& offer);
/// Collective; the window is gone afterwards.
void free_window(Window& window);

/// Memory of a dynamic window.
void attach(Window& window, void* base, std::int64_t size);
void detach(Window& window, const void* base);

}  // namespace heddle::mpi
