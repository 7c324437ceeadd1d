# The server of `heddle serve`, a program of its own: it starts heddle, and shares no code with it. Without cpp-httplib there
# is none.
pkg_check_modules(HTTPLIB QUIET IMPORTED_TARGET cpp-httplib)
if(HTTPLIB_FOUND AND NOT HEDDLE_SANITIZE)
  set(serve_page ${PROJECT_BINARY_DIR}/generated/serve_page.cpp)
  add_custom_command(
    OUTPUT ${serve_page}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/serve/page.html -DOUTPUT=${serve_page} -DHEADER=page.hpp
            -DNAMESPACE=heddle::serve -DFUNCTION=page -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/serve/page.html ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake VERBATIM)
  file(GLOB serve_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/serve/*.cpp)
  add_executable(heddle_serve ${serve_sources} ${serve_page})
  set_target_properties(heddle_serve PROPERTIES OUTPUT_NAME heddle-serve)
  target_include_directories(heddle_serve PRIVATE ${PROJECT_SOURCE_DIR}/serve)
  target_compile_options(heddle_serve PRIVATE -Wall -Wextra $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
  target_link_libraries(heddle_serve PRIVATE PkgConfig::HTTPLIB nlohmann_json::nlohmann_json Threads::Threads)
  install(TARGETS heddle_serve RUNTIME DESTINATION lib/heddle)
endif()
