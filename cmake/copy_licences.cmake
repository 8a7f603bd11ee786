# Puts the licences of the libraries into the portable folder, as Debian's packages have them.

set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
file(GLOB libraries RELATIVE ${folder}/lib ${folder}/lib/*)
list(TRANSFORM libraries PREPEND */${architecture}/)
execute_process(COMMAND dpkg-query -S ${libraries} OUTPUT_VARIABLE found)
string(REGEX MATCHALL "[^\n:]+:[^\n]+" found "${found}")
list(TRANSFORM found REPLACE ":.*" "")
# Of these the headers are compiled in.
foreach(package ${found} libcli11-dev libprotozero-dev nlohmann-json3-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    configure_file(/usr/share/doc/${package}/copyright ${folder}/licences/${package} COPYONLY)
  else()
    message(WARNING "The licence of ${package} is missing")
  endif()
endforeach()
