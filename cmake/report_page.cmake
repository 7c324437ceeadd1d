# The page of reports (report-page/), bundled into one file that becomes part of the program.
set(HEDDLE_REPORT_PAGE "" CACHE FILEPATH
    "A page of reports that was built elsewhere (in report-page: npm ci && npm run build), for machines without npm")
set(page_sources ${PROJECT_SOURCE_DIR}/report-page)
set(page_folder ${PROJECT_BINARY_DIR}/report-page)
set(page_file ${page_folder}/dist/page.html)
set(embedded_page ${PROJECT_BINARY_DIR}/generated/embedded_page.cpp)

find_program(NPM npm)
find_program(NODE NAMES node nodejs)
if(NOT HEDDLE_REPORT_PAGE AND EXISTS ${page_sources}/page.html)
  set(HEDDLE_REPORT_PAGE ${page_sources}/page.html)  # A release has it.
endif()
if(HEDDLE_REPORT_PAGE)
  set(page_file ${HEDDLE_REPORT_PAGE})
elseif(NPM AND NODE)
  file(GLOB page_files CONFIGURE_DEPENDS ${page_sources}/src/*)
  add_custom_command(
    OUTPUT ${page_file}
    COMMAND ${CMAKE_COMMAND} -DSOURCES=${page_sources} -DFOLDER=${page_folder} -DOUTPUT=${page_file} -DNPM=${NPM}
            -DNODE=${NODE} -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
    DEPENDS ${page_files} ${page_sources}/package.json ${page_sources}/package-lock.json ${page_sources}/build.mjs
            ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
    COMMENT "Bundling the page of reports" VERBATIM)
else()
  message(WARNING "npm or node is not installed: heddle will be built without the page that --report writes. Install both "
                  "(on Debian: nodejs and npm), or give a page that was built elsewhere: -DHEDDLE_REPORT_PAGE=page.html")
  file(WRITE ${page_file} "")
endif()

add_custom_command(
  OUTPUT ${embedded_page}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${page_file} -DOUTPUT=${embedded_page} -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${page_file} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake VERBATIM)
target_sources(heddle_report PRIVATE ${embedded_page})
set_source_files_properties(${embedded_page} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
