# What is installed where, and the Debian packages: 'cpack -G DEB' in the build folder makes
# tracefold (the program), libtracefold0 (the shared library), libtracefold-dev (its header) and, where
# there is an MPI, tracefold-mpi (the program for many nodes). 'cpack -G TGZ' makes what portable.cmake says.

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(docs ${TRACEFOLD_DOCS})
set(TRACEFOLD_PACKAGER "The tracefold authors <tracefold@example.org>" CACHE STRING "Who answers for the packages: a name and an address")

# -n leaves name and time out, so that equal sources give equal packages.
find_program(GZIP_PROGRAM gzip REQUIRED)
function(tracefold_gzip input output)
  add_custom_command(OUTPUT ${output} COMMAND ${GZIP_PROGRAM} -n9c ${input} > ${output} DEPENDS ${input} VERBATIM)
endfunction()
tracefold_gzip(${docs}/tracefold.1 ${CMAKE_BINARY_DIR}/tracefold.1.gz)
configure_file(packaging/debian/changelog ${CMAKE_BINARY_DIR}/debian_changelog @ONLY)
tracefold_gzip(${CMAKE_BINARY_DIR}/debian_changelog ${CMAKE_BINARY_DIR}/changelog.gz)
tracefold_gzip(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_BINARY_DIR}/CHANGELOG.md.gz)
add_custom_target(tracefold_packed_docs ALL DEPENDS ${CMAKE_BINARY_DIR}/tracefold.1.gz ${CMAKE_BINARY_DIR}/changelog.gz ${CMAKE_BINARY_DIR}/CHANGELOG.md.gz)
add_dependencies(tracefold_packed_docs tracefold_docs)

# The program.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/tracefold)
install(TARGETS tracefold RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/tracefold.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES README.md SECURITY.md ${CMAKE_BINARY_DIR}/CHANGELOG.md.gz DESTINATION ${doc} COMPONENT program)
install(DIRECTORY docs DESTINATION ${doc} COMPONENT program)
install(DIRECTORY examples DESTINATION ${doc} COMPONENT program)
install(FILES ${docs}/tracefold.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tracefold COMPONENT program)
install(FILES ${docs}/_tracefold DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${docs}/tracefold.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# The library: find_package(tracefold) gives tracefold::tracefold, and pkg-config knows tracefold.
include(CMakePackageConfigHelpers)
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tracefold)
configure_package_config_file(cmake/tracefoldConfig.cmake.in ${CMAKE_BINARY_DIR}/tracefoldConfig.cmake INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tracefoldConfigVersion.cmake COMPATIBILITY SameMajorVersion)
# The file says where it lies, so that the installed folder can be moved.
file(RELATIVE_PATH tracefold_prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/tracefold.pc.in ${CMAKE_BINARY_DIR}/tracefold.pc @ONLY)
install(TARGETS tracefold_shared EXPORT tracefoldTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT tracefoldTargets NAMESPACE tracefold:: DESTINATION ${cmake_folder} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/tracefoldConfig.cmake ${CMAKE_BINARY_DIR}/tracefoldConfigVersion.cmake DESTINATION ${cmake_folder} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/tracefold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES packaging/debian/libtracefold0.overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        RENAME libtracefold${PROJECT_VERSION_MAJOR} COMPONENT library)
install(DIRECTORY examples/embed DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtracefold-dev/examples COMPONENT development)

set(CPACK_COMPONENTS_ALL program library development)
# The program for many nodes. Its page says what that of tracefold does.
if(TRACEFOLD_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  install(TARGETS tracefold-mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
  file(WRITE ${CMAKE_BINARY_DIR}/tracefold-mpi.1 ".so man1/tracefold.1\n")
  tracefold_gzip(${CMAKE_BINARY_DIR}/tracefold-mpi.1 ${CMAKE_BINARY_DIR}/tracefold-mpi.1.gz)
  add_custom_target(tracefold_mpi_page ALL DEPENDS ${CMAKE_BINARY_DIR}/tracefold-mpi.1.gz)
  install(FILES ${CMAKE_BINARY_DIR}/tracefold-mpi.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME tracefold-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "tracefold (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tracefold)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtracefold${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtracefold-dev)
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} part)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${part}_PACKAGE_NAME})
  install(FILES LICENSE DESTINATION ${doc} RENAME copyright COMPONENT ${component})
  install(FILES ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${doc} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME tracefold)
set(CPACK_PACKAGE_VENDOR "The tracefold authors")
set(CPACK_PACKAGE_CONTACT "${TRACEFOLD_PACKAGER}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${TRACEFOLD_PACKAGER}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS graphviz)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
file(WRITE ${CMAKE_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
file(WRITE ${CMAKE_BINARY_DIR}/debian/shlibs
     "libtracefold ${PROJECT_VERSION_MAJOR} ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/triggers ${CMAKE_BINARY_DIR}/debian/shlibs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} (= ${PROJECT_VERSION})")
set(words "tracefold finds processes of a parallel program that do the same work, keeps
one of each, and writes a valid OTF2 trace that says what was folded, for
Vampir, ViTE and other viewers of OTF2 traces.")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "makes large OTF2 traces small")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "${words}")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "${words}
.
This package has the shared library.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${words}
.
This package has what programs need that embed the library.")
set(CPACK_DEBIAN_MPI_DESCRIPTION "${words}
.
This package has tracefold-mpi, whose processes MPI connects, for traces that
take many nodes.")
include(cmake/portable.cmake)
include(CPack)
