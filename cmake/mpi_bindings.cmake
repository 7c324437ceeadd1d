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
