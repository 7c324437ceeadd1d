#include "mpi/p2p/completing.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "mpi/error.hpp"
#include "mpi/error_classes.hpp"
#include "mpi/p2p/arguments.hpp"

namespace heddle::mpi {
namespace {

bool ready(const Request* request) {
  return request != nullptr && request->active() && request->complete();
}

}  // namespace

Outcome complete(Process& process, Request& request, MPI_Request& handle) {
  Outcome outcome = request.outcome();
  request.deliver(outcome);
  request.deactivate();
  if (request.persistent()) return outcome;
  process.part<Requests>().table.remove(handle);
  handle = MPI_REQUEST_NULL;
  request.release();
  return outcome;
}

void raise(const Outcome& outcome) {
  if (outcome.error == MPI_SUCCESS) return;
  throw Error{outcome.error, fmt::format("the operation with {}, tag {}, failed: {}",
                                         outcome.source, outcome.tag, error_text(outcome.error))};
}

void raise_in_statuses(bool failed, const MPI_Status* statuses) {
  if (!failed) return;
  throw Error{MPI_ERR_IN_STATUS, statuses == MPI_STATUSES_IGNORE
                                     ? "a request failed"
                                     : "a request failed: its status says how"};
}

void start(Process& process, MPI_Request handle) {
  Request* request = find_request(process, handle);
  if (request == nullptr || !request->persistent()) {
    bad_argument(MPI_ERR_REQUEST, "request", "it is not persistent");
  }
  if (request->active()) bad_argument(MPI_ERR_REQUEST, "request", "it is under way already");
  request->start();
}

RequestList::RequestList(Process& process, int count, MPI_Request* handles)
    : process_(process), handles_(handles) {
  if (count < 0) bad_argument(MPI_ERR_COUNT, "count", fmt::format("{} is negative", count));
  const auto size = static_cast<std::size_t>(count);
  if (size > kFew) many_.resize(size);
  list_ = size > kFew ? std::span<Request*>(many_) : std::span<Request*>(few_.data(), size);
  for (std::size_t i = 0; i < size; ++i) list_[i] = find_request(process, handles[i]);
}

bool RequestList::any_active() const {
  return std::ranges::any_of(list_, [](const Request* r) { return r != nullptr && r->active(); });
}

bool RequestList::all_complete() const {
  return std::ranges::all_of(
      list_, [](const Request* r) { return r == nullptr || !r->active() || r->complete(); });
}

int RequestList::first_complete() const {
  const auto found = std::ranges::find_if(list_, ready);
  return found == list_.end() ? MPI_UNDEFINED : static_cast<int>(found - list_.begin());
}

Outcome RequestList::complete(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return mpi::complete(process_, *list_[i], handles_[i]);
}

bool RequestList::complete_all(MPI_Status* statuses) const {
  bool failed = false;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Outcome outcome = ready(list_[i]) ? complete(static_cast<int>(i)) : Outcome{};
    failed |= outcome.error != MPI_SUCCESS;
    if (statuses != MPI_STATUSES_IGNORE) set_status_with_error(&statuses[i], outcome);
  }
  return failed;
}

bool RequestList::complete_some(int* count, int* indices, MPI_Status* statuses) const {
  bool failed = false;
  *count = 0;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    if (!ready(list_[i])) continue;
    const Outcome outcome = complete(static_cast<int>(i));
    failed |= outcome.error != MPI_SUCCESS;
    if (statuses != MPI_STATUSES_IGNORE) set_status_with_error(&statuses[*count], outcome);
    indices[(*count)++] = static_cast<int>(i);
  }
  return failed;
}

}  // namespace heddle::mpi
