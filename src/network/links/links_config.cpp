#include "network/links/links_config.hpp"

namespace heddle::network {

const ParamTable<LinksConfig>& links_table() {
  using C = LinksConfig;
  static const auto table = [] {
    ParamTable<C> t("links", "depth 'links': each link alone, and all flows that cross it");
    t.add_choice("like", &C::like, "packet",
                 {{"packet", LinksLike::packet}, {"queue", LinksLike::queue}},
                 "what happens to flows that meet: as in network model packet with buffers that "
                 "hold everything (its max_packet and header count), inputs take turns; or as in "
                 "queue, whole messages one after another");
    t.add("threads", &C::threads, "0", {"0", "1024"},
          "threads that simulate links; 0: as many as there are cores. Results do not depend on "
          "it");
    t.add("alike", &C::alike, "0", {"0", "0.99"},
          "links that differ by at most this part, in the bytes of flows by size and by time, are "
          "simulated once: flows of the others draw their delays from those of equal sizes; 0: "
          "each is simulated");
    return t;
  }();
  return table;
}

}  // namespace heddle::network
