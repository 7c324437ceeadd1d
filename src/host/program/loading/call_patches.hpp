// What becomes of the calls of programs that are loaded for a run.
#pragma once

#include <link.h>

namespace heddle::host {

class SampledFunctions;
class TurnStubs;

/// Of one run, whoever loads its programs and libraries. Null: calls stay as they are; what there
/// is must outlive the programs.
struct CallPatches {
  SampledFunctions* sampled = nullptr;
  TurnStubs* turns = nullptr;

  /// Patches an object that has just been loaded and bound.
  void patch(const link_map& object) const;
};

}  // namespace heddle::host
