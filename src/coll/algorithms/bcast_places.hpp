// Broadcasts that know where ranks are, or when they arrive.
#pragma once

#include "coll/algorithms/algorithm.hpp"

namespace heddle::coll {

void bcast_in_nodes_linear(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_in_nodes_binary(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_in_nodes_binomial(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_inter_node(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_intra_node(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_knomial_intra_node(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_by_switch(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_by_arrival(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_by_arrival_waiting(Steps& steps, const Bcast& work, const Tuning& tuning);
void bcast_scatter_after_arrival(Steps& steps, const Bcast& work, const Tuning& tuning);

}  // namespace heddle::coll
