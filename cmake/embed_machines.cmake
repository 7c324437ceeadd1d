# Writes the built-in machines into a C++ source: cmake -DOUTPUT=... -DDIRECTORY=... -P this file.
file(GLOB files ${DIRECTORY}/*.yaml)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"machine(${text})machine\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"platform/embedded_machines.hpp\"

namespace heddle::platform {

const std::vector<EmbeddedMachine>& embedded_machines() {
  static const std::vector<EmbeddedMachine> machines = {
${entries}  };
  return machines;
}

}  // namespace heddle::platform
")
