// What can be set of the depth `links`.
#pragma once

#include "core/params.hpp"

namespace heddle::network {

/// What the links do to messages that meet on them: as `packet` or as `queue` has it.
enum class LinksLike { packet, queue };

struct LinksConfig {
  LinksLike like = LinksLike::packet;
  std::int64_t threads = 0;
  double alike = 0;
};

const ParamTable<LinksConfig>& links_table();

/// The name by which users choose it. It is no Network: it needs to know all messages beforehand.
inline constexpr std::string_view kLinksName = "links";

}  // namespace heddle::network
