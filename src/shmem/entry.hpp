// How PEs come to their collective calls.
#pragma once

#include <string>

#include "shmem/pe.hpp"

namespace heddle::shmem {

/// A member makes its next collective call: answers its number. Ends the run if another member has
/// made another call with this number, or with other amounts.
std::uint32_t enter(Pe& pe, Membership& member, coll::Collective collective,
                    const Agreed& agreed = {});

/// "; not entered by 1 of 4: PE 2 (in shmem_long_g)", or "" if all have come.
std::string not_entered(const Pe& pe, const Team& team, std::uint32_t number);

}  // namespace heddle::shmem
