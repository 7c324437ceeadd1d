#include "host/rank/rank_site.hpp"

#include <fmt/core.h>

#include <utility>

#include "core/prefetch.hpp"
#include "host/rank/job_site.hpp"
#include "platform/node_names.hpp"

namespace heddle::host {

std::string RankSite::name() const {
  std::string name = fmt::format("rank {}", index(id_));
  if (job_.number() > 0) name += fmt::format(" of program {}", job_.number());
  return name;
}

std::string RankSite::node_name() const {
  return platform::host_name(job_.platform().topology(), node_);
}

void RankSite::begin_process(std::unique_ptr<HostedProcess> process) {
  process_ = std::move(process);
  process_->enter();
}

void RankSite::foresee_belongings() const {
  if (process_ != nullptr) prefetch_bytes(process_.get(), HostedProcess::kTurn);
  extensions_.foresee();
}

}  // namespace heddle::host
