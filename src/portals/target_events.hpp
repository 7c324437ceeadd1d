// Events of a request at its target.
#pragma once

#include <portals4.h>

#include "portals/command.hpp"

namespace heddle::portals {

/// Of an operation that is carried out.
ptl_event_kind_t event_of(nic::Operation kind);
/// With what the request's header says; what became of it is still to be added.
ptl_event_t event_from(const Header& header);

}  // namespace heddle::portals
