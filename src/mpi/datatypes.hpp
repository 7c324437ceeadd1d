// Datatypes and operations, which the collectives of all libraries share, as MPI's own words.
#pragma once

#include "coll/datatype/construct.hpp"
#include "coll/datatype/datatype.hpp"
#include "coll/datatype/sizes.hpp"
#include "coll/op/op.hpp"
#include "mpi/error.hpp"

namespace heddle::mpi {

using coll::Basic;
using coll::Buffer;
using coll::checked_size;
using coll::Contents;
using coll::Datatype;
using coll::DatatypeRef;
using coll::DistributedArray;
using coll::find_basic;
using coll::fits;
using coll::Form;
using coll::Kind;
using coll::Layout;
using coll::LayoutWalk;
using coll::NoSuchMemory;
using coll::Number;
using coll::Numbers;
using coll::Op;
using coll::Operation;
using coll::OpRef;
using coll::pack;
using coll::Runs;
using coll::Signature;
using coll::Subarray;
using coll::unpack;
using coll::Wide;

}  // namespace heddle::mpi
