#include "host/job.hpp"
