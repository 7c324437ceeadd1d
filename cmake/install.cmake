# What `make install` puts where, besides the program, its compiler wrappers and the tracing library.
include(CMakePackageConfigHelpers)

# Man pages and completions are what the program says of itself.
set(manual ${PROJECT_BINARY_DIR}/manual)
set(completions ${manual}/heddle.bash ${manual}/_heddle ${manual}/heddle.fish)
add_custom_command(
  OUTPUT ${manual}/heddle.1 ${completions}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}
  COMMAND heddle help --man-pages ${manual}
  COMMAND heddle help --completion bash > ${manual}/heddle.bash
  COMMAND heddle help --completion zsh > ${manual}/_heddle
  COMMAND heddle help --completion fish > ${manual}/heddle.fish
  DEPENDS heddle)
# Nobody installs what is built for the sanitizers.
if(NOT HEDDLE_SANITIZE)
  set(with_all ALL)
endif()
add_custom_target(heddle_manual ${with_all} DEPENDS ${manual}/heddle.1 ${completions})
install(DIRECTORY ${manual}/ DESTINATION share/man/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${manual}/heddle.bash DESTINATION share/bash-completion/completions RENAME heddle)
install(FILES ${manual}/_heddle DESTINATION share/zsh/site-functions)
install(FILES ${manual}/heddle.fish DESTINATION share/fish/vendor_completions.d)

install(DIRECTORY docs/ DESTINATION share/doc/heddle)
install(DIRECTORY examples DESTINATION share/doc/heddle)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION share/doc/heddle)

# The library in one archive.
set(library_objects)
foreach(layer ${library_layers})
  list(APPEND library_objects $<TARGET_OBJECTS:heddle_${layer}>)
  if(TARGET heddle_${layer}_cold)
    list(APPEND library_objects $<TARGET_OBJECTS:heddle_${layer}_cold>)
  endif()
endforeach()
add_library(heddle_whole STATIC ${library_objects})
set_target_properties(heddle_whole PROPERTIES OUTPUT_NAME heddle EXPORT_NAME heddle LINKER_LANGUAGE CXX)
target_include_directories(heddle_whole INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(heddle_whole INTERFACE cxx_std_20)
target_link_libraries(heddle_whole INTERFACE Threads::Threads fmt::fmt yaml-cpp pugixml::pugixml ZLIB::ZLIB zstd)
install(TARGETS heddle_whole EXPORT heddle ARCHIVE DESTINATION lib COMPONENT libheddle-dev)
install(FILES include/heddle/simulator.hpp DESTINATION include/heddle COMPONENT libheddle-dev)
install(EXPORT heddle FILE heddle-targets.cmake NAMESPACE heddle:: DESTINATION lib/cmake/heddle COMPONENT libheddle-dev)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/heddle-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/package/heddle.pc.in ${PROJECT_BINARY_DIR}/package/heddle.pc @ONLY)
install(FILES cmake/package/heddle-config.cmake ${PROJECT_BINARY_DIR}/package/heddle-config-version.cmake
        DESTINATION lib/cmake/heddle COMPONENT libheddle-dev)
install(FILES ${PROJECT_BINARY_DIR}/package/heddle.pc DESTINATION lib/pkgconfig COMPONENT libheddle-dev)

# The Python package, where the machine's own Python looks: Debian's looks elsewhere for what is not of its packages.
set(python_folder lib/python3/site-packages)
find_program(PYTHON3_FOR_PACKAGE python3)
if(PYTHON3_FOR_PACKAGE)
  execute_process(COMMAND ${PYTHON3_FOR_PACKAGE} -c "import os, sys; print('lib/python%d.%d/%s-packages' % (*sys.version_info[:2],
                          'dist' if os.path.exists('/etc/debian_version') else 'site'))"
                  OUTPUT_VARIABLE python_folder OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(HEDDLE_PYTHON_FOLDER ${python_folder} CACHE STRING "Where the Python package goes, under the prefix")
install(DIRECTORY python/heddle DESTINATION ${HEDDLE_PYTHON_FOLDER} COMPONENT python3-heddle
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
