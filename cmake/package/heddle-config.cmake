# find_package(heddle): the target heddle::heddle, the simulator as a library.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
find_dependency(yaml-cpp)
find_dependency(pugixml)
find_dependency(ZLIB)
include(${CMAKE_CURRENT_LIST_DIR}/heddle-targets.cmake)
