#include "mpi/rma/window.hpp"

#include "mpi/call_log.hpp"
#include "mpi/error.hpp"
#include "mpi/p2p/barrier.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

Window::Window(Process& process, WindowDataRef data, CommunicatorRef communicator, Notices& notices)
    : attribute_flavor(data->flavor),
      attribute_model(MPI_WIN_UNIFIED),
      process_(process),
      data_(std::move(data)),
      communicator_(std::move(communicator)),
      notices_(notices) {
  member(rank()).window = this;
}

Window::~Window() {
  member(rank()).window = nullptr;
}

Process& Window::process_of(int rank) const {
  return process_.world().process(communicator_->group().process(rank));
}

std::string Window::label() const {
  return name.empty() ? "window " + std::to_string(handle & 0x3ffffff) : "window '" + name + "'";
}

std::string WindowWait::text() const {
  std::string text = std::string("waits in ") + window_.process().call + " on " + window_.label() +
                     " for " + what_;
  if (rank_ >= 0) text += " of rank " + std::to_string(rank_);
  return text;
}

std::optional<std::uint32_t> WindowWait::peer() const {
  if (rank_ < 0) return std::nullopt;
  return window_.communicator().group().process(rank_);
}

void Window::barrier(const char* what) {
  wait_for_all(*communicator_, WindowWait(*this, what));
}

void Window::look(News news) const {
  if (CallLog* log = process_.world().call_log()) log->looks(process_, news);
}

Window* find_window(Process& process, int handle) {
  Windows* windows = process.find_part<Windows>();
  std::unique_ptr<Window>* found = windows == nullptr ? nullptr : windows->table.find(handle);
  return found == nullptr ? nullptr : found->get();
}

Window& window(Process& process, int handle) {
  if (Window* found = find_window(process, handle)) return *found;
  if (handle == MPI_WIN_NULL) bad_argument(MPI_ERR_WIN, "win", "is MPI_WIN_NULL");
  bad_argument(MPI_ERR_WIN, "win", "is not a window");
}

}  // namespace heddle::mpi
