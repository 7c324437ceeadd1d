# The library that programs are linked against: every function of the public headers, which says that the program
# wants to be started by `heddle run`. In it, `heddle` finds nothing: the simulator has the real ones.

file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})

set(public_functions)
foreach(header ${public_headers})
  file(STRINGS ${header} lines REGEX "(Ptl[A-Z][A-Za-z0-9]*|PMI2?_[A-Z][A-Za-z_]*|heddle_[a-z_]+) *\\(")
  foreach(line ${lines})
    string(REGEX MATCHALL "(Ptl[A-Z][A-Za-z0-9]*|PMI2?_[A-Z][A-Za-z_]*|heddle_[a-z_]+) *\\(" names "${line}")
    foreach(name ${names})
      string(REGEX REPLACE " *\\(" "" name "${name}")
      list(APPEND public_functions ${name})
    endforeach()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES public_functions)

set(stand_in_source ${PROJECT_BINARY_DIR}/generated/stand_in.cpp)
set(text "#include <cstdio>\n#include <unistd.h>\n
static void refuse(const char* function) {
  std::fprintf(stderr, \"%s: this program needs a simulated machine: start it with `heddle run`\\n\", function);
  _exit(2);
}
extern \"C\" {\n")
foreach(name ${public_functions})
  string(APPEND text "void ${name}() { refuse(\"${name}\"); }\n")
endforeach()
string(APPEND text "}\n")
file(CONFIGURE OUTPUT ${stand_in_source} CONTENT "${text}" @ONLY)

add_library(heddle_stand_in SHARED ${stand_in_source})
set_target_properties(heddle_stand_in PROPERTIES OUTPUT_NAME portals SOVERSION 4
                                                 LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)
# What other implementations of Portals and PMI call it.
foreach(name pmi pmi2 portals_runtime)
  add_custom_command(TARGET heddle_stand_in POST_BUILD
                     COMMAND ${CMAKE_COMMAND} -E create_symlink libportals.so lib${name}.so
                     WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)
  install(FILES ${PROJECT_BINARY_DIR}/stand-in/lib${name}.so DESTINATION lib/heddle)
endforeach()
# As plain as can be: it goes into other people's programs.
target_compile_options(heddle_stand_in PRIVATE -fno-exceptions)
target_link_options(heddle_stand_in PRIVATE -Wl,--as-needed)

# What makes a program of a shared object.
enable_language(C)
add_library(heddle_start OBJECT ${PROJECT_SOURCE_DIR}/src/host/program/start/start.c)
target_compile_options(heddle_start PRIVATE -fPIC)
set(start_object ${PROJECT_BINARY_DIR}/stand-in/start.o)
add_custom_command(OUTPUT ${start_object} DEPENDS heddle_start $<TARGET_OBJECTS:heddle_start>
                   COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:heddle_start> ${start_object})
add_custom_target(heddle_start_object DEPENDS ${start_object})
add_dependencies(heddle_stand_in heddle_start_object)

# The assembler that has code count what it does.
add_executable(heddle_count_as ${PROJECT_SOURCE_DIR}/src/main_count.cpp)
target_link_libraries(heddle_count_as PRIVATE heddle_counts)
set_target_properties(heddle_count_as PROPERTIES OUTPUT_NAME as RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in/count)
add_dependencies(heddle_stand_in heddle_count_as)
install(TARGETS heddle_count_as RUNTIME DESTINATION lib/heddle/count)

# The compiler wrappers: for the build tree, and for where they are installed.
configure_file(${mpi_bindings_sources}/shared.list ${PROJECT_BINARY_DIR}/stand-in/shared.list COPYONLY)
set(wrappers heddlecc heddlecxx heddlef90 heddlefc heddlef77)
set(HEDDLE_INCLUDE ${PROJECT_SOURCE_DIR}/include)
set(HEDDLE_MPI_INCLUDE ${mpi_bindings}/include)
set(HEDDLE_SHMEM_INCLUDE ${shmem_bindings}/include)
set(HEDDLE_LIBRARY ${PROJECT_BINARY_DIR}/stand-in)
foreach(wrapper ${wrappers})
  configure_file(${PROJECT_SOURCE_DIR}/scripts/heddlecc.in ${PROJECT_BINARY_DIR}/${wrapper} @ONLY USE_SOURCE_PERMISSIONS)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/scripts/heddle-mpi.pc.in ${PROJECT_BINARY_DIR}/stand-in/pkgconfig/heddle-mpi.pc @ONLY)
