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
add_library(heddle_mpi_stand_in SHARED ${mpi_bindings}/shims.c ${mpi_bindings}/refusals.c ${mpi_bindings_sources}/stand_in.c)
set_target_properties(heddle_mpi_stand_in PROPERTIES OUTPUT_NAME mpich SOVERSION 12
                                                     LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)
target_link_libraries(heddle_mpi_stand_in PRIVATE heddle_mpi_header)
target_compile_options(heddle_mpi_stand_in PRIVATE -O2 -fno-plt)
set(mpi_library_names libmpi.so libmpi.so.12)
foreach(name ${mpi_library_names})
  file(CREATE_LINK libmpich.so.12 ${PROJECT_BINARY_DIR}/stand-in/${name} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/stand-in/${name} DESTINATION lib/heddle)
endforeach()
install(TARGETS heddle_mpi_stand_in LIBRARY DESTINATION lib/heddle)
install(FILES ${mpi_bindings}/include/mpi.h DESTINATION include/heddle)
