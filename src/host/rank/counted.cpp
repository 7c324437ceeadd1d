#include "host/rank/counted.hpp"

std::uint64_t heddle_counted = 0;
