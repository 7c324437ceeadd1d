# heddle._core, the library's simulator for Python (python/core), for those who want it: -DHEDDLE_PYTHON_MODULE=ON.
# For the Python that Debian's packages are for, as the tests use it; another one is named by -DPython3_EXECUTABLE.
find_program(SYSTEM_PYTHON3 python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(SYSTEM_PYTHON3 AND NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE ${SYSTEM_PYTHON3})
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 REQUIRED)
pybind11_add_module(heddle_python_module NO_EXTRAS ${PROJECT_SOURCE_DIR}/python/core/module.cpp)
set_target_properties(heddle_python_module PROPERTIES OUTPUT_NAME _core
                                                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
target_link_libraries(heddle_python_module PRIVATE heddle_library)
install(TARGETS heddle_python_module LIBRARY DESTINATION ${HEDDLE_PYTHON_FOLDER}/heddle COMPONENT python3-heddle)
