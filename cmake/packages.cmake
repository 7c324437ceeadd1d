# Packages of Debian, by component: `make deb`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "The developers of Heddle")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of the fabrics of high-performance computers")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL heddle libheddle-dev python3-heddle)
if(HEDDLE_TRACED_MPIS)
  list(APPEND CPACK_COMPONENTS_ALL libheddle-trace)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

set(CPACK_DEBIAN_HEDDLE_PACKAGE_NAME heddle)
set(CPACK_HEDDLE_BUILD ${PROJECT_BINARY_DIR})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_depends.cmake)
# What heddlecc and its like call.
set(CPACK_DEBIAN_HEDDLE_PACKAGE_RECOMMENDS "gcc, libc6-dev")
set(CPACK_DEBIAN_HEDDLE_PACKAGE_SUGGESTS "g++, gfortran, python3-heddle")
set(CPACK_COMPONENT_HEDDLE_DESCRIPTION
    "Runs MPI, OpenSHMEM and Portals 4 programs on simulated machines, sends\ntraffic over them and replays schedules.")

set(CPACK_DEBIAN_LIBHEDDLE-DEV_PACKAGE_NAME libheddle-dev)
set(CPACK_DEBIAN_LIBHEDDLE-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBHEDDLE-DEV_PACKAGE_DEPENDS
    "libfmt-dev, libyaml-cpp-dev, libpugixml-dev, zlib1g-dev, libzstd-dev")
set(CPACK_COMPONENT_LIBHEDDLE-DEV_DESCRIPTION "Heddle as a library for C++: machines, networks, messages.")

set(CPACK_DEBIAN_PYTHON3-HEDDLE_PACKAGE_NAME python3-heddle)
set(CPACK_DEBIAN_PYTHON3-HEDDLE_PACKAGE_SECTION python)
set(python_depends "python3 (>= 3.9)")
if(HEDDLE_PYTHON_MODULE)
  # Its shared libraries are among those of the program.
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(python_depends "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}~), python3 (<< ${Python3_VERSION_MAJOR}.${next_minor})")
else()
  set(CPACK_DEBIAN_PYTHON3-HEDDLE_PACKAGE_ARCHITECTURE all)
endif()
set(CPACK_DEBIAN_PYTHON3-HEDDLE_PACKAGE_DEPENDS "heddle (>= ${PROJECT_VERSION}), ${python_depends}")
set(CPACK_DEBIAN_PYTHON3-HEDDLE_PACKAGE_RECOMMENDS python3-pandas)
set(CPACK_COMPONENT_PYTHON3-HEDDLE_DESCRIPTION
    "Heddle in Python: machines, traffic, programs, studies; frames and notebooks.")
# Whoever traces has the MPI that is traced: no package has to bring it.
set(CPACK_DEBIAN_LIBHEDDLE-TRACE_PACKAGE_NAME libheddle-trace)
set(CPACK_DEBIAN_LIBHEDDLE-TRACE_PACKAGE_DEPENDS libzstd1)
set(CPACK_DEBIAN_LIBHEDDLE-TRACE_PACKAGE_SUGGESTS "openmpi-bin, mpich")
set(CPACK_COMPONENT_LIBHEDDLE-TRACE_DESCRIPTION "Records traces of real MPI programs, which Heddle replays.")
include(CPack)
