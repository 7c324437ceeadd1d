# Lists what files describe: each file NAME.cpp among those of the pattern defines `const TYPE& NAME()`, and the function
# `const std::vector<const TYPE*>& LIST()`, declared in HEADER, returns them all, by the names of their files. So nothing
# but its file is needed for another one. A list that is written, unlike objects that enter themselves into one when the
# program starts, needs no care for what linkers leave out of libraries, nor for an order of beginnings.
function(heddle_described_files layer list type header pattern)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/${pattern})
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND declarations "const ${type}& ${name}();\n")
    string(APPEND entries "      &${name}(),\n")
  endforeach()
  set(output ${PROJECT_BINARY_DIR}/generated/${layer}/${list}.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT "// Made by cmake/described_files.cmake.
#include \"${header}\"

namespace heddle::${layer} {

${declarations}
const std::vector<const ${type}*>& ${list}() {
  static const std::vector<const ${type}*> all = {
${entries}  };
  return all;
}

}  // namespace heddle::${layer}
")
  target_sources(heddle_${layer} PRIVATE ${output})
endfunction()
