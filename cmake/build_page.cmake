# Bundles the page of reports: cmake -DSOURCES=... -DFOLDER=... -DOUTPUT=... -DNPM=... -DNODE=... -P this file.
# Where the packages cannot be fetched the program is built without the page, and this says so.
file(MAKE_DIRECTORY ${FOLDER})
file(COPY ${SOURCES}/src ${SOURCES}/build.mjs ${SOURCES}/package.json ${SOURCES}/package-lock.json DESTINATION ${FOLDER})

function(give_up step)
  message(WARNING "The page of reports could not be built (${step}): heddle will be built without the page that --report "
                  "writes. It needs npm and its packages; once they can be had, delete ${OUTPUT} and build again, or give "
                  "a page that was built elsewhere: -DHEDDLE_REPORT_PAGE=page.html")
  file(WRITE ${OUTPUT} "")
endfunction()

file(SHA256 ${SOURCES}/package-lock.json lock)
set(stamp ${FOLDER}/node_modules/.heddle-${lock})
if(NOT EXISTS ${stamp})
  execute_process(COMMAND ${NPM} ci --omit=dev --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${FOLDER}
                  RESULT_VARIABLE failed OUTPUT_QUIET TIMEOUT 300)
  if(failed)
    give_up("npm ci")
    return()
  endif()
  file(TOUCH ${stamp})
endif()
execute_process(COMMAND ${NODE} build.mjs ${OUTPUT} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed OUTPUT_QUIET)
if(failed)
  give_up("node build.mjs")
endif()
