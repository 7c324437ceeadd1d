#include "nic/adapters.hpp"

namespace heddle::nic {}
