// Functions that sanitizers leave alone.
#pragma once

/// What runs before a sanitizer has set itself up, because its own beginnings call it under a name
/// of the C library's, must have no checks in it.
#define HEDDLE_UNCHECKED __attribute__((no_sanitize("address"), no_sanitize("undefined")))
