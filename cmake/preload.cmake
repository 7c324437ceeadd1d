# The library that ranks which are processes are started with: Portals, PMI and heddle.h by way of the simulator, and the
# functions of the C library that tell time and place. It has the name that programs know Portals by, so that one file is
# all of it.

file(GLOB preload_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/preload/*.cpp)
set(preload_exports ${PROJECT_SOURCE_DIR}/preload/exports.map)
add_library(heddle_preload SHARED ${preload_sources})
set_target_properties(heddle_preload PROPERTIES OUTPUT_NAME portals SOVERSION 4 LINK_DEPENDS ${preload_exports}
                                                LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/processes)
target_include_directories(heddle_preload PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
# As plain as can be: it goes into other people's processes, before everything else.
target_compile_options(heddle_preload PRIVATE -Wall -Wextra -fno-exceptions -fno-rtti -fno-threadsafe-statics -U_FORTIFY_SOURCE
                                              -fno-stack-protector $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
target_link_options(heddle_preload PRIVATE -static-libgcc -static-libstdc++ -Wl,--as-needed
                                           -Wl,--version-script=${preload_exports})
# What builds the components of Open MPI that use it.
configure_file(${PROJECT_SOURCE_DIR}/scripts/openmpi-components ${PROJECT_BINARY_DIR}/processes/openmpi-components COPYONLY)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/openmpi-components DESTINATION lib/heddle/processes)
target_compile_definitions(heddle_cli PRIVATE HEDDLE_INCLUDE="${PROJECT_SOURCE_DIR}/include")
install(TARGETS heddle_preload LIBRARY DESTINATION lib/heddle/processes)
