# Installs the BUILD folder under SCRATCH, as a user would; builds and runs the example of the library against that, and
# takes it all away again. SOURCE is the source folder.
file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
foreach(file bin/heddle bin/heddlecc lib/libheddle.a include/heddle/simulator.hpp lib/pkgconfig/heddle.pc
             share/man/man1/heddle.1 share/man/man1/heddle-run.1 share/bash-completion/completions/heddle
             share/zsh/site-functions/_heddle share/fish/vendor_completions.d/heddle.fish
             share/doc/heddle/LICENSE share/doc/heddle/guide.md share/doc/heddle/examples/portals/pingpong.c
             share/doc/heddle/schemas/heddle.run-1.schema.json share/doc/heddle/CHANGELOG.md)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${prefix}/share/doc/heddle/examples/library -B ${SCRATCH}/halo -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${SCRATCH}/halo)
run(${SCRATCH}/halo/halo)
if(NOT out MATCHES "dragonfly-72, packet: [0-9]+ ps a step")
  message(FATAL_ERROR "the example says: ${out}")
endif()

# What bash offers behind "heddle goal ge", and that the options of a command are there.
find_program(BASH bash)
run(${BASH} -c "source ${prefix}/share/bash-completion/completions/heddle
  COMP_WORDS=(${prefix}/bin/heddle goal ge) COMP_CWORD=2 && _heddle && echo \"\${COMPREPLY[*]}\"
  COMP_WORDS=(${prefix}/bin/heddle traffic --mess) COMP_CWORD=2 && _heddle && echo \"\${COMPREPLY[*]}\"")
if(NOT out MATCHES "^gen generate\n--messages\n")
  message(FATAL_ERROR "completion offers: ${out}")
endif()

file(COPY ${BUILD}/install_manifest.txt DESTINATION ${SCRATCH})
run(${SOURCE}/scripts/uninstall ${SCRATCH}/install_manifest.txt)
file(GLOB_RECURSE left ${prefix}/*)
if(left)
  message(FATAL_ERROR "left behind: ${left}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
