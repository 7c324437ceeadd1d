# What is repeated for every call of MPI, made from the table of calls when the build is configured: mpi.h and the
# sources of the library that programs are linked against.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(mpi_bindings ${PROJECT_BINARY_DIR}/mpi)
set(mpi_bindings_sources ${PROJECT_SOURCE_DIR}/src/mpi/bindings)
file(GLOB tables CONFIGURE_DEPENDS ${mpi_bindings_sources}/*.txt ${mpi_bindings_sources}/*.py ${mpi_bindings_sources}/*.in)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tables})
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${mpi_bindings_sources}/generate.py ${mpi_bindings}
                COMMAND_ERROR_IS_FATAL ANY)

# Where mpi.h is.
add_library(heddle_mpi_header INTERFACE)
target_include_directories(heddle_mpi_header INTERFACE ${mpi_bindings}/include)

# In the simulator, what nobody has implemented yet; linked behind the layer, whose functions come first.
add_library(heddle_mpi_missing STATIC ${mpi_bindings}/missing.cpp)
target_link_libraries(heddle_mpi_missing PRIVATE heddle_mpi_header heddle_mpi)

# What programs are linked against: MPI_X calls PMPI_X, which `heddle` has. A program, or a library linked before this one,
# may have an MPI_X of its own. It has the name of MPICH's library, so that libraries built for that one find it.
enable_language(C)
function(mpi_library target name)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SOVERSION 12
                                             LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)
  target_link_libraries(${target} PRIVATE heddle_mpi_header)
  target_compile_options(${target} PRIVATE -O2 -fno-plt)
  target_link_options(${target} PRIVATE -s)
  install(TARGETS ${target} LIBRARY DESTINATION lib/heddle)
  string(REPLACE mpich mpi other ${name})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)
  foreach(link lib${other}.so lib${other}.so.12)
    file(CREATE_LINK lib${name}.so.12 ${PROJECT_BINARY_DIR}/stand-in/${link} SYMBOLIC)
    install(FILES ${PROJECT_BINARY_DIR}/stand-in/${link} DESTINATION lib/heddle)
  endforeach()
endfunction()
add_library(heddle_mpi_stand_in SHARED ${mpi_bindings}/shims.c ${mpi_bindings}/refusals.c ${mpi_bindings_sources}/stand_in.c
                                       ${mpi_bindings_sources}/refuse.c)
mpi_library(heddle_mpi_stand_in mpich)

# Fortran's modules, where there is a compiler for them.
find_program(HEDDLE_FORTRAN gfortran)
set(fortran_objects)
set(fortran_modules)
if(HEDDLE_FORTRAN)
  foreach(module mpi_f08_types mpi mpi_f08)
    set(object ${mpi_bindings}/${module}.o)
    add_custom_command(
      OUTPUT ${object} BYPRODUCTS ${mpi_bindings}/include/${module}.mod
      COMMAND ${HEDDLE_FORTRAN} -c -cpp -O2 -fPIC -ffree-line-length-none -J ${mpi_bindings}/include -o ${object} ${mpi_bindings}/${module}.f90
      DEPENDS ${mpi_bindings}/${module}.f90 ${fortran_objects})
    list(APPEND fortran_objects ${object})
    list(APPEND fortran_modules ${mpi_bindings}/include/${module}.mod)
  endforeach()
endif()
# Fortran's calls, which call MPI_X. Each rank has a copy of its own, for the places of the program's variables are in it.
add_library(heddle_mpi_fortran SHARED ${mpi_bindings}/fortran.c ${mpi_bindings_sources}/fortran_calls.c ${fortran_objects})
target_include_directories(heddle_mpi_fortran PRIVATE ${mpi_bindings_sources})
target_link_libraries(heddle_mpi_fortran PRIVATE heddle_mpi_stand_in)
mpi_library(heddle_mpi_fortran mpichfort)
install(FILES ${mpi_bindings}/include/mpi.h ${mpi_bindings}/include/mpif.h ${fortran_modules} DESTINATION include/heddle)