set(HEDDLE_INCLUDE "$here/../include/heddle")
set(HEDDLE_MPI_INCLUDE ${HEDDLE_INCLUDE})
set(HEDDLE_SHMEM_INCLUDE ${HEDDLE_INCLUDE})
set(HEDDLE_LIBRARY "$here/../lib/heddle")
foreach(wrapper ${wrappers})
  configure_file(${PROJECT_SOURCE_DIR}/scripts/heddlecc.in ${PROJECT_BINARY_DIR}/installed/${wrapper} @ONLY USE_SOURCE_PERMISSIONS)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/installed/${wrapper} DESTINATION bin)
endforeach()
set(HEDDLE_INCLUDE "\${pcfiledir}/../../../include/heddle")
set(HEDDLE_MPI_INCLUDE ${HEDDLE_INCLUDE})
set(HEDDLE_SHMEM_INCLUDE ${HEDDLE_INCLUDE})
set(HEDDLE_LIBRARY "\${pcfiledir}/..")
configure_file(${PROJECT_SOURCE_DIR}/scripts/heddle-mpi.pc.in ${PROJECT_BINARY_DIR}/installed/heddle-mpi.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/heddle-mpi.pc DESTINATION lib/heddle/pkgconfig)
# Build systems that insist on the names of other implementations find them in a folder that can be put on the PATH.
set(names_folder ${PROJECT_BINARY_DIR}/mpi-names)
set(HEDDLE_FROM_NAMES ../heddle)
configure_file(${PROJECT_SOURCE_DIR}/scripts/mpirun.in ${names_folder}/mpirun @ONLY USE_SOURCE_PERMISSIONS)
set(HEDDLE_FROM_NAMES ../../../bin/heddle)
configure_file(${PROJECT_SOURCE_DIR}/scripts/mpirun.in ${PROJECT_BINARY_DIR}/installed/mpirun @ONLY USE_SOURCE_PERMISSIONS)
install(PROGRAMS ${PROJECT_BINARY_DIR}/installed/mpirun DESTINATION lib/heddle/mpi-names)
set(heddlecc_names mpicc oshcc)
set(heddlecxx_names mpicxx mpic++ mpiCC oshcxx oshc++ oshCC)
set(heddlef90_names mpif90 mpif77 mpifort oshfort)
foreach(wrapper heddlecc heddlecxx heddlef90)
  foreach(name ${${wrapper}_names})
    file(CREATE_LINK ../${wrapper} ${names_folder}/${name} SYMBOLIC)
    file(CREATE_LINK ../../../bin/${wrapper} ${PROJECT_BINARY_DIR}/installed/${name} SYMBOLIC)
    install(FILES ${PROJECT_BINARY_DIR}/installed/${name} DESTINATION lib/heddle/mpi-names)
  endforeach()
endforeach()
foreach(name mpiexec oshrun)
  file(CREATE_LINK mpirun ${names_folder}/${name} SYMBOLIC)
  install(FILES ${names_folder}/${name} DESTINATION lib/heddle/mpi-names)
endforeach()

# Other people's build systems ask for MPI by these names.
foreach(name mpi mpi-c mpi-cxx mpi-fort mpich)
  file(CREATE_LINK heddle-mpi.pc ${PROJECT_BINARY_DIR}/stand-in/pkgconfig/${name}.pc SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/stand-in/pkgconfig/${name}.pc DESTINATION lib/heddle/pkgconfig)
endforeach()

# A small real network to compare with.
set(testbed ${PROJECT_SOURCE_DIR}/testbed)
file(CREATE_LINK ${testbed} ${PROJECT_BINARY_DIR}/testbed SYMBOLIC)
install(PROGRAMS ${testbed}/testbed ${testbed}/network ${testbed}/agent DESTINATION lib/heddle/testbed)
install(FILES ${testbed}/bench.c ${testbed}/wait.c DESTINATION lib/heddle/testbed)
install(DIRECTORY ${testbed}/native DESTINATION lib/heddle/testbed)
foreach(name cg.c costs.h sort.c stencil.c)
  install(FILES ${PROJECT_SOURCE_DIR}/examples/mpi/${name} DESTINATION lib/heddle/testbed/examples)
endforeach()

install(FILES ${public_headers} DESTINATION include/heddle)
install(FILES ${start_object} ${mpi_bindings_sources}/shared.list DESTINATION lib/heddle)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/portals4 ${PROJECT_SOURCE_DIR}/include/smpi DESTINATION include/heddle)
install(TARGETS heddle_stand_in LIBRARY DESTINATION lib/heddle)
