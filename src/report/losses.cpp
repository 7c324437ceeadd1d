#include "report/losses.hpp"

#include <fmt/core.h>

namespace heddle::report {

std::string losses_text(const platform::Platform& platform, const network::Losses& losses,
                        const std::string& when) {
  if (!platform.outages().any()) return "";
  return fmt::format("\nfailures{}: {} messages lost on their way, {} sent again by the network\n",
                     when, losses.lost, losses.resent);
}

Json losses_json(const network::Losses& losses) {
  return {{"lost", losses.lost}, {"sent_again", losses.resent}};
}

}  // namespace heddle::report
