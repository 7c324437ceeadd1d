#include "mpi/transport/message_classes.hpp"

#include <algorithm>

namespace heddle::mpi {

MessageClasses classes_between_nodes(const MpiConfig& config) {
  const std::int64_t eager = config.eager_limit->count();
  return {eager, std::max(config.detached_limit->count(), eager), *config.send_overhead,
          *config.isend_overhead, *config.receive_overhead};
}

std::optional<MessageClasses> classes_inside_nodes(const MpiConfig& config) {
  const bool given = config.node_eager_limit || config.node_send_overhead ||
                     config.node_isend_overhead || config.node_receive_overhead;
  if (!given) return std::nullopt;
  MessageClasses classes = classes_between_nodes(config);
  if (config.node_eager_limit) {
    classes.eager_limit = classes.detached_limit = config.node_eager_limit->count();
  }
  classes.send = config.node_send_overhead.value_or(classes.send);
  classes.isend = config.node_isend_overhead.value_or(classes.isend);
  classes.receive = config.node_receive_overhead.value_or(classes.receive);
  return classes;
}

}  // namespace heddle::mpi
