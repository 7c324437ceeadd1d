// What becomes of the code of programs that are loaded for a run.
#pragma once

#include <link.h>

namespace heddle::host {

class ElfFile;
class KeptOnce;
class LoopSampler;
class SampledFunctions;
class TurnStubs;

/// Of one run, whoever loads its programs and libraries. Null: code stays as it is; what there is
/// must outlive the programs.
struct CallPatches {
  SampledFunctions* sampled = nullptr;
  TurnStubs* turns = nullptr;
  LoopSampler* loops = nullptr;
  KeptOnce* kept = nullptr;  ///< Has once what copies have in common.

  /// Patches an object that has just been loaded and bound from a copy of the file.
  void patch(const link_map& object, const ElfFile& file) const;
};

}  // namespace heddle::host
