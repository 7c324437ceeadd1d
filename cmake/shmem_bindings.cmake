# What is repeated for every call of OpenSHMEM, made from the tables of calls and types when the build is configured:
# shmem.h and the sources of the library that programs are linked against.

set(shmem_bindings ${PROJECT_BINARY_DIR}/shmem)
set(shmem_bindings_sources ${PROJECT_SOURCE_DIR}/src/shmem/bindings)
file(GLOB tables CONFIGURE_DEPENDS ${shmem_bindings_sources}/*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tables})
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${shmem_bindings_sources}/generate.py ${shmem_bindings}
                COMMAND_ERROR_IS_FATAL ANY)

# Where shmem.h is, and what the simulator has behind it.
add_library(heddle_shmem_header INTERFACE)
target_include_directories(heddle_shmem_header INTERFACE ${shmem_bindings}/include ${shmem_bindings}/internal)

# What programs are linked against: shmem_X calls pshmem_X, which `heddle` has. Other implementations call their
# libraries sma and oshmem.
add_library(heddle_shmem_stand_in SHARED ${shmem_bindings}/shims.c ${shmem_bindings}/refusals.c
                                         ${mpi_bindings_sources}/refuse.c)
target_link_libraries(heddle_shmem_stand_in PRIVATE heddle_shmem_header)
set_target_properties(heddle_shmem_stand_in PROPERTIES OUTPUT_NAME shmem LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)
target_compile_options(heddle_shmem_stand_in PRIVATE -O2 -fno-plt)
target_link_options(heddle_shmem_stand_in PRIVATE -s)
install(TARGETS heddle_shmem_stand_in LIBRARY DESTINATION lib/heddle)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)
foreach(other sma oshmem)
  file(CREATE_LINK libshmem.so ${PROJECT_BINARY_DIR}/stand-in/lib${other}.so SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/stand-in/lib${other}.so DESTINATION lib/heddle)
endforeach()
install(FILES ${shmem_bindings}/include/shmem.h ${shmem_bindings}/include/shmemx.h DESTINATION include/heddle)
