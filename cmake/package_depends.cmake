# Included by cpack: which packages the program and its server need. CPack itself would look at all files, and our libraries
# that have the names of MPICH's would bring MPICH.
set(folder ${CPACK_HEDDLE_BUILD}/package/depends)
file(WRITE ${folder}/debian/control "Source: heddle\n\nPackage: heddle\nArchitecture: any\n")
set(programs)
foreach(program heddle heddle-serve)
  if(EXISTS ${CPACK_HEDDLE_BUILD}/${program})
    list(APPEND programs -e${CPACK_HEDDLE_BUILD}/${program})
  endif()
endforeach()
execute_process(COMMAND dpkg-shlibdeps -O ${programs} WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE depends ERROR_VARIABLE problem
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "dpkg-shlibdeps: ${problem}")
endif()
string(REGEX REPLACE "^shlibs:Depends=|\n" "" depends "${depends}")
set(CPACK_DEBIAN_HEDDLE_PACKAGE_DEPENDS "${depends}")
