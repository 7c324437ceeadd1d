# Which SQLite to link: the archive where there is one that needs nothing else. The shared library has its 1,500 names
# looked for at every start of the program, which takes a third of what that takes; files of results are rarely needed.
include(CheckCXXSourceCompiles)
add_library(heddle_sqlite INTERFACE)
find_library(SQLITE3_ARCHIVE libsqlite3.a)
mark_as_advanced(SQLITE3_ARCHIVE)
if(SQLITE3_ARCHIVE)
  set(archive ${SQLITE3_ARCHIVE} m Threads::Threads ${CMAKE_DL_LIBS})
  set(CMAKE_REQUIRED_LIBRARIES ${archive})
  set(CMAKE_REQUIRED_INCLUDES ${SQLite3_INCLUDE_DIRS})
  check_cxx_source_compiles("
    #include <sqlite3.h>
    int main() { sqlite3* base = nullptr; return sqlite3_open(\":memory:\", &base); }" HEDDLE_SQLITE_ARCHIVE)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_INCLUDES)
endif()
if(HEDDLE_SQLITE_ARCHIVE)
  target_include_directories(heddle_sqlite SYSTEM INTERFACE ${SQLite3_INCLUDE_DIRS})
  target_link_libraries(heddle_sqlite INTERFACE ${archive})
else()
  target_link_libraries(heddle_sqlite INTERFACE SQLite::SQLite3)
endif()
